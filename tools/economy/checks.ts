// What must hold once the simulated economy has come to rest.

import * as abi from '../../assembly/abi.ts';
import type { Books } from './books.ts';
import type { Economy } from './economy.ts';

/** What is left open, in words; empty if nothing is. */
export function leftovers(economy: Economy): string[] {
  const { core } = economy.world;
  const words = core.queryWords(abi.QUERY_HEADER)!.view;
  const word = (place: number): bigint => words.getBigUint64(8 * place, true);
  const open = {
    escrowed: word(abi.HEADER_TOTAL_ESCROWED),
    'replay escrow': word(abi.HEADER_REPLAY_ESCROW),
    tasks: word(abi.HEADER_TASKS),
    events: word(abi.HEADER_ITEMS),
    challenges: word(abi.HEADER_CHALLENGES),
    replays: word(abi.HEADER_JOBS),
  };
  const faults = Object.entries(open)
    .filter(([, left]) => left !== 0n)
    .map(([name, left]) => `${left} left: ${name}`);
  const supply = core.queryWords(abi.QUERY_FULL_SUPPLY)!.view.getBigUint64(0, true);
  if (supply !== 10n ** 15n) faults.push(`the accounts sum to ${supply}`);
  return faults;
}

/**
 * Honest validators that lost and colluding ones that gained, in words. A ring is not always excluded: most of it never
 * leaves probation, where its verdicts have no weight.
 */
export function injustices(books: Books): string[] {
  const faults: string[] = [];
  for (const { judge, start, worth } of books.accounts.values()) {
    if (judge.character.name === 'honest' && worth <= start) faults.push(`${judge.name} did not gain`);
    if (judge.character.name === 'colluding' && worth >= start) faults.push(`${judge.name} did not lose`);
  }
  return faults;
}
