// Plants canaries (SERVICE_AUTOVALIDATOR with canary_rate_bp above 0; protocol 7.7): for a drawn assured submission, a task
// of the same category and lane whose right verdict is known, by one-time agents.
// Keeps: the answer is in the nonce of the post, the commitment is ordered before the task is posted, and at least a second of
// consensus time before the work is submitted; the reveal follows the end of the task. A task that somebody else claimed is no longer a canary and is
// dropped. Unfinished canaries are stored, so they continue after a restart.

import * as abi from '../../assembly/abi.ts';
import { isFinal } from '../core/task-names.ts';
import type { KeyPair } from '../crypto/key-pair.ts';
import { ServiceError } from '../errors.ts';
import type { Identities } from '../execution/identity.ts';
import type { Logger } from '../log.ts';
import type { Settled, Submission } from '../sequencer/sequencer.ts';
import type { CanaryDoc } from '../store/case-documents.ts';
import type { EventDoc } from '../store/documents.ts';
import { eventOf } from '../store/events.ts';
import { rangeOf, rowKey } from '../store/prefixes.ts';
import { taskState, taskText } from '../store/task-rows.ts';
import { readJson } from '../store/write-set.ts';
import { fromHex, fromUtf8, toHex, utf8 } from '../wire/bytes.ts';
import { canaryCommitment, canaryNonce } from '../wire/canary.ts';
import { sha256 } from '../wire/hash.ts';
import { taskId } from '../wire/ids.ts';
import type { Store } from '../world/store.ts';
import { type CanarySecrets, canaryGroup, canarySecrets } from './canary-secrets.ts';
import { type OwnKey, OwnWrites } from './own-writes.ts';
import { WorkQueue } from './work-queue.ts';

const MAX_IN_FLIGHT = 4;
const BP = 10_000;
/** Minimum budget of an assured task, micro-units (protocol 4.4). */
const MIN_BUDGET = 25_000_000;
/** Wait before a submission that would be too soon after its commitment is tried again. */
const RESUBMIT_MS = 1000;

export interface CanaryRunnerOptions {
  store: Store;
  ids: Identities;
  /** This node's seat. */
  seat: number;
  /** The node's key, which is its operator's. */
  key: OwnKey;
  chainId: string;
  /** canary_rate_bp of the network. */
  rateBp: number;
  clock: { nowMs(): number; setTimer(run: () => void, ms: number): () => void };
  randomBytes(n: number): Uint8Array;
  log: Pick<Logger, 'info'>;
  submit(s: Submission): Promise<Settled>;
}

/**
 * The random number that selects which seat plants a canary for an event; undefined: none. It depends on the vertex that
 * contains the event, which nobody can know in advance.
 */
export function canaryDraw(
  event: Pick<EventDoc, 'event_id' | 'vertex_hash'>,
  rateBp: number,
): number | undefined {
  const hash = sha256(utf8(`canary-seat:${event.event_id}:${event.vertex_hash}`));
  const view = new DataView(hash.buffer, hash.byteOffset);
  return view.getUint32(0) % BP < rateBp ? view.getUint32(4) : undefined;
}

export class CanaryRunner {
  readonly #queue: WorkQueue;
  readonly #writes: OwnWrites;
  /** Unfinished canaries by task id. */
  readonly #planted = new Map<string, CanaryDoc>();
  readonly #timers = new Set<() => void>();

  constructor(private readonly options: CanaryRunnerOptions) {
    this.#writes = new OwnWrites(options);
    this.#queue = new WorkQueue({
      clock: options.clock,
      maxInFlight: MAX_IN_FLIGHT,
      run: (item) => (item.length === 64 ? this.#plant(item) : this.#step(item)),
      onRefused: (item, code) => options.log.info({ item, code }, 'a step of a canary was refused'),
    });
  }

  /** Continues with stored canaries. */
  async start(): Promise<void> {
    for await (const [key, value] of this.options.store.scan(rangeOf('K'))) {
      const task = toHex(key.subarray(1));
      this.#planted.set(task, readJson<CanaryDoc>(value)!);
      this.#queue.add(task);
    }
    this.#queue.pump();
  }

  stop(): void {
    this.#queue.stop();
    for (const cancel of this.#timers) cancel();
  }

  /** Events of a batch that is on disk. */
  onExecuted(events: readonly EventDoc[]): void {
    for (const event of events) {
      if (event.task_id !== undefined && this.#planted.has(event.task_id)) this.#queue.add(event.task_id);
      else if (this.#mustPlantFor(event)) this.#queue.add(event.event_id);
    }
    this.#queue.pumpSoon();
  }

  /** Is this an assured submission for which this node's seat plants a canary. */
  #mustPlantFor(event: EventDoc): boolean {
    if (event.event_type !== 'task_submitted' || event.settlement_state !== 'optimistic') return false;
    const draw = canaryDraw(event, this.options.rateBp);
    if (draw === undefined) return false;
    const { state } = this.options.ids;
    const active = state.seats().flatMap(({ validator }, seat) => {
      const status = validator === undefined ? undefined : state.validator(validator)!.status;
      return status === abi.VALIDATOR_ACTIVE ? [seat] : [];
    });
    return active.length > 0 && active[draw % active.length] === this.options.seat;
  }

  #secrets({ trigger, category }: CanaryDoc): CanarySecrets {
    return canarySecrets(this.options.key, trigger, canaryGroup(category)!);
  }

  #send(key: OwnKey, name: Parameters<OwnWrites['sign']>[1], fields: object, id?: string): Promise<Settled> {
    return this.options.submit(this.#writes.sign(key, name, fields, id));
  }

  async #store(task: string, doc: CanaryDoc): Promise<void> {
    this.#planted.set(task, doc);
    const value = Buffer.from(JSON.stringify(doc));
    await this.options.store.write([{ key: rowKey.canary(fromHex(task)!), value }]);
  }

  async #forget(task: string): Promise<void> {
    this.#planted.delete(task);
    await this.options.store.write([{ key: rowKey.canary(fromHex(task)!), value: undefined }]);
  }

  /** Registers a one-time agent, like any newcomer; returns its free balance, micro-units. */
  async #registered(key: KeyPair): Promise<number> {
    const { ids } = this.options;
    if (!ids.find(key.publicKey)) await this.#send(key, 'register', {});
    return ids.state.agent(ids.find(key.publicKey)!.index)!.balance;
  }

  /** Commits to a canary for a submission, then posts it. `trigger`: event of the submission. */
  async #plant(trigger: string): Promise<void> {
    const { store, key } = this.options;
    const event = eventOf(store, fromHex(trigger)!)!;
    const id = fromHex(event.task_id!)!;
    const { category } = taskText(store, id)!;
    const { budget, assurance_lane } = taskState(store, id)!.core!;
    if (canaryGroup(category) === undefined) return;
    const doc: CanaryDoc = { trigger, category };
    const { poster, worker, salt, item } = this.#secrets(doc);
    const answer = { type: item.type, truth: item.truth, salt };
    const balance = await this.#registered(poster);
    await this.#registered(worker);
    if (balance < MIN_BUDGET) return;
    const { title, description, success_criteria } = item;
    // Signed before the commitment, which names the task, and sent after it.
    const fields = { title, description, success_criteria, category, assurance_lane };
    const terms = { ...fields, budget: Math.min(budget, balance) };
    const post = this.#writes.sign(poster, 'taskCreate', terms, undefined, canaryNonce(answer));
    const task = taskId(toHex(post.input.id));
    const commitment = canaryCommitment(task, answer);
    const committed = await this.#send(key, 'canaryCommit', { commitment });
    const posting = fromUtf8(post.signBytes);
    await this.#store(task, { ...doc, posting, committed_at: committed.timeSecs });
    try {
      await this.options.submit(post);
      this.options.log.info({ task }, 'a canary was posted');
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'no_quorum') throw error;
      await this.#finish(task, this.#secrets(doc));
      this.options.log.info({ task, code: error.code }, 'a canary was refused');
    }
  }

  /** Takes the next step of a planted task, by its state. */
  async #step(task: string): Promise<void> {
    const doc = this.#planted.get(task);
    if (!doc) return;
    const core = taskState(this.options.store, fromHex(task)!)?.core;
    const secrets = this.#secrets(doc);
    if (!core) return this.#finish(task, secrets);
    const isOwn = core.claimer_id === undefined || core.claimer_id === secrets.worker.publicKeyHex;
    if (!isOwn) return this.#finish(task, secrets);
    if (isFinal(core.status)) return this.#reveal(task, doc, secrets, core.submitted_at !== undefined);
    if (core.status === 'open') await this.#send(secrets.worker, 'taskClaim', {}, task);
    else if (core.status === 'claimed') await this.#submit(task, doc, secrets);
  }

  async #submit(task: string, doc: CanaryDoc, { worker, item }: CanarySecrets): Promise<void> {
    const nowSecs = Math.floor(this.options.clock.nowMs() / 1000);
    // The core requires a later second of consensus time, which may be another second behind this clock.
    if (nowSecs <= doc.committed_at! + 1) {
      const cancel = this.options.clock.setTimer(() => {
        this.#timers.delete(cancel);
        this.#queue.add(task);
        this.#queue.pump();
      }, RESUBMIT_MS);
      this.#timers.add(cancel);
      return;
    }
    await this.#send(worker, 'taskSubmit', { result_content: item.result_content }, task);
  }

  async #reveal(task: string, doc: CanaryDoc, secrets: CanarySecrets, wasDelivered: boolean): Promise<void> {
    const { salt, item } = secrets;
    if (wasDelivered) {
      const { type, truth } = item;
      const fields = { task_id: task, salt: toHex(salt), type, truth, posting: doc.posting! };
      try {
        await this.#send(this.options.key, 'canaryReveal', fields);
        this.options.log.info({ task, type }, 'a canary was revealed');
      } catch (error) {
        if (!(error instanceof ServiceError) || error.status === 503) throw error;
        this.options.log.info({ task, code: error.code }, 'a canary could not be revealed');
      }
    }
    await this.#finish(task, secrets);
  }

  /** The one-time agents have served: what is left of their grants is for newcomers. */
  async #finish(task: string, { poster, worker }: CanarySecrets): Promise<void> {
    const { ids } = this.options;
    for (const key of [poster, worker]) {
      const agent = ids.find(key.publicKey);
      if (agent && ids.state.agent(agent.index)!.balance > 0) await this.#send(key, 'canaryReturn', {});
    }
    await this.#forget(task);
  }
}
