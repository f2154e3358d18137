import { afterAll, describe, expect, it } from 'vitest';
import { executionOf } from '../../../tools/histories/call.ts';
import { faultText, judge, shortest } from '../../../tools/histories/judge.ts';
import { MUTATIONS } from '../../../tools/histories/mutations.ts';
import { buildPorcupine } from '../../../tools/histories/porcupine.ts';
import { checkMutations, verdictOf } from '../../../tools/histories/verdict.ts';
import { MadeHistory } from './made-history.ts';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

const built = buildPorcupine();
const porcupine = 'missing' in built ? undefined : built;
const SKIPPED = 'missing' in built ? ` (SKIPPED porcupine: ${built.missing})` : '';
afterAll(() => porcupine?.close());

describe('both judges over a history without a fault', () => {
  it(`find nothing, though nodes are behind each other${SKIPPED}`, () => {
    for (const seed of SEEDS) {
      const { recorded } = new MadeHistory(seed).live(200);
      const { faults, undecided, searched } = verdictOf(recorded, porcupine);
      expect(faults.map(faultText), `seed ${seed}`).toEqual([]);
      expect(undecided).toEqual([]);
      if (porcupine) expect(searched).toBeGreaterThan(100);
    }
  });

  it(`find each change that is made to it on purpose${SKIPPED}`, () => {
    for (const seed of SEEDS) {
      const checks = checkMutations(new MadeHistory(seed).live(200).recorded, seed, porcupine);
      expect(
        checks.filter(({ isFound }) => !isFound),
        `seed ${seed}`,
      ).toEqual([]);
      expect(checks).toHaveLength(MUTATIONS.length);
    }
  });
});

describe('the judge by the order', () => {
  /** A worker, and a stake of it that was answered. */
  function staked() {
    const made = new MadeHistory(1);
    const worker = made.workers[0]!;
    const event = made.event('stake', worker, { amount: 5, staked_amount: 1005 });
    const call = made.write('/v1/stake', worker, 200, event, { balance: 998_995, staked_amount: 1005 });
    return { made, worker, event, call };
  }
  const rules = (made: MadeHistory) => shortest(judge(made.recorded)).map(({ rule }) => rule);

  it('takes the answer to a repetition for that of the first, however late it was', () => {
    const { made, worker, event } = staked();
    const { startMs } = made.calls.at(-1)!;
    // The first request of this transaction got no answer; a later write was answered before the repetition.
    made.calls.unshift({
      ...made.calls.at(-1)!,
      startMs: startMs - 5,
      endMs: undefined,
      status: undefined,
      order: undefined,
    });
    const later = made.event('stake', worker, { amount: 5, staked_amount: 1010 });
    made.write('/v1/stake', worker, 200, later, { balance: 998_990, staked_amount: 1010 });
    const repeated = {
      method: 'POST',
      path: '/v1/stake',
      txId: event.id,
      code: 'DUPLICATE_TX',
      order: event.order,
    };
    made.call({ ...repeated, status: 200 });
    expect(judge(made.recorded)).toEqual([]);
    made.call({ ...repeated, status: 200, order: event.order + 1 });
    expect(rules(made)).toEqual(['place']);
  });

  it('reads the execution out of the answer to a repetition', () => {
    const details = { executed: true, status: 201, order: 7 };
    expect(executionOf(409, 'DUPLICATE_TX', { details })).toEqual({ status: 201, order: 7 });
    expect(executionOf(409, 'DUPLICATE_TX', { details: { executed: false } })).toEqual({ status: 409 });
    expect(executionOf(200, undefined, { details })).toEqual({ status: 200 });
  });

  it('lets a node be behind, until it has shown more', () => {
    const { made, worker, event, call } = staked();
    const path = `/v1/agents/${worker}/balance`;
    const other = ['a', 'b', 'c'].find((machine) => machine !== call.machine)!;
    const old = {
      path,
      status: 200,
      order: event.order - 1,
      body: { balance: 999_000, staked_amount: 1000 },
    };
    made.call({ ...old, machine: other });
    expect(judge(made.recorded)).toEqual([]);
    made.call({ ...old, machine: call.machine });
    const [fault] = judge(made.recorded);
    expect(fault!.rule).toBe('went back');
    expect(fault!.calls).toEqual([call, made.calls.at(-1)]);
    expect(faultText(fault!)).toContain(`order ${event.order}`);
  });

  it('knows a refusal that cannot be right, and one that can', () => {
    const made = new MadeHistory(1);
    const [poster, worker] = made.workers as [string, string];
    const task = 'ab'.repeat(16);
    const posted = made.event('task_posted', poster, { task_id: task, budget: 10, worker_bond: 0 });
    const { machine } = made.write('/v1/tasks', poster, 201, posted);
    const path = `/v1/tasks/${task}/claim`;
    const refused = { method: 'POST', path, machine, status: 409, code: 'invalid_state', txId: 'refused' };
    const call = made.call({ ...refused, actor: poster });
    expect(rules(made)).toEqual(['value']);
    // With a rival's claim that was under way it is right, with one that was asked for later it is not.
    const claimed = made.event('task_claimed', worker, { task_id: task });
    const rival = made.write(path, worker, 200, claimed, { claimer_id: worker });
    Object.assign(rival, { startMs: call.endMs! + 1, endMs: call.endMs! + 2 });
    expect(rules(made)).toEqual(['value']);
    rival.startMs = call.startMs;
    expect(rules(made)).toEqual([]);
  });

  it('knows a thing that is not found where it was shown', () => {
    const { made, event, call } = staked();
    made.call({
      path: `/v1/events/${event.id}`,
      machine: call.machine,
      status: 404,
      code: 'event_not_found',
    });
    const [fault] = judge(made.recorded);
    expect(fault).toMatchObject({ rule: 'value', calls: [call, made.calls.at(-1)] });
  });

  it('demands the order that a read asks for', () => {
    const { made, worker, event, call } = staked();
    const other = ['a', 'b', 'c'].find((machine) => machine !== call.machine)!;
    const body = { balance: 999_000, staked_amount: 1000 };
    const path = `/v1/agents/${worker}/balance`;
    const asked = { path, machine: other, minOrder: event.order, status: 200, order: event.order - 1, body };
    const read = made.call(asked);
    const [fault] = judge(made.recorded);
    expect(fault).toMatchObject({ rule: 'min order', calls: [call, read] });
    made.calls.splice(-1, 1, { ...read, status: 503, code: 'behind', order: undefined });
    expect(judge(made.recorded)).toEqual([]);
  });

  it('finds an order that does not fit itself', () => {
    const { made, worker } = staked();
    made.event('task_claimed', worker, { task_id: 'ab'.repeat(16) });
    made.event('unstake', worker, { amount: 2000, staked_amount: 0 });
    expect(rules(made)).toEqual(['model']);
    expect(judge(made.recorded).map(({ text }) => text)).toEqual([
      expect.stringContaining('is none'),
      expect.stringContaining('takes more than'),
      expect.stringContaining('not 0'),
    ]);
  });
});
