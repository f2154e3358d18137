// Facts about tasks for the translation of entries: texts and commits of earlier blocks, which never change.
// Keeps: an entry gives the same command whenever its block is executed, also in a replay over a store with later documents:
// anything beyond the core's present order counts as unknown.

import type { State } from '../core/state.ts';
import { standardCheck } from '../modules/standard-checks.ts';
import { type BaselineCheck, baselineOf, groupOf } from '../scoring/index.ts';
import type { JobDoc } from '../store/case-documents.ts';
import { eventOf } from '../store/events.ts';
import { rowKey } from '../store/prefixes.ts';
import type { DueDeliveryDoc, ProgramDoc, TaskTextDoc } from '../store/task-documents.ts';
import { taskSubmission, taskText } from '../store/task-rows.ts';
import { readJson } from '../store/write-set.ts';
import { fromHex, fromUtf8, toHex } from '../wire/bytes.ts';
import type { Store } from '../world/store.ts';
import type { Programs } from './contracts.ts';
import type { SealedDeliveries, SealedDelivery } from './openings.ts';

/** What the report of a replay job is compared with. */
export interface ReplayFacts {
  checks: BaselineCheck[];
  /** Its category is of the code or data group (protocol 4.8). */
  isCodeOrData: boolean;
}

/** Of an agent without a key: nobody can encrypt to it. */
const NO_KEY = new Uint8Array(0);

export class TaskFacts implements Programs, SealedDeliveries {
  #source: Pick<Store, 'get'>;
  readonly openings = new Map<string, number>();

  constructor(
    private readonly state: State,
    store: Pick<Store, 'get'>,
  ) {
    this.#source = store;
  }

  /** Reads documents from here from now on: the write set of the present batch. */
  readFrom(source: Pick<Store, 'get'>): void {
    this.#source = source;
  }

  /** The immutable part of a task; undefined if no executed block has created it. */
  text(task: Uint8Array): TaskTextDoc | undefined {
    const doc = taskText(this.#source, task);
    return doc && doc.order <= this.state.header().order ? doc : undefined;
  }

  /** The module of a program by its hash in hex; undefined if no executed block has published it. */
  program(hash: string): Uint8Array | undefined {
    const standard = standardCheck(hash);
    if (standard) return standard;
    const name = /^[0-9a-f]{64}$/.test(hash) ? fromHex(hash) : undefined;
    const doc = name && readJson<ProgramDoc>(this.#source.get(rowKey.program(name, 0)));
    if (!doc || doc.order > this.state.header().order) return undefined;
    return this.#source.get(rowKey.program(name, 1));
  }

  /** The sealed delivery of a task; undefined if no executed block has it, or its task has left the core. */
  sealedDelivery(task: Uint8Array): SealedDelivery | undefined {
    const text = this.text(task);
    const submission = text && taskSubmission(this.#source, task);
    if (submission?.order === undefined || submission.order > this.state.header().order) return undefined;
    const image = this.state.task(task);
    if (image?.claimer === undefined) return undefined;
    const keyOf = (agent: number) => this.state.agentIdentity(agent)?.publicKey ?? NO_KEY;
    return {
      text: text!,
      submission,
      box: () => fromUtf8(this.#source.get(rowKey.resultContent(task))!),
      readers: { poster: keyOf(image.poster), worker: keyOf(image.claimer) },
    };
  }

  /** The submission of a task whose contract is to run. */
  dueDelivery(task: Uint8Array): DueDeliveryDoc | undefined {
    return readJson<DueDeliveryDoc>(this.#source.get(rowKey.dueDelivery(task)));
  }

  /** Whether an event is a trajectory commit of a task. */
  isCommit(task: Uint8Array, event: Uint8Array): boolean {
    const doc = eventOf(this.#source, event);
    if (doc?.event_type !== 'trajectory_commit' || doc.order > this.state.header().order) return false;
    return doc.task_id === toHex(task);
  }

  /** Facts of a replay job; undefined if no executed block has created it. */
  replay(job: Uint8Array): ReplayFacts | undefined {
    const doc = readJson<JobDoc>(this.#source.get(rowKey.replayJob(job)));
    if (!doc || doc.order > this.state.header().order) return undefined;
    // A task with a job has a submission, which never changes.
    const submission = taskSubmission(this.#source, fromHex(doc.text.task_id)!)!;
    const group = groupOf(doc.text.category).name;
    return {
      checks: baselineOf(submission.verification, submission.result_hash),
      isCodeOrData: group === 'code' || group === 'data',
    };
  }
}
