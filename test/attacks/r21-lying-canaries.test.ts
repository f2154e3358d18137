// R21: one seat plants canaries about its own good tasks and reveals each as bad, which nobody can prove wrong. Every honest
// validator that approves them is kept out of the category after twenty: soon all are but the seat's own, which are drawn for
// every panel and every replay, or nobody is left and no task of the category is assured. What stands against it (protocol
// 7.4): canaries keep at most a third of those that serve a category out of it at a time.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { hash, params, TOKEN } from '../core/fixture.ts';
import { TaskNet } from '../core/task-net.ts';
import { taskIdOf } from '../model/task-operations.ts';
import { report } from './figures.ts';

const SEATS = 7;
const TASKS = 120;
const SALT = hash('salt');

/** The liar's task: committed as bad, delivered, approved by its panel and its poster, and revealed. */
function plant(net: TaskNet): void {
  const task = net.post(25n * TOKEN, { lane: abi.LANE_STANDARD });
  const commitment = hash(`canary:${taskIdOf(task.txid)}:${abi.CANARY_KNOWN_BAD}:0:${SALT}`);
  net.run([task, net.cmd(abi.OP_CANARY_COMMIT, 'op0', { other: commitment })]);
  net.must(net.claim('worker', task));
  net.run([net.submit('worker', task)]);
  const panel = net.panel(task).filter((seat) => seat !== 0);
  net.run(panel.map((seat) => net.verify(`op${seat}`, net.submission(task), true)));
  net.must(net.on(abi.OP_TASK_APPROVE, 'poster', task));
  const plan = { canaryType: abi.CANARY_KNOWN_BAD, salt: SALT, verdict: false };
  net.run([net.on(abi.OP_CANARY_REVEAL, 'op0', task, plan)]);
}

test('one seat keeps at most a third of the others out of a category', () => {
  const net = new TaskNet(SEATS, { params: params({ [abi.PARAM_CANARY_RATE_BP]: 10_000 }) });
  net.must(net.cmd(abi.OP_FAUCET, 'poster'));
  for (let i = 0; i < TASKS; i++) plant(net);
  const out = net.told.filter((e) => e.type === abi.EVENT_VALIDATOR_STATUS).length;
  report({
    attack: 'R21',
    what: 'honest validators of six that one seat keeps out of a category by canaries that it lies about',
    before: '5',
    after: String(out),
  });
  expect(out).toBe(2);
  const [tx] = net.run([
    net.post(25n * TOKEN, { lane: abi.LANE_STANDARD, flags: abi.TASK_GENERATION_ELIGIBLE }),
  ]).txs;
  expect(tx!.code).toBe(abi.OK);
});
