// The node's own validator votes by itself (SERVICE_AUTOVALIDATOR, DECISIONS 12.2): it approves transfers, votes on
// panels and disputes by the score worked out anew from the stored result, and leaves generations alone.
// Keeps: a vote is an ordinary signed write through the pipeline's admission, at most one for each event; what cannot
// be judged from this node's documents gets no vote. After a restart the list of open events says what is left to do.

import * as abi from '../../assembly/abi.ts';
import { ServiceError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { EventDoc } from '../store/documents.ts';
import { keyOf } from '../store/prefixes.ts';
import type { Store } from '../store/store.ts';
import type { SubmissionDoc, TaskTextDoc } from '../store/task-documents.ts';
import { readJson } from '../store/write-set.ts';
import { scoreSubmission, type Submission as Work } from '../verification/index.ts';
import { fromHex, toHex, utf8 } from '../wire/bytes.ts';
import { encodeEntry, openEntry, type TxV1Entry } from '../wire/entry.ts';
import { sha256Hex } from '../wire/hash.ts';
import { jcs } from '../wire/json.ts';
import { parseOperation } from '../wire/operations.ts';
import { txSignBytes } from '../wire/tx.ts';
import type { Identities } from './identity.ts';
import { entryInput, resolveSigner, signedCredentials } from './intake.ts';
import type { PendingIndex } from './pending-index.ts';
import type { Submission } from './pipeline.ts';
import { contentOf } from './task-view.ts';
import { toCommand } from './translate.ts';

/** Votes under way at a time: far below what one agent may hold of the queue. */
const FLYING_MOST = 64;
/** Open events read at once at start. */
const PAGE = 1000;
const LIFETIME_SECS = 60;
const RETRY_MS = 1000;
/** Refusals that say nothing of the vote itself. */
const PASSING: ReadonlySet<string> = new Set(['overloaded', 'not_ready', 'no_quorum']);

export interface AutovalidatorOptions {
  store: Store;
  ids: Identities;
  pending: PendingIndex;
  /** The node's key, which is its operator's. */
  key: { publicKeyHex: string; sign(message: Uint8Array): Uint8Array };
  chainId: string;
  clock: { nowMs(): number; setTimer(run: () => void, ms: number): () => void };
  randomBytes(n: number): Uint8Array;
  log: Pick<Logger, 'info' | 'warn'>;
  submit(s: Submission): Promise<unknown>;
}

export class Autovalidator {
  readonly #waiting = new Set<string>();
  #flying = 0;
  #isStopped = false;
  /** Events whose vote has to be tried again; one timer for all. */
  readonly #later = new Set<string>();
  #cancelRetry: (() => void) | undefined;

  constructor(private readonly o: AutovalidatorOptions) {}

  /** Looks at everything that is open, then at what comes. */
  start(): void {
    const { pending, ids } = this.o;
    for (let offset = 0; offset < pending.size; offset += PAGE) {
      for (const row of pending.page({}, offset, PAGE).items) {
        const item = ids.state.item(row);
        if (item) this.#waiting.add(toHex(item.eventId));
      }
    }
    this.#pump();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry?.();
    this.#waiting.clear();
    this.#later.clear();
  }

  /** Events of a group, once it is on disk. */
  executed(events: readonly EventDoc[]): void {
    for (const event of events) {
      if (event.settlement_state === 'optimistic') this.#waiting.add(event.event_id);
    }
    // Not from within the group: what is submitted now belongs to the next one.
    if (this.#waiting.size > 0) void Promise.resolve().then(() => this.#pump());
  }

  #pump(): void {
    while (!this.#isStopped && this.#flying < FLYING_MOST) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      this.#waiting.delete(next);
      const verdict = this.#verdict(next);
      if (verdict !== undefined) void this.#vote(next, verdict);
    }
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
    const event = readJson<EventDoc>(store.get(keyOf('e', fromHex(eventId)!)));
    const id = event?.task_id === undefined ? undefined : fromHex(event.task_id);
    if (!id) return undefined;
    const text = readJson<TaskTextDoc>(store.get(keyOf('x', id)));
    const submitted = readJson<SubmissionDoc>(store.get(keyOf('z', id)));
    const submission = submitted && readJson<EventDoc>(store.get(keyOf('e', fromHex(submitted.event_id)!)));
    if (!text || !submission) return undefined;
    // The event has the worker's fields but for the content, which has a place of its own.
    const work: Work = { ...submission.payload, result_content: contentOf(store, id) };
    return scoreSubmission(text, work).pass;
  }

  async #vote(eventId: string, verdict: boolean): Promise<void> {
    this.#flying += 1;
    try {
      await this.o.submit(this.#signed(eventId, verdict));
      this.o.log.info({ event: eventId, verdict }, 'the own validator voted');
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (PASSING.has(error.code)) this.#again(eventId);
      else this.o.log.info({ event: eventId, code: error.code }, 'the vote of the own validator was refused');
    } finally {
      this.#flying -= 1;
      this.#pump();
    }
  }

  #again(eventId: string): void {
    if (this.#isStopped) return;
    this.#later.add(eventId);
    this.#cancelRetry ??= this.o.clock.setTimer(() => {
      this.#cancelRetry = undefined;
      for (const event of this.#later) this.#waiting.add(event);
      this.#later.clear();
      this.#pump();
    }, RETRY_MS);
  }

  #signed(eventId: string, verdict: boolean): Submission {
    const { key, chainId, clock, ids } = this.o;
    const path = '/v1/verify';
    const body = utf8(jcs({ event_id: eventId, verdict }));
    const createdAt = Math.floor(clock.nowMs() / 1000);
    const tx = {
      chainId,
      actor: key.publicKeyHex,
      createdAt,
      expiresAt: createdAt + LIFETIME_SECS,
      nonce: toHex(this.o.randomBytes(16)),
      signature: '',
    };
    tx.signature = toHex(key.sign(txSignBytes(tx, 'POST', path, sha256Hex(body))));
    const entry: TxV1Entry = { scheme: 'tx_v1', tx, method: 'POST', path, body };
    const open = openEntry(entry);
    const signer = resolveSigner(tx.actor, ids)!;
    const credentials = signedCredentials(entry, signer);
    const parsed = parseOperation({ name: 'verify', path: {} }, open.body.value);
    const made = toCommand(parsed, open.id, credentials, undefined, ids);
    return {
      input: entryInput(open, parsed, made),
      bytes: encodeEntry(entry),
      owner: String(signer.agent!.index),
    };
  }
}
