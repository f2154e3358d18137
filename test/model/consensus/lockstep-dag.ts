// DAGs in which every seat makes one vertex a round over a random quorum of the round below: few
// vertices, many undecided slots, and so the ground on which a broken rule of election shows.
// Keeps: everything follows from the seed. A seat that is shunned for a while sees the others, but
// nobody takes its vertices as parents until its spell is over; a forker keeps two branches.

import type { DagVertex, EpochConfig } from '../../../host/core/consensus.ts';
import { Dice, dagVertexId, type RandomDag, sortParents } from './random-dag.ts';

export interface LockstepShape {
  seats: number;
  rounds: number;
  /** Seats with two branches each. */
  forkers: number;
  /** Percent of rounds in which a spell of shunning begins. */
  shunPercent: number;
  /** Vertices of the round below that each vertex takes, its own seat's included. */
  take: number;
  /** Leader slots of a round. */
  leaders: number;
  /** Two worlds that never meet: half of the honest seats and one branch of every forker in each. */
  isSplit?: boolean;
}

interface Chain {
  creator: number;
  head: DagVertex | undefined;
  world: number;
}

export function lockstepDag(seed: number, shape: LockstepShape): RandomDag {
  const dice = new Dice(seed);
  const config: EpochConfig = {
    seats: Array.from({ length: shape.seats }, () => ({ key: dice.bytes(32), weight: 10n })),
    minParticipants: 1,
    leaders: shape.leaders,
    epochId: dice.bytes(32),
    previousTimeMs: 0,
  };
  const seats = Array.from({ length: shape.seats }, (_, seat) => seat);
  const forkers = new Set(dice.shuffle(seats).slice(0, shape.forkers));
  const chains: Chain[] = [];
  for (const creator of seats) {
    const branches = forkers.has(creator) ? [0, 1] : [creator % 2];
    for (const world of branches) chains.push({ creator, head: undefined, world: shape.isSplit ? world : 0 });
  }
  const vertices: DagVertex[] = [];
  let shunned = -1;
  let spell = 0;
  for (let round = 1; round <= shape.rounds; round++) {
    if (spell-- <= 0) {
      shunned = dice.chance(shape.shunPercent) ? dice.pick(seats) : -1;
      spell = dice.between(2, 5);
    }
    const below = chains.map((chain) => chain.head);
    for (const chain of chains) {
      const vertex = next(dice, config, shape, chain, { chains, below, shunned, round });
      vertices.push(vertex);
      chain.head = vertex;
    }
  }
  return { config, vertices, forkers };
}

function next(
  dice: Dice,
  config: EpochConfig,
  shape: LockstepShape,
  chain: Chain,
  at: { chains: readonly Chain[]; below: readonly (DagVertex | undefined)[]; shunned: number; round: number },
): DagVertex {
  const self = at.below[at.chains.indexOf(chain)];
  const others: DagVertex[] = [];
  const taken = new Set([chain.creator]);
  for (const i of dice.shuffle(at.chains.map((_, index) => index))) {
    const vertex = at.below[i];
    if (!vertex || taken.has(vertex.creator) || vertex.creator === at.shunned) continue;
    if (at.chains[i]!.world !== chain.world) continue;
    if (taken.size >= shape.take) break;
    taken.add(vertex.creator);
    others.push(vertex);
  }
  const fields = {
    creator: chain.creator,
    seq: at.round,
    lamport: at.round,
    timeMs: 1_800_000_000_000 + 100 * at.round,
    work: true,
    parents: sortParents(
      self?.id,
      others.map((other) => other.id),
    ),
  };
  return { id: dagVertexId(config.epochId, fields, at.chains.indexOf(chain)), ...fields };
}
