// What a task in a category costs its poster beside the budget: a name that the ledger does not have yet has a price
// (protocol 6.18). Keeps: names never go and never change their number, so each is read from the core once.

import { DEFAULT_CATEGORIES } from '../../assembly/abi.ts';
import type { State } from '../core/state.ts';

type Names = Pick<State, 'categoryName'>;

/** A name is priced as this many rows. */
const PRICE_ROWS = 10n;

const namesOf = new WeakMap<Names, Set<string>>();

/** The names that the ledger has. */
function knownNames(state: Names): ReadonlySet<string> {
  const names = namesOf.get(state) ?? new Set<string>();
  namesOf.set(state, names);
  for (;;) {
    const name = state.categoryName(names.size);
    if (name === '') return names;
    names.add(name);
  }
}

/**
 * `category`: as stored (wire/category.ts). `fee`: micro-units that its first task takes from the poster's free balance, where
 * that has them; a full table takes nothing, the task counts as `general`.
 */
export function categoryPrice(state: Names, category: string, rowDeposit: number) {
  const names = knownNames(state);
  const isKnown = names.has(category);
  const free = DEFAULT_CATEGORIES - names.size;
  const row = free > 0 ? (BigInt(rowDeposit) * BigInt(DEFAULT_CATEGORIES)) / BigInt(free) : 0n;
  return { category, is_known: isKnown, fee: isKnown ? 0 : Number(PRICE_ROWS * row) };
}
