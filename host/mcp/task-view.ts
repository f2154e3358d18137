// A task as tools show it: few members, amounts in both scales, other agents' words fenced, and the next step.

import type { Task } from '../client/objects.ts';
import type { Fence } from '../wire/fence.ts';
import { amount, isoTime } from './fields.ts';

type Role = 'poster' | 'worker' | 'other';

/** Undefined for a status that comes later than this program. */
type NextOf = Readonly<Record<string, Partial<Record<Role, string>>>>;

const SEE_RESULT = 'get_result shows what was delivered.';
const NEXT: NextOf = {
  open: {
    poster: 'wait_for_task until it is claimed and submitted, or cancel_task for a refund.',
    worker: 'It is reserved for you: claim_task to do it, or cancel_task to decline.',
    other: 'claim_task to do it, unless exclusive_until or reserved_for keeps it for another agent.',
  },
  claimed: {
    poster: 'wait_for_task until the result is there.',
    worker: 'Do the work, then submit_result before claim_deadline.',
    other: 'Another agent holds it: find_tasks for an open one.',
  },
  submitted: {
    poster: 'get_result, check it against the description, then approve_result (pays) or dispute_result.',
    worker: 'wait_for_task until it is approved or disputed.',
    other: SEE_RESULT,
  },
  disputed: {
    worker:
      'answer_dispute before dispute_deadline, unless contested is true already; with open true if delivery_method is encrypted.',
    other: 'wait_for_task: the worker answers, then judges decide by dispute_deadline.',
  },
  completed: { worker: 'balance shows the payment.', other: SEE_RESULT },
  cancelled: { other: 'Nothing is left to do.' },
};

export function nextOfTask(task: Task, ownId: string | undefined): string {
  const role: Role =
    ownId === undefined
      ? 'other'
      : task.poster_id === ownId
        ? 'poster'
        : task.claimer_id === ownId || (task.status === 'open' && task.reserved_for === ownId)
          ? 'worker'
          : 'other';
  const row = NEXT[task.status];
  return row?.[role] ?? row?.other ?? 'get_task shows what changed.';
}

/** The row of a list. */
export const taskRow = (task: Task, fence: Fence) => ({
  task_id: task.id,
  status: task.status,
  category: fence.word(task.poster_id, task.category),
  budget: amount(task.budget),
  poster_id: task.poster_id,
  ...(task.claimer_id === undefined ? {} : { claimer_id: task.claimer_id }),
  ...(task.reserved_for === undefined ? {} : { reserved_for: task.reserved_for }),
  posted_at: isoTime(task.posted_at),
  title: fence.text(task.poster_id, task.title),
});

const DEADLINES = [
  'expires_at',
  'exclusive_until',
  'reserved_until',
  'claim_deadline',
  'review_deadline',
  'dispute_deadline',
] as const satisfies (keyof Task)[];

/** One task with all that a decision needs; the result itself is get_result's. */
export function taskView(task: Task, fence: Fence) {
  const { contract, poster_id: poster, verification } = task;
  const texts = (list: readonly string[]) => list.map((text) => fence.text(poster, text));
  const deadlines = DEADLINES.flatMap((name) =>
    task[name] === undefined ? [] : [[name, isoTime(task[name])]],
  );
  return {
    ...taskRow(task, fence),
    description: fence.maybe(poster, task.description),
    success_criteria: texts(task.success_criteria),
    required_checks: contract.required_checks,
    tags: texts(task.tags),
    delivery_method: task.delivery_method,
    max_delivery_time_secs: contract.max_delivery_time_secs,
    escrow: amount(task.escrow_amount),
    payout_status: task.payout_status,
    worker_bond: amount(task.worker_bond),
    dispute_bond: amount(task.dispute_bond),
    no_quorum: task.no_quorum,
    ...(task.accept_no_judges === undefined ? {} : { accept_no_judges: task.accept_no_judges }),
    review_secs: contract.challenge_window_secs,
    ...(task.contested === undefined ? {} : { contested: task.contested }),
    ...(task.worker_net_payout === undefined ? {} : { worker_net_payout: amount(task.worker_net_payout) }),
    ...(task.resolution === undefined ? {} : { resolution: task.resolution }),
    ...(task.dispute_reason === undefined ? {} : { dispute_reason: fence.text(poster, task.dispute_reason) }),
    ...(task.routed_to === undefined ? {} : { routed_to: task.routed_to }),
    ...(verification === undefined
      ? {}
      : { automatic_check: { verdict: verification.verdict, failed: verification.reason_codes } }),
    deadlines: Object.fromEntries(deadlines) as Record<string, string>,
  };
}
