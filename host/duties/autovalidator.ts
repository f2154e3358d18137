// Gives verdicts for this node's validator automatically (SERVICE_AUTOVALIDATOR, protocol 12.2): it approves transfers.
// What takes judgement is left to the judge (judging/judge-runner.ts) or to nobody: submissions, disputes, generation claims.
// Keeps: a verdict is an ordinary signed write through the sequencer's admission, at most one for each event; the form of a
// work is no judgement, so nothing here reads results. After a restart it continues with the list of open events.

import * as abi from '../../assembly/abi.ts';
import type { EventDoc } from '../store/documents.ts';
import { eventOf } from '../store/events.ts';
import { fromHex, toHex } from '../wire/bytes.ts';
import { OwnWrites } from './own-writes.ts';
import type { VotingOptions } from './voting-options.ts';
import { WorkQueue } from './work-queue.ts';

/** Verdicts in flight: far fewer than one agent may have in the queue. */
const MAX_IN_FLIGHT = 64;
/** Open events read at once, at start. */
const PAGE = 1000;

export class Autovalidator {
  readonly #queue: WorkQueue;
  readonly #writes: OwnWrites;

  constructor(private readonly options: VotingOptions) {
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
    if (own?.validator === undefined) return undefined;
    if (!item) return this.#lateVerdict(eventId, own.validator);
    const isParty = item.agent === own.index || item.recipient === own.index;
    if (isParty || item.voters.some((v) => v.validator === own.validator)) return undefined;
    return item.kind === abi.ITEM_TRANSFER ? true : undefined;
  }

  /**
   * In probation a vote still counts when others decided the event first, if the validator was drawn for it (protocol 6.9);
   * one that comes too late is refused.
   */
  #lateVerdict(eventId: string, own: number): boolean | undefined {
    const { ids, store } = this.options;
    const event = eventOf(store, fromHex(eventId)!);
    const isDrawn = event?.assigned_to?.includes(ids.validatorId(own));
    if (!isDrawn || ids.state.validator(own)?.status !== abi.VALIDATOR_PROBATION) return undefined;
    return event!.event_type === 'transfer' ? true : undefined;
  }

  async #giveVerdict(event: string): Promise<void> {
    const verdict = this.#verdict(event);
    if (verdict === undefined) return;
    await this.options.submit(this.#writes.sign(this.options.key, 'verify', { event_id: event, verdict }));
    this.options.log.info({ event, verdict }, "this node's validator gave a verdict");
  }
}
