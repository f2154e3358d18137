// Serves joining nodes: proofs of seals, and the rows of this node's store as of a seal.
// Keeps: a snapshot of the store is opened when the store is exactly at a seal, and stays open while somebody reads from
// it; only a few are open; one answer at a time for each peer, so a slow or greedy one costs no memory; what is read for
// answers is counted.

import { readHead, readTotals } from '../execution/recovery.ts';
import type { Logger } from '../log.ts';
import { type Epoch, type EpochDoc, readSeatDoc } from '../ordering/epoch.ts';
import type { CheckpointDoc } from '../store/documents.ts';
import { rowKey } from '../store/prefixes.ts';
import { readJson } from '../store/write-set.ts';
import { fromHex, toHex } from '../wire/bytes.ts';
import type { Store, StoreView } from '../world/store.ts';
import { encodeRows, nextRange, type Row, rangeAfter } from './join-rows.ts';
import { encodeProof, openerOf } from './join-seals.ts';
import { MAX_ANSWER_BYTES, MAX_PROOFS, type Message } from './messages.ts';

/** Snapshots besides the newest that may stay open for their readers. */
const MAX_OLD_SNAPSHOTS = 3;
/** A snapshot that was not read for this long has no reader any more. */
const IDLE_MS = 30_000;
/** Bytes of a message besides its rows, and of a row besides its key and value. */
const ANSWER_HEAD_BYTES = 64;
const ROW_HEAD_BYTES = 6;
/** Positions of the epoch that are searched for a vertex of each seat. */
const MAX_OPENER_POSITIONS = 256;
const EMPTY = new Uint8Array(0);

interface OpenView {
  epoch: number;
  view: StoreView;
  askedMs: number;
  /** Reads of one snapshot never overlap. */
  queue: Promise<unknown>;
  /** Vertices that show that the epoch opened, once no later one can add to them. */
  openers: Uint8Array[] | undefined;
}

/** Rows of a snapshot, as the answer to a question for them. */
export interface ServedRows {
  answer: Message;
  count: number;
}

export interface JoinServerOptions {
  store: Store;
  log: Logger;
  genesis: Epoch;
  monotonicMs(): number;
  /** Smaller answers, for tests. */
  answerBytes?: number;
}

export class JoinServer {
  /** Oldest first. */
  #views: OpenView[] = [];
  /** Epoch -> height of the checkpoint at its seal. */
  readonly #heights = new Map<number, number>();
  readonly #busy = new Set<string>();
  /** What was read so far for proofs of seals: single rows, and bytes of documents. */
  readonly read = { rows: 0, bytes: 0 };
  readonly #answerBytes: number;

  constructor(private readonly options: JoinServerOptions) {
    this.#answerBytes = options.answerBytes ?? MAX_ANSWER_BYTES - ANSWER_HEAD_BYTES;
  }

  /** The store is exactly where `epoch` opens: others may join from here. */
  onSeal(epoch: number): void {
    const nowMs = this.options.monotonicMs();
    this.#views.push({
      epoch,
      view: this.options.store.view(),
      askedMs: Number.NEGATIVE_INFINITY,
      queue: Promise.resolve(),
      openers: undefined,
    });
    const old = this.#views.slice(0, -1).filter(({ askedMs }) => nowMs - askedMs < IDLE_MS);
    const kept = new Set([...old.slice(-MAX_OLD_SNAPSHOTS), this.#views.at(-1)!]);
    for (const view of this.#views) if (!kept.has(view)) void this.#close(view);
    this.#views = this.#views.filter((view) => kept.has(view));
  }

  #close({ view, queue }: OpenView): Promise<void> {
    return queue
      .then(() => view.close())
      .catch((error) => this.options.log.warn({ err: error }, 'cannot release a store snapshot'));
  }

  /** Closes all snapshots; to be called before the store is closed. */
  async stop(): Promise<void> {
    await Promise.all(this.#views.splice(0).map((view) => this.#close(view)));
  }

  /** Proofs from the seal of an epoch on, as many as are stored and fit, and the state that is served here. */
  seals(from: number): Message {
    const proofs: Uint8Array[] = [];
    let bytes = 0;
    const { epoch: running } = readHead(this.options.store);
    for (let epoch = from; epoch < running && proofs.length < MAX_PROOFS; epoch++) {
      const proof = this.#proof(epoch);
      bytes += proof?.length ?? 0;
      if (!proof || (bytes > MAX_ANSWER_BYTES / 2 && proofs.length > 0)) break;
      proofs.push(proof);
    }
    const newest = this.#views.at(-1);
    const offered = newest?.epoch ?? 0;
    const openers = newest ? (newest.openers ?? this.#openers(newest)) : [];
    return { type: 'sealed', from, offered, rowCount: this.#rowCount(newest?.view), proofs, openers };
  }

  /** About how many rows are served: all but those of vertices, their positions and orders, and of blocks. */
  #rowCount(view: StoreView | undefined): number {
    const { vertices } = readTotals(this.options.store);
    const { order, block } = readHead(this.options.store);
    return Math.max(0, (view?.estimatedRows ?? 0) - 3 * vertices - order - block);
  }

  #row(key: Uint8Array): Uint8Array | undefined {
    const row = this.options.store.get(key);
    this.read.rows += 1;
    this.read.bytes += row?.length ?? 0;
    return row;
  }

  #proof(epoch: number): Uint8Array | undefined {
    const opened = readJson<EpochDoc>(this.#row(rowKey.epoch(epoch + 1)));
    const height = opened && this.#heightOf(epoch, opened.first_block - 1);
    const doc = height === undefined ? undefined : this.#checkpoint(height);
    if (!opened || !doc) return undefined;
    // The checkpoint's keys are those of the sealed epoch.
    const before = epoch === 0 ? undefined : readJson<EpochDoc>(this.#row(rowKey.epoch(epoch)));
    const keys =
      before?.seats.map(({ key }) => key) ?? this.options.genesis.seats.map(({ key }) => toHex(key));
    const seatOf = new Map(keys.map((key, seat) => [key, seat]));
    const signatures = doc.signatures.flatMap(({ public_key, signature }) => {
      const seat = seatOf.get(public_key);
      return seat === undefined ? [] : [{ seat, signature: fromHex(signature)! }];
    });
    return encodeProof({
      statement: fromHex(doc.statement)!,
      seats: opened.seats.map(readSeatDoc),
      signatures,
    });
  }

  /** Height of the checkpoint at a block, by bisection: heights rise with blocks. */
  #heightOf(epoch: number, block: number): number | undefined {
    const known = this.#heights.get(epoch);
    if (known !== undefined) return known;
    let low = (this.#heights.get(epoch - 1) ?? 0) + 1;
    let high = readTotals(this.options.store).checkpoints;
    while (low < high) {
      const mid = Math.floor((low + high) / 2);
      if ((this.#checkpoint(mid)?.block_index ?? 0) < block) low = mid + 1;
      else high = mid;
    }
    if (this.#checkpoint(low)?.block_index !== block) return undefined;
    this.#heights.set(epoch, low);
    return low;
  }

  #checkpoint(height: number): CheckpointDoc | undefined {
    return readJson<CheckpointDoc>(this.#row(rowKey.checkpoint(height)));
  }

  /** A vertex of each seat in an epoch, which proves that it opened. */
  #openers(open: OpenView): Uint8Array[] {
    const seats = this.options.genesis.seats.length;
    const found = new Map<number, Uint8Array>();
    let position = 0;
    for (; position < MAX_OPENER_POSITIONS && found.size < seats; position++) {
      const id = this.#row(rowKey.epochVertex(open.epoch, position));
      const bytes = id && this.#row(rowKey.vertex(id));
      if (!bytes) break;
      const creator = bytes[6]! | (bytes[7]! << 8);
      if (!found.has(creator)) found.set(creator, openerOf(bytes));
    }
    const openers = [...found.values()];
    if (position === MAX_OPENER_POSITIONS || found.size === seats) open.openers = openers;
    return openers;
  }

  /**
   * Rows after a key, as of the opening of `epoch`; `prefixBytes`: only those with the key's prefix, and so many bytes.
   * Undefined while this peer is being answered.
   */
  async rows(
    peer: string,
    epoch: number,
    after: Uint8Array,
    prefixBytes?: number,
  ): Promise<ServedRows | undefined> {
    if (this.#busy.has(peer)) return undefined;
    this.#busy.add(peer);
    try {
      const open = this.#views.find((view) => view.epoch === epoch);
      if (!open) return { answer: { type: 'fetched', epoch, part: 'gone', rows: EMPTY }, count: 0 };
      open.askedMs = this.options.monotonicMs();
      const key = after.slice();
      const reading = open.queue.then(() =>
        read(
          open.view,
          key,
          Math.min(this.#answerBytes, prefixBytes ?? this.#answerBytes),
          prefixBytes !== undefined,
        ),
      );
      open.queue = reading.catch(() => {});
      const { rows, isEnd } = await reading;
      const part = isEnd ? 'last' : 'more';
      return { answer: { type: 'fetched', epoch, part, rows: encodeRows(rows) }, count: rows.length };
    } finally {
      this.#busy.delete(peer);
    }
  }
}

/** As many rows as fit one answer, across prefixes; one always fits. */
async function read(
  view: StoreView,
  after: Uint8Array,
  maxBytes: number,
  isOnePrefix: boolean,
): Promise<{ rows: Row[]; isEnd: boolean }> {
  const rows: Row[] = [];
  let left = maxBytes;
  for (let range = rangeAfter(after); range; ) {
    const page = await view.page(range, left);
    for (const row of page) {
      left -= ROW_HEAD_BYTES + row[0].length + row[1].length;
      if (left < 0 && rows.length > 0) return { rows, isEnd: false };
      rows.push(row);
    }
    const last = page.at(-1)?.[0];
    range = last ? rangeAfter(last) : isOnePrefix ? undefined : nextRange(range.gte);
  }
  return { rows, isEnd: true };
}
