// Random worlds and commands for the differential test: seeded, and biased towards what refuses.
// Keeps: everything follows from the seed; amounts and times are chosen near the borders of the rules.

import * as abi from '../../assembly/abi.ts';
import { type Command, command } from '../model/command.ts';
import type { Model } from '../model/model.ts';
import { CASE_OPS, chooseCase, type Plan, plannedTask, usefulOpcodes } from './case-world.ts';
import { asVote } from './dispute-votes.ts';
import { type CoreConfig, unhex } from './driver.ts';
import type { SeatInit } from './records.ts';
import {
  chooseTaskName,
  chooseVerdict,
  HIRE_MIX,
  HOARD_MIX,
  nextTaskFields,
  TASK_MIX,
} from './task-world.ts';

import {
  Chance,
  hash,
  isOfCases,
  isOfTasks,
  type Kind,
  keyFor,
  kindOf,
  makeConfig,
  makeSeats,
} from './world-setup.ts';

const TOKEN = 1_000_000n;

export interface World {
  seed: number;
  chance: Chance;
  config: CoreConfig;
  seats: SeatInit[];
  /** Ids of agents that may or may not be registered yet. */
  names: string[];
  kind: Kind;
  isBusy: boolean;
  /** Mostly tasks or what follows from them. */
  isTaskWorld: boolean;
  isHoard: boolean;
  /** What should be rare is so many times rarer. */
  calm: number;
  /** Canaries that are prepared, committed, posted. */
  plans: Plan[];
  count: number;
  /** Agent key of a name. */
  agentKey(name: string): string;
}

// An id: 64 hex of its own key, or free form.
const idFor = (name: string): string => (name.startsWith('free') ? `${name}.x/y:z` : keyFor(name));
/** Agent key of a name. */
export const agentKeyFor = (name: string): string =>
  name.startsWith('free') ? hash(idFor(name)) : keyFor(name);

/** Agents besides operators, where their number matters. */
const CROWDS: Partial<Record<Kind, number>> = { hoard: 3, clan: 3, canaries: 28 };

export function makeWorld(seed: number): World {
  const chance = new Chance(seed);
  const kind = kindOf(seed);
  const [isBusy, isTaskWorld, isHoard] = [kind === 'busy', isOfTasks(kind), kind === 'hoard'];
  const config = makeConfig(seed, chance, kind);
  const seats = makeSeats(seed, chance, kind);
  const crowd = isBusy ? 1 : chance.pick([8, 28]);
  const names = Array.from({ length: CROWDS[kind] ?? (isTaskWorld ? 8 : crowd) }, (_, i) =>
    i % 4 === 3 ? `free${i}` : `agent${i}`,
  );
  if (isBusy) names.push('agent0', 'agent0');
  names.push(...seats.map((s) => `op${s.seat}`));
  return {
    seed,
    chance,
    config,
    seats,
    names,
    kind,
    plans: [],
    calm: isOfCases(kind) ? 6 : 1,
    isBusy,
    isTaskWorld,
    isHoard,
    count: 0,
    agentKey: agentKeyFor,
  };
}

// How an actor proves itself: mostly in a way that can pass.
function chooseAuth(world: World, model: Model, name: string): number {
  const { chance, config } = world;
  const auth = chance.pick([1, 1, 1, 1, 2, 3, 3, 4, 4]);
  if (world.calm > 1 && !chance.hit(6)) return abi.AUTH_TX_V1;
  if (chance.hit(10)) return auth;
  const hasKeys = model.s.keys.some((k) => k.owner.key === agentKeyFor(name));
  if (auth === abi.AUTH_API_KEY && !hasKeys) return abi.AUTH_TX_V1;
  if (auth === abi.AUTH_REQUEST_V1 && !config.testnet) return abi.AUTH_TX_V1;
  const unsigned = config.params[abi.PARAM_ALLOW_UNSIGNED] === 1 && world.seats.length === 1;
  return auth === abi.AUTH_UNSIGNED && !unsigned ? abi.AUTH_TX_V1 : auth;
}

// Signed: the public key; else the agent key and the vouching seat.
function credentials(world: World, model: Model, name: string): Partial<Command> {
  const { chance } = world;
  const auth = chooseAuth(world, model, name);
  const signed = auth === abi.AUTH_TX_V1 || auth === abi.AUTH_REQUEST_V1;
  const fields: Partial<Command> = { auth, actor: signed ? keyFor(name) : agentKeyFor(name) };
  if (!signed) fields.seat = chance.hit(12) ? 999 : chance.pick(world.seats).seat;
  if (auth === abi.AUTH_API_KEY && model.s.keys.length > 0) {
    const mine = model.s.keys.filter((k) => k.owner.key === agentKeyFor(name));
    const key = chance.pick(mine.length > 0 && !chance.hit(6) ? mine : model.s.keys);
    fields.keyId = key.id;
    if (!chance.hit(8)) fields.seat = key.seat;
  }
  return fields;
}

function amount(world: World, near: bigint): bigint {
  const { chance } = world;
  const odd = BigInt(1 + chance.int(20_000_000));
  const border = near + BigInt(chance.int(3)) - 1n;
  const choice = chance.pick([odd, odd, odd, odd * 100n, near / 3n, border, 1n, 2n ** 53n - 1n]);
  return choice < 1n ? 1n : choice;
}

function verifyFields(world: World, model: Model): Partial<Command> {
  const { chance } = world;
  const items = model.s.items;
  const item =
    items.length > 0 && !chance.hit(15)
      ? chance.pick(chance.hit(3) ? items.slice(-8) : items.slice(0, 4))
      : undefined;
  const claim = item?.amount ?? 5n;
  // Now and then one that was decided before somebody drawn for it had voted.
  const late = chance.hit(4) ? chance.pick(['', ...model.s.late.slice(-3).map((x) => x.eventId)]) : '';
  const values = [undefined, undefined, claim, claim + 1n, 0n, claim / 2n, 1n].map((v) =>
    v !== undefined && v > 2n ** 53n - 1n ? claim : v,
  );
  return {
    other: late || (item?.eventId ?? hash(`nothing ${world.count}`)),
    verdict: !chance.hit(world.isBusy ? 25 : 7),
    value: chance.pick(values),
  };
}

function keyFields(world: World, model: Model): Partial<Command> {
  const { chance } = world;
  const known = model.s.keys.length > 0 && chance.hit(10);
  const id = known ? chance.pick(model.s.keys).id : BigInt(`0x${hash(`id ${world.count}`).slice(0, 16)}`);
  const scopes = chance.pick([1, 1, 2, 4, 8 | 16, 1023 & ~1, 512]);
  const expires = chance.pick([0, 0, 1, model.s.now + chance.int(400)]);
  const seat = chance.pick(world.seats).seat;
  const init = {
    id,
    hash: unhex(hash(`h${world.count}`)),
    scopes,
    hourlyLimit: chance.pick([1, 2, 1000]),
    expires,
    seat,
  };
  return { newKey: init };
}

function fieldsOf(world: World, model: Model, opcode: number, name: string, auth: number): Partial<Command> {
  const { chance } = world;
  const agent = model.s.agentByKey(agentKeyFor(name));
  const other = chance.hit(20) ? hash(`nobody ${world.count}`) : agentKeyFor(chance.pick(world.names));
  switch (opcode) {
    case abi.OP_REGISTER: {
      const keyless = auth !== abi.AUTH_TX_V1 && name.startsWith('free') && chance.hit(2);
      const publicKey = keyless ? '0'.repeat(64) : keyFor(name);
      const stake = chance.pick([0n, 0n, 1n, 1000n * TOKEN, 50_000n * TOKEN, 50_000n * TOKEN + 1n]);
      const id = chance.hit(60) ? chance.pick(world.seats).id : idFor(name);
      return { publicKey, id, amount: stake };
    }
    case abi.OP_TRANSFER:
      return { other, amount: amount(world, agent?.staked ?? 1n) };
    case abi.OP_GENERATION:
      return { other, amount: amount(world, (agent?.balance ?? 1n) * 1000n) };
    case abi.OP_STAKE:
      return { amount: amount(world, agent?.balance ?? 1n) };
    case abi.OP_UNSTAKE:
      return { amount: amount(world, (agent?.staked ?? 1n) / chance.pick([1n, 1n, 2n])) };
    case abi.OP_VERIFY:
      return verifyFields(world, model);
    case abi.OP_KEY_CREATE:
      return keyFields(world, model);
    case abi.OP_KEY_REVOKE: {
      const mine = agent ? model.s.keys.filter((k) => k.owner === agent) : [];
      const keys = mine.length > 0 && !chance.hit(4) ? mine : model.s.keys;
      const id = keys.length > 0 && !chance.hit(8) ? chance.pick(keys).id : 77n;
      return { newKey: { id, hash: new Uint8Array(32), scopes: 0, hourlyLimit: 0, expires: 0, seat: 0 } };
    }
    default:
      return nextTaskFields(world, model, opcode, agent);
  }
}

// Opcodes by how often they come.
const MIX = [
  ...Array<number>(8).fill(abi.OP_TRANSFER),
  ...Array<number>(20).fill(abi.OP_VERIFY),
  ...Array<number>(3).fill(abi.OP_GENERATION),
  ...Array<number>(3).fill(abi.OP_STAKE),
  ...Array<number>(2).fill(abi.OP_UNSTAKE),
  ...Array<number>(3).fill(abi.OP_REGISTER),
  abi.OP_FAUCET,
  abi.OP_CANARY_RETURN,
  abi.OP_KEY_CREATE,
  abi.OP_KEY_REVOKE,
  abi.OP_INVALID,
];

// An actor: mostly one that is registered.
function chooseName(world: World, model: Model, opcode: number): string {
  const { chance } = world;
  if (opcode === abi.OP_VERIFY && !chance.hit(5)) return `op${chance.pick(world.seats).seat}`;
  // Operators that work lose stake by lost disputes, and with it their part in panels and replays.
  const isSteady = world.calm > 1 && world.kind !== 'court' && !chance.hit(50);
  const name = chance.pick(isSteady ? world.names.filter((n) => !n.startsWith('op')) : world.names);
  if (opcode === abi.OP_REGISTER || model.s.agentByKey(agentKeyFor(name)) || chance.hit(5)) return name;
  return chooseName(world, model, abi.OP_REGISTER);
}

// In a busy world most commands are claims and verdicts.
const BUSY = [abi.OP_GENERATION, abi.OP_VERIFY, abi.OP_VERIFY];

/** In some worlds judges are announced; drawn from nothing, so that the others go on as before. */
const isAnnouncing = ({ seed, kind, count }: World): boolean =>
  seed % 3 === 0 && kind !== 'clan' && count % 8 === 0;

function chooseOpcode(world: World, model: Model): number {
  const { chance } = world;
  if (world.isHoard && !model.s.agentByKey(agentKeyFor('agent0'))) return abi.OP_REGISTER;
  if (world.isHoard && !chance.hit(6)) return chance.pick(HOARD_MIX);
  if (isAnnouncing(world)) return abi.OP_VALIDATOR_JUDGE;
  if (isOfCases(world.kind) && !chance.hit(12)) return chance.pick(usefulOpcodes(world, model));
  if (chance.hit(25)) return chance.pick(CASE_OPS);
  const mix = isOfCases(world.kind) ? TASK_MIX : HIRE_MIX;
  if (world.isTaskWorld && !chance.hit(4)) return chance.pick(mix);
  if (!world.isBusy) return chance.pick(chance.hit(3) ? mix : MIX);
  if (!model.s.agentByKey(agentKeyFor('agent0'))) return abi.OP_REGISTER;
  return chance.int(10) < 8 ? chance.pick(BUSY) : chance.pick(MIX);
}

// Judges mostly agree about an event, so that quorums of both kinds come about.
function opinion(world: World, eventId: string, name: string): boolean {
  const isGood = Number.parseInt(eventId[0]!, 16) % 5 > 1;
  // Four of a clan are always of one mind.
  if (world.kind === 'clan') return isGood !== (!/^op[0-3]$/.test(name) && world.chance.hit(8));
  return world.chance.hit(7) ? !isGood : isGood;
}

/** The TxID of an event that is open, and may be older than TxIDs are remembered, or a new one. */
function oldOrNew(world: World, model: Model): string {
  const { items } = model.s;
  if (items.length > 0 && world.chance.hit(60 * world.calm)) return world.chance.pick(items).eventId;
  return hash(`tx ${world.seed} ${world.count}`);
}

/** Mostly a window that is open, often just so; now and then one that is over, or not yet open. */
function windowAround({ chance }: World, now: number): Pick<Command, 'lastSecond' | 'windowSecs'> {
  const windowSecs = chance.pick([120, 180, abi.MAX_WINDOW_SECS]);
  if (chance.hit(50)) return { lastSecond: Math.max(1, now - 1), windowSecs };
  if (chance.hit(50)) return { lastSecond: now + windowSecs + 1, windowSecs };
  return { lastSecond: chance.pick([0, now, now + windowSecs]), windowSecs };
}

/** The next command; it may repeat a TxID, be expired, come from strangers, or be nonsense. */
export function nextCommand(world: World, model: Model): Command {
  const { chance } = world;
  world.count++;
  const opcode = chooseOpcode(world, model);
  const verdict = opcode === abi.OP_VERIFY ? chooseVerdict(world, model) : undefined;
  const inCase = chooseCase(world, model, opcode);
  const chosen = verdict ?? inCase ?? { name: chooseTaskName(world, model, opcode) };
  const name = chosen.name ?? chooseName(world, model, opcode);
  const repeated = model.s.seen.length > 0 && chance.hit(25 * world.calm);
  const txid = repeated ? chance.pick(model.s.seen).txid : oldOrNew(world, model);
  const proof = credentials(world, model, name);
  const made: Partial<Command> = {
    txid,
    kib: kibOf(txid),
    ...windowAround(world, model.s.now),
    ...proof,
    ...fieldsOf(world, model, opcode, name, proof.auth!),
    ...(verdict
      ? { other: votedOn(model, verdict.item.eventId), verdict: opinion(world, verdict.item.eventId, name) }
      : {}),
    ...inCase?.fields,
    ...(opcode === abi.OP_TASK_CREATE ? plannedTask(world) : {}),
  };
  const flags = (made.flags ?? 0) | acceptance(opcode, txid);
  const c = command(opcode, { ...made, flags, ground: groundOf(made), share: shareOf(made) });
  return asVote(model, c, agentKeyFor(name));
}

/**
 * The event of a vote. Two events may have one id here, since TxIDs are repeated at will, and core and model may find either;
 * of real requests the id is a hash. A vote on both is one on none.
 */
const votedOn = (model: Model, eventId: string): string =>
  model.s.items.filter((item) => item.eventId === eventId).length > 1 ? hash(eventId) : eventId;

/** Mostly accepts that few judges are announced; drawn from nothing, as `kibOf`. */
function acceptance(opcode: number, txid: string): number {
  if (opcode !== abi.OP_TASK_CREATE && opcode !== abi.OP_SUBTASK_CREATE) return 0;
  return Number.parseInt(txid.slice(-6), 16) % 12 === 0 ? 0 : abi.TASK_ACCEPTS_NO_JUDGES;
}

/** What a rejection names, though only one of a dispute may; drawn from nothing, as `kibOf`. */
function groundOf({ verdict, txid }: Partial<Command>): number {
  const draw = Number.parseInt(txid!.slice(-4), 16) % 40;
  return verdict === false && draw === 0 ? abi.GROUND_FRAUD : abi.GROUND_NONE;
}

/** The worker's share in an approval, though only one of a dispute may have one; drawn from nothing, as `kibOf`. */
function shareOf({ verdict, txid }: Partial<Command>): number {
  return verdict === true && Number.parseInt(txid!.slice(-8, -4), 16) % 40 === 0 ? 7 : 0;
}

/** Mostly small, now and then large; drawn from nothing, so that worlds go on as before. */
const kibOf = (txid: string): number => [9, 64, 1025, 8, 3][Number.parseInt(txid.slice(-4), 16) % 40] ?? 1;

/** Milliseconds from one block to the next: mostly little, now and then past deadlines, days or months. */
export function nextGapMs(world: World, model: Model): number {
  const { chance, config } = world;
  // A full TxID window refuses everything: do not stay there.
  if (model.s.seen.length === model.s.capacity(3) && chance.hit(3)) return 600_000;
  const day = config.params[abi.PARAM_DAY_SECS]! * 1000;
  if (world.isHoard && !chance.hit(90)) return chance.pick([0, 1, 1000]);
  if (chance.hit(world.isBusy || world.isTaskWorld ? 150 : 60))
    return chance.pick([31, 31, 92]) * day + chance.int(1000);
  if (chance.hit(world.isTaskWorld ? 60 : 25)) return chance.pick([day, 8 * day, 11 * day, 600_000]);
  const next = model.timers()[0];
  if (next && chance.hit(6 * world.calm))
    return Math.max(0, next.at * 1000 - model.s.timeMs + chance.pick([-1, 0, 0, 1]));
  return chance.pick([0, 1, 400, 1000, 3500, 12_000]);
}
