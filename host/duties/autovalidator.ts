// Gives verdicts for this node's validator automatically (SERVICE_AUTOVALIDATOR, protocol 12.2): it approves transfers,
// judges submissions and disputes by a score computed again from the stored result, and never judges generation claims.
// Keeps: a verdict is an ordinary signed write through the sequencer's admission, at most one for each event; an event that
// cannot be judged from this node's documents gets none. After a restart it continues with the list of open events.

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

/** Verdicts in flight: far fewer than one agent may have in the queue. */
const MAX_IN_FLIGHT = 64;
/** Open events read at once, at start. */
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

  constructor(private readonly options: AutovalidatorOptions) {
    this.#writes = new OwnWrites(options);
    this.#queue = new WorkQueue({
      clock: options.clock,
      maxInFlight: MAX_IN_FLIGHT,
      run: (event) => this.#giveVerdict(event),
      onRefused: (event, code) =>
        options.log.info({ event, code }, "a verdict of this node's validator was refused"),
    });
  }

  /** Queues all open events. */
  start(): void {
    const { pending, ids } = this.options;
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

  /** Events of a batch that is on disk. */
  onExecuted(events: readonly EventDoc[]): void {
    for (const event of events) {
      if (event.settlement_state === 'optimistic') this.#queue.add(event.event_id);
    }
    this.#queue.pumpSoon();
  }

  /** This validator's verdict on an event; undefined when it gives none. */
  #verdict(eventId: string): boolean | undefined {
    const { ids, key } = this.options;
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

  /** Does the work of a task pass, by its score computed again. */
  #passes(eventId: string): boolean | undefined {
    const { store } = this.options;
    const event = eventOf(store, fromHex(eventId)!);
    const stored = event?.task_id === undefined ? undefined : storedWork(store, event.task_id);
    return stored && scoreSubmission(stored.text, stored.work).pass;
  }

  async #giveVerdict(event: string): Promise<void> {
    const verdict = this.#verdict(event);
    if (verdict === undefined) return;
    await this.options.submit(this.#writes.sign(this.options.key, 'verify', { event_id: event, verdict }));
    this.options.log.info({ event, verdict }, "this node's validator gave a verdict");
  }
}
