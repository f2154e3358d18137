// Executes the replay jobs assigned to this node's validator (SERVICE_AUTOVALIDATOR; protocol 7.6): it verifies the stored
// work again from the task's text and the content, and reports every check.
// Keeps: a report contains what was found, never a copy of the baseline; a job that cannot be executed here (encrypted or
// missing content) is reported as failed, and the next executor is drawn. After a restart it continues with pending jobs.

import type { Identities } from '../execution/identity.ts';
import type { Logger } from '../log.ts';
import {
  type BaselineCheck,
  baselineOf,
  resultHash,
  scoreSubmission,
  verificationResult,
} from '../scoring/index.ts';
import type { Submission } from '../sequencer/sequencer.ts';
import type { JobDoc } from '../store/case-documents.ts';
import type { EventDoc } from '../store/documents.ts';
import { rowKey } from '../store/prefixes.ts';
import { readJson } from '../store/write-set.ts';
import type { CaseIndex } from '../views/cases/case-index.ts';
import { jobTerms } from '../views/cases/case-terms.ts';
import { fromHex, toHex } from '../wire/bytes.ts';
import type { Store } from '../world/store.ts';
import { type OwnKey, OwnWrites } from './own-writes.ts';
import { storedWork } from './stored-work.ts';
import { WorkQueue } from './work-queue.ts';

const MAX_IN_FLIGHT = 8;
/** Jobs read at once, at start. */
const PAGE = 1000;

export interface ReplayRunnerOptions {
  store: Store;
  ids: Identities;
  cases: CaseIndex;
  /** The node's key, which is its operator's. */
  key: OwnKey;
  chainId: string;
  clock: { nowMs(): number; setTimer(run: () => void, ms: number): () => void };
  randomBytes(n: number): Uint8Array;
  log: Pick<Logger, 'info'>;
  submit(s: Submission): Promise<unknown>;
}

export class ReplayRunner {
  readonly #queue: WorkQueue;
  readonly #writes: OwnWrites;

  constructor(private readonly options: ReplayRunnerOptions) {
    this.#writes = new OwnWrites(options);
    this.#queue = new WorkQueue({
      clock: options.clock,
      maxInFlight: MAX_IN_FLIGHT,
      run: (job) => this.#execute(job),
      onRefused: (job, code) => options.log.info({ job, code }, 'the report of a replay was refused'),
    });
  }

  get #validator(): number | undefined {
    return this.options.ids.find(fromHex(this.options.key.publicKeyHex)!)?.validator;
  }

  /** Queues all pending jobs of this node's validator. */
  start(): void {
    const executor = this.#validator;
    if (executor === undefined) return;
    const terms = jobTerms({ status: 'pending', executor });
    for (let offset = 0; ; offset += PAGE) {
      const { ids, total } = this.options.cases.page('jobs', terms, offset, PAGE);
      for (const id of ids) this.#queue.add(toHex(id));
      if (offset + PAGE >= total) break;
    }
    this.#queue.pump();
  }

  stop(): void {
    this.#queue.stop();
  }

  /** Events of a batch that is on disk. */
  onExecuted(events: readonly EventDoc[]): void {
    for (const e of events) if (e.event_type === 'replay_created') this.#queue.add(String(e.payload.job_id));
    this.#queue.pumpSoon();
  }

  async #execute(job: string): Promise<void> {
    const doc = readJson<JobDoc>(this.options.store.get(rowKey.replayJob(fromHex(job)!)));
    if (doc?.core.status !== 'pending' || doc.executor !== this.#validator) return;
    const check_results = this.#checks(doc.text.task_id);
    const report = check_results
      ? this.#writes.sign(this.options.key, 'replaySubmit', { job_id: job, check_results })
      : this.#writes.sign(this.options.key, 'replayOutcome', {
          job_id: job,
          status: 'failed',
          notes: 'the content is sealed or not here',
        });
    await this.options.submit(report);
    this.options.log.info(
      { job, executed: check_results !== undefined },
      "this node's validator reported a replay",
    );
  }

  /** The checks of a new verification; undefined when there is nothing to verify. */
  #checks(task: string): BaselineCheck[] | undefined {
    const stored = storedWork(this.options.store, task);
    const content = stored?.work.result_content;
    if (!stored || !content || stored.submitted.result_encrypted) return undefined;
    const verification = scoreSubmission(stored.text, stored.work);
    return baselineOf(verificationResult(verification), resultHash({ result_content: content }));
  }
}
