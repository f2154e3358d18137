// The module's interface itself: initialisation, framing, malformed queries, the trap record.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { command, toRecord } from '../model/command.ts';
import { Core, concat, DEFAULT_PARAMS, SMALL } from './driver.ts';
import { config, key, Net, params, seatRecord, TOKEN } from './fixture.ts';
import * as records from './records.ts';

test('a configuration of another version, shape or size is refused', () => {
  const tooLarge = [...SMALL];
  tooLarge[0] = 8_000_000;
  const refused: [number, Partial<Parameters<typeof config>[0]>][] = [
    [abi.INIT_BAD_CONFIG, { chainId: '' }],
    [abi.INIT_BAD_CONFIG, { chainId: 'x'.repeat(65) }],
    [abi.INIT_BAD_CONFIG, { params: params({ [abi.PARAM_DAY_SECS]: 0 }) }],
    [abi.INIT_BAD_CONFIG, { params: params({ [abi.PARAM_CLAIM_STAKE]: 0 }) }],
    [abi.INIT_BAD_CONFIG, { capacities: [100, 100, 100, 100, 100, 100, 65_535] }],
    [abi.INIT_NO_MEMORY, { capacities: tooLarge }],
  ];
  for (const [code, over] of refused) expect(() => new Core(config(over))).toThrow(`core_init: ${code}`);
  const core = new Core(config());
  expect(core.init(new Uint8Array(8))).toBe(abi.INIT_BAD_CONFIG);
});

test('default capacities fit in 1.9 gibibytes and no page is added later', () => {
  const core = new Core(config({ capacities: [] }));
  const bytes = core.memoryBytes;
  expect(bytes).toBeLessThanOrEqual(1.9 * 2 ** 30);
  core.apply(seatRecord(0), records.genesisEnd());
  core.stateHash();
  expect(core.memoryBytes).toBe(bytes);
  expect(core.fullSupply()).toBe(10n ** 15n);
});

test('records that are malformed or out of place are refused with no effect', () => {
  const net = new Net();
  net.run([net.register('a', TOKEN)]);
  const block = records.block(net.nowMs, 9, new Uint8Array(32));
  const vertex = records.vertex(50, 0, 1);
  const good = toRecord(net.cmd(abi.OP_FAUCET, 'a'));
  const patched = (bytes: Uint8Array, at: number, value: number): Uint8Array => {
    const copy = bytes.slice();
    copy[at] = value;
    return copy;
  };
  const bad: Uint8Array[][] = [
    [new Uint8Array(8)],
    [block.subarray(0, 48)],
    [patched(block, 4, 57)],
    [patched(block, 4, 255)],
    [good],
    [vertex],
    [records.blockEnd()],
    [records.genesisEnd()],
    [seatRecord(1)],
    [records.block(net.nowMs - 1, 9, new Uint8Array(32))],
    [block, block],
    [records.excludeSeat(0)],
    [block, records.excludeSeat(1)],
    [block, patched(records.excludeSeat(0), 4, 8)],
    [block, vertex, records.excludeSeat(0)],
    [records.resumeSeat(0, 1, 0, false)],
    [block, records.resumeSeat(1, 1, 0, false)],
    [block, records.resumeSeat(0, 0, 0, false)],
    [block, records.resumeSeat(0, 4096, 0, false)],
    [block, patched(records.resumeSeat(0, 1, 0, false), 24, 2)],
    [block, patched(records.resumeSeat(0, 1, 0, false), 4, 24)],
    [block, vertex, records.resumeSeat(0, 1, 0, false)],
    [block, good],
    [block, records.vertex(1, 0, 1)],
    [block, vertex, records.blockEnd()],
    [block, vertex, patched(good, 0, 99)],
    [block, vertex, good, good],
    [block, vertex, toRecord(command(abi.OP_STAKE, { amount: 0n }))],
    [block, vertex, toRecord(command(abi.OP_TRANSFER, { amount: 2n ** 53n }))],
    [block, vertex, patched(toRecord(net.cmd(abi.OP_VALIDATOR_RESUME, 'a')), 96, 65)],
    [block, vertex, patched(toRecord(net.cmd(abi.OP_VALIDATOR_APPLY, 'a')), 96, 21)],
    [block, vertex, patched(toRecord(net.cmd(abi.OP_VALIDATOR_APPLY, 'a')), 112, 51)],
    [block, vertex, toRecord(net.cmd(abi.OP_VALIDATOR_APPLY, 'a', { maxFee: 2n ** 53n }))],
    [block, vertex, toRecord(net.cmd(abi.OP_CHALLENGE_OPEN, 'a', { offense: 4 }))],
    [block, vertex, toRecord(net.cmd(abi.OP_CHALLENGE_VOTE, 'a', { outcome: abi.CHALLENGE_OPEN }))],
    [block, vertex, toRecord(net.cmd(abi.OP_REPLAY_SUBMIT, 'a', { checks: [3] }))],
    [block, vertex, toRecord(net.cmd(abi.OP_REPLAY_SUBMIT, 'a', { checks: new Array(61).fill(0) }))],
    [block, vertex, toRecord(net.cmd(abi.OP_REPLAY_OUTCOME, 'a', { outcome: 4 }))],
    [block, vertex, toRecord(net.cmd(abi.OP_CANARY_REVEAL, 'a', { canaryType: 5 }))],
    [block, vertex, toRecord({ ...net.register('b'), id: 'bad id' })],
    [block, vertex, toRecord({ ...net.register('b'), publicKey: key('c') })],
    [block, vertex, toRecord({ ...net.register('b'), id: 'b', publicKey: '0'.repeat(64) })],
    [block, vertex, concat([good, new Uint8Array(8)]).fill(104, 4, 5)],
  ];
  for (const [i, parts] of bad.entries()) {
    const fresh = new Net();
    fresh.run([fresh.register('a', TOKEN)]);
    for (const part of parts.slice(0, -1)) expect(fresh.core.applyOnce(part), `case ${i}`).toBe(part.length);
    const before = fresh.core.stateHash();
    expect(fresh.core.applyOnce(parts.at(-1)!), `case ${i}`).toBe(-1);
    expect(fresh.core.stateHash(), `case ${i}`).toBe(before);
  }
});

test('genesis refuses seats that do not fit, and changes nothing', () => {
  const rewards = 200_000_000n * TOKEN;
  const core = new Core(config());
  core.apply(seatRecord(0));
  const before = core.stateHash();
  const bad = [
    seatRecord(0),
    seatRecord(SMALL[6]!),
    seatRecord(1, { stake: rewards }),
    seatRecord(1, { stake: 0n }),
    seatRecord(1, { status: 5 }),
    seatRecord(1, { baselineBp: 10_001 }),
  ];
  for (const record of bad) expect(core.applyOnce(record)).toBe(-1);
  expect(core.stateHash()).toBe(before);
  expect(core.applyOnce(seatRecord(1, { stake: rewards - 75_000n * TOKEN }))).toBeGreaterThan(0);
  expect(core.header(abi.HEADER_POOLS + abi.POOL_REWARDS)).toBe(0n);
});

test('unknown and malformed queries answer -1', () => {
  const { core } = new Net();
  const kinds = [abi.QUERY_AGENT, abi.QUERY_RECORDS, abi.QUERY_ITEM, abi.QUERY_VALIDATOR, abi.QUERY_CATEGORY];
  for (const kind of kinds) {
    expect(core.queryIndex(kind, 99)).toBeUndefined();
    expect(core.queryIndex(kind, 0xffffffff)).toBeUndefined();
    expect(core.query(kind, new Uint8Array(3))).toBeUndefined();
  }
  expect(core.query(abi.QUERY_AGENT_FIND, new Uint8Array(32))).toBeUndefined();
  expect(core.query(abi.QUERY_ITEM_FIND, new Uint8Array(32))).toBeUndefined();
  expect(core.query(abi.QUERY_KEY, new Uint8Array(8))).toBeUndefined();
  expect(core.query(abi.QUERY_CHALLENGE, new Uint8Array(16))).toBeUndefined();
  expect(core.query(abi.QUERY_JOB, new Uint8Array(32))).toBeUndefined();
  expect(core.query(abi.QUERY_VALIDATOR_FIND, new Uint8Array(72))).toBeUndefined();
  expect(core.query(abi.QUERY_VALIDATOR_FIND, new Uint8Array(72).fill(255))).toBeUndefined();
  expect(core.query(abi.QUERY_LANE, new Uint8Array(56))).toBeUndefined();
  expect(core.query(abi.QUERY_SEATS, new Uint8Array(1))).toBeUndefined();
  expect(core.query(0)).toBeUndefined();
  expect(core.query(99)).toBeUndefined();
  expect(core.check(new Uint8Array(96), 0).code).toBe(-1);
});

test('random bytes are refused or taken, never a trap', () => {
  const net = new Net();
  net.run([net.register('a', 1000n * TOKEN), net.register('b')]);
  let seed = 7;
  const random = (): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return seed >>> 16;
  };
  for (let i = 0; i < 3000; i++) {
    const record = toRecord(
      i % 2 ? net.transfer('a', 'b', 1n) : net.verify('op0', net.transfer('a', 'b', 1n), true),
    );
    for (let n = 0; n < 3; n++) record[random() % record.length] = random();
    net.core.check(record, random());
    net.core.query(random() % 20, record.subarray(0, random() % 80));
  }
  let ran = 0;
  for (let i = 0; i < 3000; i++) {
    const opcode = abi.OP_VALIDATOR_APPLY + (i % 10);
    const fields = { target: i % 2 ? 'v0' : '', checks: [0, 1] };
    const record = toRecord(net.cmd(opcode, i % 3 ? 'op0' : 'a', fields));
    for (let n = 0; n < i % 4; n++) record[96 + (random() % (record.length - 96))] = random();
    if (net.core.check(record, random()).code === -1) continue;
    net.runRecord(record);
    ran++;
  }
  expect(ran).toBeGreaterThan(1000);
  expect(net.core.fullSupply()).toBe(10n ** 15n);
  expect(net.codes([net.transfer('a', 'b', 1n)])).toEqual([abi.OK]);
});

test('a broken supply traps at the end of the block and leaves text, file and line', () => {
  const net = new Net();
  net.run([net.register('a')]);
  const memory = new BigUint64Array((net.core.x.memory as unknown as WebAssembly.Memory).buffer);
  const place = memory.indexOf(10n ** 15n);
  expect(place).toBeGreaterThan(0);
  memory[place] = 10n ** 15n + 1n;
  expect(() => net.run([])).toThrow(/the accounts do not sum to the supply.*assembly\/run\/blocks\.ts:\d+/);
});

test('without launch time the first T above 0 dates genesis and all before it', () => {
  const net = new Net([{}], { launchSecs: 0 });
  const start = net.nowMs;
  net.nowMs = -1000;
  const early = net.run([]);
  expect(early.events).toEqual([]);
  net.nowMs = -1000;
  const first = net.run([net.register('a', TOKEN)]);
  expect(first.events.map((e) => [e.type, e.seq])).toEqual([[abi.EVENT_GENESIS, 1]]);
  expect(net.agent('op0', abi.AGENT_STAKED_SINCE)).toBe(1n);
  net.nowMs = start - 1000;
  const second = net.run([]);
  expect(second.touched.sort()).toEqual([0, 1]);
  const launch = BigInt(start / 1000);
  expect(net.core.header(abi.HEADER_LAUNCH)).toBe(launch);
  for (const field of [abi.AGENT_STAKED_SINCE, abi.AGENT_FIRST_SEEN, abi.AGENT_LAST_ACTIVE]) {
    expect([net.agent('op0', field), net.agent('a', field)]).toEqual([launch, launch]);
  }
});

test('params reach the rules', () => {
  expect(DEFAULT_PARAMS.length).toBe(abi.PARAM_COUNT);
  const net = new Net([{}], {
    params: params({ [abi.PARAM_FAUCET_AMOUNT]: 77, [abi.PARAM_FAUCET_COOLDOWN_SECS]: 5 }),
  });
  const { txs } = net.run([net.register('a'), net.cmd(abi.OP_FAUCET, 'a')]);
  expect(txs[1]!.words[1]).toBe(77n);
  expect(net.codes([net.cmd(abi.OP_FAUCET, 'a')], 4)).toEqual([abi.FAUCET_COOLDOWN]);
  expect(net.codes([net.cmd(abi.OP_FAUCET, 'a')], 1)).toEqual([abi.OK]);
});
