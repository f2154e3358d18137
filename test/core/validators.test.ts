// Validators as a host sees them: exclusion by a block, application, rotation, the table of seats, dates.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { decodeSeatEvent } from './compare-validators.ts';
import { type EventOutcome, hex, type Outcome } from './driver.ts';
import { hash, key, Net, params, TOKEN } from './fixture.ts';
import * as records from './records.ts';

const DAY = 86_400;

const form = (text: string): Uint8Array => {
  const out = new Uint8Array(72);
  out[0] = text.length;
  out.set(new TextEncoder().encode(text), 8);
  return out;
};

const lane = (net: Net, name: string): bigint => {
  const out = new Uint8Array(56);
  out[0] = name.length;
  out.set(new TextEncoder().encode(name), 4);
  return net.core.query(abi.QUERY_LANE, out)!.getBigUint64(0, true);
};

const named = (net: Net, text: string): bigint | undefined =>
  net.core.query(abi.QUERY_VALIDATOR_FIND, form(text))?.getBigUint64(0, true);

const validator = (net: Net, index: number): DataView => net.core.queryIndex(abi.QUERY_VALIDATOR, index)!;
const u32 = (view: DataView, at: number): number => view.getUint32(at, true);
const u64 = (view: DataView, at: number): bigint => view.getBigUint64(at, true);
const key32 = (view: DataView, at: number): string => hex(new Uint8Array(view.buffer, at, 32));

// A block that proves that seats equivocated.
function exclude(net: Net, seats: number[], gapSecs = 1): Outcome[] {
  net.nowMs += gapSecs * 1000;
  const [block, ...rest] = net.blockRecords([]);
  return net.core.apply(block!, ...seats.map(records.excludeSeat), ...rest);
}

const seatWeights = (net: Net): bigint[] => {
  const view = net.core.query(abi.QUERY_SEATS)!;
  const count = view.byteLength / abi.SEAT_BYTES;
  return Array.from({ length: count }, (_, i) => u64(view, i * abi.SEAT_BYTES + abi.SEAT_WEIGHT));
};

test('an exclusion is an event of the first vertex of its block, even of the first one', () => {
  const net = new Net([{}, {}, {}]);
  const events = exclude(net, [0, 2]).flatMap((o) => (o.kind === 'event' ? [o] : []));
  expect(events.map((e) => [e.type, e.seq, e.order, e.index])).toEqual([
    [abi.EVENT_GENESIS, 1, 1, 0],
    [abi.EVENT_VALIDATOR_STATUS, 2, 1, 1],
    [abi.EVENT_VALIDATOR_STATUS, 3, 1, 2],
  ]);
  const fields = new DataView(events[2]!.fields.buffer, events[2]!.fields.byteOffset);
  expect([0, 4, 8, 12].map((at) => u32(fields, at))).toEqual([
    2,
    abi.VALIDATOR_EXCLUDED,
    abi.STATUS_REASON_EQUIVOCATION,
    0,
  ]);
  expect(seatWeights(net)).toEqual([0n, 12_500n * TOKEN, 0n]);
  expect(net.agent('op0', abi.AGENT_STAKED)).toBe(25_000n * TOKEN);
  expect(exclude(net, [0]).filter((o) => o.kind === 'event')).toEqual([]);
});

test('resumptions are events of the first vertex after exclusions; one that may lose writes stays in the header', () => {
  const net = new Net([{}, {}, {}]);
  const lost = (): bigint[] => {
    const view = net.core.query(abi.QUERY_HEADER)!;
    return [abi.HEADER_LOST_WRITES_ORDER, abi.HEADER_LOST_WRITES_SECS].map((word) => u64(view, 8 * word));
  };
  const resume = (...more: Uint8Array[]): Outcome[] => {
    net.nowMs += 1000;
    const [block, ...rest] = net.blockRecords([]);
    return net.core.apply(block!, ...more, ...rest);
  };
  const weights = seatWeights(net);
  const events = resume(
    records.resumeSeat(0, 3, 7, false),
    records.resumeSeat(2, 4095, 7, false),
    records.excludeSeat(1),
  ).flatMap((o) => (o.kind === 'event' ? [o] : []));
  expect(events.map((e) => [e.type, e.index])).toEqual([
    [abi.EVENT_GENESIS, 0],
    [abi.EVENT_VALIDATOR_STATUS, 1],
    [abi.EVENT_SEAT_RESUMED, 2],
    [abi.EVENT_SEAT_RESUMED, 3],
  ]);
  expect(events.slice(2).map(decodeSeatEvent)).toEqual([
    { seat: 0, incarnation: 3, epoch: 7, mayLose: false },
    { seat: 2, incarnation: 4095, epoch: 7, mayLose: false },
  ]);
  expect([lost(), seatWeights(net)]).toEqual([
    [0n, 0n],
    [weights[0], 0n, weights[2]],
  ]);
  // The last incarnation of a seat in a block is the one that is told.
  const [told] = resume(records.resumeSeat(0, 5, 7, true), records.resumeSeat(0, 6, 7, true));
  expect(decodeSeatEvent(told as EventOutcome)).toEqual({ seat: 0, incarnation: 6, epoch: 7, mayLose: true });
  const [order, secs] = lost();
  expect([order! > 0n, secs]).toEqual([true, BigInt(net.nowMs / 1000)]);
  const root = net.core.stateHash();
  expect(resume(records.resumeSeat(2, 1, 8, false)).filter((o) => o.kind === 'event')).toHaveLength(1);
  expect([lost(), net.core.stateHash() === root]).toEqual([[order, secs], false]);
});

test('seats: keys and weights of all, a suspended one with its weight, a pending one with none', () => {
  const net = new Net([
    {},
    { status: abi.VALIDATOR_PROBATION },
    { status: abi.VALIDATOR_SUSPENDED, stake: 10n * TOKEN },
    { status: abi.NO_STATUS },
  ]);
  const view = net.core.query(abi.QUERY_SEATS)!;
  const field = (at: number): number[] => [0, 1, 2, 3].map((i) => u32(view, i * abi.SEAT_BYTES + at));
  expect(seatWeights(net)).toEqual([12_500n * TOKEN, 0n, 5n * TOKEN, 0n]);
  expect(field(abi.SEAT_VALIDATOR)).toEqual([1, 2, 3, 0]);
  expect(field(abi.SEAT_STATUS)).toEqual([
    abi.VALIDATOR_ACTIVE,
    abi.VALIDATOR_PROBATION,
    abi.VALIDATOR_SUSPENDED,
    abi.NO_STATUS,
  ]);
  expect(field(abi.SEAT_KEY_EPOCH)).toEqual([1, 1, 1, 1]);
  expect(field(abi.SEAT_OPERATOR)).toEqual([0, 1, 2, 3]);
  expect(key32(view, 3 * abi.SEAT_BYTES)).toBe('cb'.repeat(32));
});

test('an applicant is found by id, agent and key, and serves its categories when it is active', () => {
  const net = new Net([{}]);
  net.run([net.register('a', 20_000n * TOKEN)]);
  const apply = net.cmd(abi.OP_VALIDATOR_APPLY, 'a', { categories: ['code', 'poetry'] });
  const { txs } = net.run([apply]);
  expect([txs[0]!.code, txs[0]!.words[0], txs[0]!.words[1]]).toEqual([abi.OK, 1n, 1n]);
  const id = hash(`validator:${apply.txid}`).slice(0, 32);
  expect([id, key('a'), key('a').toUpperCase(), 'v0', 'nobody'].map((text) => named(net, text))).toEqual([
    1n,
    1n,
    1n,
    0n,
    undefined,
  ]);
  const view = validator(net, 1);
  expect(Buffer.from(view.buffer, abi.VALIDATOR_ID, u32(view, abi.VALIDATOR_ID_BYTES)).toString()).toBe(id);
  expect(u32(view, abi.VALIDATOR_STATUS)).toBe(abi.VALIDATOR_PROBATION);
  expect(u32(view, abi.VALIDATOR_CATEGORY_COUNT)).toBe(2);
  expect(u64(view, abi.VALIDATOR_PROBATION_STARTED)).toBe(BigInt(net.nowMs / 1000));
  expect(['code', 'general'].map((name) => lane(net, name))).toEqual([1n, 1n]);
  // Nothing to vote on: the cycle goes on.
  const told = [1, 2, 3].map(() => net.run([], 30 * DAY).events[0]!);
  expect(told.map((e) => u32(new DataView(e.fields.buffer, e.fields.byteOffset), 4))).toEqual([
    abi.VALIDATOR_PROBATION,
    abi.VALIDATOR_PROBATION,
    abi.VALIDATOR_PROBATION,
  ]);
});

test('a rotation is signed by a key that is no agent, and a recovery waits', () => {
  const net = new Net([{}]);
  const rotate = (signer: string, to: string): number[] => {
    const c = net.cmd(abi.OP_KEY_ROTATE, 'op0', { target: 'v0', other: hash(to) });
    return net.codes([{ ...c, actor: signer }]);
  };
  const consensusKey = (): string => key32(validator(net, 0), abi.VALIDATOR_CONSENSUS_KEY);
  expect(rotate(key('op0'), 'second')).toEqual([abi.FORBIDDEN_ACTOR]);
  expect(rotate('c8'.repeat(32), 'second')).toEqual([abi.OK]);
  expect(consensusKey()).toBe(hash('second'));
  expect(net.codes([net.cmd(abi.OP_RECOVERY_SET, 'op0', { other: hash('spare') })])).toEqual([abi.OK]);
  expect(rotate(hash('spare'), 'third')).toEqual([abi.OK]);
  expect(rotate(hash('second'), 'fourth')).toEqual([abi.ROTATION_PENDING]);
  expect(net.core.header(abi.HEADER_NEXT_DEADLINE)).toBe(BigInt(net.nowMs / 1000 - 1 + DAY));
  net.run([], DAY - 2);
  expect(consensusKey()).toBe(hash('second'));
  net.run([], 1);
  expect(consensusKey()).toBe(hash('third'));
  expect(u32(validator(net, 0), abi.VALIDATOR_KEY_EPOCH)).toBe(3);
  const keyed = { ...net.cmd(abi.OP_KEY_ROTATE, 'op0', { target: 'v0' }), auth: abi.AUTH_API_KEY, seat: 0 };
  expect(net.codes([keyed])).toEqual([abi.AUTH_REQUIRED]);
});

test('probation that began before the clock is dated to its start, with its timer', () => {
  const net = new Net([{}, { status: abi.VALIDATOR_PROBATION }], { launchSecs: 0 });
  expect(net.core.header(abi.HEADER_NEXT_DEADLINE)).toBe(1n + 30n * BigInt(DAY));
  net.run([]);
  const launch = BigInt(net.nowMs / 1000);
  const view = validator(net, 1);
  expect(u64(view, abi.VALIDATOR_PROBATION_STARTED)).toBe(launch);
  expect(u64(validator(net, 0), abi.VALIDATOR_ACTIVATED_AT)).toBe(launch);
  expect(net.core.header(abi.HEADER_NEXT_DEADLINE)).toBe(launch + 30n * BigInt(DAY));
});

test('a stake below the required one suspends after 7 days, and the operator resumes with enough', () => {
  const net = new Net([{ stake: 9_999n * TOKEN }, {}], { params: params({ [abi.PARAM_DAY_SECS]: 100 }) });
  net.run([]);
  const since = net.nowMs / 1000;
  expect(u64(validator(net, 0), abi.VALIDATOR_BELOW_SINCE)).toBe(BigInt(since));
  expect(net.run([], 699).events).toEqual([]);
  expect(net.run([], 1).events.map((e) => e.type)).toEqual([abi.EVENT_VALIDATOR_STATUS]);
  expect(u32(validator(net, 0), abi.VALIDATOR_REASON)).toBe(abi.STATUS_REASON_STAKE);
  const resume = (): number[] => net.codes([net.cmd(abi.OP_VALIDATOR_RESUME, 'op0', { target: 'v0' })]);
  expect(resume()).toEqual([abi.STAKE_BELOW_REQUIRED]);
  net.run([net.cmd(abi.OP_STAKE, 'op0', { amount: TOKEN })]);
  expect(resume()).toEqual([abi.OK]);
  expect(u32(validator(net, 0), abi.VALIDATOR_STATUS)).toBe(abi.VALIDATOR_ACTIVE);
  expect(u64(validator(net, 0), abi.VALIDATOR_BELOW_SINCE)).toBe(0n);
});
