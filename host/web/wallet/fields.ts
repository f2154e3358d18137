// What the forms of the wallet read: text, and amounts in tokens. Errors are sentences for the form.

import { parseTokens } from '../text/amount.ts';

export const textOf = (fields: FormData, name: string): string => String(fields.get(name) ?? '').trim();

/** Undefined when nothing was typed: optional members are left out of the request. */
export const maybeText = (fields: FormData, name: string): string | undefined =>
  textOf(fields, name) || undefined;

/** Micro-units. */
export function amountOf(fields: FormData, name: string): number {
  const micro = parseTokens(textOf(fields, name));
  if (micro === undefined) {
    throw new Error('Type an amount of tokens above 0, like 12.5, with at most six decimals.');
  }
  return micro;
}
