// R18: claims that are given back at once fill the table of bars, so that nobody else can claim or be hired.
// A claim needs no row for the bar that it may leave: a task keeps its newest bars, and where no row is left the bar is not
// kept (protocol 7.1).

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { SMALL } from '../core/driver.ts';
import { key, TOKEN } from '../core/fixture.ts';
import { TaskNet } from '../core/task-net.ts';
import type { Command } from '../model/command.ts';
import { report } from './figures.ts';

const [AGENTS, BARS] = [0, 9];
const sybils = (count: number): string[] => Array.from({ length: count }, (_, i) => `sybil${i}`);

function netOf(bars: number, identities: number): TaskNet {
  const over: Record<number, number> = { [AGENTS]: 4 * identities, [BARS]: bars };
  const net = new TaskNet(1, { capacities: SMALL.map((rows, i) => over[i] ?? rows) });
  net.run(sybils(identities).map((name) => net.register(name)));
  return net;
}

/** Each claims each task that asks for no bond, and gives it back at once: nothing is recorded of it. */
function claimAndRelease(net: TaskNet, names: readonly string[], tasks: readonly Command[]): number[] {
  return names.flatMap((name) =>
    tasks.flatMap((task) => net.codes([net.claim(name, task), net.on(abi.OP_TASK_RELEASE, name, task)], 0)),
  );
}

const bondless = (net: TaskNet): Command =>
  net.post(TOKEN / 10n, { flags: abi.TASK_BOND_GIVEN, workerBond: 0n });

test('with the table of bars full, others claim, and are hired', () => {
  const net = netOf(12, 6);
  const tasks = [bondless(net), bondless(net)];
  const honest = net.post(TOKEN);
  net.must(...tasks, honest);
  claimAndRelease(net, sybils(6), tasks);
  const [claimed] = net.codes([net.claim('worker', honest)]);
  const hire = { flags: abi.TASK_RESERVED, reservedFor: key('helper') };
  const [hired] = net.codes([net.post(TOKEN, hire)]);
  report({
    attack: 'R18',
    what: 'claims of others, and direct hires, once 1,000,000 bars are there, for some 200 tokens',
    before: 'refused with 503',
    after: claimed === abi.OK && hired === abi.OK ? 'taken' : `refused with ${claimed}, ${hired}`,
  });
  expect([claimed, hired]).toEqual([abi.OK, abi.OK]);
});

test('a task keeps its newest 32 bars, and gives up its oldest where no row is left', () => {
  const net = netOf(33, 60);
  const [task, other] = [bondless(net), bondless(net)];
  net.must(task, other);
  const codes = claimAndRelease(net, sybils(60), [task]);
  expect(new Set(codes)).toEqual(new Set([abi.OK]));
  const claims = (from: number, of: Command): number[] =>
    net.codes(
      sybils(60)
        .slice(from)
        .map((name) => net.claim(name, of)),
    );
  expect(claims(28, task)).toEqual(Array<number>(32).fill(abi.CLAIM_BARRED));
  // One row of 33 is left to the other task: its newest bar is in it.
  claimAndRelease(net, sybils(3), [other]);
  expect(net.codes([net.claim('sybil2', other)])).toEqual([abi.CLAIM_BARRED]);
  expect(net.codes([net.claim('sybil27', task)])).toEqual([abi.OK]);
  report({
    attack: 'R18',
    what: 'rows of bars that 60 identities take with one task',
    before: '60',
    after: '32',
  });
});
