// Runs the core and its plain JavaScript peer on the same blocks in turns.
// Keeps: every outcome of a side enters its checksum, while no clock runs; equal checksums mean equal work. CPU is measured,
// since a loaded machine makes any ratio of two waits.

import { createHash } from 'node:crypto';
import type { Core } from '../host/core/core.ts';
import type { Outcome } from '../host/core/outcomes.ts';
import { State } from '../host/core/state.ts';
import { toHex } from '../host/wire/bytes.ts';
import { blockRecords, type CoreLimits, newCore, OPEN_HANDED, outcomesOf } from './core-block.ts';
import { type Batch, LedgerWork } from './ledger-work.ts';
import { MapLedger } from './peers/map-ledger.ts';
import type { MapOutcome } from './peers/map-types.ts';

export const PEER = 'Map + BigInt';
const START_MS = 1_700_000_000_000;
/** With this step TxIDs expire after sixty blocks, on both sides. */
const BLOCK_MS = 10_000;
const SEED = 20_260_101;

/** Milliseconds of CPU of this process, collector included, that a block took on each side. */
export interface BlockTimes {
  core: number;
  peer: number;
}

/** Drives the core and its peer with the same blocks and records the time of each. */
export class LedgerRace {
  readonly work = new LedgerWork(SEED);
  private readonly peer: MapLedger;
  private readonly core: Core;
  private readonly sums = { core: createHash('sha256'), peer: createHash('sha256') };
  /** Counts of the peer's outcomes by kind, and of its transactions by code. */
  readonly seen = { kinds: new Map<string, number>(), codes: new Map<number, number>() };
  private block = 0;
  /** Memory for the outcomes of a block: new memory for each would cost more than the copy. */
  readonly #kept = new Uint8Array(1 << 22);

  private constructor(core: Core, chainId: string, limits: CoreLimits) {
    this.core = core;
    this.peer = new MapLedger(chainId, toHex(this.work.operator), {
      ...limits,
      dailyBudget: BigInt(limits.dailyBudget),
    });
  }

  static async begin(limits: CoreLimits = OPEN_HANDED): Promise<LedgerRace> {
    const operator = toHex(new LedgerWork(SEED).operator);
    const { core, genesis } = await newCore(operator, limits);
    return new LedgerRace(core, genesis.chainId, limits);
  }

  /** Last second of requests in the next block. */
  get lastSecs(): number {
    return (START_MS + this.block * BLOCK_MS) / 1000 + 120;
  }

  /** One block on both sides. */
  run(batch: Batch): BlockTimes {
    const timeMs = START_MS + this.block * BLOCK_MS;
    this.block += 1;
    const records = blockRecords(timeMs, this.block, batch.records);
    let parts: Uint8Array[] = [];
    const times = { core: 0, peer: 0 };
    let outcomes: MapOutcome[] = [];
    const sides = {
      core: (): void => {
        parts = this.#apply(records);
      },
      peer: (): void => {
        outcomes = this.peer.block(timeMs, batch.commands);
      },
    };
    // In turns, so that neither side always gets the caches as the other left them.
    const order = this.block % 2 === 0 ? (['core', 'peer'] as const) : (['peer', 'core'] as const);
    for (const side of order) {
      const before = process.cpuUsage();
      sides[side]();
      const { user, system } = process.cpuUsage(before);
      times[side] = (user + system) / 1000;
    }
    for (const outcome of outcomesOf(parts)) this.sums.core.update(coreText(outcome));
    for (const outcome of outcomes) {
      this.sums.peer.update(peerText(outcome));
      count(this.seen.kinds, outcome.kind);
      if (outcome.kind === 'tx') count(this.seen.codes, outcome.code);
    }
    return times;
  }

  /** Executes records; copies of the outcomes, which the next call overwrites, as it does the core's own. */
  #apply(records: readonly Uint8Array[]): Uint8Array[] {
    const parts: Uint8Array[] = [];
    let filled = 0;
    this.core.apply(records, ({ bytes }) => {
      this.#kept.set(bytes, filled);
      parts.push(this.#kept.subarray(filled, filled + bytes.length));
      filled += bytes.length;
    });
    return parts;
  }

  /** Outcomes so far and the accounts of `sample` agents, on each side. */
  checksums(sample: number): { core: string; [PEER]: string } {
    const state = new State(this.core);
    const { agents } = this.peer;
    if (state.header().agents !== agents.length)
      throw new Error('the sides have different numbers of agents');
    const step = Math.max(1, Math.floor(agents.length / sample));
    const sums = { core: this.sums.core.copy(), peer: this.sums.peer.copy() };
    for (let i = 0; i < agents.length; i += step) {
      const [a, b] = [state.agent(i)!, agents[i]!];
      sums.core.update(
        [a.balance, a.staked, a.reserved, a.exposure, a.transferred, toHex(a.fingerprint)].join(),
      );
      sums.peer.update(
        [b.balance, b.staked, b.reserved, b.exposure, b.transferred, toHex(b.fingerprint)].join(),
      );
    }
    return { core: sums.core.digest('hex'), [PEER]: sums.peer.digest('hex') };
  }
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function coreText(o: Outcome): string {
  if (o.kind === 'tx')
    return ['tx', toHex(o.txId), o.code, o.seq, o.order, o.index, ...trimmed(o.words)].join();
  // The race has no tasks, challenges or replays, so the core reports none.
  if (o.kind !== 'event') return '';
  const head = [o.type, toHex(o.id), o.seq, o.order, o.index];
  if (o.type === 'genesis') return head.join();
  if (o.type === 'slash') return [...head, o.agent, o.amount, o.remaining].join();
  if (o.type !== 'settlement') throw new Error(`unexpected event ${o.type}`);
  const { settled, reason, agent, recipient, amount, fee, treasuryFee } = o;
  const { approve, reject, total, participants } = o;
  const money = [settled, reason, agent, recipient, amount, fee, treasuryFee];
  return [...head, toHex(o.target), ...money, approve, reject, total, participants].join();
}

function peerText(o: MapOutcome): string {
  if (o.kind === 'tx') return ['tx', o.txId, o.code, o.seq, o.order, o.index, ...trimmed(o.words)].join();
  const head = [o.kind, o.id, o.seq, o.order, o.index];
  if (o.kind === 'genesis') return head.join();
  if (o.kind === 'slash') return [...head, o.agent, o.amount, o.remaining].join();
  const { settled, reason, agent, recipient, amount, fee, treasuryFee } = o;
  const { approve, reject, total, participants } = o;
  const money = [settled, reason, agent, recipient, amount, fee, treasuryFee];
  return [...head, o.target, ...money, approve, reject, total, participants].join();
}

/** Words without trailing zeros. */
function trimmed(words: readonly (number | bigint)[]): (number | bigint)[] {
  let length = words.length;
  while (length > 0 && Number(words[length - 1]) === 0) length--;
  return words.slice(0, length);
}
