// What the receiving node runs before it has anything ordered.

import { expect, it } from 'vitest';
import { Trials } from '../../../host/execution/trials.ts';
import { CHECK_DIGESTS } from '../../../host/modules/module-digests.ts';
import { InlineRunner, type ProgramRunner } from '../../../host/programs/runner.ts';
import type { Submission } from '../../../host/sequencer/sequencer.ts';
import { type Parts, settle, signed } from '../one-node/harness.ts';
import { act, OTHER, POSTER, post, TASK, task, WORKER, withAgents } from '../one-node/task-life.ts';

const CONTAINS = { program: 'contains', parameters: { all: ['Bern'] } };

/** The trial of a write, with what the state says of it first. */
function trial(p: Parts, write: Submission): Promise<void> | undefined {
  const trials = new Trials(p.ids.tasks, new InlineRunner(), p.executor.runs);
  return trials.of(write, { network: 'near' }, () => p.sequencer.admit(write));
}

async function claimed(p: Parts, acceptance: object[]): Promise<string> {
  const id = await post(p, { acceptance, settle: 'on_pass' });
  await act(p, WORKER, id, 'claim');
  return id;
}
const delivery = (p: Parts, id: string, result_content: string) =>
  signed(p, WORKER, `/v1/tasks/${id}/submit`, { result_content });

it('refuses a delivery that fails, with the check and its reason, before anything is ordered', async () => {
  const p = await withAgents();
  const id = await claimed(p, [{ program: 'size', parameters: { max_bytes: 99 } }, CONTAINS]);
  const order = p.ids.state.header().order;
  await expect(trial(p, delivery(p, id, 'Chur'))).rejects.toMatchObject({
    code: 'acceptance_failed',
    status: 422,
    details: { check: 1, program: CHECK_DIGESTS.contains, end: 'fail', score_bp: 0 },
  });
  expect(p.ids.state.header().order).toBe(order);
  expect(task(p, id)).toMatchObject({ status: 'claimed' });
  expect(task(p, id).acceptance_report).toBeUndefined();
});

it('lets pass what passes, and has execution take the outcome over', async () => {
  const p = await withAgents();
  const id = await claimed(p, [CONTAINS]);
  await trial(p, delivery(p, id, 'Bern'));
  expect(await act(p, WORKER, id, 'submit', { result_content: 'Bern' })).toBeUndefined();
  expect(task(p, id)).toMatchObject({ status: 'completed', resolution: 'contract' });
});

it('does not run a check whose seed is not known yet', async () => {
  const p = await withAgents();
  const id = await claimed(p, [{ ...CONTAINS, seeded: true }]);
  await trial(p, delivery(p, id, 'Chur'));
  expect(await act(p, WORKER, id, 'submit', { result_content: 'Chur' })).toBeUndefined();
  expect(task(p, id).acceptance_report).toMatchObject({ passed: false, check: 0 });
});

it('proves the parameters of a new contract', async () => {
  const p = await withAgents();
  const creation = (parameters: object) =>
    signed(p, POSTER, '/v1/tasks', { ...TASK, acceptance: [CONTAINS, { program: 'regex', parameters }] });
  await expect(trial(p, creation({ pattern: '(' }))).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('acceptance[1].parameters'),
  });
  await trial(p, creation({ pattern: '[0-9]+' }));
});

it('needs nothing for other writes', async () => {
  const p = await withAgents();
  const id = await post(p);
  await act(p, WORKER, id, 'claim');
  expect(trial(p, delivery(p, id, 'anything'))).toBeUndefined();
});

it('runs nothing for a stranger', async () => {
  const p = await withAgents();
  const id = await claimed(p, [CONTAINS]);
  const foreign = signed(p, OTHER, `/v1/tasks/${id}/submit`, { result_content: 'Chur' });
  expect(() => trial(p, foreign)).toThrow(expect.objectContaining({ code: 'not_claimer' }));
});

/** Trials whose runs end when they are let go, and the deliveries that were run. */
function heldTrials(p: Parts) {
  const free: (() => void)[] = [];
  const ran: string[] = [];
  const held: ProgramRunner = {
    run: (job) =>
      new Promise((resolve) => {
        ran.push(/Bern [a-z0-9]+/.exec(new TextDecoder().decode(job.input))?.[0] ?? '');
        free.push(() => resolve(new InlineRunner().runNow(job)));
      }),
    close: async () => {},
  };
  const trials = new Trials(p.ids.tasks, held, p.executor.runs);
  const begin = (write: Submission, network = 'near', owner = write.owner) =>
    trials.of({ ...write, owner }, { network }, () => p.sequencer.admit(write))!;
  const letGo = async () => {
    for (await settle(); free.length > 0; await settle()) for (const next of free.splice(0)) next();
  };
  return { begin, letGo, ran };
}
const OVERLOADED = expect.objectContaining({ code: 'overloaded', headers: { 'Retry-After': '1' } });

it('runs a few of one agent at a time, so that nobody has the thread for itself', async () => {
  const p = await withAgents();
  const id = await claimed(p, [CONTAINS]);
  const { begin, letGo } = heldTrials(p);
  const begun = Array.from({ length: 4 }, (_, i) => begin(delivery(p, id, `Bern ${i}`)));
  expect(() => begin(delivery(p, id, 'Bern 4'))).toThrow(OVERLOADED);
  const creation = signed(p, OTHER, '/v1/tasks', { ...TASK, acceptance: [CONTAINS] });
  begun.push(begin(creation));
  await letGo();
  await Promise.all(begun);
  const again = begin(delivery(p, id, 'Bern 5'));
  await letGo();
  await again;
});

it('has the agents of one network wait for each other, and those of another not for all of them', async () => {
  const p = await withAgents();
  const id = await claimed(p, [CONTAINS]);
  const { begin, letGo, ran } = heldTrials(p);
  const begun = Array.from({ length: 16 }, (_, i) => begin(delivery(p, id, `Bern ${i}`), 'near', `${i}`));
  expect(() => begin(delivery(p, id, 'Bern 16'), 'near', '16')).toThrow(OVERLOADED);
  begun.push(begin(delivery(p, id, 'Bern far'), 'far', '17'));
  await letGo();
  await Promise.all(begun);
  expect(ran.slice(0, 4)).toEqual(['Bern 0', 'Bern 1', 'Bern far', 'Bern 2']);
  expect(ran).toHaveLength(17);
  const again = begin(delivery(p, id, 'Bern 16'), 'near', '16');
  await letGo();
  await again;
});

it('takes turns on when a run fails', async () => {
  const p = await withAgents();
  const id = await claimed(p, [CONTAINS]);
  const { begin, letGo } = heldTrials(p);
  const begun = [begin(delivery(p, id, 'Chur')), begin(delivery(p, id, 'Bern'))];
  const ends = Promise.allSettled(begun);
  await letGo();
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
