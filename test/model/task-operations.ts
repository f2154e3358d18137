// Requests on tasks: refusals in the order of protocol 4.4, then effects.

import * as abi from '../../assembly/abi.ts';
import type { Command } from './command.ts';
import { drawPanel, without } from './draw.ts';
import { bucketOf } from './generation.ts';
import { shaHex } from './hashing.ts';
import { chooseLane } from './lanes.ts';
import { type Refusal, refuse, type Verdict } from './refusal.ts';
import type { RoutedTask } from './router.ts';
import { barCount } from './routing.ts';
import * as rules from './rules.ts';
import type { ModelAgent, ModelState } from './state.ts';
import { cancelTask, completeTask, openDispute, openUntil } from './task-ends.ts';
import { assuranceFee, laneOf } from './task-money.ts';
import type { ModelTask } from './task-state.ts';

const big = (n: number): bigint => BigInt(n);
const full = (table: number): Refusal => refuse(abi.CAPACITY, big(table));
const [ITEMS, RECORDS, CATEGORIES, TASKS, BARS] = [1, 5, 7, 8, 9];
const find = (s: ModelState, c: Command): ModelTask | undefined => s.tasks.find((t) => t.id === c.taskId);
const MAX_SUBTASKS = 20;
const MAX_CLAIMED = 20;

export const taskIdOf = (txid: string): string => shaHex(`task:${txid}`).slice(0, 32);

function routedTask(id: string, c: Command, actor: ModelAgent): RoutedTask {
  const { category, tags } = c;
  const exclusive = (c.flags & abi.TASK_EXCLUSIVE) !== 0;
  const base = { id, budget: c.amount, poster: actor.index, category, tags, exclusive };
  return { ...base, barred: new Set(), routedTo: undefined };
}

function addTask(s: ModelState, c: Command, actor: ModelAgent): ModelTask {
  const id = taskIdOf(c.txid);
  const task: ModelTask = {
    id,
    budget: c.amount,
    escrow: c.amount,
    assuranceFee: 0n,
    paid: 0n,
    baseFee: 0n,
    flags: c.flags & (abi.TASK_ENCRYPTED | abi.TASK_EXCLUSIVE),
    lane: abi.LANE_NONE,
    laneAsked: abi.LANE_NONE,
    categoryName: c.category,
    category: 0,
    reviewSecs: c.reviewSecs || s.param(abi.PARAM_CHALLENGE_WINDOW_SECS),
    deliverySecs: c.deliverySecs || s.param(abi.PARAM_MAX_DELIVERY_TIME_SECS),
    poster: actor,
    claimer: undefined,
    parent: undefined,
    children: [],
    createdByClaim: 0,
    barred: [],
    status: abi.TASK_OPEN,
    resolution: abi.RESOLUTION_NONE,
    payout: abi.PAYOUT_NONE,
    generation: abi.GENERATION_NONE,
    recognizedAt: 0,
    replay: abi.REPLAY_NONE,
    assurancePaid: 0n,
    isDue: false,
    overallBp: 0,
    commits: 0,
    posted: s.now,
    expires: openUntil(s),
    claimed: 0,
    claimDeadline: 0,
    submitted: 0,
    reviewDeadline: 0,
    disputed: 0,
    disputeDeadline: 0,
    ended: 0,
    submission: undefined,
    submissionEvent: '',
    dispute: undefined,
    disputeEvent: '',
    panel: [],
    panelVotes: [],
    panelVerdict: abi.SETTLED_NONE,
    judges: [],
    routed: routedTask(id, c, actor),
    assigned: undefined,
    exclusiveUntil: 0,
    lapsed: 0,
  };
  s.tasks.push(task);
  return task;
}

function create(s: ModelState, c: Command, actor: ModelAgent, now: number): Verdict {
  const floor = c.lane === abi.LANE_NONE ? 0n : 25n * rules.TOKEN;
  const least = rules.max(big(s.param(abi.PARAM_MIN_TASK_BUDGET)), floor);
  if (c.amount < least) return refuse(abi.BUDGET_BELOW_MINIMUM, least);
  const lane = chooseLane(s, c, now);
  if (typeof lane !== 'number') return lane;
  if (actor.balance < c.amount) return refuse(abi.INSUFFICIENT_BALANCE, actor.balance, c.amount);
  if (s.tasks.length >= s.capacity(TASKS!)) return full(abi.TABLE_TASKS);
  return () => {
    const task = addTask(s, c, actor);
    actor.balance -= c.amount;
    Object.assign(task, { lane, laneAsked: c.lane, assuranceFee: assuranceFee(lane, c.amount) });
    task.flags |= c.flags & abi.TASK_DOWNGRADE_ALLOWED;
    if (lane !== c.lane) task.flags |= abi.TASK_DOWNGRADED;
    if (lane !== abi.LANE_NONE) {
      task.flags |= c.flags & abi.TASK_GENERATION_ELIGIBLE;
      s.assuredCreated.push({ bucket: bucketOf(s), budget: c.amount });
    }
    return [big(actor.index)];
  };
}

function subtask(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const parent = find(s, c);
  if (!parent) return refuse(abi.TASK_NOT_FOUND);
  if (parent.status !== abi.TASK_CLAIMED || parent.parent) return refuse(abi.TASK_STATE);
  if (parent.createdByClaim >= MAX_SUBTASKS) return refuse(abi.TASK_STATE);
  if (parent.claimer !== actor) return refuse(abi.NOT_CLAIMER);
  const least = big(s.param(abi.PARAM_MIN_TASK_BUDGET));
  if (c.amount < least) return refuse(abi.BUDGET_BELOW_MINIMUM, least);
  const free = parent.escrow - parent.assuranceFee;
  if (c.amount > free) return refuse(abi.INSUFFICIENT_BALANCE, free, c.amount);
  if (s.tasks.length >= s.capacity(TASKS!)) return full(abi.TABLE_TASKS);
  return () => {
    const task = addTask(s, c, actor);
    task.flags |= abi.TASK_IS_SUBTASK;
    task.parent = parent;
    parent.children.push(task);
    parent.createdByClaim++;
    parent.escrow -= c.amount;
    return [big(actor.index)];
  };
}

/** The number of the record's category, -1 when it is still to be added. */
function recordCategory(s: ModelState, name: string): number {
  const known = s.categories.indexOf(name);
  if (known >= 0) return known;
  return s.categories.length < s.capacity(CATEGORIES!) ? -1 : abi.CATEGORY_GENERAL;
}

function claim(s: ModelState, c: Command, actor: ModelAgent, now: number): Verdict {
  const task = find(s, c);
  if (!task) return refuse(abi.TASK_NOT_FOUND);
  if (task.status !== abi.TASK_OPEN) return refuse(abi.TASK_STATE);
  if (task.poster === actor || task.parent?.poster === actor) return refuse(abi.SELF_CLAIM);
  if (task.barred.includes(actor)) return refuse(abi.CLAIM_BARRED);
  if (task.exclusiveUntil > now && task.routed.routedTo !== actor.index) {
    return refuse(abi.ROUTED_TO_OTHER, big(task.routed.routedTo!), big(task.exclusiveUntil));
  }
  const holding = s.tasks.filter((t) => t.status === abi.TASK_CLAIMED && t.claimer === actor).length;
  if (holding >= MAX_CLAIMED) return refuse(abi.CLAIM_LIMIT);
  const items = task.lane === abi.LANE_NONE ? 1 : 2;
  if (s.items.length + s.itemsPromised() + items > s.capacity(ITEMS!)) return full(abi.TABLE_ITEMS);
  const category = recordCategory(s, task.categoryName);
  const hasRecord = actor.records.some((r) => r.category === category);
  if (!hasRecord && s.recordCount() >= s.capacity(RECORDS!)) return full(abi.TABLE_RECORDS);
  if (task.exclusiveUntil === 0 && barCount(s) >= s.capacity(BARS!)) return full(abi.TABLE_BARS);
  return () => {
    if (category < 0) s.categories.push(task.categoryName);
    task.category = category < 0 ? s.categories.length - 1 : category;
    s.record(actor, task.category);
    const claimDeadline = s.now + task.deliverySecs;
    Object.assign(task, { status: abi.TASK_CLAIMED, claimer: actor, claimed: s.now, claimDeadline });
    return [big(actor.index)];
  };
}

function openPanel(s: ModelState, c: Command, task: ModelTask): void {
  const parties = [task.claimer!, task.poster];
  task.panel = drawPanel(s, c.txid, task.category, without(parties), laneOf(task.lane).panel);
  task.submissionEvent = c.txid;
  task.submission = {
    eventId: c.txid,
    kind: abi.ITEM_SUBMISSION,
    agent: task.claimer!,
    recipient: task.poster,
    parties,
    barred: [],
    amount: task.budget,
    deadline: task.reviewDeadline,
    created: s.now,
    assigned: task.panel.map((v) => v.index),
    votes: [],
    task,
    isClosed: false,
  };
  s.items.push(task.submission);
}

function submit(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const task = find(s, c);
  if (!task) return refuse(abi.TASK_NOT_FOUND);
  if (task.status !== abi.TASK_CLAIMED) return refuse(abi.TASK_STATE);
  if (task.claimer !== actor) return refuse(abi.NOT_CLAIMER);
  if (task.children.some((t) => t.status !== abi.TASK_COMPLETED)) return refuse(abi.SUBTASKS_OPEN);
  const has = (flag: number): boolean => (c.flags & flag) !== 0;
  const encrypted = (task.flags & abi.TASK_ENCRYPTED) !== 0;
  if (has(abi.SUBMIT_HAS_CONTENT) && has(abi.SUBMIT_ENCRYPTED) !== encrypted)
    return refuse(abi.DELIVERY_MISMATCH);
  if (has(abi.SUBMIT_HASH_MISMATCH)) return refuse(abi.RESULT_HASH_MISMATCH);
  if (!has(abi.SUBMIT_SCORED)) return refuse(abi.TASK_NOT_FOUND, 1n);
  return () => {
    if (has(abi.SUBMIT_ENCRYPTED)) task.flags |= abi.TASK_RESULT_ENCRYPTED;
    if (has(abi.SUBMIT_PASS)) task.flags |= abi.TASK_SCORE_PASS;
    if (has(abi.SUBMIT_GATES_HOLD)) task.flags |= abi.TASK_GATES_HOLD;
    const reviewDeadline = s.now + task.reviewSecs;
    Object.assign(task, {
      overallBp: c.overallBp,
      submitted: s.now,
      reviewDeadline,
      status: abi.TASK_SUBMITTED,
    });
    if (task.lane !== abi.LANE_NONE) {
      s.assuredSubmissions++;
      openPanel(s, c, task);
    }
    return [big(actor.index)];
  };
}

function commit(s: ModelState, c: Command, actor: ModelAgent, now: number): Verdict {
  const task = find(s, c);
  if (!task) return refuse(abi.TASK_NOT_FOUND);
  if (task.status !== abi.TASK_CLAIMED && task.status !== abi.TASK_SUBMITTED) return refuse(abi.TASK_STATE);
  if (task.commits >= 100) return refuse(abi.TASK_STATE);
  if (task.claimer !== actor) return refuse(abi.NOT_CLAIMER);
  const hasParent = (c.flags & abi.COMMIT_HAS_PARENT) !== 0;
  if (hasParent && (c.flags & abi.COMMIT_PARENT_FOUND) === 0) return refuse(abi.COMMIT_NOT_FOUND);
  const recent = s.commits.filter((x) => x.agent === actor && x.at > now - 60);
  if (recent.length >= 10) return refuse(abi.COMMIT_RATE, big(60 - (now - recent.at(-10)!.at)));
  return () => {
    s.commits.push({ agent: actor, at: now });
    task.commits++;
    return [big(actor.index)];
  };
}

function byPoster(
  s: ModelState,
  c: Command,
  actor: ModelAgent,
  from: number[],
  effect: (t: ModelTask) => void,
): Verdict {
  const task = find(s, c);
  if (!task) return refuse(abi.TASK_NOT_FOUND);
  if (task.poster !== actor) return refuse(abi.NOT_POSTER);
  if (!from.includes(task.status)) return refuse(abi.TASK_STATE);
  return () => {
    effect(task);
    return [big(actor.index)];
  };
}

/** Refusals or effects of a request on a task; undefined for other requests. */
export function operateTask(s: ModelState, c: Command, actor: ModelAgent, now: number): Verdict | undefined {
  const submitted = [abi.TASK_SUBMITTED];
  switch (c.opcode) {
    case abi.OP_TASK_CREATE:
      return create(s, c, actor, now);
    case abi.OP_SUBTASK_CREATE:
      return subtask(s, c, actor);
    case abi.OP_TASK_CLAIM:
      return claim(s, c, actor, now);
    case abi.OP_TASK_SUBMIT:
      return submit(s, c, actor);
    case abi.OP_TRAJECTORY_COMMIT:
      return commit(s, c, actor, now);
    case abi.OP_TASK_APPROVE:
      return byPoster(s, c, actor, submitted, (t) => completeTask(s, t, abi.RESOLUTION_APPROVED));
    case abi.OP_TASK_DISPUTE:
      return byPoster(s, c, actor, submitted, (t) => openDispute(s, t, c.txid));
    case abi.OP_TASK_CANCEL: {
      const from = [abi.TASK_OPEN, abi.TASK_CLAIMED];
      return byPoster(s, c, actor, from, (t) => void cancelTask(s, t, abi.RESOLUTION_POSTER_CANCELLED));
    }
    default:
      return undefined;
  }
}
