// Amounts as people type and read them: micro-units, or tokens with the suffix `t`.
// Keeps: no floating point; `1.5t` is exactly 1500000 micro-units, and every amount as printed can be typed.

import { UsageError } from './exit-code.ts';

const MICRO_PER_TOKEN = 1_000_000n;
/** The total supply, in micro-units. */
const MAX_MICRO = 1_000_000_000_000_000n;

/** `2500000` or `2.5t`; at most six decimals, at most the total supply. Errors: UsageError. */
export function parseAmount(text: string, flag: string): number {
  const tokens = /^(\d{1,10})(?:\.(\d{1,6}))?t$/.exec(text);
  let micro: bigint | undefined;
  if (tokens) micro = BigInt(tokens[1] ?? '0') * MICRO_PER_TOKEN + BigInt((tokens[2] ?? '').padEnd(6, '0'));
  else if (/^\d{1,16}$/.test(text)) micro = BigInt(text);
  if (micro === undefined || micro > MAX_MICRO) {
    throw new UsageError(`${flag}: "${text}" is not an amount; write micro-units (2500000) or tokens (2.5t)`);
  }
  return Number(micro);
}

/** Tokens with suffix, without trailing zeros: 2500000 -> `2.5t`. */
export function formatTokens(micro: number): string {
  const digits = BigInt(micro).toString().padStart(7, '0');
  const decimals = digits.slice(-6).replace(/0+$/, '');
  return `${digits.slice(0, -6)}${decimals === '' ? '' : `.${decimals}`}t`;
}

/** Both scales: `2500000 (2.5t)`. */
export function formatAmount(micro: number): string {
  return `${micro} (${formatTokens(micro)})`;
}
