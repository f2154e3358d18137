// The entries of a populated chain, in groups: agents, their tasks and listings, random transactions after that.
// Keeps: the same plan and start give the same entries, whatever their outcome; time advances one step per group, and one
// day for each group of agents once half of their table is used, as no more of them may come in a day.

import { DEFAULT_AGENTS } from '../../assembly/abi.ts';
import type { KeyPair } from '../../host/crypto/key-pair.ts';
import { keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { SeededRandom } from '../load/seeded-random.ts';
import { VERTEX_MS } from './make-log.ts';
import { Marketplace } from './marketplace.ts';
import { Story } from './story.ts';

/** Entries that are ordered and written together: a few vertices, one sync. */
const PER_GROUP = 4000;
const CAST = 32;
/** At most so many agents are there before the crowd: the cast, and those of the genesis. */
const BEFORE_CROWD = CAST + 64;
const DAY_MS = 86_400_000;
/** Entries of a task on average, from its posting to its end. */
const STEPS_PER_TASK = 2;

export interface Population {
  /** Agents named `crowd/0` and so on, at least. */
  agents: number;
  /** Tasks and listings of theirs, at most one listing each. */
  tasks: number;
  listings: number;
  /** Random transactions after that. */
  transactions: number;
  seed: number;
}

/** Entries at one time. */
export interface Group {
  nowMs: number;
  entries: Uint8Array[];
  /** None of these entries may be refused. */
  mustPass: boolean;
}

/** Key of the node that a plan is for. */
export const seedOf = (plan: Population): Uint8Array => new SeededRandom(plan.seed).bytes(32);

/**
 * Agents of the crowd that come together, and whether they need a day of their own (protocol 6.18). Half of what a day may
 * bring: the end of a group may be ordered with the next one.
 */
function* arrivals(agents: number): Generator<{ count: number; ownDay: boolean }> {
  const half = DEFAULT_AGENTS / 2;
  for (let come = 0; come < agents; ) {
    const there = BEFORE_CROWD + come;
    const ownDay = there >= half;
    const most = ownDay ? Math.max(1, Math.floor((DEFAULT_AGENTS - there) / 200)) : half - there;
    const count = Math.min(PER_GROUP, most, agents - come);
    yield { count, ownDay };
    come += count;
  }
}

/** Maximum time that a plan's groups take on the clock of its chain, in ms. */
export function spanMs({ agents, tasks, listings, transactions }: Population): number {
  const entries = transactions + listings + STEPS_PER_TASK * tasks;
  let arrivalMs = 0;
  for (const { ownDay } of arrivals(agents)) arrivalMs += ownDay ? DAY_MS : VERTEX_MS;
  return arrivalMs + (Math.ceil(entries / PER_GROUP) + 4) * VERTEX_MS;
}

/** `startMs`: time of the first group, Unix milliseconds. */
export function* populationOf(plan: Population, chainId: string, startMs: number): Generator<Group> {
  const identity: KeyPair = keyPairFromSeed(seedOf(plan));
  const random = new SeededRandom(plan.seed + 1);
  const story = new Story(identity, chainId, random, CAST);
  const market = new Marketplace(identity, chainId, random, plan);
  let nowMs = startMs;
  const group = (mustPass: boolean, make: (nowSecs: number) => Uint8Array[]): Group => {
    const entries = make(Math.floor(nowMs / 1000));
    const made = { nowMs, entries, mustPass };
    nowMs += VERTEX_MS;
    return made;
  };
  const times = (count: number, make: () => Uint8Array): Uint8Array[] => Array.from({ length: count }, make);
  yield group(true, (nowSecs) => story.opening(nowSecs));
  for (const { count, ownDay } of arrivals(plan.agents)) {
    if (ownDay) nowMs += DAY_MS - VERTEX_MS;
    yield group(true, (nowSecs) => times(count, () => story.newcomer(nowSecs)));
  }
  for (;;) {
    const made = group(true, (nowSecs) => market.next(PER_GROUP, nowSecs));
    if (made.entries.length === 0) break;
    yield made;
  }
  for (let left = plan.transactions; left > 0; left -= PER_GROUP) {
    yield group(false, (nowSecs) => times(Math.min(PER_GROUP, left), () => story.next(nowSecs)));
  }
}
