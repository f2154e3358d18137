// Units of the details of a refusal, where one name means several things (protocol 2.2).
// Keeps: a number of claims or validators is never shown as money, nor the other way round.

import type { Units } from './output.ts';

const AMOUNT = 'amount' as const;

/** What the table of members does not know, or knows otherwise. */
export function detailUnits(code: string, details: Record<string, unknown>): Units {
  if (code === 'assurance_blocked') return { required: AMOUNT };
  if (code !== 'claim_limit') return {};
  const unit = details.bound === 'budgets' ? AMOUNT : undefined;
  return { held: unit, limit: unit };
}
