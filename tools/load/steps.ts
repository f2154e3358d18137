// What one connection of the load does: payments from agent to agent, and in between tasks from post to approval.
// Keeps: a task's next step follows only a 2xx answer, otherwise the task is abandoned; the two agents of a connection
// swap roles with each task, so that budgets circulate.

import type { Signer } from '../../host/client/signer.ts';
import type { SeededRandom } from './seeded-random.ts';

const TASK_BUDGET_MICRO = 2_000_000;
const MAX_PAYMENT_MICRO = 1000;

/** One write and its signer. */
export interface Step {
  kind: 'transfer' | 'post' | 'claim' | 'submit' | 'approve';
  signer: Signer;
  path: string;
  body: Record<string, unknown>;
}

interface Party {
  /** The two agents of the connection. */
  pair: readonly [Signer, Signer];
  /** hex64 keys of possible payees. */
  payees: readonly string[];
}

export class Steps {
  private task: { id: string; next: 'claim' | 'submit' | 'approve' } | undefined;
  private posterIsFirst = true;

  /** `tasksPercent`: share of the writes that belong to tasks. */
  constructor(
    private readonly party: Party,
    private readonly tasksPercent: number,
    private readonly random: SeededRandom,
  ) {}

  private get poster(): Signer {
    return this.party.pair[this.posterIsFirst ? 0 : 1];
  }

  private get worker(): Signer {
    return this.party.pair[this.posterIsFirst ? 1 : 0];
  }

  next(): Step {
    if (this.random.below(100) >= this.tasksPercent) return this.transfer();
    const { task } = this;
    if (!task) {
      const body = { title: 'Count the vessels in the harbour', budget: TASK_BUDGET_MICRO };
      return { kind: 'post', signer: this.poster, path: '/v1/tasks', body };
    }
    const signer = task.next === 'approve' ? this.poster : this.worker;
    const body = task.next === 'submit' ? { result_content: 'Vessels in the harbour: 212.' } : {};
    return { kind: task.next, signer, path: `/v1/tasks/${task.id}/${task.next}`, body };
  }

  private transfer(): Step {
    const signer = this.party.pair[this.random.below(2)]!;
    const others = this.party.payees.filter((key) => key !== signer.publicKeyHex);
    const body = { to_agent: this.random.pick(others), amount: this.random.between(1, MAX_PAYMENT_MICRO) };
    return { kind: 'transfer', signer, path: '/v1/transfer', body };
  }

  /** Must follow each step of a task. `answer`: the body of a 2xx answer, undefined for any other. */
  done({ kind }: Step, answer: Buffer | undefined): void {
    if (kind === 'transfer') return;
    if (!answer || kind === 'approve') {
      this.task = undefined;
      this.posterIsFirst = !this.posterIsFirst;
    } else if (kind === 'post') {
      this.task = { id: (JSON.parse(answer.toString()) as { id: string }).id, next: 'claim' };
    } else this.task!.next = kind === 'claim' ? 'submit' : 'approve';
  }
}
