// A node whose contracts run on another thread: its main thread runs no program, and executes what a node that runs them at
// once executes.

import { afterEach, expect, it, vi } from 'vitest';
import type { ProgramJob } from '../../../host/programs/job-codec.ts';
import { InlineRunner, type ProgramRunner } from '../../../host/programs/runner.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { encodeEntry, openEntry } from '../../../host/wire/entry.ts';
import { taskId } from '../../../host/wire/ids.ts';
import { assemble, order, type Parts, settle, signed, signedEntry } from '../one-node/harness.ts';
import { act, OTHER, POSTER, post, TASK, task, WORKER, withAgents } from '../one-node/task-life.ts';

const SEEDED = [{ program: 'contains', parameters: { all: ['Bern'] }, seeded: true }];
const TWO = { acceptance: [...SEEDED, { program: 'size', parameters: { max_bytes: 9 } }], settle: 'on_pass' };

/** A thread of its own, as far as the order can tell: runs end when the test says so. */
class HeldRunner implements ProgramRunner {
  readonly #inline = new InlineRunner();
  #waiting: (() => void)[] = [];
  jobs = 0;
  /** false: each run ends in a turn of its own. */
  isHeld = false;
  fault: Error | undefined;

  async run(job: ProgramJob): ReturnType<ProgramRunner['run']> {
    this.jobs += 1;
    await new Promise<void>((end) => (this.isHeld ? this.#waiting.push(end) : setImmediate(end)));
    if (this.fault) throw this.fault;
    return this.#inline.run(job);
  }
  async close(): Promise<void> {}

  get count(): number {
    return this.#waiting.length;
  }
  release(): void {
    for (const end of this.#waiting.splice(0)) end();
  }
}

const states = (p: Parts) => [toHex(p.ids.state.core.stateHash()), toHex(p.documents.hash)];

afterEach(() => void vi.restoreAllMocks());

it('runs no program on its main thread', async () => {
  const runner = new HeldRunner();
  const p = await withAgents({ runner });
  const driven = vi.spyOn(InlineRunner.prototype, 'runNow');
  const id = await post(p, TWO);
  await act(p, WORKER, id, 'claim');
  await act(p, WORKER, id, 'submit', { result_content: 'Bern' });
  expect(task(p, id)).toMatchObject({ status: 'completed', resolution: 'contract', payout_status: 'paid' });
  // Those of the runner itself, which stands for the other thread.
  expect([runner.jobs, driven.mock.calls.length]).toEqual([2, 2]);
});

it('executes what a node executes that runs them at once, whatever is asked of it meanwhile', async () => {
  const runner = new HeldRunner();
  const [apart, inline] = [await assemble({ runner }), await assemble({})];
  const entryOf = (...args: [typeof POSTER, string, Record<string, unknown>]) =>
    signedEntry(apart.clock, ...args);
  const both = async (...entries: ReturnType<typeof entryOf>[]): Promise<void> => {
    const bytes = entries.map(encodeEntry);
    const waits = order(apart, bytes);
    await settle();
    if (runner.isHeld) {
      expect(runner.count).toBe(1);
      // Checks of writes go on in the middle of the block.
      for (const key of [POSTER, WORKER, OTHER])
        for (const verb of ['approve', 'cancel', 'claim'])
          expect(() =>
            apart.sequencer.admit(signed(apart, key, `/v1/tasks/${ids[0]}/${verb}`, {})),
          ).toThrow();
      while (runner.count > 0) {
        runner.release();
        await settle();
      }
    }
    await waits;
    await order(inline, bytes);
    expect(states(apart)).toEqual(states(inline));
  };
  await both(...[POSTER, WORKER, OTHER].map((key) => entryOf(key, '/v1/agents', {})));
  const tasks = [1, 2].map((n) => entryOf(POSTER, '/v1/tasks', { ...TASK, ...TWO, title: `Task ${n}` }));
  const ids = tasks.map((entry) => taskId(toHex(openEntry(entry).id)));
  await both(...tasks);
  const workers = [WORKER, OTHER];
  await both(...ids.map((id, i) => entryOf(workers[i]!, `/v1/tasks/${id}/claim`, {})));
  runner.isHeld = true;
  const texts = ['Bern', 'Bern and Chur'];
  await both(
    ...ids.map((id, i) => entryOf(workers[i]!, `/v1/tasks/${id}/submit`, { result_content: texts[i] })),
    entryOf(OTHER, '/v1/transfer', { to_agent: WORKER.publicKeyHex, amount: 1 }),
  );
  expect(ids.map((id) => task(apart, id).status)).toEqual(['completed', 'claimed']);
  expect(runner.jobs).toBe(4);
});

it('has reads wait while a program of the order runs', async () => {
  const runner = new HeldRunner();
  const p = await withAgents({ runner });
  const id = await post(p, TWO);
  await act(p, WORKER, id, 'claim');
  runner.isHeld = true;
  const submitted = act(p, WORKER, id, 'submit', { result_content: 'Bern' });
  await settle();
  expect(runner.count).toBe(1);
  expect(p.sequencer.busy).toBeDefined();
  runner.isHeld = false;
  runner.release();
  expect(await submitted).toBeUndefined();
  await settle();
  expect(p.sequencer.busy).toBeUndefined();
});

it('stops when the machine cannot run a program', async () => {
  const runner = new HeldRunner();
  const p = await withAgents({ runner });
  const id = await post(p, TWO);
  await act(p, WORKER, id, 'claim');
  runner.fault = new Error('no memory');
  expect(await act(p, WORKER, id, 'submit', { result_content: 'Bern' })).toBe('no_quorum');
  expect(p.failure).toEqual([runner.fault]);
});
