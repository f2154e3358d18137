// The message of a parseArgs error (node:util) for the person who typed the command line.

/** The fault in a few words; undefined if the error is not from parseArgs. */
export function parseFault(error: unknown): string | undefined {
  if (!(error instanceof TypeError)) return undefined;
  const [, flag] = /^Option '(--[a-z-]+)' argument is ambiguous/.exec(error.message) ?? [];
  if (flag !== undefined) return `${flag} needs a value; one that begins with a dash is written ${flag}=-...`;
  // The first sentence says what is wrong; the rest explains parseArgs to its programmer.
  const reason = error.message.split(/\.\s|\n/)[0] ?? error.message;
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}
