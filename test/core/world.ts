// Random worlds and commands for the differential test: seeded, and biased towards what refuses.
// Keeps: everything follows from the seed; amounts and times are chosen near the borders of the rules.

import { createHash } from 'node:crypto';
import * as abi from '../../assembly/abi.ts';
import { type Command, command } from '../model/command.ts';
import type { Model } from '../model/model.ts';
import { type CoreConfig, DEFAULT_PARAMS, unhex } from './driver.ts';
import type { SeatInit } from './records.ts';
import {
  busyTaskWorld,
  chooseTaskName,
  chooseVerdict,
  HOARD_MIX,
  nextTaskFields,
  TASK_MIX,
} from './task-world.ts';

const TOKEN = 1_000_000n;
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** mulberry32: small, seeded, good enough to choose test cases. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 .. below - 1 */
  int(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  }

  hit(oneIn: number): boolean {
    return this.int(oneIn) === 0;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)]!;
  }
}

export interface World {
  seed: number;
  chance: Chance;
  config: CoreConfig;
  seats: SeatInit[];
  /** Ids of agents that may or may not be registered yet. */
  names: string[];
  /** Few agents and short days, so that much is settled and tiers, scores and calibrations are climbed. */
  isBusy: boolean;
  /** Mostly tasks, with validators enough for every lane. */
  isTaskWorld: boolean;
  /** Of these: few agents that take whatever they can. */
  isHoard: boolean;
  count: number;
  /** Agent key of a name. */
  agentKey(name: string): string;
}

// An id: 64 hex of its own key, or free form.
const keyFor = (name: string): string => hash(`key ${name}`);
const idFor = (name: string): string => (name.startsWith('free') ? `${name}.x/y:z` : keyFor(name));
/** Agent key of a name. */
export const agentKeyFor = (name: string): string =>
  name.startsWith('free') ? hash(idFor(name)) : keyFor(name);

function makeConfig(seed: number, chance: Chance, isBusy: boolean): CoreConfig {
  const params = [...DEFAULT_PARAMS];
  params[abi.PARAM_DAY_SECS] = isBusy ? 3 : chance.pick([86400, 3600, 100, 10, 1]);
  params[abi.PARAM_VERIFICATION_DEADLINE_SECS] = isBusy ? 300 : chance.pick([300, 300, 20, 3, 100_000]);
  params[abi.PARAM_FAUCET_COOLDOWN_SECS] = chance.pick([86400, 50]);
  params[abi.PARAM_FAUCET_AMOUNT] = chance.pick([5_000_000_000, 3_000_000_000_000_000]);
  params[abi.PARAM_MIN_PARTICIPANTS] = isBusy ? 1 : chance.pick([1, 1, 2, 3]);
  params[abi.PARAM_ALLOW_UNSIGNED] = chance.pick([1, 1, 0]);
  params[abi.PARAM_LEGACY_OPEN_COORDINATION] = chance.pick([0, 1]);
  const tight = !isBusy && seed % 3 === 0 && seed % 16 !== 6;
  return {
    testnet: !chance.hit(4),
    chainId: chance.pick(['vws-testnet-1', 'vws-mainnet-1', 'odd "chain"\\\t1']),
    launchSecs: chance.pick([0, 0, 1_799_999_000]),
    params,
    capacities: tight
      ? [24, 12, 8, 150, 8, 30, 24, 8, 6, 5, 300, 9]
      : [300, 300, 900, 4000, 300, 600, 24, 8, 200, 200, 300, 300],
  };
}

function makeSeats(chance: Chance, isBusy: boolean, isTaskWorld: boolean, isHoard: boolean): SeatInit[] {
  const statuses = [abi.VALIDATOR_ACTIVE, abi.VALIDATOR_ACTIVE, abi.VALIDATOR_ACTIVE];
  statuses.push(abi.VALIDATOR_PROBATION, abi.VALIDATOR_SUSPENDED, abi.VALIDATOR_EXCLUDED, abi.NO_STATUS);
  const count = isBusy ? 1 : chance.pick(isHoard ? [4] : isTaskWorld ? [4, 6, 12, 22] : [1, 2, 4, 7, 22]);
  return Array.from({ length: count }, (_, seat) => ({
    seat,
    status: seat === 0 || count === 22 ? abi.VALIDATOR_ACTIVE : chance.pick(statuses),
    operator: unhex(keyFor(`op${seat}`)),
    stake: chance.pick([25_000n, 25_000n, 24_999n, 40_000n, 1n]) * TOKEN + BigInt(chance.int(3)),
    baselineBp: isBusy ? 5000 : chance.pick([5000, 5000, 8000, 0, 10000]),
    id: chance.pick(['v', 'V', 'val-', 'v1']) + seat * 7,
    categories: chance.pick([[], ['code'], ['code', 'data "x"'], ['überall']]),
  }));
}

export function makeWorld(seed: number): World {
  const chance = new Chance(seed);
  const isBusy = seed % 4 === 0;
  const isTaskWorld = seed % 4 === 2;
  const isHoard = seed % 16 === 6;
  const config = makeConfig(seed, chance, isBusy);
  if (isTaskWorld) busyTaskWorld(chance, config);
  const seats = makeSeats(chance, isBusy, isTaskWorld, isHoard);
  const crowd = isBusy ? 1 : chance.pick([8, 28]);
  const names = Array.from({ length: isHoard ? 3 : isTaskWorld ? 8 : crowd }, (_, i) =>
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
  if (chance.hit(10)) return auth;
  const hasKeys = model.s.keys.some((k) => k.owner.key === agentKeyFor(name));
  if (auth === abi.AUTH_API_KEY && !hasKeys) return abi.AUTH_TX_V1;
  const unsigned = config.params[abi.PARAM_ALLOW_UNSIGNED] === 1;
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
  const values = [undefined, undefined, claim, claim + 1n, 0n, claim / 2n, 1n].map((v) =>
    v !== undefined && v > 2n ** 53n - 1n ? claim : v,
  );
  return {
    other: item?.eventId ?? hash(`nothing ${world.count}`),
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
    hourlyLimit: chance.int(1000),
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
      return { publicKey, id: idFor(name), amount: stake };
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
  abi.OP_KEY_CREATE,
  abi.OP_KEY_REVOKE,
  abi.OP_INVALID,
];

// An actor: mostly one that is registered.
function chooseName(world: World, model: Model, opcode: number): string {
  const { chance } = world;
  if (opcode === abi.OP_VERIFY && !chance.hit(5)) return `op${chance.pick(world.seats).seat}`;
  const name = chance.pick(world.names);
  if (opcode === abi.OP_REGISTER || model.s.agentByKey(agentKeyFor(name)) || chance.hit(5)) return name;
  return chooseName(world, model, abi.OP_REGISTER);
}

// In a busy world most commands are claims and verdicts.
const BUSY = [abi.OP_GENERATION, abi.OP_VERIFY, abi.OP_VERIFY];

function chooseOpcode(world: World, model: Model): number {
  const { chance } = world;
  if (world.isHoard && !model.s.agentByKey(agentKeyFor('agent0'))) return abi.OP_REGISTER;
  if (world.isHoard && !chance.hit(6)) return chance.pick(HOARD_MIX);
  if (world.isTaskWorld && !chance.hit(4)) return chance.pick(TASK_MIX);
  if (!world.isBusy) return chance.pick(chance.hit(3) ? TASK_MIX : MIX);
  if (!model.s.agentByKey(agentKeyFor('agent0'))) return abi.OP_REGISTER;
  return chance.int(10) < 8 ? chance.pick(BUSY) : chance.pick(MIX);
}

// Judges mostly agree about an event, so that quorums of both kinds come about.
function opinion(world: World, eventId: string): boolean {
  const isGood = Number.parseInt(eventId[0]!, 16) % 5 > 1;
  return world.chance.hit(7) ? !isGood : isGood;
}

/** The next command; it may repeat a TxID, be expired, come from strangers, or be nonsense. */
export function nextCommand(world: World, model: Model): Command {
  const { chance } = world;
  world.count++;
  const opcode = chooseOpcode(world, model);
  const verdict = opcode === abi.OP_VERIFY ? chooseVerdict(world, model) : undefined;
  const chosen = verdict ? verdict.name : chooseTaskName(world, model, opcode);
  const name = chosen ?? chooseName(world, model, opcode);
  const repeated = model.s.seen.length > 0 && chance.hit(25);
  const txid = repeated ? chance.pick(model.s.seen).txid : hash(`tx ${world.seed} ${world.count}`);
  const now = model.s.now;
  const proof = credentials(world, model, name);
  return command(opcode, {
    txid,
    lastSecond: chance.hit(50) ? Math.max(1, now - 1) : chance.pick([0, now, now + 100_000]),
    ...proof,
    ...fieldsOf(world, model, opcode, name, proof.auth!),
    ...(verdict ? { other: verdict.item.eventId, verdict: opinion(world, verdict.item.eventId) } : {}),
  });
}

/** Milliseconds from one block to the next: mostly little, now and then past deadlines, days or months. */
export function nextGapMs(world: World, model: Model): number {
  const { chance, config } = world;
  // A full TxID window refuses everything: do not stay there.
  if (model.s.seen.length === model.s.capacity(3) && chance.hit(3)) return 600_000;
  const day = config.params[abi.PARAM_DAY_SECS]! * 1000;
  if (world.isHoard && !chance.hit(90)) return chance.pick([0, 1, 1000]);
  if (chance.hit(world.isBusy || world.isTaskWorld ? 200 : 60)) return 31 * day + chance.int(1000);
  if (chance.hit(world.isTaskWorld ? 60 : 25)) return chance.pick([day, 11 * day, 600_000, 599_999]);
  const next = model.timers()[0];
  if (next && chance.hit(6)) return Math.max(0, next.at * 1000 - model.s.timeMs + chance.pick([-1, 0, 0, 1]));
  return chance.pick([0, 1, 400, 1000, 3500, 12_000]);
}
