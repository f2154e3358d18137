// Both judges over one run, and whether they find what was changed on purpose.

import { systemClock } from '../../host/world/system/clock.ts';
import { type Fault, judge, type Recorded } from './judge.ts';
import { MUTATIONS, mutationsOf } from './mutations.ts';
import type { Porcupine } from './porcupine.ts';

export interface Verdict {
  /** The shortest pair of calls of each judge first. */
  faults: Fault[];
  /** Registers that porcupine did not decide in its time. */
  undecided: readonly string[];
  /** Of all calls, by the order. */
  callsPerSecond: number;
  /** Calls that porcupine judged too, and how many of them in a second. */
  searched: number;
  searchedPerSecond: number;
}

/** `porcupine`: undefined where there is no Go. */
export function verdictOf(recorded: Recorded, porcupine: Porcupine | undefined): Verdict {
  const startedMs = systemClock.monotonicMs();
  const faults = judge(recorded);
  const judgedMs = systemClock.monotonicMs();
  const found = porcupine?.judge(recorded);
  const searchedMs = systemClock.monotonicMs();
  const searched = found?.operations ?? 0;
  return {
    faults: [...faults, ...(found?.faults ?? [])],
    undecided: found?.undecided ?? [],
    callsPerSecond: (1000 * recorded.calls.length) / (judgedMs - startedMs),
    searched,
    searchedPerSecond: (1000 * searched) / (searchedMs - judgedMs),
  };
}

export interface Check {
  name: string;
  /** Undefined: this history has nothing that can be changed so. */
  isFound: boolean | undefined;
  /** Who found it. */
  by: readonly string[];
}

/** Changes a sound history in each way and judges it again. */
export function checkMutations(recorded: Recorded, seed: number, porcupine: Porcupine | undefined): Check[] {
  const all = mutationsOf(recorded, seed);
  return MUTATIONS.map(({ name, isForPorcupine }) => {
    const changed = all.find(({ mutation }) => mutation.name === name)?.changed;
    if (!changed) return { name, isFound: undefined, by: [] };
    const isSearched = porcupine !== undefined && isForPorcupine;
    const [ordered, searched] = [judge(changed), isSearched ? porcupine.judge(changed).faults : []];
    const by = [...(ordered.length > 0 ? ['the order'] : []), ...(searched.length > 0 ? ['porcupine'] : [])];
    return { name, isFound: ordered.length > 0 && (!isSearched || searched.length > 0), by };
  });
}
