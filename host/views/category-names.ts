// What a task in a category costs its poster beside the budget: a name that the ledger does not have yet has a price
// (protocol 6.18). Keeps: names never go and never change their number, so each is read from the core once.

import { DEFAULT_CATEGORIES } from '../../assembly/abi.ts';
import type { State } from '../core/state.ts';

type Names = Pick<State, 'categoryName'>;

/** A name is priced as this many rows. */
const PRICE_ROWS = 10n;

interface Known {
  names: Set<string>;
  /** Of names read so far. */
  count: number;
}

const knownOf = new WeakMap<Names, Known>();

/** The names that the ledger has. */
function known(state: Names): Readonly<Known> {
  const read = knownOf.get(state) ?? { names: new Set(), count: 0 };
  knownOf.set(state, read);
  for (; read.count < DEFAULT_CATEGORIES; read.count++) {
    const name = state.categoryName(read.count);
    if (name === '') break;
    read.names.add(name);
  }
  return read;
}

/**
 * `category`: as stored (wire/category.ts). `fee`: micro-units that its first task takes from the poster's free balance, where
 * that has them; a full table takes nothing, the task counts as `general`.
 */
export function categoryPrice(state: Names, category: string, rowDeposit: number) {
  const { names, count } = known(state);
  const isKnown = names.has(category);
  const free = DEFAULT_CATEGORIES - count;
  const row = free > 0 ? (BigInt(rowDeposit) * BigInt(DEFAULT_CATEGORIES)) / BigInt(free) : 0n;
  return { category, is_known: isKnown, fee: isKnown ? 0 : Number(PRICE_ROWS * row) };
}
