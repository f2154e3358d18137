// The fault of a token that holds a key (world/system/pkcs11.ts).

/** The token, its module or its PIN is at fault; the text is for the operator. */
export class TokenError extends Error {
  override name = 'TokenError';
}
