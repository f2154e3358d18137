// R15: a judge that waits until others have decided and repeats them, to pass its probation without judging anything. What
// stands against it (protocol 6.9): a vote after the decision counts for transfers only, about which there is nothing to judge.

import { expect, test } from 'vitest';
import { type Parts, SEAT_KEY, send } from '../host/one-node/harness.ts';
import { heavyManifest } from '../host/one-node/manifests.ts';
import {
  act,
  GOOD,
  OTHER,
  POSTER,
  post,
  TOKEN,
  task,
  WORKER,
  withAgents,
} from '../host/one-node/task-life.ts';
import { report } from './figures.ts';

const NET = { manifest: heavyManifest(5, 0.7), params: { min_participants: '1' } };

/** The submission of an assured task, on whose panel these validators are. */
async function submittedBefore(p: Parts, members: readonly string[]): Promise<string> {
  for (;;) {
    const id = await post(p, { budget: 25 * TOKEN, assurance_lane: 'standard' });
    await act(p, WORKER, id, 'claim');
    await act(p, WORKER, id, 'submit', GOOD);
    const { panel, submission_event_id } = task(p, id);
    if (members.every((one) => (panel as string[]).includes(one))) return String(submission_event_id);
    await act(p, POSTER, id, 'approve');
  }
}

/** A transfer that this validator was drawn for. */
async function transferBefore(p: Parts, validator: string): Promise<string> {
  for (;;) {
    await send(p, POSTER, '/v1/transfer', { to_agent: WORKER.publicKeyHex, amount: TOKEN });
    const event = p.events.findLast((e) => e.event_type === 'transfer')!;
    if (event.assigned_to?.includes(validator)) return event.event_id;
    await send(p, SEAT_KEY, '/v1/verify', { event_id: event.event_id, verdict: true });
  }
}

test('a judge in probation gains no accuracy by repeating what a panel has decided', async () => {
  const p = await withAgents(NET);
  await send(p, OTHER, '/v1/stake', { amount: 30_000 * TOKEN });
  await send(p, OTHER, '/v1/validators', {});
  const index = p.ids.find(OTHER.publicKey)!.validator!;
  // The first seat has the weight to decide alone.
  const event_id = await submittedBefore(p, ['v1', p.ids.validatorId(index)]);
  expect(await send(p, SEAT_KEY, '/v1/verify', { event_id, verdict: true })).toBeInstanceOf(Array);

  expect(await send(p, OTHER, '/v1/verify', { event_id, verdict: true })).toBe('not_pending');
  const { votesRight, tasksProcessed } = p.ids.state.validator(index)!;
  report({
    attack: 'R15',
    what: 'votes counted as right that repeat a decision',
    before: '1',
    after: `${votesRight}`,
  });
  expect([votesRight, tasksProcessed]).toEqual([0, 0]);

  // About a transfer there is nothing to judge: being there counts.
  await send(p, POSTER, '/v1/stake', { amount: 1000 * TOKEN });
  const transfer = await transferBefore(p, p.ids.validatorId(index));
  await send(p, SEAT_KEY, '/v1/verify', { event_id: transfer, verdict: true });
  expect(await send(p, OTHER, '/v1/verify', { event_id: transfer, verdict: true })).toBeInstanceOf(Array);
  expect(p.ids.state.validator(index)).toMatchObject({ votesRight: 1, tasksProcessed: 1 });
});
