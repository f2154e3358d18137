// Reads the fields of the wallet's forms: text, and amounts in tokens. Error messages are sentences for the form.

import { parseTokens } from '../text/amount.ts';

export const textOf = (fields: FormData, name: string): string => String(fields.get(name) ?? '').trim();

/** Undefined if the field is empty: optional members are left out of the request. */
export const optionalText = (fields: FormData, name: string): string | undefined =>
  textOf(fields, name) || undefined;

/** Micro-units. */
export function amountOf(fields: FormData, name: string): number {
  const micro = parseTokens(textOf(fields, name));
  if (micro === undefined) {
    throw new Error('Enter an amount of tokens above 0, such as 12.5, with at most six decimals.');
  }
  return micro;
}
