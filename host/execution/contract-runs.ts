// The due runs of a block: what the core names is run here, on every node alike, and its outcome goes back as a record.
// Keeps: nodes run programs on a worker thread, so that their main thread runs none; auditors, which may be a page, run them at
// once: the outcome is the same. One that is known from the admission of the same delivery is not computed again. What the
// machine lacks is no outcome: it is thrown, and the node stops and runs it again.

import type { DueRun } from '../core/state.ts';
import type { CheckOutcome } from '../programs/check-job.ts';
import { packInput } from '../programs/check-job.ts';
import { drive, driveNow } from '../programs/check-steps.ts';
import { InlineRunner, type ProgramRunner } from '../programs/runner.ts';
import { VECTORS } from '../programs/vectors.ts';
import { rowKey } from '../store/prefixes.ts';
import type { ContractReportDoc } from '../store/task-documents.ts';
import { readJson } from '../store/write-set.ts';
import { fromHex, toHex, utf8 } from '../wire/bytes.ts';
import { sha256 } from '../wire/hash.ts';
import { type Store, StoreError } from '../world/store.ts';
import { type CheckRun, ReportOf, runOf, seedOf, stepsOf } from './contracts.ts';
import type { TaskFacts } from './task-facts.ts';

/** Outcomes that are kept; each is some hundred bytes. */
const MAX_KNOWN = 1_000;

type Checks = Generator<CheckRun, ContractReportDoc, CheckOutcome>;
type CheckStep = IteratorResult<CheckRun, ContractReportDoc>;

export class ContractRuns {
  readonly #known = new Map<string, CheckOutcome>();
  readonly #elsewhere: ProgramRunner | undefined;
  readonly #here = new InlineRunner();

  /** `elsewhere`: runs programs on other threads; without it they run here, at once. */
  constructor(
    private readonly facts: TaskFacts,
    elsewhere?: ProgramRunner,
  ) {
    this.#elsewhere = elsewhere;
  }

  /** The name under which an outcome is known: all that it depends on. */
  static keyOf({ program, fuel, input }: CheckRun): string {
    return toHex(sha256(sha256(program ?? utf8(VECTORS)), utf8(`${fuel} `), sha256(packInput(input))));
  }

  /** An outcome that a worker thread has computed. */
  note(key: string, outcome: CheckOutcome): void {
    if (this.#known.size >= MAX_KNOWN) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(key, outcome);
  }

  /** Runs the contract that the core names: a promise where a program runs on another thread. */
  run(due: DueRun, blockHash: Uint8Array): ContractReportDoc | Promise<ContractReportDoc> {
    const checks = this.#checksOf(due, blockHash);
    return this.#proceed(checks, checks.next());
  }

  #proceed(checks: Checks, from: CheckStep): ContractReportDoc | Promise<ContractReportDoc> {
    let step = from;
    while (!step.done) {
      const key = ContractRuns.keyOf(step.value);
      const known = this.#known.get(key);
      if (!known && this.#elsewhere) {
        return drive(stepsOf(step.value), this.#elsewhere).then((outcome) => {
          this.note(key, outcome);
          return this.#proceed(checks, checks.next(outcome));
        });
      }
      const outcome = known ?? driveNow(stepsOf(step.value), this.#here);
      if (!known) this.note(key, outcome);
      step = checks.next(outcome);
    }
    return step.value;
  }

  /** Yields each check of the contract that is to run, is given its outcome, and returns the report. */
  *#checksOf({ task }: DueRun, blockHash: Uint8Array): Checks {
    const text = this.facts.text(task);
    const due = this.facts.dueDelivery(task);
    if (!text?.acceptance || !due) throw new Error(`task ${toHex(task)} has a due run without its documents`);
    const delivery = utf8(due.content);
    const seed = seedOf(blockHash, fromHex(due.submission.event_id)!);
    const report = new ReportOf();
    for (const [i, check] of text.acceptance.checks.entries()) {
      const run = runOf(check, text, delivery, seed, this.facts);
      if (!report.take(i, check, yield run)) break;
    }
    return report.report;
  }
}

/** Outcomes as they were stored when their blocks were executed: for a replay over a store with later documents. */
export const storedRuns =
  (store: Pick<Store, 'get'>) =>
  ({ task, number }: DueRun): ContractReportDoc => {
    const report = readJson<ContractReportDoc>(store.get(rowKey.contractRun(task, number)));
    if (!report) throw new StoreError(`the outcome of run ${number} of task ${toHex(task)} is missing`);
    return report;
  };
