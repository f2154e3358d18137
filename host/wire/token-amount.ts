// Amounts as people and models write them: decimal tokens. `12.5` is exactly 12500000 micro-units.
// Keeps: no floating point; every amount as printed can be read back.

const MICRO_PER_TOKEN = 1_000_000n;
/** The total supply, in micro-units. */
export const MAX_SUPPLY_MICRO = 1_000_000_000_000_000n;

/** Micro-units of a decimal text with at most six decimals; undefined for anything else. May be above the total supply. */
export function microOfTokens(text: string): bigint | undefined {
  const parts = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text);
  if (!parts) return undefined;
  return BigInt(parts[1] ?? '0') * MICRO_PER_TOKEN + BigInt((parts[2] ?? '').padEnd(6, '0'));
}

/** Without trailing zeros: 2500000 -> `2.5`. */
export function tokensOfMicro(micro: number | bigint): string {
  const digits = BigInt(micro).toString().padStart(7, '0');
  const decimals = digits.slice(-6).replace(/0+$/, '');
  return `${digits.slice(0, -6)}${decimals === '' ? '' : `.${decimals}`}`;
}
