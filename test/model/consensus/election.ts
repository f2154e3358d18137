// Which leaders are committed: votes, blame, certificates, and the anchors that settle the rest
// (consensus 5.4 to 5.6), computed anew over the whole view at each call.
// Keeps: a vote or a certificate is read off the voter's own past and nothing else.

import { concat, utf8 } from '../../../host/wire/bytes.ts';
import { sha256 } from '../../../host/wire/hash.ts';
import { creatorsOf, type ModelDag, type ModelVertex, witnessesIn } from './dag.ts';

const U64 = 2n ** 64n;

/** First 8 bytes, little-endian, of the tagged hash. consensus 5.4. */
export function leaderSeed(epochId: Uint8Array): bigint {
  const digest = sha256(concat(utf8('VWS-LEADER-V1'), epochId));
  let seed = 0n;
  for (let i = 7; i >= 0; i--) seed = seed * 256n + BigInt(digest[i]!);
  return seed;
}

/** Seat that leads slot `round`. */
export function leaderOf(seed: bigint, weights: readonly bigint[], round: number): number {
  let z = (seed + BigInt(round) * 0x9e3779b97f4a7c15n) % U64;
  z = ((z ^ (z / 2n ** 30n)) * 0xbf58476d1ce4e5b9n) % U64;
  z = ((z ^ (z / 2n ** 27n)) * 0x94d049bb133111ebn) % U64;
  z = z ^ (z / 2n ** 31n);
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const x = z % total;
  let cumulative = 0n;
  for (let seat = 0; seat < weights.length; seat++) {
    cumulative += weights[seat]!;
    if (cumulative > x) return seat;
  }
  throw new Error('unreachable: x is below the sum of all weights');
}

export type Slot = { status: 'undecided' } | { status: 'skip' } | { status: 'commit'; leader: ModelVertex };

export class Election {
  readonly seed: bigint;
  private readonly leaders: number[] = [];
  private readonly pastWitnesses = new Map<ModelVertex, Map<number, ModelVertex[]>>();

  constructor(private readonly dag: ModelDag) {
    this.seed = leaderSeed(dag.config.epochId);
  }

  leaderOf(round: number): number {
    this.leaders[round] ??= leaderOf(this.seed, this.dag.weights.of, round);
    return this.leaders[round]!;
  }

  private candidates(slot: number): ModelVertex[] {
    const leader = this.leaderOf(slot);
    return this.dag.witnesses(slot).filter((witness) => witness.creator === leader);
  }

  /** Witnesses of a round in the past of a vertex; its past never changes, so the list is kept. */
  private below(vertex: ModelVertex, round: number): ModelVertex[] {
    const rounds = this.pastWitnesses.get(vertex) ?? new Map<number, ModelVertex[]>();
    const found = rounds.get(round) ?? witnessesIn(vertex.past, round);
    rounds.set(round, found);
    this.pastWitnesses.set(vertex, rounds);
    return found;
  }

  /** Witnesses by the slot's leader in the past of a witness above it. */
  private seen(witness: ModelVertex, slot: number): ModelVertex[] {
    const leader = this.leaderOf(slot);
    return this.below(witness, slot).filter(({ creator }) => creator === leader);
  }

  /** The candidate that a witness of a voting round votes for. */
  vote(voter: ModelVertex, slot: number): ModelVertex | undefined {
    const seen = this.seen(voter, slot);
    return seen.length === 1 ? seen[0] : undefined;
  }

  private isBlame(voter: ModelVertex, slot: number): boolean {
    return this.dag.rules.blamesForks ? !this.vote(voter, slot) : this.seen(voter, slot).length === 0;
  }

  /** Does this witness of round slot + e + 1 see votes of a quorum at distance e for the candidate. */
  isCertifier(certifier: ModelVertex, candidate: ModelVertex, distance: number): boolean {
    const slot = candidate.round;
    const voters = this.below(certifier, slot + distance);
    const inFavour = voters.filter((voter) => this.vote(voter, slot) === candidate);
    return this.dag.weights.isQuorum(creatorsOf(inFavour));
  }

  /** Those whose weight commits the candidate, at one vote distance. */
  private supporters(candidate: ModelVertex, distance: number): ModelVertex[] {
    const { round } = candidate;
    if (!this.dag.rules.hasCertificates) {
      const voters = this.dag.witnesses(round + distance);
      return voters.filter((voter) => this.vote(voter, round) === candidate);
    }
    const certifiers = this.dag.witnesses(round + distance + 1);
    return certifiers.filter((witness) => this.isCertifier(witness, candidate, distance));
  }

  private get lastDistance(): number {
    return Math.max(...this.dag.rules.voteDistances);
  }

  private direct(slot: number): Slot {
    const { rules, weights } = this.dag;
    // Nobody's vote is needed by a leader that is a quorum alone.
    const [first] = this.candidates(slot);
    if (first && weights.isQuorum(new Set([first.creator]))) return { status: 'commit', leader: first };
    const blame = this.dag.witnesses(slot + this.lastDistance).filter((voter) => this.isBlame(voter, slot));
    if (weights.isQuorum(creatorsOf(blame))) return { status: 'skip' };
    for (const leader of this.candidates(slot)) {
      for (const distance of rules.voteDistances) {
        if (weights.isQuorum(creatorsOf(this.supporters(leader, distance)))) {
          return { status: 'commit', leader };
        }
      }
    }
    return { status: 'undecided' };
  }

  /** Witnesses of a lower round on paths of witnesses from the anchor, one round a step. */
  private reach(anchor: ModelVertex, lowest: number): Set<ModelVertex> {
    let reach = new Set([anchor]);
    for (let round = anchor.round; round > lowest; round--) {
      const lower = new Set<ModelVertex>();
      for (const witness of reach) for (const w of this.below(witness, round - 1)) lower.add(w);
      reach = lower;
    }
    return reach;
  }

  /** Settles a slot by the first slot above it that is not skipped, if that one is committed. */
  private indirect(slot: number, slots: readonly Slot[]): Slot {
    const { voteDistances, anchorGap, reachesAll } = this.dag.rules;
    let q = slot + this.lastDistance + anchorGap;
    while (slots[q]?.status === 'skip') q++;
    const anchor = slots[q];
    if (anchor?.status !== 'commit') return { status: 'undecided' };
    for (const distance of reachesAll ? voteDistances : [this.lastDistance]) {
      const reach = [...this.reach(anchor.leader, slot + distance + 1)];
      for (const leader of this.candidates(slot)) {
        if (reach.some((witness) => this.isCertifier(witness, leader, distance))) {
          return { status: 'commit', leader };
        }
      }
    }
    return { status: 'skip' };
  }

  /** Every slot of the view, index = round; entry 0 is no slot. */
  slots(): Slot[] {
    const slots: Slot[] = [];
    for (let slot = this.dag.maxRound; slot >= 0; slot--) slots[slot] = { status: 'undecided' };
    for (let slot = this.dag.maxRound; slot >= 1; slot--) {
      slots[slot] = this.direct(slot);
      if (slots[slot]!.status === 'undecided') slots[slot] = this.indirect(slot, slots);
    }
    return slots;
  }
}
