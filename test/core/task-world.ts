// Random commands on tasks for the differential test: mostly by those who may, now and then by anybody.
// Keeps: everything follows from the world's seed.

import * as abi from '../../assembly/abi.ts';
import type { Command } from '../model/command.ts';
import * as figures from '../model/figures.ts';
import type { Model } from '../model/model.ts';
import type { ModelAgent, ModelItem, ModelValidator } from '../model/state.ts';
import type { ModelTask } from '../model/task-state.ts';
import { hasCommitted } from '../model/voting.ts';
import type { World } from './world.ts';
import { isOfCases } from './world-setup.ts';

const TOKEN = 1_000_000n;
const CATEGORIES = ['general', 'code', 'code', 'data', 'content', 'poetry', 'odd "name"', 'x', 'y', 'z'];

const CATEGORIES_OF: Record<string, string[]> = { canaries: ['code', 'code', 'poetry'], clan: ['code'] };
const LANES: Record<string, number[]> = {
  court: [1, 1, 1, 1, 2, 3],
  canaries: [1, 1, 1, 1, 0],
};

/** Opcodes of tasks by how often they come. */
export const TASK_MIX = [
  ...Array<number>(6).fill(abi.OP_TASK_CREATE),
  ...Array<number>(7).fill(abi.OP_TASK_CLAIM),
  ...Array<number>(5).fill(abi.OP_TASK_SUBMIT),
  ...Array<number>(4).fill(abi.OP_SUBTASK_CREATE),
  ...Array<number>(3).fill(abi.OP_TASK_APPROVE),
  ...Array<number>(3).fill(abi.OP_TASK_DISPUTE),
  ...Array<number>(3).fill(abi.OP_TASK_CONTEST),
  abi.OP_TASK_CONCEDE,
  ...Array<number>(3).fill(abi.OP_TASK_OPEN),
  ...Array<number>(6).fill(abi.OP_VERIFY),
  ...Array<number>(2).fill(abi.OP_TRAJECTORY_COMMIT),
  ...Array<number>(2).fill(abi.OP_ROUTER_REGISTER),
  abi.OP_ROUTER_AVAILABLE,
  abi.OP_ROUTER_REMOVE,
  abi.OP_TASK_CANCEL,
  abi.OP_TASK_RELEASE,
  abi.OP_PROGRAM_PUBLISH,
  abi.OP_SERVICE_LIST,
  abi.OP_SERVICE_UNLIST,
];

/** With direct hires, which worlds of cases do without. */
export const HIRE_MIX = [...TASK_MIX, abi.OP_TASK_DECLINE];

/** A few agents that claim and commit whatever they can: limits come up. */
export const HOARD_MIX = [
  ...Array<number>(5).fill(abi.OP_TASK_CREATE),
  ...Array<number>(6).fill(abi.OP_TASK_CLAIM),
  ...Array<number>(4).fill(abi.OP_TRAJECTORY_COMMIT),
  ...Array<number>(4).fill(abi.OP_SUBTASK_CREATE),
  abi.OP_UNSTAKE,
];

const statusFor: Record<number, number[]> = {
  [abi.OP_TASK_CLAIM]: [abi.TASK_OPEN],
  [abi.OP_TASK_SUBMIT]: [abi.TASK_CLAIMED],
  [abi.OP_SUBTASK_CREATE]: [abi.TASK_CLAIMED],
  [abi.OP_TASK_APPROVE]: [abi.TASK_SUBMITTED],
  [abi.OP_TASK_DISPUTE]: [abi.TASK_SUBMITTED],
  [abi.OP_TASK_CONTEST]: [abi.TASK_DISPUTED],
  [abi.OP_TASK_CONCEDE]: [abi.TASK_DISPUTED],
  [abi.OP_TASK_OPEN]: [abi.TASK_DISPUTED],
  [abi.OP_TASK_CANCEL]: [abi.TASK_OPEN, abi.TASK_CLAIMED],
  [abi.OP_TASK_RELEASE]: [abi.TASK_CLAIMED],
  [abi.OP_TASK_DECLINE]: [abi.TASK_OPEN],
  [abi.OP_TRAJECTORY_COMMIT]: [abi.TASK_CLAIMED, abi.TASK_SUBMITTED],
};
const byClaimer = [
  abi.OP_TASK_SUBMIT,
  abi.OP_SUBTASK_CREATE,
  abi.OP_TRAJECTORY_COMMIT,
  abi.OP_TASK_RELEASE,
  abi.OP_TASK_CONTEST,
  abi.OP_TASK_CONCEDE,
  abi.OP_TASK_OPEN,
] as number[];
const byPoster = [abi.OP_TASK_APPROVE, abi.OP_TASK_DISPUTE, abi.OP_TASK_CANCEL] as number[];

// The task that the world has in mind: chosen with the actor, used again for the fields.
const intended = new WeakMap<World, ModelTask | undefined>();

// A clan disputes what is unassured, mostly.
function suits(world: World, task: ModelTask, opcode: number): boolean {
  if (world.kind !== 'clan' || task.status !== abi.TASK_SUBMITTED) return true;
  const isDispute = opcode === abi.OP_TASK_DISPUTE;
  return isDispute !== (task.lane !== abi.LANE_NONE) || world.chance.hit(4);
}

function chooseTask(world: World, model: Model, opcode: number): ModelTask | undefined {
  const { chance } = world;
  const tasks = model.s.tasks;
  if (tasks.length === 0 || chance.hit(20 * world.calm)) return undefined;
  const fits = (t: ModelTask): boolean =>
    opcode !== abi.OP_TASK_DECLINE || (t.flags & abi.TASK_RESERVED) !== 0;
  const fitting = tasks.filter(
    (t) => statusFor[opcode]?.includes(t.status) && fits(t) && suits(world, t, opcode),
  );
  const pool = fitting.length > 0 && !chance.hit(12 * world.calm) ? fitting : tasks;
  const recent = chance.hit(2) ? pool.slice(-4) : pool;
  return chance.pick(recent);
}

/** The name of who acts on a task: mostly its claimer or poster; undefined when anybody may. */
export function chooseTaskName(world: World, model: Model, opcode: number): string | undefined {
  intended.set(world, undefined);
  if (statusFor[opcode] === undefined) return undefined;
  if (world.isHoard && opcode === abi.OP_SUBTASK_CREATE) {
    const parents = model.s.tasks.filter((t) => t.status === abi.TASK_CLAIMED && !t.parent);
    const most = parents.sort((a, b) => b.createdByClaim - a.createdByClaim)[0];
    if (most) intended.set(world, most);
    if (most) return nameOf(world, model, most.claimer);
  }
  const task = chooseTask(world, model, opcode);
  intended.set(world, task);
  if (world.isHoard && opcode === abi.OP_TASK_CLAIM && !world.chance.hit(3)) return hoard(world, model);
  if (!task || world.chance.hit(10 * world.calm)) return undefined;
  const actor = answersHire(world, task, opcode)
    ? model.s.agents[task.routed.routedTo!]
    : byClaimer.includes(opcode)
      ? task.claimer
      : byPoster.includes(opcode)
        ? task.poster
        : undefined;
  return nameOf(world, model, actor);
}

// Of a reserved task mostly the agent that is meant, whether it takes or declines it.
function answersHire(world: World, task: ModelTask, opcode: number): boolean {
  if (opcode !== abi.OP_TASK_CLAIM && opcode !== abi.OP_TASK_DECLINE) return false;
  return (task.flags & abi.TASK_RESERVED) !== 0 && !world.chance.hit(4);
}

// The first agent takes one more task that it may take.
function hoard(world: World, model: Model): string | undefined {
  const agent = model.s.agentByKey(world.agentKey(world.names[0]!));
  const open = model.s.tasks.filter((t) => t.status === abi.TASK_OPEN && t.poster !== agent);
  const free = open.filter(
    (t) => t.parent?.poster !== agent && agent && !t.bars.some((bar) => bar.isClaim && bar.agent === agent),
  );
  if (free.length > 0) intended.set(world, world.chance.pick(free));
  return world.names[0];
}

/** The name that an agent has in the world. */
export function nameOf(world: World, model: Model, agent: ModelAgent | undefined): string | undefined {
  return agent && world.names.find((name) => model.s.agentByKey(world.agentKey(name)) === agent);
}

/** Who may still vote on an open submission or dispute. */
export function judgesLeft(model: Model, item: ModelItem): ModelValidator[] {
  const inOffice = [abi.VALIDATOR_ACTIVE, abi.VALIDATOR_PROBATION] as number[];
  const isLeft = (v: ModelValidator): boolean => {
    if (item.isRevealing) return item.commitments.some((c) => c.validator === v);
    return !figures.isKeptOut(item, v) && !hasCommitted(item, v);
  };
  return model.s.validators.filter((v) => inOffice.includes(v.status) && isLeft(v));
}

/** In worlds of tasks: an open submission or dispute, and mostly one of its judges to vote on it. */
export function chooseVerdict(
  world: World,
  model: Model,
): { name: string | undefined; item: ModelItem } | undefined {
  const { chance } = world;
  const items = model.s.items.filter((i) => i.task && (!i.isClosed || chance.hit(10 * world.calm)));
  if (!world.isTaskWorld || items.length === 0 || chance.hit(5 * world.calm)) return undefined;
  // Of one's own free will one goes where a vote is missing.
  const waiting = items.filter((i) => judgesLeft(model, i).length > 0);
  const item = chance.pick(waiting.length > 0 && world.calm > 1 ? waiting.slice(0, 2) : items);
  const open = judgesLeft(model, item);
  // Those in probation first: their votes count for nothing but themselves.
  const novices = open.filter((v) => v.status === abi.VALIDATOR_PROBATION);
  const left = novices.length > 0 && !chance.hit(3) ? novices : open;
  const judge = left.length > 0 && !chance.hit(8 * world.calm) ? chance.pick(left) : undefined;
  return { item, name: nameOf(world, model, judge?.agent) };
}

// What a task says of contract and delivery: a contract takes no lane, and pays at once only for plain bytes. Two large ones do not fit a block.
function contractTerms(
  { chance, config }: World,
  lane: number,
  flags: number,
): { fuel: number; flags: number } {
  const isPlain = (flags & abi.TASK_ENCRYPTED) === 0;
  if (lane === 0 && chance.hit(2)) {
    const isSeeded = chance.hit(3) && config.params[abi.PARAM_FUEL_PRICE] !== 0;
    return {
      fuel: chance.pick([1, 1_000_000, 12_000_000, 60_000_000, 200_000_000]),
      flags: (isPlain && chance.hit(2) ? abi.TASK_ON_PASS : 0) | (isSeeded ? abi.TASK_SEEDED : 0),
    };
  }
  if (!chance.hit(4)) return { fuel: 0, flags: 0 };
  return { fuel: 0, flags: abi.TASK_EXTERNAL | (chance.hit(2) ? abi.TASK_PAYS_SILENTLY : 0) };
}

// Whom a task is reserved for: mostly one of the world's agents, now and then a stranger or its poster.
function reservationTerms(world: World): Partial<Command> & { flags: number } {
  const { chance } = world;
  if (world.isHoard || isOfCases(world.kind) || !chance.hit(4)) return { flags: 0 };
  const name = chance.pick(world.names);
  return {
    reservedFor: chance.hit(12) ? 'e'.repeat(64) : world.agentKey(name),
    reservedSecs: chance.pick([0, 1, 20, 300, 2_592_000]),
    flags: abi.TASK_RESERVED | (chance.hit(2) ? abi.TASK_RESERVED_OR_REFUND : 0),
  };
}

function terms(
  world: World,
  model: Model,
  agent: ModelAgent | undefined,
  free: bigint | undefined,
): Partial<Command> {
  const { chance } = world;
  const flags = chance.pick([0, 0, abi.TASK_ENCRYPTED]) | (chance.hit(4) ? 0 : abi.TASK_DOWNGRADE_ALLOWED);
  const odd = BigInt(chance.int(3_000_000));
  const small = [100_000n, 99_999n, 100_000n + odd, TOKEN + odd, 5n * TOKEN + odd];
  const large = [25n * TOKEN - 1n, 25n * TOKEN, 26n * TOKEN + odd, 90n * TOKEN, 200n * TOKEN + odd];
  const own = free === undefined ? (agent?.balance ?? 1n) : free;
  const rest = own < 0n ? 0n : own;
  const huge = [rest, rest + 1n, 40_000n * TOKEN + odd];
  const hasClan = model.s.validators.some((v) => v.cluster);
  const isPlain = chance.hit(3) !== (world.kind === 'clan');
  const clanLanes = world.kind === 'clan' ? (hasClan ? [1] : [0, 0, 0, 1]) : undefined;
  const lane = world.isHoard ? 0 : chance.pick(clanLanes ?? LANES[world.kind] ?? [0, 0, 1, 1, 2, 3, 3]);
  // Where much is completed, huge budgets would take the stakes of all below what is required.
  const top = world.calm > 1 && world.kind !== 'court' ? [] : huge;
  const isLarge = lane > 0 || (!world.isHoard && chance.hit(4));
  const amounts = isLarge ? [...large, ...large, ...top] : [...small, ...small, ...large];
  const amount = free === undefined ? chance.pick(amounts) : chance.pick([...small, ...small, ...huge, 0n]);
  const contract = contractTerms(world, lane, flags);
  const reservation = reservationTerms(world);
  return {
    ...reservation,
    fuel: contract.fuel,
    amount,
    flags:
      flags |
      (chance.hit(2) ? 0 : abi.TASK_BOND_GIVEN) |
      (isPlain ? 0 : abi.TASK_GENERATION_ELIGIBLE) |
      (chance.hit(3) ? abi.TASK_EXCLUSIVE : 0) |
      contract.flags |
      reservation.flags,
    lane,
    reviewSecs: chance.pick([0, 0, 1, 7, 604_800]),
    workerBond: amount < 50_000n ? 0n : chance.pick([0n, 1n, 50_000n]),
    noQuorum: chance.pick([abi.NO_QUORUM_SPLIT, abi.NO_QUORUM_WORKER, abi.NO_QUORUM_POSTER]),
    deliverySecs: world.isHoard ? 2_592_000 : chance.pick([0, 0, 1, 30, 2_592_000]),
    category: chance.pick(CATEGORIES_OF[world.kind] ?? CATEGORIES),
    tags: chance.pick([[], ['a'], ['a', 'b', 'c']]),
  };
}

function submitFlags(world: World, task: ModelTask | undefined): number {
  const { chance } = world;
  const isEncrypted = ((task?.flags ?? 0) & abi.TASK_ENCRYPTED) !== 0;
  const rare = (oneIn: number): boolean => chance.hit(oneIn * world.calm);
  let flags = rare(15) ? 0 : abi.SUBMIT_SCORED;
  if (!chance.hit(6)) flags |= abi.SUBMIT_HAS_CONTENT;
  if (chance.hit(3)) flags |= abi.SUBMIT_HAS_PLACE;
  if (isEncrypted !== rare(12)) flags |= abi.SUBMIT_ENCRYPTED;
  // The host commits an encrypted content only.
  const mayBeSealed = (flags & abi.SUBMIT_HAS_CONTENT) !== 0 && (flags & abi.SUBMIT_ENCRYPTED) !== 0;
  if (mayBeSealed && !rare(8)) flags |= abi.SUBMIT_SEALED;
  if (rare(15)) flags |= abi.SUBMIT_HASH_MISMATCH;
  if (!chance.hit(4)) flags |= abi.SUBMIT_FACTS_HOLD;
  return flags;
}

// Mostly the key that fits, where one is of use.
function openingFlags({ chance, calm }: World, task: ModelTask | undefined): number {
  const isSealed = ((task?.flags ?? 0) & abi.TASK_SEALED) !== 0;
  if (chance.hit(isSealed ? 4 : 12 * calm)) return isSealed ? 0 : abi.OPEN_GIVEN;
  if (!isSealed) return 0;
  if (chance.hit(8)) return abi.OPEN_GIVEN;
  const matches = abi.OPEN_GIVEN | abi.OPEN_MATCHES;
  return chance.hit(4) ? matches : matches | abi.OPEN_HOLDS;
}

/** Fields of a command on tasks; nothing for others. */
export function nextTaskFields(
  world: World,
  model: Model,
  opcode: number,
  agent: ModelAgent | undefined,
): Partial<Command> {
  const { chance } = world;
  const task = intended.get(world) ?? (chance.hit(2) ? model.s.tasks.at(-1) : undefined);
  const taskId = task?.id ?? 'f'.repeat(32);
  switch (opcode) {
    case abi.OP_TASK_CREATE:
      return terms(world, model, agent, undefined);
    case abi.OP_ROUTER_REGISTER:
      return {
        amount: chance.pick([0n, 1n, 100_000n, TOKEN, 30n * TOKEN]),
        most: chance.pick([1, 2, 5]),
        categories: [...new Set([chance.pick(CATEGORIES), chance.pick(CATEGORIES)])],
        tags: chance.pick([[], ['a'], ['b', 'c']]),
      };
    case abi.OP_ROUTER_AVAILABLE:
      return { verdict: !chance.hit(3) };
    case abi.OP_SUBTASK_CREATE:
      return { taskId, ...terms(world, model, agent, task ? task.escrow - task.assuranceFee : 1n) };
    case abi.OP_TASK_SUBMIT:
      return { taskId, flags: submitFlags(world, task), overallBp: chance.pick([0, 10_000, 5_000, 7_777]) };
    case abi.OP_TASK_DISPUTE:
    case abi.OP_TASK_CONTEST:
    case abi.OP_TASK_OPEN:
      return { taskId, flags: openingFlags(world, task) };
    case abi.OP_TRAJECTORY_COMMIT:
      return { taskId, flags: chance.pick([0, 0, 0, 1, 3]) };
    default:
      return { taskId };
  }
}
