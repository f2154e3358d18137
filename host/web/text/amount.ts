// Amounts as people read and type them: integer micro-units in the program, tokens on the page.
// Keeps: no floating point, so the amount shown is exactly the amount held, and the amount typed is the amount sent.

const MICRO_PER_TOKEN = 1_000_000n;
const DECIMALS = 6;
/** The total supply; the node refuses more. */
const MAX_MICRO = 1_000_000_000_000_000n;

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** `1234500000` -> `1,234.50`: tokens with at least two decimals, and no further trailing zeros. */
export function formatMicro(micro: number | bigint): string {
  const value = BigInt(micro);
  const sign = value < 0n ? '−' : '';
  const size = value < 0n ? -value : value;
  const decimals = (size % MICRO_PER_TOKEN).toString().padStart(DECIMALS, '0');
  const shown = decimals.replace(/0{1,4}$/, '');
  return `${sign}${grouped((size / MICRO_PER_TOKEN).toString())}.${shown}`;
}

/** Whole tokens, truncated, never rounded up: `1234567890` -> `1,234`. */
export function formatWhole(micro: number | bigint): string {
  return grouped((BigInt(micro) / MICRO_PER_TOKEN).toString());
}

/** Commas may group thousands and nothing else: left out of `12,5` they would make 125 of it. */
const TOKENS = /^(\d{0,12}|[1-9]\d{0,2}(?:,\d{3}){1,3})(?:\.(\d{0,6}))?$/;

/** `12.5`, `1,000` or `.5` in micro-units; undefined if it is not an amount above 0 with at most six decimals. */
export function parseTokens(text: string): number | undefined {
  const match = TOKENS.exec(text.trim());
  if (!match || (!match[1] && !match[2])) return undefined;
  const micro =
    BigInt(match[1]!.replaceAll(',', '') || '0') * MICRO_PER_TOKEN +
    BigInt((match[2] ?? '').padEnd(DECIMALS, '0'));
  return micro > 0n && micro <= MAX_MICRO ? Number(micro) : undefined;
}

export function formatCount(count: number): string {
  return grouped(String(Math.trunc(count)));
}
