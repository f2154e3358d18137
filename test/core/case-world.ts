// Random commands on validators, challenges, replays and canaries for the differential test: mostly by those who may,
// now and then by anybody.
// Keeps: everything follows from the world's seed.

import * as abi from '../../assembly/abi.ts';
import { commitmentOf } from '../model/canaries.ts';
import type { ModelChallenge, ModelJob } from '../model/case-state.ts';
import { verifiersOf } from '../model/challenges.ts';
import type { Command } from '../model/command.ts';
import type { Model } from '../model/model.ts';
import { isKept, retainedUntil } from '../model/retention.ts';
import * as rules from '../model/rules.ts';
import type { ModelAgent, ModelValidator } from '../model/state.ts';
import { taskIdOf } from '../model/task-operations.ts';
import type { ModelTask } from '../model/task-state.ts';
import { judgesLeft, nameOf } from './task-world.ts';
import type { World } from './world.ts';
import { hash } from './world-setup.ts';

/** A task whose truth is committed before it is posted. */
export interface Plan {
  txid: string;
  type: number;
  truth: boolean;
  salt: string;
  taskId: string;
  commitment: string;
  isPosted: boolean;
}

export interface Choice {
  /** Who acts; undefined: anybody. */
  name: string | undefined;
  fields: Partial<Command>;
}

export const CASE_OPS = Array.from({ length: 10 }, (_, i) => abi.OP_VALIDATOR_APPLY + i);
const ALWAYS = [
  abi.OP_STAKE,
  abi.OP_UNSTAKE,
  abi.OP_RECOVERY_SET,
  abi.OP_KEY_ROTATE,
  abi.OP_VALIDATOR_APPLY,
  abi.OP_VALIDATOR_OBJECT,
];
/** Tasks under way at a time. */
const MAX_LIVE = 6;

// Judges of a clan meet in disputes; where all have judged nobody is left to replay, so not in all of them.
function ofClan(world: World, model: Model, isWaiting: boolean): number[] {
  const submitted = model.s.tasks.filter((t) => t.status === abi.TASK_SUBMITTED);
  const useful: number[] = [];
  if (submitted.some((t) => t.lane === abi.LANE_NONE)) useful.push(abi.OP_TASK_DISPUTE);
  const isJudged = submitted.some((t) => t.lane !== abi.LANE_NONE) && !isWaiting;
  if (isJudged) useful.push(world.chance.hit(4) ? abi.OP_TASK_DISPUTE : abi.OP_TASK_APPROVE);
  return useful;
}

// What the tasks under way wait for.
function onTasks(world: World, model: Model): number[] {
  const { tasks, items } = model.s;
  const is = (status: number): boolean => tasks.some((t) => t.status === status);
  const live = tasks.filter((t) => t.status <= abi.TASK_SUBMITTED || t.status === abi.TASK_DISPUTED).length;
  const useful: number[] = [];
  if (live < MAX_LIVE) useful.push(abi.OP_TASK_CREATE);
  if (is(abi.TASK_OPEN)) useful.push(abi.OP_TASK_CLAIM);
  if (is(abi.TASK_CLAIMED)) useful.push(abi.OP_TASK_SUBMIT);
  const isWaiting = items.some((i) => i.task && !i.isClosed && judgesLeft(model, i).length > 0);
  if (isWaiting) useful.push(abi.OP_VERIFY, abi.OP_VERIFY, abi.OP_VERIFY, abi.OP_VERIFY);
  // Only a contested dispute comes to judges, so few are conceded.
  if (tasks.some((t) => t.status === abi.TASK_DISPUTED && !t.isContested))
    useful.push(world.chance.hit(10) ? abi.OP_TASK_CONCEDE : abi.OP_TASK_CONTEST);
  if (world.kind === 'clan') useful.push(...ofClan(world, model, isWaiting));
  else if (is(abi.TASK_SUBMITTED)) {
    const wantsDispute = world.chance.hit(6);
    if (wantsDispute || !isWaiting) useful.push(wantsDispute ? abi.OP_TASK_DISPUTE : abi.OP_TASK_APPROVE);
  }
  return useful;
}

// What challenges, replays and validators wait for; some of it is left to time.
function onCases(world: World, model: Model): number[] {
  const { chance } = world;
  const { challenges, jobs, tasks, validators } = model.s;
  const isCourt = world.kind === 'court';
  const useful: number[] = [];
  if (challenges.some((c) => c.status === abi.CHALLENGE_OPEN)) {
    useful.push(abi.OP_CHALLENGE_VOTE, abi.OP_CHALLENGE_VOTE, abi.OP_CHALLENGE_VOTE);
  }
  if (jobs.some((j) => j.status === abi.JOB_PENDING) && !chance.hit(4)) {
    useful.push(abi.OP_REPLAY_SUBMIT, abi.OP_REPLAY_SUBMIT, abi.OP_REPLAY_OUTCOME);
  }
  const isChallengeable = tasks.some((t) => t.status === abi.TASK_COMPLETED && verifiersOf(t).length > 0);
  if (isChallengeable && isCourt) useful.push(abi.OP_CHALLENGE_OPEN);
  const isFree = (v: ModelValidator): boolean =>
    v.status === abi.VALIDATOR_SUSPENDED && (v.suspendedUntil <= model.s.now || chance.hit(30));
  if (validators.some(isFree)) useful.push(abi.OP_VALIDATOR_RESUME);
  if (validators.some((v) => v.passedAt !== 0)) useful.push(abi.OP_VALIDATOR_OBJECT);
  if (chance.hit(isCourt ? 4 : 30)) useful.push(chance.pick(ALWAYS));
  return useful;
}

function onCanaries(world: World, model: Model): number[] {
  const allowed = model.s.param(abi.PARAM_CANARY_RATE_BP) * model.s.assuredSubmissions;
  const useful: number[] = [];
  const hasPlan = world.plans.some((p) => !p.isPosted);
  if (!hasPlan && model.s.canariesCommitted * 10_000 < allowed) useful.push(abi.OP_CANARY_COMMIT);
  if (world.plans.some((p) => isReady(model, p))) useful.push(abi.OP_CANARY_REVEAL, abi.OP_CANARY_REVEAL);
  return useful;
}

/** Opcodes that move something on. */
export function usefulOpcodes(world: World, model: Model): number[] {
  const known = world.names.filter((name) => model.s.agentByKey(world.agentKey(name)));
  if (known.length < world.names.length && world.chance.hit(2)) return [abi.OP_REGISTER];
  const useful = [...onTasks(world, model), ...onCanaries(world, model)];
  useful.push(...onCases(world, model));
  return useful.length > 0 ? useful : [abi.OP_REGISTER];
}

/** A name for a validator as a client might write it. */
function formOf(world: World, v: ModelValidator | undefined): string {
  const { chance } = world;
  if (!v || chance.hit(30)) return chance.pick(['', 'nobody', 'v0', hash('nobody')]);
  return chance.pick([v.id, v.id, v.agent.id, v.agent.publicKey || v.id]);
}

const operator = (world: World, model: Model, v: ModelValidator | undefined): string | undefined =>
  v && !world.chance.hit(10 * world.calm) ? nameOf(world, model, v.agent) : undefined;

function applying(world: World, model: Model): Choice {
  const { chance } = world;
  const free = model.s.agents.filter((a) => !model.s.validatorOf(a));
  const agent = free.length > 0 && !chance.hit(4) ? chance.pick(free) : undefined;
  const categories = chance.pick([[], [], ['code'], ['code', 'x'], [`new ${chance.int(4)}`, 'data']]);
  // Mostly enough for all but the last rows.
  const maxFee = chance.hit(4) ? 0n : 40_000n * rules.TOKEN;
  return { name: nameOf(world, model, agent), fields: { categories, maxFee } };
}

function objecting(world: World, model: Model): Choice {
  const { chance } = world;
  const { validators } = model.s;
  const waiting = validators.filter((v) => v.passedAt !== 0);
  const target = chance.pick(waiting.length > 0 && !chance.hit(6) ? waiting : validators);
  const active = validators.filter((v) => v.status === abi.VALIDATOR_ACTIVE);
  const by = active.length > 0 ? chance.pick(active) : undefined;
  return { name: operator(world, model, by), fields: { target: formOf(world, target) } };
}

function resuming(world: World, model: Model): Choice {
  const suspended = model.s.validators.filter((v) => v.status === abi.VALIDATOR_SUSPENDED);
  const v = world.chance.pick(suspended.length > 0 && !world.chance.hit(4) ? suspended : model.s.validators);
  return { name: operator(world, model, v), fields: { target: world.chance.hit(3) ? '' : formOf(world, v) } };
}

/** Mostly one that has no judge announces it. */
function announcing(world: World, model: Model): Choice {
  const { chance } = world;
  const { validators } = model.s;
  const idle = validators.filter((v) => v.status === abi.VALIDATOR_ACTIVE && !v.isJudge);
  const isMore = idle.length > 0 && !chance.hit(8);
  const v = chance.pick(isMore ? idle : validators);
  const target = chance.hit(3) ? '' : formOf(world, v);
  return { name: operator(world, model, v), fields: { target, verdict: isMore } };
}

/** A key: mostly a new one, now and then one that has a use. */
function chooseKey(world: World, model: Model): string {
  const { chance } = world;
  const used = model.s.validators
    .flatMap((v) => [v.recovery, v.nextRecovery, v.nextKey])
    .filter((k) => k !== '');
  const seats = [...model.s.seats.values()].map((seat) => seat.key);
  return chance.hit(5) ? chance.pick([...used, ...seats, '0'.repeat(64)]) : hash(`key ${world.count}`);
}

function recovering(world: World, model: Model): Choice {
  const v = world.chance.pick(model.s.validators);
  const target = world.chance.hit(3) ? '' : formOf(world, v);
  return { name: operator(world, model, v), fields: { target, other: chooseKey(world, model) } };
}

function rotating(world: World, model: Model): Choice {
  const { chance } = world;
  const v = chance.pick(model.s.validators);
  const seat = model.s.seats.get(v.seat);
  const fields: Partial<Command> = { target: formOf(world, v), other: chooseKey(world, model) };
  const signer = chance.pick([seat?.key, v.recovery, v.recovery, undefined]);
  if (signer) Object.assign(fields, { auth: abi.AUTH_TX_V1, actor: signer });
  else if (seat && chance.hit(2)) Object.assign(fields, { auth: abi.AUTH_UNSIGNED, seat: v.seat });
  return { name: undefined, fields };
}

function opening(world: World, model: Model): Choice {
  const { chance } = world;
  const { s } = model;
  const isOpen = (t: ModelTask): boolean => t.status === abi.TASK_COMPLETED && verifiersOf(t).length > 0;
  const fitting = s.tasks.filter((t) => isOpen(t) && retainedUntil(s, t) > s.now);
  const replayed = s.jobs.filter((j) => j.status === abi.JOB_COMPLETED);
  if (replayed.length > 0 && chance.hit(4)) {
    const { task, executors } = chance.pick(replayed);
    return {
      name: undefined,
      fields: accusing(world, task, executors.at(-1)!, abi.OFFENSE_DISHONEST_REPLAY),
    };
  }
  const pool = fitting.length > 0 && !chance.hit(10) ? fitting : s.tasks;
  if (pool.length === 0) return { name: undefined, fields: { taskId: 'e'.repeat(32), target: 'nobody' } };
  const task = chance.pick(chance.hit(2) ? pool.slice(-3) : pool);
  const accused = verifiersOf(task);
  const target = chance.pick(accused.length > 0 && !chance.hit(10) ? accused : s.validators);
  const offense = chance.pick([1, 1, 3, 3, 3, 2]);
  const name = chance.hit(12) ? nameOf(world, model, target.agent) : undefined;
  return { name, fields: accusing(world, task, target, offense) };
}

function accusing(world: World, task: ModelTask, target: ModelValidator, offense: number): Partial<Command> {
  const least = rules.leastBond(task.budget);
  const value = world.chance.pick([undefined, undefined, least, least + 12_345n, least - 1n, 2n ** 53n - 1n]);
  return { taskId: task.id, target: formOf(world, target), offense, value };
}

const isPartyTo = (c: ModelChallenge, agent: ModelAgent): boolean =>
  [c.target.agent, c.challenger, c.task.poster, c.task.claimer].includes(agent);

/** Votes on a challenge mostly agree, so that quorums come about. */
function voting(world: World, model: Model): Choice {
  const { chance } = world;
  const { challenges, validators } = model.s;
  const open = challenges.filter((c) => c.status === abi.CHALLENGE_OPEN);
  const pool = open.length > 0 && !chance.hit(15) ? open.slice(0, 3) : challenges;
  if (pool.length === 0) return { name: undefined, fields: { challenge: 'c'.repeat(24) } };
  const challenge = chance.pick(pool);
  const left = validators.filter(
    (v) =>
      v.status === abi.VALIDATOR_ACTIVE &&
      !isPartyTo(challenge, v.agent) &&
      !challenge.votes.some((x) => x.validator === v),
  );
  const likely = [1, 1, 2, 2, 2, 3][Number.parseInt(challenge.id.slice(0, 4), 16) % 6]!;
  const outcome = abi.CHALLENGE_OPEN + (chance.hit(8) ? chance.pick([1, 2, 3]) : likely);
  const v = left.length > 0 && !chance.hit(8) ? chance.pick(left) : undefined;
  return { name: nameOf(world, model, v?.agent), fields: { challenge: challenge.id, outcome } };
}

function ofJob(world: World, model: Model, fields: (job: ModelJob) => Partial<Command>): Choice {
  const { chance } = world;
  const pending = model.s.jobs.filter((j) => j.status === abi.JOB_PENDING);
  const pool = pending.length > 0 && !chance.hit(10) ? pending : model.s.jobs;
  if (pool.length === 0) return { name: undefined, fields: { other: hash('no job') } };
  const job = chance.pick(pool);
  const name = chance.hit(10) ? undefined : nameOf(world, model, job.executors.at(-1)!.agent);
  return { name, fields: { other: job.id, ...fields(job) } };
}

const submitting = (world: World, model: Model): Choice =>
  ofJob(world, model, (job) => {
    const { chance } = world;
    const isBad = world.kind === 'court' ? !chance.hit(3) : chance.hit(10);
    const bad = isBad ? chance.pick([1, 3, 9, 9]) : 0;
    const kinds = chance.pick([[1, 2, 5, 6], [1, 2], [4]]);
    const check = (): number => (chance.int(10) < bad ? chance.pick(kinds) : 0);
    const checks = Array.from({ length: chance.pick([0, 1, 6, 12, 12, 60]) }, check);
    return { checks, taskId: chance.pick(['0'.repeat(32), job.task.id, job.task.id, 'a'.repeat(32)]) };
  });

const reporting = (world: World, model: Model): Choice =>
  ofJob(world, model, () => ({
    outcome: world.chance.pick(world.kind === 'court' ? [0, 0, 1, 2, 3] : [0, 1, 1, 2]),
    verdict: world.chance.hit(4),
  }));

const isReady = (model: Model, plan: Plan): boolean => {
  if (!model.s.canaries.some((c) => c.commitment === plan.commitment)) return false;
  const task = model.s.tasks.find((t) => t.id === plan.taskId);
  return task !== undefined && task.submitted !== 0 && isKept(model.s, task);
};

function committing(world: World, model: Model): Choice {
  const { chance } = world;
  const active = model.s.validators.filter(
    (v) => v.status === abi.VALIDATOR_ACTIVE && v.seat !== abi.NO_SEAT,
  );
  const name =
    active.length > 0 && !chance.hit(8) ? nameOf(world, model, chance.pick(active).agent) : undefined;
  const salt = hash(`salt ${world.count}`);
  const [type, truth] = [chance.pick([1, 2, 3, 4]), chance.hit(2)];
  const txid = hash(`planned ${world.seed} ${world.count}`);
  const taskId = taskIdOf(txid);
  const commitment = commitmentOf(taskId, type, truth, salt);
  const isRepeated = world.plans.length > 0 && chance.hit(10 * world.calm);
  if (isRepeated) return { name, fields: { other: chance.pick(world.plans).commitment } };
  world.plans.push({ txid, type, truth, salt, taskId, commitment, isPosted: false });
  return { name, fields: { other: commitment } };
}

/** A canary whose task ended, mostly; by its seat. */
function revealing(world: World, model: Model): Choice {
  const { chance } = world;
  const ready = world.plans.filter((p) => isReady(model, p));
  const pool = ready.length > 0 && !chance.hit(8 * world.calm) ? ready : world.plans;
  if (pool.length === 0) return { name: undefined, fields: {} };
  const plan = chance.pick(pool);
  const { type: canaryType, salt, taskId, commitment } = plan;
  const truth = chance.hit(15 * world.calm) ? !plan.truth : plan.truth;
  const seat = model.s.canaries.find((c) => c.commitment === commitment)?.validator;
  return { name: operator(world, model, seat), fields: { taskId, salt, canaryType, verdict: truth } };
}

export function plannedTask(world: World): Partial<Command> {
  const plan = world.plans.find((p) => !p.isPosted);
  if (!plan || world.chance.hit(3)) return {};
  plan.isPosted = true;
  const plain = { flags: abi.TASK_DOWNGRADE_ALLOWED, fuel: 0, reservedFor: '0'.repeat(64), reservedSecs: 0 };
  const terms = { lane: abi.LANE_STANDARD, ...plain };
  return { txid: plan.txid, ...terms, category: 'code', amount: 30n * rules.TOKEN };
}

const CHOICES: Record<number, (world: World, model: Model) => Choice> = {
  [abi.OP_VALIDATOR_APPLY]: applying,
  [abi.OP_VALIDATOR_RESUME]: resuming,
  [abi.OP_VALIDATOR_OBJECT]: objecting,
  [abi.OP_VALIDATOR_JUDGE]: announcing,
  [abi.OP_RECOVERY_SET]: recovering,
  [abi.OP_KEY_ROTATE]: rotating,
  [abi.OP_CHALLENGE_OPEN]: opening,
  [abi.OP_CHALLENGE_VOTE]: voting,
  [abi.OP_REPLAY_SUBMIT]: submitting,
  [abi.OP_REPLAY_OUTCOME]: reporting,
  [abi.OP_CANARY_COMMIT]: committing,
  [abi.OP_CANARY_REVEAL]: revealing,
};

/** Actor and fields of a command on cases; undefined for others. */
export function chooseCase(world: World, model: Model, opcode: number): Choice | undefined {
  return CHOICES[opcode]?.(world, model);
}
