/** Longest body of a request, in bytes, where its route has no limit of its own. Source: protocol 8.2. */
export const DEFAULT_BODY_BYTES = 65_536;
