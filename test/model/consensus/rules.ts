// The rules of voting as numbers, and what a quorum is: sets and BigInt, straight from the definitions.
// Keeps: SOUND is docs/consensus.md as written. Anything else is a mutant, made to show that the tests notice;
// nothing outside tests may run one.

import type { EpochConfig } from '../../../host/core/consensus.ts';

export interface Rules {
  /** Weight of a quorum in thousandths of the whole. consensus "decided on top" 1. */
  quorumPermille: bigint;
  /** Does a commit need certificates, or are votes in view enough. */
  hasCertificates: boolean;
  /** Voters of round r sit in round r + e, for each e of these; blame in that of the last. */
  voteDistances: readonly number[];
  /** An anchor stands at least the last vote distance and this many rounds above its slot. */
  anchorGap: number;
  /** Does an anchor look for the certificates of every vote distance, or of the last alone. */
  reachesAll: boolean;
  /** Does a voter that sees several candidates blame. */
  blamesForks: boolean;
  /** K_max. */
  maxRun: number;
}

export const SOUND: Rules = {
  quorumPermille: 667n,
  hasCertificates: true,
  voteDistances: [1, 2],
  anchorGap: 2,
  reachesAll: true,
  blamesForks: false,
  maxRun: 64,
};

const MAX_WEIGHT = 10n ** 15n;

/** Who weighs what in one epoch. Throws where no epoch may open (consensus 5.9, 5.10). */
export class Weights {
  readonly total: bigint;
  readonly of: readonly bigint[];
  private readonly minParticipants: number;
  private readonly permille: bigint;

  constructor(config: EpochConfig, rules: Rules) {
    this.of = config.seats.map((seat) => seat.weight);
    this.total = this.of.reduce((sum, weight) => sum + weight, 0n);
    this.minParticipants = config.minParticipants;
    this.permille = rules.quorumPermille;
    if (this.total === 0n) throw new Error('no weight');
    if (this.total > MAX_WEIGHT) throw new Error('weight over 10^15');
    if (this.of.filter((weight) => weight > 0n).length < config.minParticipants) {
      throw new Error('fewer weighted seats than min_participants');
    }
  }

  sum(creators: ReadonlySet<number>): bigint {
    let sum = 0n;
    for (const creator of creators) sum += this.of[creator]!;
    return sum;
  }

  isQuorum(creators: ReadonlySet<number>): boolean {
    const participants = [...creators].filter((creator) => this.of[creator]! > 0n).length;
    return participants >= this.minParticipants && 1000n * this.sum(creators) >= this.permille * this.total;
  }
}

/** Least weight of a quorum: 1000 * Q >= 667 * W. */
export function quorumWeight(total: bigint): bigint {
  return (667n * total + 999n) / 1000n;
}

/** Most weight that may be faulty with progress still sure: the others are a quorum. */
export function faultyLimit(total: bigint): bigint {
  return total - quorumWeight(total);
}
