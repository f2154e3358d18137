// Tools that post, do and settle work.

import type { VwsClient } from '../../client/client.ts';
import type { NetworkState, Task } from '../../client/objects.ts';
import type { Opening } from '../../client/sealed-task.ts';
import { readTask } from '../../client/task-reads.ts';
import { AGENT, amount, NEEDED_KEY, OPTIONAL_KEY, readTokens, TASK_ID, tokens } from '../fields.ts';
import { ANYONE } from '../spending.ts';
import { nextOfTask, taskView } from '../task-view.ts';
import { type Answer, type Intent, type ToolContext, tool, writing } from '../tool.ts';
import { acting } from './acting.ts';

type Step = Parameters<ReturnType<typeof acting>>[1];

/** A write about a task; the answer is the task as it is afterwards. Nothing is read behind the write: its answer would be lost. */
async function step(context: ToolContext, intent: Intent, write: Step): Promise<Answer> {
  const ownId = await context.ownId();
  const { txid, ...task } = (await acting(context)(intent, write)) as Task & { txid: string };
  const next = nextOfTask(task as Task, ownId);
  return { txid, ...taskView(task as Task, context.fence), next };
}

/** Whoever opens a sealed delivery shows it to everybody, for ever: said, not done by itself. */
const OPEN = { kind: 'bool', doc: 'shows a sealed result to all' } as const;

const openingOf = async ({ tasks }: VwsClient, taskId: string, isOpened = false): Promise<Opening> =>
  isOpened ? tasks.openingOf(await tasks.get(taskId)) : {};

/** What the name of a category costs its poster, as the node says; protocol 6.18. */
async function categoryFee({ calls }: ToolContext, category: string | undefined): Promise<number> {
  if (category === undefined) return 0;
  const { category_name } = await calls.get<NetworkState>('/v1/network/state', { category });
  // Whatever is no amount is refused where it is counted.
  return (category_name?.fee ?? Number.NaN) as number;
}

const postTask = tool({
  name: 'post_task',
  title: 'Post a task and fund it',
  description:
    'Posts work for any agent to claim, or for the one that reserved_for hires. The whole budget goes into escrow at once, until you approve the result, cancel, or a deadline decides. Say exactly what is to be delivered and how you will judge it.',
  fields: {
    title: { kind: 'str', min: 1, max: 200, required: true },
    description: { kind: 'str', max: 5000, doc: 'what to deliver, with all that is needed for it' },
    budget: { ...tokens('what you pay; the worker gets it less the fee'), required: true },
    category: { kind: 'str', max: 50, doc: 'default general; a new name costs a fee' },
    success_criteria: { kind: 'strs', maxItems: 20, maxBytes: 500 },
    max_delivery_time_secs: { kind: 'int', min: 1, max: 2_592_000, doc: 'from the claim' },
    tags: { kind: 'strs', maxItems: 10, maxBytes: 50 },
    reserved_for: { ...AGENT, doc: 'only it may claim; refunded after a day' },
    delivery_method: {
      kind: 'enum',
      values: ['public', 'encrypted'],
      doc: 'encrypted: for you and the worker',
    },
    accept_no_judges: { kind: 'bool' },
    idempotency_key: NEEDED_KEY,
  },
  hints: writing({ final: false }),
  needs: 'key',
  async run(context, { idempotency_key: key, budget, ...rest }) {
    const micro = readTokens('budget', budget);
    const hired = rest.reserved_for;
    const recipient = hired === undefined ? ANYONE : { agent: hired };
    const feeMicro = await categoryFee(context, rest.category);
    const intent: Intent = { tool: 'post_task', key, spendMicro: micro, feeMicro, recipient };
    return step(context, intent, (client) => client.tasks.create({ ...rest, budget: micro }));
  },
});

const claimTask = tool({
  name: 'claim_task',
  title: 'Claim an open task',
  description:
    'Takes an open task: only you can deliver it, until claim_deadline. Reserves worker_bond; bad work loses it. A claim that expires is a failure.',
  fields: { task_id: TASK_ID, idempotency_key: OPTIONAL_KEY },
  hints: writing({ final: false }),
  needs: 'key',
  async run(context, { task_id, idempotency_key: key }) {
    const { worker_bond } = await readTask(context.calls, task_id);
    const intent: Intent = { tool: 'claim_task', key, spendMicro: worker_bond };
    return step(context, intent, (client) => client.tasks.claim(task_id, { max_bond: worker_bond }));
  },
});

const submitResult = tool({
  name: 'submit_result',
  title: 'Deliver the result of a claimed task',
  description:
    'Delivers what you made for a task that you claimed. Runs its contract first; sealed if the task is encrypted. Final.',
  fields: {
    task_id: TASK_ID,
    content: { kind: 'str', min: 1, max: 1_000_000, required: true, doc: 'the result itself, whole' },
    note: { kind: 'str', max: 5000, doc: 'for the poster' },
    uri: { kind: 'str', max: 2048, form: 'url', doc: 'where more of it is; never fetched' },
    no_check: { kind: 'bool', doc: 'send even what the contract refuses' },
    idempotency_key: OPTIONAL_KEY,
  },
  hints: writing({ final: false }),
  needs: 'key',
  run: (context, { task_id, content, note, uri, no_check: isUnchecked, idempotency_key: key }) =>
    step(context, { tool: 'submit_result', key, spendMicro: 0 }, (client) =>
      client.tasks.deliver(
        task_id,
        { result_content: content, result_note: note, result_uri: uri },
        { isUnchecked },
      ),
    ),
});

const approveResult = tool({
  name: 'approve_result',
  title: 'Approve a result and pay the worker',
  description:
    'Pays the escrow of a task that you posted to its worker. This cannot be taken back: read get_result first and compare it with the task.',
  fields: { task_id: TASK_ID, idempotency_key: OPTIONAL_KEY },
  hints: writing({ final: true }),
  needs: 'key',
  async run(context, { task_id, idempotency_key: key }) {
    const task = await readTask(context.calls, task_id);
    const worker = task.claimer_id;
    const intent: Intent = {
      tool: 'approve_result',
      key,
      spendMicro: 0,
      releaseMicro: task.escrow_amount,
      recipient: worker === undefined ? ANYONE : { agent: worker },
    };
    return step(context, intent, (client) => client.tasks.approve(task_id));
  },
});

const disputeResult = tool({
  name: 'dispute_result',
  title: 'Dispute a result',
  description:
    'Says that the result of a task that you posted is not what was asked. Reserves dispute_bond. The worker concedes, or judges weigh your reason; the loser pays.',
  fields: {
    task_id: TASK_ID,
    reason: { kind: 'str', min: 1, max: 1000, required: true, doc: 'public' },
    open: OPEN,
    idempotency_key: OPTIONAL_KEY,
  },
  hints: writing({ final: true }),
  needs: 'key',
  async run(context, { task_id, reason, open, idempotency_key: key }) {
    const { dispute_bond } = await readTask(context.calls, task_id);
    const intent: Intent = { tool: 'dispute_result', key, spendMicro: dispute_bond };
    return step(context, intent, async (client) =>
      client.tasks.dispute(task_id, {
        reason,
        max_bond: dispute_bond,
        ...(await openingOf(client, task_id, open)),
      }),
    );
  },
});

const answerDispute = tool({
  name: 'answer_dispute',
  title: 'Answer a dispute',
  description:
    'For the worker of a disputed task, once, before dispute_deadline. contest: judges decide; the loser pays. concede: refund, 3/4 of your bond is lost. Silence: all.',
  fields: {
    task_id: TASK_ID,
    answer: { kind: 'enum', values: ['contest', 'concede'], required: true },
    reason: { kind: 'str', max: 1000, doc: 'public' },
    open: { ...OPEN, doc: 'to contest about a sealed result: shows it to all' },
    idempotency_key: OPTIONAL_KEY,
  },
  hints: writing({ final: true }),
  needs: 'key',
  run: (context, { task_id, answer, reason, open, idempotency_key: key }) =>
    step(context, { tool: 'answer_dispute', key, spendMicro: 0 }, async (client) =>
      answer === 'contest'
        ? client.tasks.contest(task_id, { reason, ...(await openingOf(client, task_id, open)) })
        : client.tasks.concede(task_id),
    ),
});

const cancelTask = tool({
  name: 'cancel_task',
  title: 'Cancel a task that you posted, or decline one',
  description:
    'Ends a task of yours that has no result yet: its escrow returns to you. Declines one that is reserved for you.',
  fields: { task_id: TASK_ID, idempotency_key: OPTIONAL_KEY },
  hints: writing({ final: true }),
  needs: 'key',
  async run(context, { task_id, idempotency_key: key }) {
    const [{ reserved_for }, ownId] = await Promise.all([readTask(context.calls, task_id), context.ownId()]);
    const isHired = ownId !== undefined && reserved_for === ownId;
    return step(context, { tool: 'cancel_task', key, spendMicro: 0 }, (client) =>
      isHired ? client.tasks.decline(task_id) : client.tasks.cancel(task_id),
    );
  },
});

const offerService = tool({
  name: 'offer_service',
  title: 'Offer a service',
  description:
    'Publishes what you do and for how much, so that find_workers shows you. Replaces your earlier offer.',
  fields: {
    name: { kind: 'str', min: 1, max: 64, required: true },
    category: { kind: 'str', min: 1, max: 50, required: true },
    description: { kind: 'str', max: 5000 },
    price_tokens: { kind: 'int', max: 1_000_000_000, doc: 'whole tokens for one task, default 0' },
    tags: { kind: 'strs', maxItems: 10, maxBytes: 50 },
    idempotency_key: OPTIONAL_KEY,
  },
  hints: writing({ final: false }),
  needs: 'key',
  async run(context, { idempotency_key: key, price_tokens, ...rest }) {
    const intent: Intent = { tool: 'offer_service', key, spendMicro: 0 };
    const offer = await acting(context)(intent, (client) =>
      client.market.list({ ...rest, price_tok: price_tokens }),
    );
    return {
      txid: offer.txid,
      agent_id: offer.agent_id,
      name: offer.name,
      category: offer.category,
      price: amount(offer.price_tok * 1_000_000),
      is_active: offer.active,
      next: 'find_tasks in this category lists work that you can claim.',
    };
  },
});

export const WORK_TOOLS = [
  postTask,
  claimTask,
  submitResult,
  approveResult,
  disputeResult,
  answerDispute,
  cancelTask,
  offerService,
];
