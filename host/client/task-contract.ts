// The contract of a task, run here as the node runs it before it orders a delivery (protocol 14.9), and as nobody else can before
// a sealed one is opened (15.10).
// Keeps: nothing is believed that a hash decides: the contract has the hash that the task names, each program its own.

import { type Programs, ReportOf, runOf, stepsOf } from '../execution/contracts.ts';
import { driveNow } from '../programs/check-steps.ts';
import { ProgramFault } from '../programs/fault.ts';
import { InlineRunner } from '../programs/runner.ts';
import { readVectors, VECTORS } from '../programs/vectors.ts';
import type { CheckDoc, ContractReportDoc, TaskTextDoc } from '../store/task-documents.ts';
import { fromBase64 } from '../wire/base64.ts';
import { utf8 } from '../wire/bytes.ts';
import { sha256, sha256Hex } from '../wire/hash.ts';
import { jcs } from '../wire/json.ts';
import type { BodyOf } from './bodies.ts';
import type { Calls } from './calls.ts';
import type { Task } from './objects.ts';
import { ProgramCalls } from './program-calls.ts';
import { badAnswer, VwsError } from './vws-error.ts';

/** A report, and whether a check of the contract takes a seed: then the run that decides has another. */
export type TrialReport = ContractReportDoc & { isSeeded: boolean };

/** Programs that were fetched, by hash. */
class Fetched implements Programs {
  readonly #modules = new Map<string, Uint8Array>();

  program(hash: string): Uint8Array | undefined {
    return this.#modules.get(hash);
  }

  async load(programs: ProgramCalls, hash: string): Promise<void> {
    const module = fromBase64((await programs.get(hash, true)).module ?? '');
    if (!module || sha256Hex(module) !== hash) throw badAnswer(`the node's program ${hash} has another hash`);
    this.#modules.set(hash, module);
  }
}

/** The program that a check names, and the reference program of `vectors`. */
function hashesOf({ program, parameters }: CheckDoc): string[] {
  if (program !== VECTORS) return [program];
  const read = readVectors(parameters);
  return read && 'reference' in read ? [read.reference] : [];
}

/** The checks of a task's contract, empty where there is none. Errors: `bad_answer` for another one than its hash says. */
function checksOf({ id, acceptance, settle, acceptance_contract_hash: hash }: Task): CheckDoc[] {
  if (!acceptance) return [];
  const checks = acceptance as CheckDoc[];
  if (sha256Hex(utf8(jcs({ checks, settle }))) !== hash)
    throw badAnswer(`the node's contract of task ${id} has another hash than the task names`);
  return checks;
}

/** One check. A module that is no program was never admitted by a network. */
function outcomeOf(runner: InlineRunner, run: ReturnType<typeof runOf>, program: string) {
  try {
    return driveNow(stepsOf(run), runner);
  } catch (error) {
    if (!(error instanceof ProgramFault)) throw error;
    throw badAnswer(`the program ${program} of the contract is none: ${error.message}`, error);
  }
}

/**
 * Runs the contract of a task on a delivery; undefined where it has none. `seed`: for checks that ask for one; the node draws
 * another. Errors: `bad_answer` where the node shows another contract or program than the hashes say; VwsError.
 */
export async function runContract(
  calls: Calls,
  task: Task,
  delivery: Uint8Array,
  seed: Uint8Array,
): Promise<TrialReport | undefined> {
  const checks = checksOf(task);
  if (checks.length === 0) return undefined;
  const programs = new Fetched();
  const source = new ProgramCalls(calls);
  for (const hash of new Set(checks.flatMap(hashesOf))) await programs.load(source, hash);
  const runner = new InlineRunner();
  const report = new ReportOf();
  for (const [i, check] of checks.entries()) {
    const run = runOf(check, task as unknown as TaskTextDoc, delivery, seed, programs);
    if (!report.take(i, check, outcomeOf(runner, run, check.program))) break;
  }
  return { ...report.report, isSeeded: checks.some(({ seeded }) => seeded) };
}

/**
 * Refuses a submission whose text the contract of its task does not accept, as the node would refuse it. The seed follows from the
 * text, so a call that is repeated ends in the same way. Errors: `acceptance_failed` with the report; as `runContract`.
 */
export async function demandAccepted(calls: Calls, task: Task, body: BodyOf<'taskSubmit'>): Promise<void> {
  const { result_content: text, result_encrypted: isSealed } = body;
  if (isSealed || typeof text !== 'string') return;
  const delivery = utf8(text);
  const report = await runContract(calls, task, delivery, sha256(utf8(`${task.id}:`), delivery));
  if (report === undefined || report.passed) return;
  const { check, program, end, reason, score_bp } = report;
  throw new VwsError({
    status: 0,
    code: 'acceptance_failed',
    message: `the delivery does not pass the task's contract, and was not sent: check ${check} failed: ${reason || end}`,
    details: { check, program, end, reason, score_bp },
  });
}
