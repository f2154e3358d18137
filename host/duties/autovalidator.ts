// The node's own validator votes by itself (SERVICE_AUTOVALIDATOR, protocol 12.2): it approves transfers, votes on
// panels and disputes by the score worked out anew from the stored result, and leaves generations alone.
// Keeps: a vote is an ordinary signed write through the pipeline's admission, at most one for each event; what cannot
// be judged from this node's documents gets no vote. After a restart the list of open events says what is left to do.

import * as abi from '../../assembly/abi.ts';
import type { Identities } from '../execution/identity.ts';
import type { Logger } from '../log.ts';
import { scoreSubmission } from '../scoring/index.ts';
import type { Submission } from '../sequencer/sequencer.ts';
import type { EventDoc } from '../store/documents.ts';
import { eventOf } from '../store/events.ts';
import type { PendingIndex } from '../views/pending-index.ts';
import { fromHex, toHex } from '../wire/bytes.ts';
import type { Store } from '../world/store.ts';
import { type OwnKey, OwnWrites } from './own-writes.ts';
import { storedWork } from './stored-work.ts';
import { WorkQueue } from './work-queue.ts';

/** Votes under way at a time: far below what one agent may hold of the queue. */
const MAX_IN_FLIGHT = 64;
/** Open events read at once at start. */
const PAGE = 1000;

export interface AutovalidatorOptions {
  store: Store;
  ids: Identities;
  pending: PendingIndex;
  /** The node's key, which is its operator's. */
  key: OwnKey;
  chainId: string;
  clock: { nowMs(): number; setTimer(run: () => void, ms: number): () => void };
  randomBytes(n: number): Uint8Array;
  log: Pick<Logger, 'info' | 'warn'>;
  submit(s: Submission): Promise<unknown>;
}

export class Autovalidator {
  readonly #queue: WorkQueue;
  readonly #writes: OwnWrites;

  constructor(private readonly o: AutovalidatorOptions) {
    this.#writes = new OwnWrites(o);
    this.#queue = new WorkQueue({
      clock: o.clock,
      most: MAX_IN_FLIGHT,
      run: (event) => this.#vote(event),
      onRefused: (event, code) => o.log.info({ event, code }, 'the vote of the own validator was refused'),
    });
  }

  /** Looks at everything that is open, then at what comes. */
  start(): void {
    const { pending, ids } = this.o;
    for (let offset = 0; offset < pending.size; offset += PAGE) {
      for (const row of pending.page({}, offset, PAGE).items) {
        const item = ids.state.item(row);
        if (item) this.#queue.add(toHex(item.eventId));
      }
    }
    this.#queue.pump();
  }

  stop(): void {
    this.#queue.stop();
  }

  /** Events of a group, once it is on disk. */
  executed(events: readonly EventDoc[]): void {
    for (const event of events) {
      if (event.settlement_state === 'optimistic') this.#queue.add(event.event_id);
    }
    this.#queue.kick();
  }

  /** What this validator says of an event; undefined when it has nothing to say. */
  #verdict(eventId: string): boolean | undefined {
    const { ids, key } = this.o;
    const own = ids.find(fromHex(key.publicKeyHex)!);
    const row = ids.state.findItem(fromHex(eventId)!);
    const item = row === undefined ? undefined : ids.state.item(row);
    if (own?.validator === undefined || !item) return undefined;
    const isParty = item.agent === own.index || item.recipient === own.index;
    if (isParty || item.voters.some((v) => v.validator === own.validator)) return undefined;
    switch (item.kind) {
      case abi.ITEM_TRANSFER:
        return true;
      case abi.ITEM_SUBMISSION:
        return item.assigned.includes(own.validator) ? this.#passes(eventId) : undefined;
      case abi.ITEM_DISPUTE:
        return this.#passes(eventId);
      default:
        return undefined;
    }
  }

  /** The verdict of the score, worked out anew for the task of a submission or dispute. */
  #passes(eventId: string): boolean | undefined {
    const { store } = this.o;
    const event = eventOf(store, fromHex(eventId)!);
    const stored = event?.task_id === undefined ? undefined : storedWork(store, event.task_id);
    return stored && scoreSubmission(stored.text, stored.work).pass;
  }

  async #vote(event: string): Promise<void> {
    const verdict = this.#verdict(event);
    if (verdict === undefined) return;
    await this.o.submit(this.#writes.signed(this.o.key, 'verify', { event_id: event, verdict }));
    this.o.log.info({ event, verdict }, 'the own validator voted');
  }
}
