// Keeps the history of an observer as long as its operator wants: moves the beginning behind seals that a quorum has signed,
// and drops what lies before it, in small steps beside everything else.
// Keeps: the beginning moves first, in a batch of its own; each step is one batch, takes a tenth of the time at most, and can
// be the last one: the next start finds what is left. What no other known node has is not dropped, unless the operator said so.

import type { State } from '../../core/state.ts';
import type { Logger } from '../../log.ts';
import type { EpochDoc } from '../../ordering/epoch.ts';
import type { Head, SnapshotMark } from '../../ordering/head.ts';
import type { CheckpointDoc, EventDoc } from '../../store/documents.ts';
import {
  type History,
  hasWholeLog,
  putDocumentsStart,
  putLogStart,
  readHistory,
} from '../../store/history.ts';
import { rowKey } from '../../store/prefixes.ts';
import { readJson, WriteSet } from '../../store/write-set.ts';
import { toHex } from '../../wire/bytes.ts';
import type { Clock } from '../../world/clock.ts';
import type { BatchOp, Store } from '../../world/store.ts';
import { droppedCases, droppedChunks, droppedEvents, droppedTasks, endedTasks } from './drop-documents.ts';
import { droppedLog, type Row } from './drop-log.ts';

/** How often it looks what there is to do. */
const POLL_MS = 5000;
/** How often whether the beginning can move: so often in what is kept, or every ten minutes. */
const LOOKS = 64;
const MAX_LOOK_MS = 600_000;
/** The beginning moves by this part of what is kept at least: each time, lists and open tasks are looked through. */
const MIN_MOVE_PART = 16;
/** Time between two steps: so many times what the last one took, and no less than this. */
const REST_FACTOR = 9;
const MIN_REST_MS = 20;

export interface HistoryKeeperOptions {
  store: Store;
  state: State;
  clock: Clock;
  log: Logger;
  /** Head of the executed log. */
  head(): Head;
  /** Height of the newest checkpoint that a quorum signed. */
  signedHeight(): number;
  /** Consensus time for which history is kept; undefined: for ever. */
  keepSecs: number | undefined;
  /** Does a node that the operator trusts have all that this history has, or may it be lost. */
  isElsewhere(history: History): boolean;
  /** Does a connected node have the whole log. */
  hasArchive(): boolean;
  /** The beginning has moved. */
  onMoved(): void;
  onFailure(error: Error): void;
}

const NOT_ELSEWHERE =
  'keeping more history than SERVICE_HISTORY asks for: no connected seat or configured peer has all of it';
const NO_ARCHIVE =
  'neither this node nor a connected one has the whole log: connect to a seat that keeps it, or it may be lost';

/** Ends the work between two steps. */
class Stopped extends Error {}

export class HistoryKeeper {
  #current: History;
  /** Ends the wait for the next look or step. */
  #wake: () => void = () => {};
  #isStopped = false;
  #running: Promise<void> = Promise.resolve();
  /** When it is looked again whether the beginning can move. */
  #lookMs = 0;
  #hasToFinish: boolean;
  #pollsWithoutArchive = 0;
  /** Warnings that were logged: each once. */
  readonly #said = new Set<string>();

  constructor(private readonly o: HistoryKeeperOptions) {
    this.#current = readHistory(o.store);
    // An earlier run may have been interrupted after the beginning had moved.
    this.#hasToFinish = this.#current.documents.seq > 1;
  }

  get current(): History {
    return this.#current;
  }

  /** Neither this node nor one that is connected has the whole log. */
  get isUnarchived(): boolean {
    return !hasWholeLog(this.#current) && !this.o.hasArchive();
  }

  start(): void {
    const again = (): void => {
      this.#running = this.#poll().then(
        () => {
          if (!this.#isStopped) this.#wake = this.o.clock.setTimer(again, POLL_MS);
        },
        (error) => {
          if (!(error instanceof Stopped)) this.o.onFailure(error as Error);
        },
      );
    };
    this.#wake = this.o.clock.setTimer(again, POLL_MS);
  }

  /** Resolves when the step that is under way is on disk. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    await this.#running;
  }

  async #poll(): Promise<void> {
    this.#warnWithoutArchive();
    const { keepSecs } = this.o;
    if (keepSecs === undefined) return;
    const nowMs = this.o.clock.monotonicMs();
    if (nowMs >= this.#lookMs) {
      this.#lookMs = nowMs + Math.min(MAX_LOOK_MS, (1000 * keepSecs) / LOOKS);
      const next = this.#next(keepSecs, this.o.head().epoch);
      if (next && !this.o.isElsewhere(this.#current)) this.#say(NOT_ELSEWHERE);
      else if (next) await this.#move(next);
    }
    if (!this.#hasToFinish) return;
    await this.#drop();
    this.#hasToFinish = false;
  }

  /** Peers may need a moment to connect: what lasts for two looks is said. */
  #warnWithoutArchive(): void {
    this.#pollsWithoutArchive = this.isUnarchived ? this.#pollsWithoutArchive + 1 : 0;
    if (this.#pollsWithoutArchive >= 2) this.#say(NO_ARCHIVE);
  }

  #say(text: string): void {
    if (this.#said.has(text)) return;
    this.#said.add(text);
    this.o.log.warn({ ...this.#current }, text);
  }

  #epoch(number: number): EpochDoc | undefined {
    return readJson<EpochDoc>(this.o.store.get(rowKey.epoch(number)));
  }

  /** The latest beginning that leaves `keepSecs` before the head, if it lies enough behind the present one. */
  #next(keepSecs: number, running: number): History | undefined {
    const { head, store } = this.o;
    const { log, documents } = this.#current;
    const untilSecs = Math.floor(head().timeMs / 1000) - keepSecs;
    // The epochs are in the order of their times.
    let [low, high] = [0, running];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const time = this.#epoch(middle)?.previous_time_ms ?? 0;
      if (time / 1000 <= untilSecs) low = middle;
      else high = middle - 1;
    }
    const doc = low > 0 ? this.#epoch(low) : undefined;
    const snapshot = readJson<SnapshotMark>(store.get(rowKey.meta('snapshot')));
    const signed = readJson<CheckpointDoc>(store.get(rowKey.checkpoint(this.o.signedHeight())));
    // A start needs the epoch of the snapshot; a seal that no quorum signed proves nothing to those who join.
    if (!doc || !snapshot || low > snapshot.epoch || (signed?.order ?? 0) < doc.first_order - 1)
      return undefined;
    const [order, timeSecs] = [doc.first_order, Math.floor(doc.previous_time_ms / 1000)];
    if (timeSecs - documents.time_secs < Math.ceil(keepSecs / MIN_MOVE_PART)) return undefined;
    return {
      log: low > log.epoch ? { epoch: low, order, time_secs: timeSecs } : log,
      documents: { seq: this.#firstSeq(order), order, time_secs: timeSecs },
    };
  }

  /** Seq of the first event at or after an order number. */
  #firstSeq(order: number): number {
    let [low, high] = [this.#current.documents.seq, this.o.head().seq + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const event = readJson<EventDoc>(this.o.store.get(rowKey.event(middle)))!;
      if (event.order < order) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async #move(next: History): Promise<void> {
    const set = new WriteSet(this.o.store);
    putLogStart(set, next.log);
    putDocumentsStart(set, next.documents);
    this.#hasToFinish = true;
    this.#current = next;
    this.o.onMoved();
    await this.o.store.write(set.ops());
    this.o.log.info({ ...next }, 'history begins later now: dropping what is older');
  }

  /** Deletes what may lie before the beginning. */
  async #drop(): Promise<void> {
    const { store } = this.o;
    const { log, documents } = this.#current;
    const block = this.#epoch(log.epoch)?.first_block ?? 0;
    await this.#all(droppedLog(store, { ...log, block }));
    await this.#dropTasks();
    await this.#all(droppedEvents(store, documents.seq));
    await this.#all(droppedChunks(store, documents.seq));
    this.o.log.info({}, 'older history is dropped');
  }

  // What the core has let go of now may be in the stored snapshot: it is dropped once a later one is stored.
  async #dropTasks(): Promise<void> {
    const { store, state, head } = this.o;
    for (;;) {
      const tasks: Row[] = [];
      const seenAt = head().order;
      for await (const ended of endedTasks(
        store,
        this.#current.documents,
        (id) => state.task(id) !== undefined,
      )) {
        tasks.push(...ended);
        await this.#rest(0);
      }
      if (tasks.length === 0) return;
      while ((readJson<SnapshotMark>(store.get(rowKey.meta('snapshot')))?.order ?? 0) < seenAt)
        await this.#rest(POLL_MS);
      await this.#all(droppedCases(store, new Set(tasks.map(([, id]) => toHex(id)))));
      await this.#all(droppedTasks(store, tasks));
    }
  }

  async #all(steps: AsyncIterable<BatchOp[]> | Iterable<BatchOp[]>): Promise<void> {
    let startedMs = this.o.clock.monotonicMs();
    for await (const ops of steps) {
      if (ops.length > 0) await this.o.store.write(ops);
      await this.#rest(REST_FACTOR * (this.o.clock.monotonicMs() - startedMs));
      startedMs = this.o.clock.monotonicMs();
    }
  }

  #rest(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = this.o.clock.setTimer(resolve, Math.max(MIN_REST_MS, ms));
      this.#wake = () => {
        cancel();
        reject(new Stopped());
      };
      if (this.#isStopped) this.#wake();
    });
  }
}
