// Amounts on the command line: micro-units, or tokens with the suffix `t`.
// Keeps: `1.5t` is exactly 1500000 micro-units, and every amount as printed can be typed.

import { MAX_SUPPLY_MICRO, microOfTokens, tokensOfMicro } from '../wire/token-amount.ts';
import { UsageError } from './exit-code.ts';

/** `2500000` or `2.5t`; at most six decimals, at most the total supply. Errors: UsageError. */
export function parseAmount(text: string, flag: string): number {
  let micro: bigint | undefined;
  if (text.endsWith('t')) micro = microOfTokens(text.slice(0, -1));
  else if (/^\d{1,16}$/.test(text)) micro = BigInt(text);
  if (micro === undefined || micro > MAX_SUPPLY_MICRO) {
    throw new UsageError(`${flag}: "${text}" is not an amount; write micro-units (2500000) or tokens (2.5t)`);
  }
  return Number(micro);
}

/** Tokens with suffix, without trailing zeros: 2500000 -> `2.5t`. */
export const formatTokens = (micro: number): string => `${tokensOfMicro(micro)}t`;

/** Both scales: `2500000 (2.5t)`; what is no amount, as it is. */
export function formatAmount(micro: number): string {
  if (!Number.isSafeInteger(micro)) return String(micro);
  return `${micro} (${formatTokens(micro)})`;
}
