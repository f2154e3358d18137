// An epoch: the span of one fixed seat table, and what its id and its seal are derived from (consensus 5.11, 5.17).
// Keeps: all of it is a function of the order up to the seal before it, so every node opens the same epoch.

import {
  EPOCH_LIMITS,
  type EpochLimits,
  epochId,
  leadersOfRound,
  type SeatWeight,
  seatDigest,
} from '../wire/block.ts';
import { fromHex, toHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import { MAX_PARENTS } from '../wire/vertex.ts';

export interface Epoch {
  /** 0, 1, ... */
  number: number;
  id: Uint8Array;
  digest: Uint8Array;
  seats: readonly SeatWeight[];
  minParticipants: number;
  maxParents: number;
  limits: EpochLimits;
  /** Hash of the seal block before it; zeros for epoch 0. */
  sealBlock: Uint8Array;
  /** Index of its first block, counted over all epochs. */
  firstBlock: number;
  /** Order number of its first vertex. */
  firstOrder: number;
  /** Consensus time of the seal before it, ms; at genesis launch_time * 1000, or 0. */
  previousTimeMs: number;
}

type EpochFacts = Omit<Epoch, 'id' | 'digest'>;

function withDigests(genesisHash: Uint8Array, facts: EpochFacts): Epoch {
  const { seats, minParticipants, maxParents, limits } = facts;
  const digest = seatDigest(seats, minParticipants, maxParents, limits);
  return { ...facts, digest, id: epochId(genesisHash, facts.number, facts.sealBlock, digest) };
}

/** Vote weight floor(reputation_bp x stake / 10000) of a seat at genesis; 0 unless active (protocol 6.9). */
const genesisWeight = (baselineBp: number, stakeMicro: number, status: string): bigint =>
  status === 'active' ? (BigInt(baselineBp) * BigInt(stakeMicro)) / 10000n : 0n;

/** Epoch 0, from the manifest. `limits`: tests use smaller ones. */
export function genesisEpoch(genesis: Genesis, limits: EpochLimits = EPOCH_LIMITS): Epoch {
  const seats = genesis.manifest.entries.map((e) => ({
    key: fromHex(e.consensus_public_key)!,
    weight: genesisWeight(e.reputation_baseline ?? 5000, e.bonded_stake, e.initial_status),
  }));
  return withDigests(genesis.hash, {
    number: 0,
    seats,
    minParticipants: genesis.params.min_participants,
    maxParents: Math.min(seats.length, MAX_PARENTS),
    limits,
    sealBlock: new Uint8Array(32),
    firstBlock: 1,
    firstOrder: 1,
    previousTimeMs: genesis.launchTime * 1000,
  });
}

/** What the next epoch takes from the seal of the running one. */
export interface Seal {
  block: number;
  hash: Uint8Array;
  order: number;
  timeMs: number;
}

/** The epoch after `running`, with the seat table of the state after the seal block. */
export function nextEpoch(
  genesisHash: Uint8Array,
  running: Epoch,
  seal: Seal,
  seats: readonly SeatWeight[],
): Epoch {
  const { minParticipants, maxParents, limits } = running;
  return withDigests(genesisHash, {
    number: running.number + 1,
    seats,
    minParticipants,
    maxParents,
    limits,
    sealBlock: seal.hash,
    firstBlock: seal.block + 1,
    firstOrder: seal.order + 1,
    previousTimeMs: seal.timeMs,
  });
}

export const totalWeight = ({ seats }: Pick<Epoch, 'seats'>): bigint =>
  seats.reduce((sum, { weight }) => sum + weight, 0n);

/** Weight of these seats, each counted once. */
export function weightOf(epoch: Pick<Epoch, 'seats'>, seats: Iterable<number>): bigint {
  let weight = 0n;
  for (const seat of new Set(seats)) weight += epoch.seats[seat]?.weight ?? 0n;
  return weight;
}

/** Are these seats a quorum of an epoch: 66.7 percent of the weight, and min_participants of them (consensus 4). */
export function isQuorumOf(
  epoch: Pick<Epoch, 'seats' | 'minParticipants'>,
  seats: Iterable<number>,
): boolean {
  const total = totalWeight(epoch);
  const distinct = new Set(seats);
  const count = [...distinct].filter((seat) => (epoch.seats[seat]?.weight ?? 0n) > 0n).length;
  return count >= epoch.minParticipants && total > 0n && 1000n * weightOf(epoch, distinct) >= 667n * total;
}

/** Seats with vote weight. */
export const votersOf = (seats: Epoch['seats']): number[] =>
  seats.flatMap(({ weight }, seat) => (weight > 0n ? [seat] : []));

/**
 * How many seats may fail, whichever they are, so that the others are still a quorum: the heaviest are taken first.
 * Undefined when not even all of them are one.
 */
export function seatsThatMayFail(epoch: Epoch): number | undefined {
  const byWeight = epoch.seats
    .map(({ weight }, seat) => ({ weight, seat }))
    .sort((a, b) => (a.weight < b.weight ? 1 : a.weight > b.weight ? -1 : a.seat - b.seat))
    .map(({ seat }) => seat);
  for (let failed = 0; failed <= byWeight.length; failed++) {
    if (!isQuorumOf(epoch, byWeight.slice(failed))) return failed === 0 ? undefined : failed - 1;
  }
  return undefined;
}

/** Do these seats have a third of the weight or more, so that no quorum argument holds without them. */
export const isThirdOf = (epoch: Epoch, seats: Iterable<number>): boolean =>
  3n * weightOf(epoch, seats) >= totalWeight(epoch);

/** Is at least one of these seats honest, since all faulty ones together have less. */
export const includesHonest = isThirdOf;

/** Is one seat alone a quorum: 66.7 percent of the weight, and min_participants is 1 (consensus 4). */
export const isQuorumAlone = (epoch: Epoch, seat: number): boolean =>
  epoch.minParticipants === 1 && isQuorumOf(epoch, [seat]);

/** What was ordered in the running epoch, as far as its seal and its blocks depend on it. */
export class EpochRun {
  #blocks = 0;
  #vertices = 0;
  #openedMs: number;
  readonly #leaders: number;
  readonly #resumed = new Set<number>();

  constructor(private readonly epoch: Epoch) {
    // In the first epoch consensus time may not run yet: its span begins with the first time above 0.
    this.#openedMs = epoch.number === 0 ? 0 : epoch.previousTimeMs;
    this.#leaders = leadersOfRound(epoch.seats, epoch.minParticipants);
  }

  add(timeMs: number, vertices: number): void {
    this.#blocks += 1;
    this.#vertices += vertices;
    if (this.#openedMs === 0) this.#openedMs = timeMs;
  }

  /** These seats resumed with the next block. True when a third of the weight has resumed in the epoch. */
  addResumed(seats: Iterable<number>): boolean {
    for (const seat of seats) this.#resumed.add(seat);
    return isThirdOf(this.epoch, this.#resumed);
  }

  /** Is the block that was added last, with this consensus time, the seal. */
  isSealDue(timeMs: number, isChangeWaiting: () => boolean): boolean {
    const { earlyBlocks, blocks, vertices, timeMs: spanMs } = this.epoch.limits;
    // A round has a block for each of its leaders.
    if (this.#blocks >= blocks * this.#leaders || this.#vertices >= vertices) return true;
    if (this.#blocks < earlyBlocks * this.#leaders) return false;
    return timeMs >= this.#openedMs + spanMs || isChangeWaiting();
  }
}

/** A row of a seat table as stored. `late`: absent where it is not. */
export interface SeatDoc {
  key: string;
  weight: string;
  late?: true;
}

export const seatDoc = ({ key, weight, isLate }: SeatWeight): SeatDoc => ({
  key: toHex(key),
  weight: String(weight),
  ...(isLate && { late: true }),
});

export const readSeatDoc = ({ key, weight, late }: SeatDoc): SeatWeight => ({
  key: fromHex(key)!,
  weight: BigInt(weight),
  ...(late && { isLate: true }),
});

/** An epoch as stored. */
export interface EpochDoc {
  number: number;
  seats: SeatDoc[];
  seal_block: string;
  first_block: number;
  first_order: number;
  previous_time_ms: number;
}

export const epochDoc = (epoch: Epoch): EpochDoc => ({
  number: epoch.number,
  seats: epoch.seats.map(seatDoc),
  seal_block: toHex(epoch.sealBlock),
  first_block: epoch.firstBlock,
  first_order: epoch.firstOrder,
  previous_time_ms: epoch.previousTimeMs,
});

/** The epoch of a record; `genesis` gives what never changes. Blocks contain its id, which proves the record. */
export function readEpochDoc(doc: EpochDoc, genesis: Epoch, genesisHash: Uint8Array): Epoch {
  const { minParticipants, maxParents, limits } = genesis;
  return withDigests(genesisHash, {
    number: doc.number,
    seats: doc.seats.map(readSeatDoc),
    minParticipants,
    maxParents,
    limits,
    sealBlock: fromHex(doc.seal_block)!,
    firstBlock: doc.first_block,
    firstOrder: doc.first_order,
    previousTimeMs: doc.previous_time_ms,
  });
}
