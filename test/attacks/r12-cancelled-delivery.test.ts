// R12: a poster's seat reads a plain result in a vertex that is not ordered yet, and orders a cancellation in front of
// it: the poster has the work and its money. What stands against it (protocol 7.1): a claimed task is cancelled only after
// a notice of cancel_notice_secs, and a delivery that is ordered before its end makes the cancellation void.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { TOKEN } from '../core/fixture.ts';
import { TaskNet } from '../core/task-net.ts';
import type { Command } from '../model/command.ts';
import { report } from './figures.ts';

const NOTICE = 60;
const BUDGET = 40n * TOKEN;

const balance = (net: TaskNet, name: string): bigint => net.agent(name, abi.AGENT_BALANCE);
const cancel = (net: TaskNet, task: Command): Command => net.on(abi.OP_TASK_CANCEL, 'poster', task);

function claimed(deliverySecs = 600): { net: TaskNet; task: Command } {
  const net = new TaskNet(1);
  const task = net.post(BUDGET, { deliverySecs });
  net.must(task, net.claim('worker', task));
  return { net, task };
}

test('a delivery that is ordered behind the cancellation is paid', () => {
  const { net, task } = claimed();
  // Its bond comes back with the end of the task.
  const before = balance(net, 'worker') + net.task64(task, abi.TASK_WORKER_BOND)!;
  expect(net.codes([cancel(net, task)])).toEqual([abi.OK]);
  const [code] = net.codes([net.submit('worker', task)], NOTICE - 1);
  net.run([], 86_400);
  const earned = balance(net, 'worker') - before;
  const what = 'tokens of 40 for a result that was cancelled in front of';
  report({ attack: 'R12', what, before: '0', after: `${Number(earned) / Number(TOKEN)}` });
  expect(code).toBe(abi.OK);
  expect(earned).toBe(BUDGET - BUDGET / 1000n);
  expect(net.task64(task, abi.TASK_CANCEL_AT)).toBeUndefined();
});

test('the delivery ends the notice: nothing is cancelled later', () => {
  const { net, task } = claimed();
  net.must(cancel(net, task));
  expect(net.task64(task, abi.TASK_CANCEL_AT)).toBe(BigInt(net.nowMs / 1000 + NOTICE));
  net.must(net.submit('worker', task));
  expect(net.task64(task, abi.TASK_CANCEL_AT)).toBe(0n);
  net.run([], NOTICE + 1);
  expect(net.task32(task, abi.TASK_STATUS)).toBe(abi.TASK_SUBMITTED);
  expect(net.codes([cancel(net, task)])).toEqual([abi.TASK_STATE]);
});

test('without a delivery the task is cancelled at the end of the notice, without a failure of the worker', () => {
  const { net, task } = claimed();
  const before = balance(net, 'poster');
  net.must(cancel(net, task));
  expect(net.codes([cancel(net, task)], NOTICE - 1)).toEqual([abi.TASK_STATE]);
  expect(balance(net, 'poster')).toBe(before);
  const { events } = net.run([]);
  expect(events.map(({ type }) => type)).toEqual([abi.EVENT_TASK_CANCELLED, abi.EVENT_TASK_SETTLED]);
  expect(net.settled(task)).toMatchObject({ resolution: abi.RESOLUTION_POSTER_CANCELLED });
  expect(balance(net, 'poster')).toBe(before + BUDGET);
  expect(net.agent32('worker', abi.AGENT_FAILED)).toBe(0);
  expect(net.codes([net.submit('worker', task)])).toEqual([abi.TASK_NOT_FOUND]);
});

test('the worker cannot give its claim back instead, which would open the task again', () => {
  const { net, task } = claimed();
  net.must(cancel(net, task));
  expect(net.codes([net.on(abi.OP_TASK_RELEASE, 'worker', task)])).toEqual([abi.TASK_STATE]);
  net.run([], NOTICE);
  expect(net.settled(task)).toMatchObject({ resolution: abi.RESOLUTION_POSTER_CANCELLED });
});

test('a notice ends no later than the time for delivery, and the task is not opened again', () => {
  const { net, task } = claimed(30);
  net.must(cancel(net, task));
  expect(net.task64(task, abi.TASK_CANCEL_AT)).toBe(net.task64(task, abi.TASK_CLAIM_DEADLINE));
  net.run([], 30);
  expect(net.task32(task, abi.TASK_STATUS)).toBeUndefined();
  expect(net.settled(task)).toMatchObject({ resolution: abi.RESOLUTION_POSTER_CANCELLED });
});

test('nobody waits for the cancellation of a task that nobody claimed', () => {
  const net = new TaskNet(1);
  const task = net.post(BUDGET);
  net.must(task);
  const before = balance(net, 'poster');
  const { txs } = net.run([cancel(net, task)]);
  expect([txs[0]!.code, txs[0]!.words[abi.RESULT_CANCEL_AT]]).toEqual([abi.OK, 0n]);
  expect(balance(net, 'poster')).toBe(before + BUDGET);
});

test('the worker of a subtask has the notice as well', () => {
  const { net, task } = claimed();
  const part = net.sub(task, TOKEN);
  net.must(part, net.claim('helper', part), net.on(abi.OP_TASK_CANCEL, 'worker', part));
  net.must(net.submit('helper', part));
  net.run([], NOTICE + 1);
  expect(net.task32(part, abi.TASK_STATUS)).toBe(abi.TASK_SUBMITTED);
});
