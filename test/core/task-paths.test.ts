// Every way through the life of a task, with every state of a subtask on the way: no path strands money.
// At the end of each: all escrows are 0, and payout + fees + refund of every task is its budget.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import type { Command } from '../model/command.ts';
import { params, TOKEN } from './fixture.ts';
import { DELIVERED, NOTHING, TaskNet } from './task-net.ts';

const BUDGET = 200n * TOKEN + 12_345n;
const PART = 30n * TOKEN + 7n;
const DAY = 86_400;
const DISPUTE_SECS = 100;

/** What becomes of the task once it is posted; subtasks are made by `claimed`. */
type Path = (net: TaskNet, task: Command, claimed: () => void) => void;

const claimAnd =
  (rest: Path): Path =>
  (net, task, claimed) => {
    net.must(net.claim('worker', task));
    claimed();
    rest(net, task, claimed);
  };
const submitAnd = (flags: number, rest: (net: TaskNet, task: Command) => void): Path =>
  claimAnd((net, task) => {
    net.must(net.submit('worker', task, flags));
    rest(net, task);
  });
const disputed = (flags: number, rest: (net: TaskNet, dispute: Command) => void): Path =>
  submitAnd(flags, (net, task) => {
    rest(net, net.contested(task));
  });
const panelVotes = (net: TaskNet, task: Command, verdict: boolean): void => {
  for (const v of net.panel(task)) net.run([net.verify(`op${v}`, net.submission(task), verdict)]);
};
const votes = (net: TaskNet, dispute: Command, verdict: boolean): void => {
  const names = Array.from({ length: 6 }, (_, seat) => `op${seat}`);
  // Those who judged the submission may not judge the dispute.
  const { txs } = net.run(names.map((name) => net.commit(name, dispute, { verdict })));
  if (!net.isRevealing(dispute)) net.pastVotes(dispute);
  const judges = names.filter((_, seat) => txs[seat]!.code === abi.OK);
  net.run(judges.map((name) => net.reveal(name, dispute, { verdict })));
};
const REVIEW_SECS = 86_400;
const reviewed = (flags: number): Path => submitAnd(flags, (net) => void net.run([], REVIEW_SECS));

/** Paths that end before anything is submitted, so that subtasks may be in any state. */
const EARLY: Record<string, Path> = {
  'cancelled while claimed': claimAnd((net, task) => {
    net.must(net.on(abi.OP_TASK_CANCEL, 'poster', task));
    net.run([], 60);
  }),
  'claim expired, then cancelled': claimAnd((net, task) => {
    net.run([], 601);
    net.must(net.on(abi.OP_TASK_CANCEL, 'poster', task));
  }),
  'claim expired, then open for 30 days': claimAnd((net) => {
    net.run([], 601);
    net.run([], 30 * DAY);
  }),
};
const LATE: Record<string, Path> = {
  approved: submitAnd(NOTHING, (net, task) => net.must(net.on(abi.OP_TASK_APPROVE, 'poster', task))),
  'approved after the panel agreed': submitAnd(DELIVERED, (net, task) => {
    panelVotes(net, task, true);
    net.must(net.on(abi.OP_TASK_APPROVE, 'poster', task));
  }),
  'window passed': reviewed(DELIVERED),
  'window passed, nothing delivered': reviewed(NOTHING),
  'panel rejected, then no quorum': submitAnd(DELIVERED, (net, task) => {
    panelVotes(net, task, false);
    net.run([], REVIEW_SECS);
    // Without a lane there is no panel.
    if (net.task32(task, abi.TASK_STATUS) !== abi.TASK_DISPUTED) return;
    net.must(net.on(abi.OP_TASK_CONTEST, 'worker', task));
    net.run([], DISPUTE_SECS);
  }),
  'dispute for the worker': disputed(DELIVERED, (net, dispute) => votes(net, dispute, true)),
  'dispute for the poster': disputed(DELIVERED, (net, dispute) => votes(net, dispute, false)),
  'submitted before the end of a notice': claimAnd((net, task) => {
    net.must(net.on(abi.OP_TASK_CANCEL, 'poster', task), net.submit('worker', task));
    net.must(net.on(abi.OP_TASK_APPROVE, 'poster', task));
  }),
  'dispute without verdict': disputed(DELIVERED, (net) => void net.run([], DISPUTE_SECS)),
  'disputed, nothing delivered': submitAnd(NOTHING, (net, task) =>
    net.must(net.on(abi.OP_TASK_DISPUTE, 'poster', task)),
  ),
  'dispute conceded': submitAnd(DELIVERED, (net, task) =>
    net.must(net.on(abi.OP_TASK_DISPUTE, 'poster', task), net.on(abi.OP_TASK_CONCEDE, 'worker', task)),
  ),
  'dispute not answered': submitAnd(DELIVERED, (net, task) => {
    net.must(net.on(abi.OP_TASK_DISPUTE, 'poster', task));
    net.run([], DAY);
  }),
  'panel approved, then disputed': submitAnd(DELIVERED, (net, task) => {
    panelVotes(net, task, true);
    votes(net, net.contested(task), true);
  }),
};
const UNCLAIMED: Record<string, Path> = {
  'cancelled while open': (net, task) => net.must(net.on(abi.OP_TASK_CANCEL, 'poster', task)),
  'open for 30 days': (net) => void net.run([], 30 * DAY),
};

/** States in which a subtask may be while its parent is claimed; the last ones are final. */
const LIVE = ['open', 'claimed', 'submitted', 'disputed'] as const;
const ENDED = ['held', 'held by quorum', 'held by half', 'cancelled', 'lost'] as const;

function makeSubtask(net: TaskNet, parent: Command, state: (typeof LIVE | typeof ENDED)[number]): Command {
  const task = net.sub(parent, PART);
  net.must(task);
  if (state === 'open') return task;
  if (state === 'cancelled') {
    net.must(net.on(abi.OP_TASK_CANCEL, 'worker', task));
    return task;
  }
  net.must(net.claim('helper', task));
  if (state === 'claimed') return task;
  net.must(net.submit('helper', task));
  if (state === 'submitted') return task;
  if (state === 'held') {
    net.must(net.on(abi.OP_TASK_APPROVE, 'worker', task));
    return task;
  }
  const dispute = net.contested(task, 'worker', 'helper');
  if (state === 'held by half') {
    net.run([], DISPUTE_SECS);
    return task;
  }
  if (state === 'held by quorum') votes(net, dispute, true);
  else net.must(net.commit('op0', dispute, { verdict: true }));
  if (state === 'lost') {
    const second = makeSubtask(net, parent, 'open');
    net.must(net.on(abi.OP_TASK_CANCEL, 'worker', second));
    const others = [1, 2, 3, 4, 5].map((seat) => ({ by: `op${seat}`, verdict: false }));
    net.decide(dispute, others);
    net.must(net.reveal('op0', dispute, { verdict: true }));
  }
  return task;
}

// A completed task with a lane stays for 7 days, in which its replay, if one was drawn, runs out of executors.
function letLeave(net: TaskNet, task: Command, lane: number): void {
  const stays = lane !== abi.LANE_NONE && net.settled(task).status === abi.PAYOUT_PAID;
  expect(net.task32(task, abi.TASK_STATUS)).toBe(stays ? abi.TASK_COMPLETED : undefined);
  if (!stays) return;
  expect(net.task64(task, abi.TASK_ESCROW)).toBe(0n);
  expect(net.core.header(abi.HEADER_TASKS)).toBe(1n);
  for (let attempt = 0; attempt < 3; attempt++) net.run([], 7200);
  expect(net.core.header(abi.HEADER_REPLAY_ESCROW)).toBe(0n);
  net.run([], 7 * DAY);
}

function assertAllPaid(net: TaskNet, task: Command, children: Command[], lane: number): void {
  const sum = (e: Record<string, unknown>): bigint =>
    (['payout', 'base', 'assurance', 'refund'] as const).reduce((total, k) => total + (e[k] as bigint), 0n);
  let toChildren = 0n;
  for (const child of children) {
    const settled = net.settled(child);
    expect(sum(settled)).toBe(child.amount);
    if (settled.status === abi.PAYOUT_PAID) toChildren += child.amount - (settled.refund as bigint);
    expect(net.task32(child, abi.TASK_STATUS)).toBeUndefined();
  }
  expect(sum(net.settled(task)) + toChildren).toBe(task.amount);
  letLeave(net, task, lane);
  expect(net.task32(task, abi.TASK_STATUS)).toBeUndefined();
  expect(net.core.header(abi.HEADER_TOTAL_ESCROWED)).toBe(0n);
  expect(net.core.header(abi.HEADER_TASKS)).toBe(0n);
  expect(net.core.header(abi.HEADER_ITEMS)).toBe(0n);
  expect(net.core.header(abi.HEADER_NEXT_DEADLINE)).toBe(0n);
  for (const name of ['poster', 'worker', 'helper']) expect(net.agent(name, abi.AGENT_RESERVED)).toBe(0n);
  expect(net.core.fullSupply()).toBe(1_000_000_000n * TOKEN);
}

function walk(
  path: Path,
  lane: number,
  states: readonly (typeof LIVE | typeof ENDED)[number][],
  noQuorum: number = abi.NO_QUORUM_SPLIT,
): TaskNet {
  const net = new TaskNet(6, { params: params({ [abi.PARAM_DISPUTE_DEADLINE_SECS]: DISPUTE_SECS }) });
  const task = net.post(BUDGET, { lane, noQuorum });
  net.must(task);
  const children: Command[] = [];
  path(net, task, () => children.push(...states.map((state) => makeSubtask(net, task, state))));
  assertAllPaid(net, task, children, lane);
  return net;
}

const LANES = [abi.LANE_NONE, abi.LANE_STANDARD, abi.LANE_HIGH];

for (const lane of LANES) {
  for (const [name, path] of Object.entries(UNCLAIMED)) {
    test(`lane ${lane}, ${name}`, () => void walk(path, lane, []));
  }
  for (const [name, path] of Object.entries(EARLY)) {
    test(`lane ${lane}, ${name}`, () => {
      for (const state of [...LIVE, ...ENDED]) walk(path, lane, [state]);
      walk(path, lane, ['held', 'open', 'disputed', 'held by quorum', 'cancelled']);
    });
  }
  for (const [name, path] of Object.entries(LATE)) {
    test(`lane ${lane}, ${name}`, () => {
      walk(path, lane, []);
      for (const state of ENDED) walk(path, lane, [state]);
      walk(path, lane, ['held', 'held by quorum', 'cancelled', 'held']);
    });
  }
}

const NO_QUORUM = [abi.NO_QUORUM_SPLIT, abi.NO_QUORUM_WORKER, abi.NO_QUORUM_POSTER];
test('without a quorum the rule of the task pays: half, all or nothing of the escrow and of the fees', () => {
  const ends = NO_QUORUM.map((noQuorum) => {
    const net = new TaskNet(6, { params: params({ [abi.PARAM_DISPUTE_DEADLINE_SECS]: DISPUTE_SECS }) });
    const task = net.post(100n * TOKEN + 1n, { lane: abi.LANE_STANDARD, noQuorum });
    const sub = net.sub(task, 30n * TOKEN);
    net.must(task, net.claim('worker', task), sub, net.claim('helper', sub), net.submit('helper', sub));
    net.must(net.on(abi.OP_TASK_APPROVE, 'worker', sub), net.submit('worker', task));
    net.contested(task);
    net.run([], DISPUTE_SECS);
    const held = net.settled(sub);
    const isLost = noQuorum === abi.NO_QUORUM_POSTER;
    expect([held.payout, held.base]).toEqual(isLost ? [0n, 0n] : [29_970_000n, 30_000n]);
    expect(net.agent('worker', abi.AGENT_STAKED)).toBe(TOKEN);
    const { payout, base, assurance, refund, resolution } = net.settled(task);
    expect(resolution).toBe(abi.RESOLUTION_DISPUTE_DEADLINE);
    return [payout, base, assurance, refund];
  });
  // The worked example of protocol 15.6.
  expect(ends).toEqual([
    [33_465_000n, 35_000n, 1_500_000n, 35_000_001n],
    [66_930_001n, 70_000n, 3_000_000n, 0n],
    [0n, 0n, 0n, 100_000_001n],
  ]);
});

test('all of the escrow in subtasks: the base fee comes first, the assurance fee falls short', () => {
  const net = new TaskNet(6);
  const task = net.post(BUDGET, { lane: abi.LANE_STANDARD });
  const fee = (BUDGET * 300n) / 10_000n;
  const child = net.sub(task, BUDGET - fee);
  net.must(task, net.claim('worker', task));
  expect(net.codes([net.sub(task, BUDGET - fee + 1n)])).toEqual([abi.INSUFFICIENT_BALANCE]);
  net.must(child, net.claim('helper', child), net.submit('helper', child));
  net.must(net.on(abi.OP_TASK_APPROVE, 'worker', child), net.submit('worker', task));
  expect(net.task64(task, abi.TASK_NET)).toBe(0n);
  net.must(net.on(abi.OP_TASK_APPROVE, 'poster', task));
  expect(net.settled(task)).toMatchObject({ payout: 0n, base: fee / 1000n, assurance: fee - fee / 1000n });
  assertAllPaid(net, task, [child], abi.LANE_STANDARD);
});
