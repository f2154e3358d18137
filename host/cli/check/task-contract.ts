// The contract of a task, run here as the node runs it before it orders a delivery (protocol 14.9).
// Keeps: nothing is believed that a hash decides: the contract has the hash that the task names, each program its own.

import type { Task, VwsClient } from '../../client/index.ts';
import { type Programs, ReportOf, runOf, stepsOf } from '../../execution/contracts.ts';
import { standardCheck } from '../../modules/standard-checks.ts';
import { driveNow } from '../../programs/check-steps.ts';
import { InlineRunner } from '../../programs/runner.ts';
import { readVectors, VECTORS } from '../../programs/vectors.ts';
import type { CheckDoc, ContractReportDoc, TaskTextDoc } from '../../store/task-documents.ts';
import { fromBase64 } from '../../wire/base64.ts';
import { utf8 } from '../../wire/bytes.ts';
import { sha256Hex } from '../../wire/hash.ts';
import { jcs } from '../../wire/json.ts';

/** Programs that were fetched, by hash. */
class Fetched implements Programs {
  readonly #modules = new Map<string, Uint8Array>();

  program(hash: string): Uint8Array | undefined {
    return this.#modules.get(hash);
  }

  async fetch(client: VwsClient, hash: string): Promise<void> {
    const module = standardCheck(hash) ?? fromBase64((await client.programs.get(hash, true)).module ?? '');
    if (!module || sha256Hex(module) !== hash) throw new Error(`the node's program ${hash} has another hash`);
    this.#modules.set(hash, module);
  }
}

/** The program that a check names, and the reference program of `vectors`. */
function hashesOf({ program, parameters }: CheckDoc): string[] {
  if (program !== VECTORS) return [program];
  const read = readVectors(parameters);
  return read && 'reference' in read ? [read.reference] : [];
}

/** The checks of a task's contract. Errors: the task has none, or another one than its hash says. */
function checksOf({ id, acceptance, settle, acceptance_contract_hash }: Task): CheckDoc[] {
  if (!acceptance) throw new Error(`task ${id} has no contract: its poster, or judges, decide`);
  const checks = acceptance as CheckDoc[];
  if (sha256Hex(utf8(jcs({ checks, settle }))) !== acceptance_contract_hash)
    throw new Error(`the node's contract of task ${id} has another hash than the task names`);
  return checks;
}

/**
 * Runs the contract of a task on a delivery. `seed`: for checks that ask for one; the node draws another.
 * Errors: the task has no contract; the node shows another contract or program than the hashes say; VwsError.
 */
export async function runTaskContract(
  client: VwsClient,
  taskId: string,
  delivery: Uint8Array,
  seed: Uint8Array,
): Promise<ContractReportDoc & { isSeeded: boolean }> {
  const task = await client.tasks.get(taskId);
  const checks = checksOf(task);
  const programs = new Fetched();
  for (const hash of new Set(checks.flatMap(hashesOf))) await programs.fetch(client, hash);
  const runner = new InlineRunner();
  const report = new ReportOf();
  for (const [i, check] of checks.entries()) {
    const run = runOf(check, task as unknown as TaskTextDoc, delivery, seed, programs);
    if (!report.take(i, check, driveNow(stepsOf(run), runner))) break;
  }
  return { ...report.report, isSeeded: checks.some(({ seeded }) => seeded) };
}
