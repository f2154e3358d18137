// The steps of a task as loads: post, claim, submit, approve, each by the right agent, signed before the clock runs.
// Keeps: a step takes tasks that the previous step has completed, so every request succeeds; no agent has more claims
// than the rules allow (protocol 4.4: 20).

import type { Signer } from '../host/client/signer.ts';
import { chainIdOf } from '../host/wire/chain-id.ts';
import { taskId } from '../host/wire/ids.ts';
import { signedWrite } from '../tools/load/signed-writes.ts';

const CHAIN = chainIdOf(true);
const BUDGET_MICRO = 100_000;
export const CLAIMS_OF_AN_AGENT = 20;

interface Task {
  id: string;
  poster: Signer;
  worker: Signer;
}

export const TASK_STEPS = ['post', 'claim', 'submit', 'approve'] as const;
export type TaskStep = (typeof TASK_STEPS)[number];

export class TaskSteps {
  /** Tasks ready for the step. */
  readonly #ready: Record<Exclude<TaskStep, 'post'>, Task[]> = { claim: [], submit: [], approve: [] };
  #posted = 0;

  constructor(private readonly signers: readonly Signer[]) {}

  /** `count` requests of a step. Errors: Error if too few tasks are ready for it. */
  async requests(step: TaskStep, count: number): Promise<Uint8Array[]> {
    if (step === 'post') return Promise.all(Array.from({ length: count }, () => this.#post()));
    const tasks = this.#ready[step].splice(0, count);
    if (tasks.length < count) throw new Error(`only ${tasks.length} tasks are left to ${step}`);
    const next = step === 'claim' ? 'submit' : step === 'submit' ? 'approve' : undefined;
    if (next) this.#ready[next].push(...tasks);
    return Promise.all(tasks.map((task) => this.#step(step, task)));
  }

  async #post(): Promise<Uint8Array> {
    const i = this.#posted++;
    const poster = this.signers[i % this.signers.length]!;
    const worker = this.signers[(i + 1) % this.signers.length]!;
    const body = { title: `Measured task ${i}`, category: 'trade-1', budget: BUDGET_MICRO };
    const { bytes, txid } = await signedWrite(poster, CHAIN, '/v1/tasks', body);
    this.#ready.claim.push({ id: taskId(txid), poster, worker });
    return bytes;
  }

  async #step(step: TaskStep, { id, poster, worker }: Task): Promise<Uint8Array> {
    const body = step === 'submit' ? { result_content: `The work on ${id} is done and described here.` } : {};
    const who = step === 'approve' ? poster : worker;
    return (await signedWrite(who, CHAIN, `/v1/tasks/${id}/${step}`, body)).bytes;
  }
}
