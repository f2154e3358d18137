// Which leaders are committed: votes, blame, certificates, and the anchors that settle the rest
// (consensus 5.4 to 5.6), computed anew over the whole view at each call.
// Keeps: a vote or a certificate is read off the voter's own past and nothing else.

import { leadersOfRound } from '../../../host/wire/block.ts';
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

/** Seats that lead the first `count` slots of a round, in their order. `weights`: 0 for those that may not lead. */
export function leadersOf(seed: bigint, weights: readonly bigint[], round: number, count: number): number[] {
  const leaders: number[] = [];
  const left = new Map(weights.map((weight, seat) => [seat, weight]));
  for (let place = 0; place < count; place++) {
    let z = (seed + (BigInt(round) + BigInt(place) * 2n ** 32n) * 0x9e3779b97f4a7c15n) % U64;
    z = ((z ^ (z / 2n ** 30n)) * 0xbf58476d1ce4e5b9n) % U64;
    z = ((z ^ (z / 2n ** 27n)) * 0x94d049bb133111ebn) % U64;
    z = z ^ (z / 2n ** 31n);
    const x = z % [...left.values()].reduce((sum, weight) => sum + weight, 0n);
    let cumulative = 0n;
    for (const [seat, weight] of left) {
      cumulative += weight;
      if (cumulative <= x) continue;
      leaders.push(seat);
      left.delete(seat);
      break;
    }
  }
  return leaders;
}

/** A slot: the round, and its place among the slots of that round. */
export interface SlotName {
  round: number;
  place: number;
}

export type Slot = { status: 'undecided' } | { status: 'skip' } | { status: 'commit'; leader: ModelVertex };

export class Election {
  readonly seed: bigint;
  /** Slots of a round. */
  readonly slotCount: number;
  private readonly leaders: number[][] = [];
  private readonly pastWitnesses = new Map<ModelVertex, Map<number, ModelVertex[]>>();

  constructor(private readonly dag: ModelDag) {
    this.seed = leaderSeed(dag.config.epochId);
    this.slotCount = dag.config.leaders ?? leadersOfRound(dag.config.seats, dag.config.minParticipants);
  }

  leadersOf(round: number): number[] {
    const { seats } = this.dag.config;
    const weights = seats.map(({ weight, isLate }) => (isLate ? 0n : weight));
    this.leaders[round] ??= leadersOf(this.seed, weights, round, this.slotCount);
    return this.leaders[round]!;
  }

  private leaderOf({ round, place }: SlotName): number {
    return this.leadersOf(round)[place]!;
  }

  private candidates(slot: SlotName): ModelVertex[] {
    const leader = this.leaderOf(slot);
    return this.dag.witnesses(slot.round).filter((witness) => witness.creator === leader);
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
  private seen(witness: ModelVertex, slot: SlotName): ModelVertex[] {
    const leader = this.leaderOf(slot);
    return this.below(witness, slot.round).filter(({ creator }) => creator === leader);
  }

  /** The candidate that a witness of a voting round votes for. */
  vote(voter: ModelVertex, slot: SlotName): ModelVertex | undefined {
    const seen = this.seen(voter, slot);
    return seen.length === 1 ? seen[0] : undefined;
  }

  private isBlame(voter: ModelVertex, slot: SlotName): boolean {
    return this.dag.rules.blamesForks ? !this.vote(voter, slot) : this.seen(voter, slot).length === 0;
  }

  /** The slot that a witness is a candidate of. */
  private slotOf({ round, creator }: ModelVertex): SlotName {
    return { round, place: this.leadersOf(round).indexOf(creator) };
  }

  /** Does this witness, e + 1 rounds above the candidate, see votes of a quorum at distance e for it. */
  isCertifier(certifier: ModelVertex, candidate: ModelVertex, distance: number): boolean {
    const slot = this.slotOf(candidate);
    const voters = this.below(certifier, slot.round + distance);
    const inFavour = voters.filter((voter) => this.vote(voter, slot) === candidate);
    return this.dag.weights.isQuorum(creatorsOf(inFavour));
  }

  /** Those whose weight commits the candidate, at one vote distance. */
  private supporters(candidate: ModelVertex, distance: number): ModelVertex[] {
    const { round } = candidate;
    if (!this.dag.rules.hasCertificates) {
      const voters = this.dag.witnesses(round + distance);
      return voters.filter((voter) => this.vote(voter, this.slotOf(candidate)) === candidate);
    }
    const certifiers = this.dag.witnesses(round + distance + 1);
    return certifiers.filter((witness) => this.isCertifier(witness, candidate, distance));
  }

  private get lastDistance(): number {
    return Math.max(...this.dag.rules.voteDistances);
  }

  private direct(slot: SlotName): Slot {
    const { rules, weights } = this.dag;
    // Nobody's vote is needed by a leader that is a quorum alone.
    const [first] = this.candidates(slot);
    if (first && weights.isQuorum(new Set([first.creator]))) return { status: 'commit', leader: first };
    const above = this.dag.witnesses(slot.round + this.lastDistance);
    const blame = above.filter((voter) => this.isBlame(voter, slot));
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

  /** Settles a slot by the first slot of a round high enough above it that is not skipped, if that one is committed. */
  private indirect(slot: SlotName, slots: readonly (readonly Slot[])[]): Slot {
    const { voteDistances, anchorGap, reachesAll } = this.dag.rules;
    const above = slots.slice(slot.round + this.lastDistance + anchorGap).flat();
    const anchor = above.find(({ status }) => status !== 'skip');
    if (anchor?.status !== 'commit') return { status: 'undecided' };
    for (const distance of reachesAll ? voteDistances : [this.lastDistance]) {
      const reach = [...this.reach(anchor.leader, slot.round + distance + 1)];
      for (const leader of this.candidates(slot)) {
        if (reach.some((witness) => this.isCertifier(witness, leader, distance))) {
          return { status: 'commit', leader };
        }
      }
    }
    return { status: 'skip' };
  }

  /** Every slot of the view, by round and place; entry 0 has none. */
  slots(): Slot[][] {
    const slots: Slot[][] = [];
    for (let round = this.dag.maxRound; round >= 0; round--) slots[round] = [];
    for (let round = this.dag.maxRound; round >= 1; round--) {
      // What decides a slot lies in higher rounds, so that those of one round can be looked at in any order.
      slots[round] = this.leadersOf(round).map((_, place) => {
        const direct = this.direct({ round, place });
        return direct.status === 'undecided' ? this.indirect({ round, place }, slots) : direct;
      });
    }
    return slots;
  }
}
