// R10: what a few requests leave in the log for ever: events of routes that did not change, members that nothing reads,
// bytes (protocol 1.2, 6.16, 6.18).

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { type Entry, entryKib } from '../../host/wire/entry.ts';
import { matchOperation, parseOperation } from '../../host/wire/operations.ts';
import { params, TOKEN } from '../core/fixture.ts';
import { TaskNet } from '../core/task-net.ts';
import type { Command } from '../model/command.ts';
import { report } from './figures.ts';

const TASKS = 100;

/** A network in which that many tasks wait for somebody who does code. */
function backlog(): TaskNet {
  const net = new TaskNet(1);
  net.run(Array.from({ length: TASKS }, () => net.post(TOKEN)));
  return net;
}

/** Events about routes while the commands are executed, with time for all the steps. */
function routesOf(net: TaskNet, commands: Command[]): number {
  const before = net.told.filter((event) => event.type === abi.EVENT_TASK_ROUTED).length;
  for (const command of commands) {
    net.run([command]);
    net.run([]);
  }
  return net.told.filter((event) => event.type === abi.EVENT_TASK_ROUTED).length - before;
}

const offer = (net: TaskNet, name: string, fields: Partial<Command> = {}): Command =>
  net.cmd(abi.OP_ROUTER_REGISTER, name, { amount: 0n, most: 100, categories: ['code'], ...fields });
const leave = (net: TaskNet, name: string): Command => net.cmd(abi.OP_ROUTER_REMOVE, name);

test('an agent that leaves the router and comes back writes no event for the tasks that it had', () => {
  const net = backlog();
  const writes = Array.from({ length: 10 }, (_, i) =>
    i % 2 === 0 ? offer(net, 'worker') : leave(net, 'worker'),
  );
  const events = routesOf(net, writes);
  report({
    attack: 'R10',
    what: `events of 10 router writes while ${TASKS} tasks wait`,
    before: String(5 * TASKS),
    after: String(events),
  });
  expect(events).toBe(TASKS);
});

test('identities that take turns cause eight events for a task, and the routes go on', () => {
  const net = backlog();
  const turns = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? 'worker' : 'helper'));
  const events = routesOf(
    net,
    turns.flatMap((name) => [offer(net, name), leave(net, name)]),
  );
  expect(events).toBe(8 * TASKS);
  const [last] = [net.post(TOKEN)];
  net.run([offer(net, 'worker'), last]);
  expect(net.task32(last, abi.TASK_ROUTED_TO)).toBe(net.index('worker') + 1);
});

test('a body with a member that nothing reads is refused, and the member named', () => {
  const claim = matchOperation('POST', `/v1/tasks/${'ab'.repeat(16)}/claim`)!;
  const padding = { padding: 'x'.repeat(64_000) };
  expect(() => parseOperation(claim, padding)).toThrow('unknown member padding');
  expect(() => parseOperation(claim, { ['n'.repeat(64_000)]: 1 })).toThrow(/^.{0,100}$/);
  const submit = matchOperation('POST', `/v1/tasks/${'ab'.repeat(16)}/submit`)!;
  expect(() => parseOperation(submit, { result_hash: 'h', evidence: padding })).toThrow(
    'unknown member padding',
  );
  const rotate = matchOperation('POST', '/v1/validators/v1/rotate')!;
  const newKey = { new_public_key: 'ab'.repeat(32) };
  expect(() => parseOperation(rotate, { ...newKey, agent_id: 'x'.repeat(64_000) })).toThrow('unknown member');
  // What clients send freely names the acting agent, and is checked against it.
  expect(parseOperation(claim, { claimer_id: 'a', agent_id: 'a' }).actors).toHaveLength(2);
  report({
    attack: 'R10',
    what: 'bytes of an unknown member that a claim may carry',
    before: '65,000',
    after: '0 (400 invalid_request)',
  });
});

const write = (net: TaskNet, name: string, kib: number): Command =>
  net.cmd(abi.OP_SERVICE_LIST, name, { kib });
const balance = (net: TaskNet, name: string): bigint => net.agent(name, abi.AGENT_BALANCE);
/** A network that gives nothing away any more. */
const late = (): TaskNet => {
  const net = new TaskNet(1, { params: params({ [abi.PARAM_ONBOARDING_DAILY_BUDGET]: 150_000_000_000 }) });
  expect(balance(net, 'helper')).toBeGreaterThan(0n);
  return net;
};

test('identities without anything write 32 KiB each in their whole life, whoever carries them', () => {
  const net = late();
  const names = Array.from({ length: 1_000 }, (_, i) => `free ${i}`);
  net.run(names.map((name) => ({ ...net.register(name), kib: 1 })));
  expect(balance(net, 'free 999')).toBe(0n);
  let kib = 1_000;
  for (let day = 0; day < 3; day++) {
    for (let i = 0; i < 10; i++) {
      const { txs } = net.run(names.map((name) => write(net, name, 8)));
      kib += 8 * txs.filter(({ code }) => code === abi.OK).length;
    }
    net.run([], 86_400);
  }
  const rest = net.run(names.map((name) => write(net, name, 7))).txs;
  kib += 7 * rest.filter(({ code }) => code === abi.OK).length;
  report({
    attack: 'R10',
    what: 'KiB of 30 requests of 8 KiB by each of 1,000 identities with nothing, in three days, that a lying seat has executed',
    before: '241,000',
    after: kib.toLocaleString('en'),
  });
  expect(kib).toBe(32_000);
  const { code, words } = net.run([write(net, 'free 0', 1)]).txs[0]!;
  expect([code, words.slice(0, 2)]).toEqual([abi.INSUFFICIENT_BALANCE, [0n, 97n]]);
});

test('what an agent holds gives it some KiB a day; beyond them a mebibyte costs as much as a row', () => {
  const net = new TaskNet(1);
  const held = net.agent('worker', abi.AGENT_STAKED) + balance(net, 'worker');
  const most = Number(held / (10n * TOKEN));
  net.must(write(net, 'worker', most), write(net, 'worker', 32));
  const before = balance(net, 'worker');
  net.must(write(net, 'worker', 1024));
  expect(before - balance(net, 'worker')).toBe(100_000n);
  const rest = balance(net, 'worker');
  net.run([], 86_400);
  net.must(write(net, 'worker', most - 1));
  expect(balance(net, 'worker')).toBe(rest);
  // A refused request is in the log as well: its TxID is known, and its bytes are paid.
  const refused = net.cmd(abi.OP_TASK_CLAIM, 'worker', { kib: 1024 });
  expect(net.codes([refused, refused])).toEqual([abi.TASK_NOT_FOUND, abi.DUPLICATE_TX]);
  expect(rest - balance(net, 'worker')).toBe(100_000n);
});

test('money that passes through many identities costs more than the bytes that it gives each of them', () => {
  const net = new TaskNet(1);
  net.must(net.cmd(abi.OP_STAKE, 'worker', { amount: 10_000n * TOKEN }));
  const before = balance(net, 'worker') + balance(net, 'helper');
  const sent = net.transfer('worker', 'helper', 1_000n * TOKEN);
  net.must(sent);
  net.must(net.verify('op0', sent, true));
  const passed = before - balance(net, 'worker') - balance(net, 'helper');
  const bought = (100n * 100_000n) / 1024n;
  report({
    attack: 'R10',
    what: 'micro-units for 100 KiB: by passing 1,000 tokens on to one more identity, and by the fee',
    before: '0, and 0',
    after: `${passed}, and ${bought}`,
  });
  expect(passed).toBeGreaterThan(bought);
});

test('a stranger has nothing but a registration, and a repeated one costs its agent nothing', () => {
  const net = new TaskNet(1);
  const stranger = (kib: number): Command => ({ ...net.register('x'), kib });
  expect(net.codes([stranger(33), write(net, 'nobody', 1)])).toEqual([
    abi.INSUFFICIENT_BALANCE,
    abi.AGENT_NOT_FOUND,
  ]);
  expect(net.codes([stranger(32), stranger(33)])).toEqual([abi.OK, abi.ALREADY_REGISTERED]);
});

test('tiny transfers cannot keep a validator from answering: the first KiB of a verdict is free', () => {
  const net = new TaskNet(1, {
    params: params({ [abi.PARAM_HOLDING_PER_KIB]: 1e15, [abi.PARAM_FIRST_KIB]: 1 }),
  });
  net.must(net.cmd(abi.OP_STAKE, 'worker', { amount: 1_000n * TOKEN }));
  net.must(write(net, 'op0', 1));
  const votes = Array.from({ length: 40 }, () => net.transfer('worker', 'helper', 1n));
  net.must(...votes);
  const before = balance(net, 'op0');
  net.must(...votes.map((sent) => ({ ...net.verify('op0', sent, true), kib: 1 })));
  expect(balance(net, 'op0')).toBeGreaterThanOrEqual(before);
});

test('the size of a request is that of its path and body as they are kept', () => {
  const open = { scheme: 'tx_v1', method: 'POST', path: '/v1/stake', body: new Uint8Array(3 * 1024 - 9) };
  expect(entryKib(open as unknown as Entry)).toBe(3);
  expect(entryKib({ ...open, path: '/v1/stakes' } as unknown as Entry)).toBe(4);
  expect(entryKib({ ...open, body: new Uint8Array() } as unknown as Entry)).toBe(1);
});
