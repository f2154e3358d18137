// Transfers and generations from opening to settlement through the ABI, with the figures of protocol 6.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { firstFingerprint, nextFingerprint, systemEventId } from '../model/hashing.ts';
import { decodeSettlement, decodeSlash, hex } from './driver.ts';
import { key, Net, params, TOKEN } from './fixture.ts';

const GRANT = 50_000n * TOKEN;

function pending(net: Net, amount: bigint) {
  const sent = net.transfer('a', 'b', amount);
  net.run([net.register('a', 1000n * TOKEN), net.register('b'), sent]);
  return sent;
}

test('an approved transfer pays recipient, voter and treasury to the unit (6.2)', () => {
  const net = new Net();
  const sent = pending(net, 12_345_678n);
  const operator = net.agent('op0', abi.AGENT_BALANCE);
  const treasury = net.core.header(abi.HEADER_POOLS + abi.POOL_TREASURY);
  const { txs, events } = net.run([net.verify('op0', sent, true)]);
  const told = decodeSettlement(events[0]!);
  expect(told).toMatchObject({ target: sent.txid, fee: 12_345n, treasury: 2_469n, state: abi.VOTE_SETTLED });
  expect(net.agent('b', abi.AGENT_BALANCE) - GRANT).toBe(12_333_333n);
  expect(net.agent('op0', abi.AGENT_BALANCE) - operator).toBe(9_876n);
  expect(net.core.header(abi.HEADER_POOLS + abi.POOL_TREASURY) - treasury).toBe(2_469n);
  expect(net.core.header(abi.HEADER_BASE_FEES)).toBe(12_345n);
  expect(net.agent('a', abi.AGENT_TRANSFERRED)).toBe(12_345_678n);
  expect(txs[0]!.words.slice(2, 8)).toEqual([1n, 1n, 12_500_000_000n, 0n, 12_500_000_000n, 1n]);
  expect(net.core.fullSupply()).toBe(10n ** 15n);
});

test('two voters share the cut by weight 3:1, the remainder is the treasury’s (6.2)', () => {
  const net = new Net([{ stake: 75_000n * TOKEN }, { stake: 25_000n * TOKEN }]);
  const sent = pending(net, 12_345_678n);
  const before = ['op0', 'op1'].map((n) => net.agent(n, abi.AGENT_BALANCE));
  const { events } = net.run([net.verify('op1', sent, true), net.verify('op0', sent, true)]);
  const after = ['op0', 'op1'].map((n) => net.agent(n, abi.AGENT_BALANCE));
  expect(after.map((x, i) => x - before[i]!)).toEqual([7_407n, 2_469n]);
  expect(decodeSettlement(events[0]!).treasury).toBe(12_345n - 7_407n - 2_469n);
});

test('a rejected transfer returns the amount and costs the whole stake (6.5)', () => {
  const net = new Net();
  const sent = pending(net, 10n * TOKEN);
  const { txs, events } = net.run([net.verify('op0', sent, false)]);
  expect(events.map((e) => e.type)).toEqual([abi.EVENT_SETTLEMENT, abi.EVENT_SLASH]);
  expect(events.map((e) => e.seq)).toEqual([txs[0]!.seq + 1, txs[0]!.seq + 2]);
  const slash = { agent: net.index('a'), cause: abi.SLASH_REJECTED_TRANSFER };
  const told = { ...slash, amount: 1000n * TOKEN, remaining: 0n, challenge: '' };
  expect(decodeSlash(events[1]!)).toEqual(told);
  expect(net.agent('a', abi.AGENT_BALANCE)).toBe(GRANT - 1000n * TOKEN);
  expect(net.agent('a', abi.AGENT_STAKED_SINCE)).toBe(0n);
  expect(net.agent('a', abi.AGENT_EXPOSURE)).toBe(0n);
  expect(net.agent32('a', abi.AGENT_FAILED)).toBe(0);
});

test('a rejected generation costs a tenth of the stake and records a failure (6.5, 6.10)', () => {
  const net = new Net();
  const claim = net.generation('a', 5n * TOKEN);
  net.run([net.register('a', 1_234_567n), claim]);
  const { events } = net.run([net.verify('op0', claim, false)]);
  expect(decodeSlash(events[1]!)).toMatchObject({ amount: 123_456n, remaining: 1_111_111n });
  expect(net.agent32('a', abi.AGENT_FAILED)).toBe(1);
});

test('a deadline gives the money back, slashes nobody, records nothing (7.3)', () => {
  const net = new Net();
  const sent = pending(net, 10n * TOKEN);
  expect(net.run([], 299).events).toEqual([]);
  const { events } = net.run([], 1);
  expect(decodeSettlement(events[0]!)).toMatchObject({
    target: sent.txid,
    reason: abi.SETTLED_EXPIRED,
    fee: 0n,
  });
  expect(net.agent('a', abi.AGENT_BALANCE)).toBe(GRANT - 1000n * TOKEN);
  expect(net.agent('a', abi.AGENT_STAKED)).toBe(1000n * TOKEN);
  expect(net.core.queryIndex(abi.QUERY_RECORDS, net.index('a'))!.byteLength).toBe(0);
  expect(net.codes([net.verify('op0', sent, true)])).toEqual([abi.NOT_PENDING]);
});

test('a deadline fires before the transactions of its block: the limit is free again (1.4)', () => {
  const net = new Net();
  net.run([net.register('a', 100n), net.register('b'), net.transfer('a', 'b', 100n)]);
  expect(net.codes([net.transfer('a', 'b', 1n)])).toEqual([abi.TRUST_LIMIT_EXCEEDED]);
  expect(net.codes([net.transfer('a', 'b', 100n)], 299)).toEqual([abi.OK]);
});

test('the lowest value among counted approvals wins; 20+20+10 of 70 decide, 20+20 do not (6.9)', () => {
  const stakes = [40_000n, 40_000n, 40_000n, 20_000n];
  const net = new Net(stakes.map((s) => ({ stake: s * TOKEN })));
  const claim = net.generation('a', 1000n);
  net.run([net.register('a'), claim]);
  const votes = [net.verify('op0', claim, true, 900n), net.verify('op1', claim, true, 800n)];
  const { txs } = net.run([...votes, net.verify('op3', claim, true)]);
  expect(txs.map((t) => Number(t.words[2]))).toEqual([abi.VOTE_PENDING, abi.VOTE_PENDING, abi.VOTE_SETTLED]);
  expect(txs[2]!.words[8]).toBe(800n);
  expect(net.agent('a', abi.AGENT_GENERATED)).toBe(800n);
});

test('an event decided only by its deadline: weights change between votes and the last count (7.3)', () => {
  const net = new Net([{ stake: 60_000n * TOKEN }, { stake: 40_000n * TOKEN }]);
  const sent = pending(net, TOKEN);
  const own = net.transfer('op1', 'b', TOKEN);
  net.run([net.verify('op0', sent, true), own]);
  // The second operator loses its stake, so the one vote given is all the weight there is.
  net.run([net.verify('op0', own, false)]);
  const { events } = net.run([], 300);
  expect(decodeSettlement(events[0]!)).toMatchObject({ target: sent.txid, reason: abi.SETTLED_VERIFIED });
});

test('min_participants holds even when one validator has all the weight (6.9)', () => {
  const net = new Net([{ stake: 2_000_000n * TOKEN }, {}], {
    params: new Net().core.config.params.map((p, i) => (i === abi.PARAM_MIN_PARTICIPANTS ? 2 : p)),
  });
  const sent = pending(net, TOKEN);
  expect(net.run([net.verify('op0', sent, true)]).txs[0]!.words[2]).toBe(0n);
  expect(net.run([net.verify('op1', sent, true)]).txs[0]!.words[2]).toBe(1n);
});

test('parties are refused before anything about validators; strangers are no validators (4.3)', () => {
  const net = new Net([{}, { status: abi.VALIDATOR_PROBATION }, { status: abi.VALIDATOR_SUSPENDED }]);
  const sent = pending(net, TOKEN);
  const own = net.transfer('op0', 'a', TOKEN);
  const verdicts = ['a', 'b', 'op2', 'op1', 'op1'].map((name) => net.verify(name, sent, true));
  const codes = net.codes([own, ...verdicts, net.verify('op0', own, true), net.verify('c', sent, true)]);
  expect(codes).toEqual([
    abi.OK,
    abi.SELF_DEALING,
    abi.SELF_DEALING,
    abi.NOT_A_VALIDATOR,
    abi.OK,
    abi.ALREADY_VOTED,
    abi.SELF_DEALING,
    abi.AGENT_NOT_FOUND,
  ]);
});

test('unsigned, an agent without validator votes through the seat, once for that seat (1.7)', () => {
  // Two participants, so that the verdict of the only seat decides nothing.
  const net = new Net([{}], { params: params({ [abi.PARAM_MIN_PARTICIPANTS]: 2 }) });
  const sent = pending(net, TOKEN);
  net.run([net.register('c'), net.register('d')]);
  const unsigned = (name: string) => ({
    ...net.verify(name, sent, true),
    auth: abi.AUTH_UNSIGNED,
    seat: 0,
  });
  const { txs } = net.run([unsigned('a'), unsigned('c'), unsigned('d'), net.verify('op0', sent, true)]);
  expect(txs.map((t) => t.code)).toEqual([abi.SELF_DEALING, abi.OK, abi.ALREADY_VOTED, abi.ALREADY_VOTED]);
  expect(txs[1]!.words[1]).toBe(0n);
  const toSeat = net.transfer('a', 'op0', TOKEN);
  const through = { ...net.verify('c', toSeat, true), auth: abi.AUTH_UNSIGNED, seat: 0 };
  expect(net.codes([toSeat, through])).toEqual([abi.OK, abi.SELF_DEALING]);
});

test('genesis is seq 1; ids and indexes of system events follow 1.3 and 14.7', () => {
  const net = new Net();
  const sent = net.transfer('a', 'b', TOKEN);
  const { events } = net.run([
    net.register('a', 1000n * TOKEN),
    net.register('b'),
    sent,
    net.verify('op0', sent, true),
  ]);
  const chain = 'vws-testnet-1';
  expect(events.map((e) => [e.type, e.seq, e.index])).toEqual([
    [abi.EVENT_GENESIS, 1, 4],
    [abi.EVENT_SETTLEMENT, 6, 5],
  ]);
  expect(events[0]!.id).toBe(systemEventId(chain, 'genesis', 4, 1, chain));
  expect(events[1]!.id).toBe(systemEventId(chain, 'settlement', 5, 1, sent.txid));
});

test('the fingerprint can be rebuilt from the events (6.15)', () => {
  const net = new Net();
  const [first, second] = [net.generation('a', 1000n), net.generation('a', 50n)];
  net.run([net.register('a'), first, second]);
  const { events } = net.run([net.verify('op0', first, true, 801n), net.verify('op0', second, false)]);
  let fp = firstFingerprint(key('a'));
  const category = 'generation';
  const done = { category, eventId: events[0]!.id, completed: true, scoreBp: 8010, value: 801n };
  fp = nextFingerprint(fp, done);
  fp = nextFingerprint(fp, { category, eventId: events[1]!.id, completed: false, scoreBp: 0, value: 0n });
  const view = net.core.queryIndex(abi.QUERY_AGENT, net.index('a'))!;
  expect(hex(new Uint8Array(view.buffer, abi.AGENT_FINGERPRINT, 32))).toBe(fp);
  expect(net.agent32('a', abi.AGENT_FINGERPRINT_VERSION)).toBe(2);
});

test('the fee of a generation is at most the agent’s balance (6.2)', () => {
  const net = new Net();
  const claim = net.generation('a', 10n * TOKEN);
  net.run([net.register('a', GRANT - 100n), claim]);
  const { events } = net.run([net.verify('op0', claim, true)]);
  expect(decodeSettlement(events[0]!).fee).toBe(100n);
  expect(net.agent('a', abi.AGENT_BALANCE)).toBe(0n);
});

test('a seat on duty cannot lower its stake for 10 days (6.7)', () => {
  const net = new Net();
  const unstake = () => net.cmd(abi.OP_UNSTAKE, 'op0', { amount: 1n });
  const { txs } = net.run([unstake()]);
  expect([txs[0]!.code, ...txs[0]!.words.slice(0, 2)]).toEqual([abi.STAKE_LOCKED, 1n, 0n]);
  // Vertices of another seat do not renew the lock.
  expect(net.run([unstake()], 10 * 86_400 - 1, abi.NO_SEAT).txs[0]!.code).toBe(abi.STAKE_LOCKED);
  expect(net.run([unstake()], 1, abi.NO_SEAT).txs[0]!.code).toBe(abi.OK);
});

test('an owner has at most 50 usable keys; expired and revoked ones do not count (4.9)', () => {
  const net = new Net();
  const create = (id: number, expires = 0) =>
    net.cmd(abi.OP_KEY_CREATE, 'a', {
      newKey: { id: BigInt(id), hash: new Uint8Array(32), scopes: 1, hourlyLimit: 9, expires, seat: 0 },
    });
  const revoke = (id: number) => {
    const c = create(id);
    return { ...c, opcode: abi.OP_KEY_REVOKE };
  };
  net.run([net.register('a')]);
  const soon = Math.floor(net.nowMs / 1000) + 100;
  const fifty = Array.from({ length: 50 }, (_, i) => create(i + 1, i < 10 ? soon : 0));
  expect(new Set(net.codes(fifty))).toEqual(new Set([abi.OK]));
  expect(net.codes([create(51), revoke(40), revoke(40), create(52), create(53)])).toEqual([
    abi.KEY_LIMIT,
    abi.OK,
    abi.KEY_NOT_FOUND,
    abi.OK,
    abi.KEY_LIMIT,
  ]);
  const ten = Array.from({ length: 11 }, (_, i) => create(60 + i));
  expect(net.codes(ten, 200)).toEqual([...Array<number>(10).fill(abi.OK), abi.KEY_LIMIT]);
  expect(net.codes([revoke(3)])).toEqual([abi.KEY_NOT_FOUND]);
});
