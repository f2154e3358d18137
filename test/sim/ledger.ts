// A toy state machine that decides seats and weights: enough of a ledger for joins, exits, rotations,
// exclusions, timers and seals to be functions of the order.
// Keeps: each transaction has effect once; seats are read only at an epoch boundary (consensus 5.11).

import type { EpochConfig, OrderedBlock } from '../../host/core/consensus.ts';
import {
  blockHash,
  encodeBlockHeader,
  epochId,
  leadersOfRound,
  seatDigest,
  verticesRoot,
} from '../../host/wire/block.ts';
import { toHex, utf8 } from '../../host/wire/bytes.ts';
import { sha256 } from '../../host/wire/hash.ts';
import { MAX_PARENTS } from '../../host/wire/vertex.ts';
import { lateSeats } from '../model/consensus/late.ts';

/** When an epoch seals: the rule of "decided on top" 4 with numbers small enough to be met often. */
export interface SealRule {
  blocks: number;
  vertices: number;
  earlyBlocks: number;
  timeMs: number;
}

export interface SeatState {
  weight: bigint;
  isActive: boolean;
  isExcluded: boolean;
  keyVersion: number;
}

export interface LedgerState {
  seats: SeatState[];
  applied: Map<string, number>;
  duplicates: number;
  timers: { txId: string; atSecs: number }[];
  fired: Map<string, number>;
  epoch: number;
  config: EpochConfig;
  blocks: number;
  vertices: number;
  openedMs: number;
  isSealed: boolean;
  isHalted: boolean;
  order: number;
  timeMs: number;
  index: number;
  previous: Uint8Array;
}

const GENESIS_HASH = new Uint8Array(32).fill(0x11);

const keys = new Map<string, Uint8Array>();

/** The same array for the same key, so that keys compare by identity. */
function seatKey(seat: number, version: number): Uint8Array {
  const name = `seat ${seat} key ${version}`;
  const key = keys.get(name) ?? sha256(utf8(name));
  keys.set(name, key);
  return key;
}

export class ToyLedger {
  constructor(
    readonly s: LedgerState,
    private readonly rule: SealRule,
  ) {}

  /** Seats with `isActive` false are known, but weigh nothing until they join. */
  static genesis(
    genesisSeats: readonly { weight: bigint; isActive: boolean }[],
    minParticipants: number,
    rule: SealRule,
    late: readonly number[] = [],
  ): ToyLedger {
    const seats = genesisSeats.map((seat) => ({ ...seat, isExcluded: false, keyVersion: 0 }));
    const weights = seats.map((seat) => (seat.isActive ? seat.weight : 0n));
    const config = openConfig(seats, weights, new Set(late), minParticipants, 0, new Uint8Array(32), 0);
    const state: LedgerState = {
      seats,
      applied: new Map(),
      duplicates: 0,
      timers: [],
      fired: new Map(),
      epoch: 0,
      config,
      blocks: 0,
      vertices: 0,
      openedMs: 0,
      isSealed: false,
      isHalted: false,
      order: 0,
      timeMs: 0,
      index: 0,
      previous: new Uint8Array(32),
    };
    return new ToyLedger(state, rule);
  }

  copy(): ToyLedger {
    const { s } = this;
    const state: LedgerState = {
      ...s,
      seats: s.seats.map((seat) => ({ ...seat })),
      applied: new Map(s.applied),
      timers: [...s.timers],
      fired: new Map(s.fired),
    };
    return new ToyLedger(state, this.rule);
  }

  /** Executes one block; returns its hash, which also covers the state after it. */
  execute(block: OrderedBlock, entriesOf: (id: Uint8Array) => readonly string[]): string {
    const { s } = this;
    if (s.isSealed) throw new Error('a block after the seal');
    s.index += 1;
    s.blocks += 1;
    s.timeMs = block.timeMs;
    if (s.openedMs === 0) s.openedMs = block.timeMs;
    this.fireTimers();
    for (const vertex of block.vertices) {
      s.order += 1;
      s.vertices += 1;
      if (!vertex.isVoid) for (const entry of entriesOf(vertex.id)) this.apply(entry);
    }
    for (const proof of block.evidence) this.exclude(proof.creator);
    const header = encodeBlockHeader({
      leaderRound: block.leaderRound,
      index: s.index,
      timeMs: block.timeMs,
      order: s.order,
      vertexCount: block.vertices.length,
      epochId: s.config.epochId,
      previous: s.previous,
      leader: block.leader,
      verticesRoot: verticesRoot(block.vertices.map((v) => v.id)),
      evidence: block.evidence,
    });
    s.previous = blockHash(header);
    s.isSealed = this.isSealDue();
    return `${toHex(s.previous)} ${this.stateHash()}`;
  }

  private fireTimers(): void {
    const { s } = this;
    const nowSecs = Math.floor(s.timeMs / 1000);
    for (const timer of s.timers) if (timer.atSecs <= nowSecs) s.fired.set(timer.txId, s.index);
    s.timers = s.timers.filter((timer) => timer.atSecs > nowSecs);
  }

  /** `id kind seat-or-seconds`; an entry that is none of the kinds only counts as applied. */
  private apply(entry: string): void {
    const { s } = this;
    const [txId, kind, argument] = entry.split(' ') as [string, string, string];
    if (s.applied.has(txId)) {
      s.duplicates += 1;
      return;
    }
    s.applied.set(txId, s.index);
    if (kind === 'timer') {
      s.timers.push({ txId, atSecs: Math.floor(s.timeMs / 1000) + Number(argument) });
      return;
    }
    const seat = s.seats[Number(argument)];
    if (!seat || seat.isExcluded) return;
    if (kind === 'join') seat.isActive = true;
    if (kind === 'exit') seat.isActive = false;
    if (kind === 'rotate') seat.keyVersion += 1;
  }

  private exclude(seat: number): void {
    this.s.seats[seat]!.isExcluded = true;
  }

  /** Weights of the table that would be built now, fallback included; undefined: none can be. */
  private weightsNow(): bigint[] | undefined {
    const { seats, config } = this.s;
    const isEnough = (weights: readonly bigint[]): boolean =>
      weights.filter((weight) => weight > 0n).length >= Math.max(1, config.minParticipants);
    const fresh = seats.map((seat) => (seat.isActive && !seat.isExcluded ? seat.weight : 0n));
    if (isEnough(fresh)) return fresh;
    const kept = seats.map((seat, i) => (seat.isExcluded ? 0n : config.seats[i]!.weight));
    return isEnough(kept) ? kept : undefined;
  }

  /** Does a key or the set of seats with weight differ from the running table. */
  isChangeWaiting(): boolean {
    const { seats, config } = this.s;
    const weights = this.weightsNow();
    if (!weights) return true;
    return config.seats.some((running, i) => {
      return running.key !== seatKey(i, seats[i]!.keyVersion) || running.weight > 0n !== weights[i]! > 0n;
    });
  }

  private isSealDue(): boolean {
    const { s, rule } = this;
    // A round has a block for each of its leaders.
    const leaders = leadersOfRound(s.config.seats, s.config.minParticipants);
    if (s.blocks >= rule.blocks * leaders || s.vertices >= rule.vertices) return true;
    if (s.blocks < rule.earlyBlocks * leaders) return false;
    return s.timeMs >= s.openedMs + rule.timeMs || this.isChangeWaiting();
  }

  /**
   * Opens the next epoch after a seal. `timely`: rounds of the sealed one in which each seat's witness came in time. False: no epoch
   * can open, the node stops at this block.
   */
  openNext(timely: readonly number[]): boolean {
    const { s } = this;
    const weights = this.weightsNow();
    if (!weights) {
      s.isHalted = true;
      return false;
    }
    s.epoch += 1;
    const late = lateSeats(weights, s.config.minParticipants, timely);
    s.config = openConfig(s.seats, weights, late, s.config.minParticipants, s.epoch, s.previous, s.timeMs);
    s.blocks = 0;
    s.vertices = 0;
    s.openedMs = s.timeMs;
    s.isSealed = false;
    return true;
  }

  stateHash(): string {
    const { s } = this;
    const seats = s.seats.map((x) => `${x.weight}${x.isActive}${x.isExcluded}${x.keyVersion}`);
    const timers = s.timers.map((t) => `${t.txId}@${t.atSecs}`);
    const sums = [s.epoch, s.applied.size, s.duplicates, s.fired.size, s.order, s.timeMs];
    return toHex(sha256(utf8([...seats, ...timers, ...sums].join(',')))).slice(0, 16);
  }
}

function openConfig(
  states: readonly SeatState[],
  weights: readonly bigint[],
  late: ReadonlySet<number>,
  minParticipants: number,
  epoch: number,
  sealBlock: Uint8Array,
  previousTimeMs: number,
): EpochConfig {
  const seats = states.map((state, i) => {
    return { key: seatKey(i, state.keyVersion), weight: weights[i]!, isLate: late.has(i) };
  });
  const digest = seatDigest(seats, minParticipants, Math.min(seats.length, MAX_PARENTS));
  return {
    seats,
    minParticipants,
    epochId: epochId(GENESIS_HASH, epoch, sealBlock, digest),
    previousTimeMs,
  };
}
