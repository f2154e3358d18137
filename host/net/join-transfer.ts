// Fetches the rows of one seal from one peer, answer by answer; the next is requested while the last is written.
// Keeps: at most two answers in memory; after a lost link it continues where it stopped, as long as the peer still has
// that state; rows arrive in ascending order, each once; a peer that sends less than a link must carry is left, and so is one
// that sends more than there is room for: nothing of it is proven before the end.

import type { Logger } from '../log.ts';
import { pause } from '../world/clock.ts';
import type { Store } from '../world/store.ts';
import { JoinFault } from './join-fault.ts';
import { JoinPeer, type JoinPeerOptions } from './join-peer.ts';
import { decodeRows, takenOf } from './join-rows.ts';
import { writeReceived } from './join-store.ts';

const PROGRESS_MS = 2000;
const MIB = 1024 * 1024;
/**
 * What a peer must send in a minute, bytes, and where no other one is left to be asked. An answer is full but for one row and
 * has 20 s, so an honest peer that sends less than the latter is lost anyhow.
 */
const MINUTE_MS = 60_000;
const MIN_PER_MINUTE = 16 * MIB;
const MIN_PER_MINUTE_OF_LAST = 1.5 * MIB;
/** Waits before each attempt to reconnect, ms. */
const RECONNECT_WAITS_MS = [200, 1000, 3000, 5000];

export interface TransferOptions extends JoinPeerOptions {
  store: Store;
  log: Logger;
  epoch: number;
  /** About how many rows will come; 0 = not known. */
  rowCount: number;
  /** No other peer is left to be asked. */
  isLast: boolean;
  /** Bytes that the disk has room for; Infinity where nobody can tell. */
  roomBytes(): number;
}

export class Transfer {
  readonly #startedMs: number;
  #loggedMs: number;
  /** Of the running minute. */
  #minute: { sinceMs: number; bytes: number };
  /** What is taken of the peer at most. Others may have to be asked after it, before the disk has its space back. */
  readonly #maxBytes: number;
  rows = 0;
  bytes = 0;
  /** The peer no longer has the state. */
  isGone = false;

  constructor(
    private readonly o: TransferOptions,
    private peer: JoinPeer,
  ) {
    this.#startedMs = o.clock.monotonicMs();
    this.#loggedMs = this.#startedMs;
    this.#minute = { sinceMs: this.#startedMs, bytes: 0 };
    this.#maxBytes = o.roomBytes() / (o.isLast ? 1 : 2);
  }

  /** Errors: JoinFault when the peer is lost for good, sends invalid rows or too many, or takes too long. */
  async run(): Promise<void> {
    let after: Uint8Array = new Uint8Array(0);
    let asked = this.peer.rows(this.o.epoch, after);
    let writing: Promise<void> = Promise.resolve();
    try {
      for (;;) {
        const answer = await asked;
        if (!answer) {
          this.#checkPace(0);
          await this.#reconnect();
          asked = this.peer.rows(this.o.epoch, after);
          continue;
        }
        if (answer.part === 'gone') {
          this.isGone = true;
          throw new JoinFault('the peer no longer has the state');
        }
        const rows = decodeRows(answer.rows, after);
        if (!rows) throw new JoinFault('rows are out of order, or of a kind that is not served');
        if (answer.part === 'more' && rows.length === 0) throw new JoinFault('an answer has no rows');
        after = rows.at(-1)?.[0] ?? after;
        await writing;
        if (answer.part === 'more') asked = this.peer.rows(this.o.epoch, after);
        writing = writeReceived(this.o.store, takenOf(rows));
        // A failure is thrown by the next `await writing`; until then it must not count as unhandled.
        writing.catch(() => {});
        this.#logProgress(rows.length, answer.rows.length);
        if (this.bytes > this.#maxBytes) throw new JoinFault('it sends more than the disk has room for');
        if (answer.part === 'last') break;
        this.#checkPace(answer.rows.length);
      }
    } finally {
      await writing;
    }
  }

  #checkPace(bytes: number): void {
    const minute = this.#minute;
    minute.bytes += bytes;
    const nowMs = this.o.clock.monotonicMs();
    if (nowMs - minute.sinceMs < MINUTE_MS) return;
    if (minute.bytes < (this.o.isLast ? MIN_PER_MINUTE_OF_LAST : MIN_PER_MINUTE))
      throw new JoinFault('it sends the state too slowly');
    this.#minute = { sinceMs: nowMs, bytes: 0 };
  }

  async #reconnect(): Promise<void> {
    const { clock, log } = this.o;
    let reason = this.peer.reason;
    for (const waitMs of RECONNECT_WAITS_MS) {
      log.warn({ peer: this.peer.key, reason }, 'lost the link while joining: reconnecting');
      await pause(clock, waitMs);
      const found = await JoinPeer.connect(this.o, this.peer.address);
      if (typeof found === 'string') {
        reason = found;
        continue;
      }
      if (found.key !== this.peer.key) {
        found.close();
        throw new JoinFault('another node answers at this address');
      }
      this.peer = found;
      return;
    }
    throw new JoinFault(`the link was lost: ${reason}`);
  }

  #logProgress(rows: number, bytes: number): void {
    this.rows += rows;
    this.bytes += bytes;
    const nowMs = this.o.clock.monotonicMs();
    if (nowMs - this.#loggedMs < PROGRESS_MS) return;
    this.#loggedMs = nowMs;
    const seconds = (nowMs - this.#startedMs) / 1000;
    const { rowCount, epoch } = this.o;
    const left = Math.round(((rowCount - this.rows) * seconds) / this.rows);
    this.o.log.info(
      {
        epoch,
        rows: this.rows,
        megabytes: Math.round(this.bytes / 1e6),
        megabytesPerSecond: Math.round(this.bytes / 1e5 / seconds) / 10,
        ...(rowCount > this.rows ? { secondsLeft: left } : {}),
      },
      'receiving the state',
    );
  }

  /** Closes the present link. */
  close(): void {
    this.peer.close();
  }
}
