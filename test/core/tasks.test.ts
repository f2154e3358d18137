// Tasks by hand: limits, roles in disputes and on panels, capacities, the order of events, full buffers, restarts.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import type { Command } from '../model/command.ts';
import { Core, decodeSettlement } from './driver.ts';
import { params, TOKEN } from './fixture.ts';
import { NOTHING, TaskNet } from './task-net.ts';

const MINIMUM = 100_000n;
const ASSURED = { lane: abi.LANE_STANDARD };
const DAY = 86_400;

/** Small capacities: agents, items, votes, TxIDs, keys, records, validators, categories, tasks, bars, capabilities. */
const capacities = (over: Record<number, number>): number[] =>
  [200, 200, 200, 4096, 10, 200, 32, 40, 200, 200, 10, 50].map((rows, i) => over[i] ?? rows);

test('an agent claims 20 tasks at a time; a submission makes room for one more', () => {
  const net = new TaskNet(1);
  const tasks = Array.from({ length: 21 }, () => net.post(MINIMUM));
  net.must(net.back('worker'), ...tasks, ...tasks.slice(0, 20).map((t) => net.claim('worker', t)));
  expect(net.codes([net.claim('worker', tasks[20]!)])).toEqual([abi.CLAIM_LIMIT]);
  net.must(net.submit('worker', tasks[0]!), net.claim('worker', tasks[20]!));
});

test('a claim creates 20 subtasks, whatever becomes of them; the next claim 20 of its own', () => {
  const net = new TaskNet(1);
  const task = net.post(100n * TOKEN);
  net.must(task, net.claim('worker', task));
  const subs = Array.from({ length: 20 }, () => net.sub(task, MINIMUM));
  net.must(...subs, net.on(abi.OP_TASK_CANCEL, 'worker', subs[3]!));
  expect(net.codes([net.sub(task, MINIMUM)])).toEqual([abi.TASK_STATE]);
  net.run([], 601);
  expect(net.task64(task, abi.TASK_ESCROW)).toBe(100n * TOKEN);
  net.must(net.claim('helper', task));
  const own = net.cmd(abi.OP_SUBTASK_CREATE, 'helper', { ...net.sub(task, MINIMUM), actor: undefined! });
  expect(net.codes([{ ...own, actor: net.claim('helper', task).actor, txid: net.post(1n).txid }])).toEqual([
    abi.OK,
  ]);
});

test('a task takes 100 commits, an agent 10 in 60 seconds', () => {
  const net = new TaskNet(1);
  const task = net.post(MINIMUM, { deliverySecs: 100_000 });
  net.must(task, net.claim('worker', task));
  const commit = () => net.on(abi.OP_TRAJECTORY_COMMIT, 'worker', task);
  for (let round = 0; round < 10; round++) {
    const codes = net.codes(Array.from({ length: 11 }, commit), 60);
    expect(codes).toEqual([...Array<number>(10).fill(abi.OK), round < 9 ? abi.COMMIT_RATE : abi.TASK_STATE]);
  }
  expect(net.codes([commit()], 60)).toEqual([abi.TASK_STATE]);
});

test('only the panel judges a submission, and its quorum leaves the task as it is', () => {
  const net = new TaskNet(6);
  const task = net.post(100n * TOKEN, ASSURED);
  net.must(task, net.claim('worker', task), net.submit('worker', task));
  const panel = net.panel(task);
  expect(new Set(panel).size).toBe(3);
  const others = [0, 1, 2, 3, 4, 5].filter((v) => !panel.includes(v));
  const vote = (v: number, verdict: boolean) => net.verify(`op${v}`, net.submission(task), verdict);
  expect(net.codes([vote(others[0]!, true)])).toEqual([abi.NOT_ASSIGNED]);
  expect(net.codes([net.verify('poster', net.submission(task), true)])).toEqual([abi.SELF_DEALING]);
  net.must(vote(panel[0]!, false), vote(panel[1]!, false));
  const { events } = net.run([vote(panel[2]!, false)]);
  expect(events.map((e) => e.type)).toEqual([abi.EVENT_SETTLEMENT]);
  expect(decodeSettlement(events[0]!)).toMatchObject({
    kind: abi.ITEM_SUBMISSION,
    state: abi.VOTE_ADJUSTED,
    reason: abi.SETTLED_REJECTED,
  });
  expect(net.task32(task, abi.TASK_STATUS)).toBe(abi.TASK_SUBMITTED);
  expect(net.codes([vote(panel[0]!, true)])).toEqual([abi.NOT_PENDING]);
  // Silence does not pay what the panel rejected.
  net.run([], 86_400);
  expect(net.task32(task, abi.TASK_STATUS)).toBe(abi.TASK_DISPUTED);
});

test('panel members that voted are parties to the dispute, unless too few judges would remain', () => {
  for (const [least, barred] of [
    [3, true],
    [4, false],
  ] as const) {
    const net = new TaskNet(6, { params: params({ [abi.PARAM_MIN_PARTICIPANTS]: least }) });
    const task = net.post(100n * TOKEN, ASSURED);
    net.must(task, net.claim('worker', task), net.submit('worker', task));
    const panel = net.panel(task);
    for (const v of panel) net.run([net.verify(`op${v}`, net.submission(task), true)]);
    net.contested(task);
    const codes = net.codes(panel.map((v) => net.commit(`op${v}`, net.dispute(task), { verdict: false })));
    expect(codes).toEqual(Array<number>(3).fill(barred ? abi.SELF_DEALING : abi.OK));
  }
});

test('a submission that its panel did not decide follows the task', () => {
  const net = new TaskNet(6);
  const settlementsOf = (run: () => void) => {
    const before = net.told.length;
    run();
    const events = net.told.slice(before).filter((e) => e.type === abi.EVENT_SETTLEMENT);
    return events.map(decodeSettlement).map((s) => [s.kind, s.state, s.reason]);
  };
  const submitted = () => {
    const task = net.post(100n * TOKEN, ASSURED);
    net.must(task, net.claim('worker', task), net.submit('worker', task));
    return task;
  };
  const approved = submitted();
  const events = settlementsOf(() => net.must(net.on(abi.OP_TASK_APPROVE, 'poster', approved)));
  expect(events).toEqual([[abi.ITEM_SUBMISSION, abi.VOTE_SETTLED, abi.SETTLED_VERIFIED]]);
  const lost = submitted();
  net.contested(lost);
  const member = net.panel(lost)[0]!;
  expect(net.codes([net.verify(`op${member}`, net.submission(lost), true)])).toEqual([abi.NOT_PENDING]);
  const dispute = net.dispute(lost);
  const judges = [0, 1, 2, 3, 4, 5].map((v) => ({ by: `op${v}`, verdict: false }));
  const byQuorum = settlementsOf(() => void net.decide(dispute, judges));
  expect(byQuorum).toEqual([
    [abi.ITEM_DISPUTE, abi.VOTE_ADJUSTED, abi.SETTLED_REJECTED],
    [abi.ITEM_SUBMISSION, abi.VOTE_ADJUSTED, abi.SETTLED_REJECTED],
  ]);
  net.contested(submitted());
  const byDeadline = settlementsOf(() => net.run([], 3601));
  expect(byDeadline).toEqual([
    [abi.ITEM_DISPUTE, abi.VOTE_SETTLED, abi.SETTLED_EXPIRED],
    [abi.ITEM_SUBMISSION, abi.VOTE_SETTLED, abi.SETTLED_VERIFIED],
  ]);
});

test('a dispute is lost without a slash unless a quorum names the same ground', () => {
  for (const grounds of [
    [0, 0, 0, 0, 0, 0],
    [3, 3, 3, 0, 0, 0],
    [1, 2, 3, 1, 2, 3],
  ]) {
    const net = new TaskNet(6);
    const task = net.post(MINIMUM);
    net.must(task, net.claim('worker', task), net.submit('worker', task));
    const dispute = net.contested(task);
    const votes = grounds.map((ground, v) => ({ by: `op${v}`, verdict: false, ground }));
    const { events } = net.decide(dispute, votes);
    expect(events.map((e) => e.type)).toEqual([abi.EVENT_SETTLEMENT, abi.EVENT_TASK_SETTLED]);
    expect(net.agent('worker', abi.AGENT_STAKED)).toBe(TOKEN);
  }
});

test('only a rejection in a dispute names a ground', () => {
  const net = new TaskNet(6);
  const claim = net.generation('worker', 1n);
  net.must(claim);
  const told = net.run([net.verify('op0', claim, false, undefined, abi.GROUND_FRAUD)]);
  expect(told.txs.at(-1)).toMatchObject({ code: abi.INVALID_REQUEST });
});

test('a quorum that names a ground slashes a tenth of the stake last of all; a deadline never slashes', () => {
  const net = new TaskNet(6);
  const task = net.post(MINIMUM);
  net.must(task, net.claim('worker', task), net.submit('worker', task));
  const dispute = net.contested(task);
  const vote = { verdict: false, ground: abi.GROUND_PLAGIARISM };
  const { events } = net.decide(
    dispute,
    [0, 1, 2, 3, 4, 5].map((v) => ({ by: `op${v}`, ...vote })),
  );
  const order = [abi.EVENT_SETTLEMENT, abi.EVENT_TASK_SETTLED, abi.EVENT_SLASH];
  expect(events.map((e) => e.type)).toEqual(order);
  expect(net.agent('worker', abi.AGENT_STAKED)).toBe((TOKEN * 9n) / 10n);
  const second = net.post(MINIMUM);
  net.must(second, net.claim('worker', second), net.submit('worker', second, NOTHING));
  net.run([], 86_400);
  expect(net.settled(second)).toMatchObject({
    refund: MINIMUM,
    resolution: abi.RESOLUTION_NOTHING_DELIVERED,
  });
  expect(net.agent('worker', abi.AGENT_STAKED)).toBe((TOKEN * 9n) / 10n);
});

test('a parent completed: its settlement, then those of its subtasks in order of creation', () => {
  const net = new TaskNet(1);
  const task = net.post(100n * TOKEN);
  const subs = [net.sub(task, TOKEN), net.sub(task, 2n * TOKEN), net.sub(task, 3n * TOKEN)];
  net.must(task, net.claim('worker', task), ...subs);
  for (const sub of [subs[2]!, subs[0]!, subs[1]!]) {
    net.must(net.claim('helper', sub), net.submit('helper', sub), net.on(abi.OP_TASK_APPROVE, 'worker', sub));
  }
  net.must(net.submit('worker', task));
  const { txs, events } = net.run([net.on(abi.OP_TASK_APPROVE, 'poster', task)]);
  expect(events.map((e) => e.type)).toEqual(Array<number>(4).fill(abi.EVENT_TASK_SETTLED));
  expect(events.map((e) => e.seq)).toEqual([1, 2, 3, 4].map((n) => txs[0]!.seq + n));
  const payouts = [task, ...subs].map((t) => net.settled(t).payout as bigint);
  expect(payouts).toEqual([93_906_000n, 999_000n, 1_998_000n, 2_997_000n]);
  expect(net.agent('helper', abi.AGENT_EARNED)).toBe(5_994_000n);
});

test('a category without room for its name counts as general, and refuses nobody', () => {
  const net = new TaskNet(1, { capacities: capacities({ 7: 18 }) });
  for (const [category, shown] of [
    ['first', 17],
    ['second', abi.CATEGORY_GENERAL],
    ['first', 17],
  ] as const) {
    const task = net.post(MINIMUM, { category });
    net.must(task, net.claim('worker', task), net.submit('worker', task));
    net.must(net.on(abi.OP_TASK_APPROVE, 'poster', task));
    const records = net.core.queryIndex(abi.QUERY_RECORDS, net.index('worker'))!;
    const found = Array.from({ length: records.byteLength / abi.RECORD_BYTES }, (_, i) =>
      records.getUint32(i * abi.RECORD_BYTES, true),
    );
    expect(found).toContain(shown);
  }
});

test('full tables: each refusal says which, nothing changes, and rows come back', () => {
  const net = new TaskNet(1, { capacities: capacities({ 1: 3, 8: 3 }) });
  const tasks = [net.post(MINIMUM), net.post(MINIMUM), net.post(2n * MINIMUM)];
  net.must(...tasks);
  const refused = (command: ReturnType<TaskNet['post']>): [number, bigint] => {
    const before = net.core.header(abi.HEADER_TOTAL_ESCROWED);
    const tx = net.run([command]).txs[0]!;
    expect(net.core.header(abi.HEADER_TOTAL_ESCROWED)).toBe(before);
    return [tx.code, tx.words[0]!];
  };
  expect(refused(net.post(MINIMUM))).toEqual([abi.CAPACITY, BigInt(abi.TABLE_TASKS)]);
  net.must(net.claim('worker', tasks[0]!), net.claim('helper', tasks[1]!));
  net.must(net.submit('worker', tasks[0]!), net.submit('helper', tasks[1]!));
  // Two rows of items are promised to disputes that nobody can refuse; a third is kept from claims of value.
  expect(refused(net.generation('worker', 5n))).toEqual([abi.CAPACITY, BigInt(abi.TABLE_ITEMS)]);
  net.must(net.claim('worker', tasks[2]!));
  expect(refused(net.transfer('worker', 'helper', 1n))).toEqual([abi.CAPACITY, BigInt(abi.TABLE_ITEMS)]);
  net.must(
    net.on(abi.OP_TASK_DISPUTE, 'poster', tasks[0]!),
    net.on(abi.OP_TASK_DISPUTE, 'poster', tasks[1]!),
  );
  net.run([], DAY);
  net.must(net.post(MINIMUM), net.post(2n * MINIMUM), net.generation('worker', 5n));
});

test('beyond half of its rows the table of tasks takes larger budgets only', () => {
  const net = new TaskNet(1, { capacities: capacities({ 8: 8 }) });
  const tasks = Array.from({ length: 5 }, () => net.post(MINIMUM));
  net.must(...tasks);
  // 8 / (2 * 3) of the minimum, then 8 / (2 * 2), then 8 / 2.
  expect(net.codes([net.post(MINIMUM)])).toEqual([abi.BUDGET_BELOW_MINIMUM]);
  expect(net.run([net.post(133_332n)]).txs[0]!.words[0]).toBe(133_333n);
  net.must(net.post(133_333n), net.post(200_000n), net.post(400_000n));
  expect(net.codes([net.post(TOKEN)])).toEqual([abi.CAPACITY]);
  net.must(net.on(abi.OP_TASK_CANCEL, 'poster', tasks[0]!));
  expect(net.run([net.post(399_999n)]).txs[0]!.words[0]).toBe(400_000n);
});

test('claims of value fill half of the open events, transfers three quarters; what is left is for work', () => {
  const net = new TaskNet(1, { capacities: capacities({ 1: 8 }) });
  const many = (make: () => Command): number =>
    net.codes(Array.from({ length: 9 }, make)).filter((code) => code === abi.OK).length;
  expect(many(() => net.generation('helper', 5n))).toBe(4);
  expect(many(() => net.transfer('worker', 'helper', 1n))).toBe(2);
  const tasks = [net.post(MINIMUM), net.post(MINIMUM), net.post(MINIMUM)];
  net.must(net.back('worker'), ...tasks);
  expect(net.codes(tasks.map((task) => net.claim('worker', task)))).toEqual([abi.OK, abi.OK, abi.CAPACITY]);
});

test('thousands of deadlines in one block: told in turns, each once, and the core is empty', () => {
  const count = 12_000;
  const net = new TaskNet(1, { capacities: capacities({ 1: 24_000, 3: 60_000, 8: 24_000, 9: 20_000 }) });
  for (let from = 0; from < count; from += 3000) {
    net.must(...Array.from({ length: 3000 }, () => net.post(MINIMUM)));
  }
  net.nowMs += 31 * DAY * 1000;
  const outcomes = net.core.apply(...net.blockRecords([]));
  const finals = outcomes.flatMap((o) =>
    o.kind === 'task' && o.isFinal ? [Buffer.from(o.image).toString('hex', 0, 16)] : [],
  );
  expect(finals.length).toBe(count);
  expect(new Set(finals).size).toBe(count);
  const events = outcomes.filter((o) => o.kind === 'event');
  expect(events.length).toBe(2 * count);
  expect(net.core.header(abi.HEADER_TASKS)).toBe(0n);
  expect(net.agent('poster', abi.AGENT_RESERVED)).toBe(0n);
  expect(net.core.fullSupply()).toBe(1_000_000_000n * TOKEN);
});

test('a core that is loaded in the middle of everything goes on alike', () => {
  const net = new TaskNet(6);
  const tasks = [net.post(100n * TOKEN, ASSURED), net.post(100n * TOKEN), net.post(100n * TOKEN, ASSURED)];
  const sub = net.sub(tasks[1]!, TOKEN);
  const claims = tasks.map((t) => net.claim('worker', t));
  net.must(net.back('worker'), ...tasks, ...claims, sub, net.claim('helper', sub));
  net.must(net.submit('worker', tasks[0]!), net.submit('helper', sub));
  const member = net.panel(tasks[0]!)[0]!;
  net.must(
    net.verify(`op${member}`, net.submission(tasks[0]!), true),
    net.on(abi.OP_TASK_DISPUTE, 'worker', sub),
  );
  const copy = new Core(net.core.config);
  expect(copy.load(net.core.dirty())).toBe(0);
  expect(copy.stateHash()).toBe(net.core.stateHash());
  for (const gapSecs of [10, 301, 301, 3601, DAY, DAY, 7200, 7200, 7200, 31 * DAY]) {
    net.nowMs += gapSecs * 1000;
    const block = net.blockRecords([net.register(`late ${gapSecs}`)]);
    expect(copy.apply(...block)).toEqual(net.core.apply(...block));
    expect(copy.stateHash()).toBe(net.core.stateHash());
  }
  expect(copy.header(abi.HEADER_TASKS)).toBe(0n);
  expect(copy.fullSupply()).toBe(1_000_000_000n * TOKEN);
});

test('an import with a damaged task is refused', () => {
  const net = new TaskNet(1);
  const task = net.post(100n * TOKEN);
  net.must(task, net.claim('worker', task));
  const leaves = net.core.dirty();
  const damage = (find: (bytes: Uint8Array) => number): number => {
    const copy = new Core(net.core.config);
    const damaged = new Map([...leaves].map(([leaf, bytes]) => [leaf, bytes.slice()]));
    for (const bytes of damaged.values()) {
      const at = find(bytes);
      if (at < 0) continue;
      bytes[at]! ^= 1;
      return copy.load(damaged);
    }
    return -1;
  };
  const id = Buffer.from(net.claim('worker', task).taskId, 'hex');
  const fieldAt = (field: number) => (bytes: Uint8Array) => {
    const at = Buffer.from(bytes).indexOf(id);
    return at < 0 || at + field >= bytes.length ? -1 : at + field;
  };
  const refusals = [abi.IMPORT_BAD_TABLE, abi.IMPORT_BAD_SUPPLY];
  // Escrow, claimer, poster, status and parent of the row in assembly/tasks/rows.ts.
  for (const field of [24, 120, 116, 160, 128]) expect(refusals).toContain(damage(fieldAt(field)));
});
