// The participants of the simulated economy, and how each kind of validator judges.
// Keeps: one table of characters; everything random comes from the run's seed.

import type { SeededRandom } from '../load/seeded-random.ts';

/** How a validator judges work; shares in bp. */
export interface Character {
  name: string;
  /** Seats in the manifest, active from the first day, and applicants, who start in probation. */
  seats: number;
  applicants: number;
  /** Approves bad work, of strangers and of members of the ring. */
  approvesBad: number;
  approvesRing: number;
  /** Rejects good work. */
  rejectsGood: number;
  /** Gives no verdict in time. */
  misses: number;
  /** Really executes replays; otherwise reports what was claimed. */
  replaysHonestly: boolean;
  /** How it votes on a challenge: by the evidence, always for the target, or not at all. */
  onChallenges: 'evidence' | 'acquits' | 'silent';
  colour: string;
}

export const CHARACTERS: readonly Character[] = [
  {
    name: 'honest',
    seats: 18,
    applicants: 11,
    // Rejects when in doubt: its only errors are against good work.
    approvesBad: 0,
    approvesRing: 0,
    rejectsGood: 400,
    misses: 200,
    replaysHonestly: true,
    onChallenges: 'evidence',
    colour: '#2a7f62',
  },
  {
    name: 'lazy',
    seats: 1,
    applicants: 3,
    approvesBad: 10000,
    approvesRing: 10000,
    rejectsGood: 0,
    misses: 500,
    replaysHonestly: false,
    onChallenges: 'silent',
    colour: '#b8860b',
  },
  {
    name: 'dishonest',
    seats: 1,
    applicants: 2,
    approvesBad: 4000,
    approvesRing: 4000,
    rejectsGood: 1500,
    misses: 200,
    replaysHonestly: false,
    onChallenges: 'acquits',
    colour: '#8b5fbf',
  },
  {
    name: 'colluding',
    seats: 2,
    applicants: 2,
    approvesBad: 200,
    approvesRing: 10000,
    rejectsGood: 0,
    misses: 0,
    replaysHonestly: false,
    onChallenges: 'acquits',
    colour: '#c0392b',
  },
];

export interface Judge {
  name: string;
  character: Character;
  key: Uint8Array;
  isSeat: boolean;
}

export interface Trader {
  key: Uint8Array;
  /** Share of its work that is bad, bp. */
  badWork: number;
  /** Its bad work is approved by colluding validators. */
  isRing: boolean;
}

/** Validators in order of the manifest, applicants last. */
export function castJudges(random: SeededRandom): Judge[] {
  const all = CHARACTERS.flatMap((character) =>
    Array.from({ length: character.seats + character.applicants }, (_, i) => ({
      name: `${character.name}-${i + 1}`,
      character,
      key: random.bytes(32),
      isSeat: i < character.seats,
    })),
  );
  return [...all.filter((judge) => judge.isSeat), ...all.filter((judge) => !judge.isSeat)];
}

const RING_BP = 400;
const CHEAT_BP = 800;

/** Agents that post and do work: most competent, some careless, some cheating, a few of the ring. */
export function castTraders(random: SeededRandom, count: number): Trader[] {
  return Array.from({ length: count }, () => {
    const key = random.bytes(32);
    const kind = random.below(10000);
    if (kind < RING_BP) return { key, badWork: 6000, isRing: true };
    return { key, badWork: kind < RING_BP + CHEAT_BP ? 5000 : 200, isRing: false };
  });
}
