// Requests on tasks: refusals in the order of protocol 4.4, then effects.

import * as abi from '../../assembly/abi.ts';
import { disputeBond, takePosterBond, takeWorkerBond } from './bonds.ts';
import { refuseUnbacked } from './claims.ts';
import type { Command } from './command.ts';
import { acceptResult, isChecking, isRunPaid, publish, queueRun, runFee, runsFirst } from './contracts.ts';
import { coverOf, drawPanel, without } from './draw.ts';
import { shaHex } from './hashing.ts';
import { chooseLane } from './lanes.ts';
import { type Refusal, refuse, type Verdict } from './refusal.ts';
import { decline, hiredBy, refuseReservation } from './reservation.ts';
import type { RoutedTask } from './router.ts';
import * as rules from './rules.ts';
import { followOpening, keyFault, open, openingFault, showsNothing, takeKey } from './sealed.ts';
import { fail } from './settle.ts';
import type { ModelAgent, ModelState } from './state.ts';
import {
  cancelTask,
  completeTask,
  concede,
  contest,
  hasDelivered,
  openDispute,
  openUntil,
  reopen,
} from './task-ends.ts';
import { assuranceFee, laneOf } from './task-money.ts';
import type { ModelTask } from './task-state.ts';

const big = (n: number): bigint => BigInt(n);
const full = (table: number): Refusal => refuse(abi.CAPACITY, big(table));
const [ITEMS, TASKS] = [1, 8];
const find = (s: ModelState, c: Command): ModelTask | undefined => s.tasks.find((t) => t.id === c.taskId);
const MAX_SUBTASKS = 20;
const TAKEN =
  abi.TASK_ENCRYPTED |
  abi.TASK_EXCLUSIVE |
  abi.TASK_ON_PASS |
  abi.TASK_SEEDED |
  abi.TASK_EXTERNAL |
  abi.TASK_PAYS_SILENTLY |
  abi.TASK_ACCEPTS_NO_JUDGES |
  abi.TASK_RESERVED |
  abi.TASK_RESERVED_OR_REFUND;

export const taskIdOf = (txid: string): string => shaHex(`task:${txid}`).slice(0, 32);

function routedTask(id: string, c: Command, actor: ModelAgent): RoutedTask {
  const { category, tags } = c;
  const exclusive = (c.flags & abi.TASK_EXCLUSIVE) !== 0;
  const base = { id, budget: c.amount, poster: actor.index, category, tags, exclusive };
  return { ...base, barred: new Set(), routedTo: undefined };
}

/** 15.2: who posts without a contract where few judges are announced has to say that it accepts that. */
function lacksJudges(s: ModelState, c: Command): Refusal | undefined {
  if (c.fuel > 0 || (c.flags & abi.TASK_ACCEPTS_NO_JUDGES) !== 0) return undefined;
  const required = s.param(abi.PARAM_MIN_JUDGES);
  const announced = s.validators.filter((v) => v.isJudge && v.status === abi.VALIDATOR_ACTIVE).length;
  return announced < required ? refuse(abi.TOO_FEW_JUDGES, big(announced), big(required)) : undefined;
}

/** 6.18: half of the table may fill with small tasks. */
function minBudget(s: ModelState): bigint {
  const least = big(s.param(abi.PARAM_MIN_TASK_BUDGET));
  const rows = s.capacity(TASKS!);
  const free = rows - s.tasks.length;
  return free === 0 ? least : rules.max(least, rules.mul(least, big(rows), 2n * big(free)));
}

/** 15.2 */
function bondAskedFor(c: Command): bigint {
  if ((c.flags & abi.TASK_BOND_GIVEN) !== 0) return c.workerBond;
  return runsFirst(c) ? 0n : disputeBond(c.amount);
}

function addTask(s: ModelState, c: Command, actor: ModelAgent): ModelTask {
  const hired = hiredBy(s, c);
  const id = taskIdOf(c.txid);
  const task: ModelTask = {
    id,
    budget: c.amount,
    escrow: c.amount,
    assuranceFee: 0n,
    paid: 0n,
    baseFee: 0n,
    flags: c.flags & TAKEN,
    lane: abi.LANE_NONE,
    laneAsked: abi.LANE_NONE,
    categoryName: c.category,
    category: 0,
    reviewSecs:
      c.reviewSecs || s.param(runsFirst(c) ? abi.PARAM_REVIEW_CONTRACT_SECS : abi.PARAM_REVIEW_DEFAULT_SECS),
    deliverySecs: c.deliverySecs || s.param(abi.PARAM_MAX_DELIVERY_TIME_SECS),
    poster: actor,
    claimer: undefined,
    parent: undefined,
    children: [],
    createdByClaim: 0,
    bars: [],
    status: abi.TASK_OPEN,
    resolution: abi.RESOLUTION_NONE,
    payout: abi.PAYOUT_NONE,
    generation: abi.GENERATION_NONE,
    recognizedAt: 0,
    replay: abi.REPLAY_NONE,
    assurancePaid: 0n,
    isDue: false,
    overallBp: 0,
    noQuorum: c.noQuorum,
    workerBond: bondAskedFor(c),
    workerHeld: 0n,
    posterHeld: 0n,
    isContested: false,
    panels: 0,
    isByPoster: false,
    share: abi.SHARES,
    refunded: 0n,
    commits: 0,
    posted: s.now,
    expires: openUntil(s),
    claimed: 0,
    claimDeadline: 0,
    cancelAt: 0,
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
    fuel: c.fuel,
    runs: 0,
    tries: 0,
    feeHeld: 0n,
    isPaidRunSpent: false,
    routed: { ...routedTask(id, c, actor), routedTo: hired?.index },
    assigned: undefined,
    exclusiveUntil: hired ? s.now + (c.reservedSecs || s.param(abi.PARAM_DAY_SECS)) : 0,
  };
  s.tasks.push(task);
  return task;
}

function create(s: ModelState, c: Command, actor: ModelAgent, now: number): Verdict {
  const reserved = refuseReservation(s, c, [actor]);
  if (reserved) return reserved;
  const floor = c.lane === abi.LANE_NONE ? 0n : 25n * rules.TOKEN;
  const least = rules.max(minBudget(s), floor);
  if (c.amount < least) return refuse(abi.BUDGET_BELOW_MINIMUM, least);
  const lane = chooseLane(s, c, now);
  if (typeof lane !== 'number') return lane;
  const few = lacksJudges(s, c);
  if (few) return few;
  const fee = runFee(s, c.fuel);
  if (actor.balance < c.amount + fee) return refuse(abi.INSUFFICIENT_BALANCE, actor.balance, c.amount + fee);
  if (s.tasks.length >= s.capacity(TASKS!)) return full(abi.TABLE_TASKS);
  return () => {
    const task = addTask(s, c, actor);
    actor.balance -= c.amount;
    s.payFee(actor, fee);
    task.category = s.nameCategory(actor, task.categoryName);
    Object.assign(task, { lane, laneAsked: c.lane, assuranceFee: assuranceFee(lane, c.amount) });
    task.flags |= c.flags & abi.TASK_DOWNGRADE_ALLOWED;
    if (lane !== c.lane) task.flags |= abi.TASK_DOWNGRADED;
    if (lane !== abi.LANE_NONE) task.flags |= c.flags & abi.TASK_GENERATION_ELIGIBLE;
    return [big(actor.index)];
  };
}

function subtask(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const parent = find(s, c);
  if (!parent) return refuse(abi.TASK_NOT_FOUND);
  if (parent.status !== abi.TASK_CLAIMED || parent.parent) return refuse(abi.TASK_STATE);
  if (isChecking(parent)) return refuse(abi.TASK_STATE);
  if (parent.createdByClaim >= MAX_SUBTASKS) return refuse(abi.TASK_STATE);
  if (parent.claimer !== actor) return refuse(abi.NOT_CLAIMER);
  const reserved = refuseReservation(s, c, [actor, parent.poster]);
  if (reserved) return reserved;
  const least = minBudget(s);
  if (c.amount < least) return refuse(abi.BUDGET_BELOW_MINIMUM, least);
  const few = lacksJudges(s, c);
  if (few) return few;
  const free = parent.escrow - parent.assuranceFee;
  if (c.amount > free) return refuse(abi.INSUFFICIENT_BALANCE, free, c.amount);
  const fee = runFee(s, c.fuel);
  if (actor.balance < fee) return refuse(abi.INSUFFICIENT_BALANCE, actor.balance, fee);
  if (s.tasks.length >= s.capacity(TASKS!)) return full(abi.TABLE_TASKS);
  return () => {
    const task = addTask(s, c, actor);
    task.flags |= abi.TASK_IS_SUBTASK;
    task.parent = parent;
    parent.children.push(task);
    parent.createdByClaim++;
    parent.escrow -= c.amount;
    s.payFee(actor, fee);
    task.category = s.nameCategory(actor, task.categoryName);
    return [big(actor.index)];
  };
}

function claim(s: ModelState, c: Command, actor: ModelAgent, now: number): Verdict {
  const task = find(s, c);
  if (!task) return refuse(abi.TASK_NOT_FOUND);
  if (task.status !== abi.TASK_OPEN) return refuse(abi.TASK_STATE);
  if (task.poster === actor || task.parent?.poster === actor) return refuse(abi.SELF_CLAIM);
  if (task.bars.some((bar) => bar.isClaim && bar.agent === actor)) return refuse(abi.CLAIM_BARRED);
  if (task.exclusiveUntil > now && task.routed.routedTo !== actor.index) {
    const code = (task.flags & abi.TASK_RESERVED) !== 0 ? abi.RESERVED_FOR_OTHER : abi.ROUTED_TO_OTHER;
    return refuse(code, big(task.routed.routedTo!), big(task.exclusiveUntil));
  }
  const unbacked = refuseUnbacked(s, actor, task.budget);
  if (unbacked) return unbacked;
  if (actor.balance < task.workerBond)
    return refuse(abi.INSUFFICIENT_BALANCE, actor.balance, task.workerBond);
  const items = task.lane === abi.LANE_NONE ? 1 : 2;
  if (s.items.length + s.itemsPromised() + items > s.capacity(ITEMS!)) return full(abi.TABLE_ITEMS);
  return () => {
    const claimDeadline = s.now + task.deliverySecs;
    Object.assign(task, {
      status: abi.TASK_CLAIMED,
      claimer: actor,
      claimed: s.now,
      claimDeadline,
      tries: 0,
    });
    takeWorkerBond(task);
    return [big(actor.index)];
  };
}

function openPanel(s: ModelState, c: Command, task: ModelTask): void {
  const parties = [task.claimer!, task.poster];
  const { panel } = laneOf(task.lane);
  task.panel = drawPanel(s, c.txid, task.category, without(parties), panel, coverOf(task));
  task.submissionEvent = c.txid;
  task.submission = {
    eventId: c.txid,
    kind: abi.ITEM_SUBMISSION,
    agent: task.claimer!,
    recipient: task.poster,
    parties,
    barred: [],
    barsClusters: false,
    amount: task.budget,
    deadline: task.reviewDeadline,
    created: s.now,
    assigned: task.panel.map((v) => v.index),
    votes: [],
    commitments: [],
    order: [],
    isRevealing: false,
    task,
    isClosed: false,
    panel: 'seats',
  };
  s.items.push(task.submission);
}

function submit(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const task = find(s, c);
  if (!task) return refuse(abi.TASK_NOT_FOUND);
  if (task.status !== abi.TASK_CLAIMED || isChecking(task)) return refuse(abi.TASK_STATE);
  if (task.claimer !== actor) return refuse(abi.NOT_CLAIMER);
  if (task.children.some((t) => t.status !== abi.TASK_COMPLETED)) return refuse(abi.SUBTASKS_OPEN);
  const has = (flag: number): boolean => (c.flags & flag) !== 0;
  const encrypted = (task.flags & abi.TASK_ENCRYPTED) !== 0;
  if (has(abi.SUBMIT_HAS_CONTENT) && has(abi.SUBMIT_ENCRYPTED) !== encrypted)
    return refuse(abi.DELIVERY_MISMATCH);
  if (has(abi.SUBMIT_HAS_CONTENT) && encrypted && !has(abi.SUBMIT_SEALED)) return refuse(abi.NOT_SEALED);
  const isExternal = (task.flags & abi.TASK_EXTERNAL) !== 0;
  if (!has(abi.SUBMIT_HAS_CONTENT) && !(isExternal && has(abi.SUBMIT_HAS_PLACE)))
    return refuse(abi.DELIVERY_MISSING);
  if (has(abi.SUBMIT_HASH_MISMATCH)) return refuse(abi.RESULT_HASH_MISMATCH);
  if (runsFirst(task) && !isRunPaid(s, task))
    return refuse(abi.INSUFFICIENT_BALANCE, actor.balance, runFee(s, task.fuel));
  if (!has(abi.SUBMIT_SCORED)) return refuse(abi.TASK_NOT_FOUND, 1n);
  return () => {
    if (runsFirst(task)) {
      queueRun(s, task);
      return [big(actor.index)];
    }
    if (has(abi.SUBMIT_ENCRYPTED)) task.flags |= abi.TASK_RESULT_ENCRYPTED;
    if (has(abi.SUBMIT_SEALED)) task.flags |= abi.TASK_SEALED;
    if (has(abi.SUBMIT_FACTS_HOLD)) task.flags |= abi.TASK_FACTS_HOLD;
    task.overallBp = c.overallBp;
    acceptResult(s, task);
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

function dispute(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const verdict = byPoster(s, c, actor, [abi.TASK_SUBMITTED], (t) => {
    const isOpened = takeKey(c, t);
    if (hasDelivered(t)) takePosterBond(t);
    openDispute(s, t, c.txid);
    if (isOpened && hasDelivered(t)) followOpening(s, t);
  });
  const task = find(s, c);
  if (typeof verdict !== 'function' || !task) return verdict;
  const fault = keyFault(c, task);
  if (fault) return fault;
  if (!hasDelivered(task) || showsNothing(c, task)) return verdict;
  const bond = disputeBond(task.budget);
  return actor.balance < bond ? refuse(abi.INSUFFICIENT_BALANCE, actor.balance, bond) : verdict;
}

function answer(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const task = find(s, c);
  if (!task) return refuse(abi.TASK_NOT_FOUND);
  if (task.status !== abi.TASK_DISPUTED || task.isContested || isChecking(task))
    return refuse(abi.TASK_STATE);
  if (task.claimer !== actor) return refuse(abi.NOT_CLAIMER);
  const isContest = c.opcode === abi.OP_TASK_CONTEST;
  const fault = isContest ? openingFault(c, task) : undefined;
  if (fault) return fault;
  return () => {
    if (isContest) {
      if (!takeKey(c, task) || !followOpening(s, task)) contest(s, task);
    } else concede(s, task, true);
    return [big(actor.index)];
  };
}

function cancel(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const task = find(s, c);
  if (!task) return refuse(abi.TASK_NOT_FOUND);
  if (task.poster !== actor) return refuse(abi.NOT_POSTER);
  if (task.status !== abi.TASK_OPEN && task.status !== abi.TASK_CLAIMED) return refuse(abi.TASK_STATE);
  if (task.cancelAt !== 0 || isChecking(task)) return refuse(abi.TASK_STATE);
  return () => {
    if (task.status === abi.TASK_CLAIMED)
      task.cancelAt = Math.min(s.now + s.param(abi.PARAM_CANCEL_NOTICE_SECS), task.claimDeadline);
    else cancelTask(s, task, abi.RESOLUTION_POSTER_CANCELLED);
    return [big(actor.index), big(task.cancelAt)];
  };
}

function release(s: ModelState, c: Command, actor: ModelAgent, now: number): Verdict {
  const task = find(s, c);
  if (!task) return refuse(abi.TASK_NOT_FOUND);
  if (task.status !== abi.TASK_CLAIMED || task.cancelAt !== 0 || isChecking(task))
    return refuse(abi.TASK_STATE);
  if (task.claimer !== actor) return refuse(abi.NOT_CLAIMER);
  if (task.children.length > 0) return refuse(abi.SUBTASKS_OPEN);
  return () => {
    const isLate = now > task.claimed + Math.floor(task.deliverySecs / 4);
    if ((task.flags & abi.TASK_RESERVED_OR_REFUND) !== 0) cancelTask(s, task, abi.RESOLUTION_DECLINED);
    else reopen(s, task);
    if (isLate) fail(s, actor, task.category, c.txid);
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
      return dispute(s, c, actor);
    case abi.OP_TASK_CONTEST:
    case abi.OP_TASK_CONCEDE:
      return answer(s, c, actor);
    case abi.OP_TASK_OPEN:
      return open(s, c, actor, find(s, c));
    case abi.OP_TASK_CANCEL:
      return cancel(s, c, actor);
    case abi.OP_TASK_RELEASE:
      return release(s, c, actor, now);
    case abi.OP_TASK_DECLINE:
      return decline(s, actor, find(s, c));
    case abi.OP_PROGRAM_PUBLISH:
      return publish(s, actor);
    default:
      return undefined;
  }
}
