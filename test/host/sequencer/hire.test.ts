// Direct hire on a whole node: who may claim, declining, and what follows when nothing comes of a reservation (protocol 7.1.1).

import { expect, it } from 'vitest';
import { toHex } from '../../../host/wire/bytes.ts';
import { taskId } from '../../../host/wire/ids.ts';
import { type Parts, send, signed } from '../one-node/harness.ts';
import {
  act,
  GOOD,
  OTHER,
  POSTER,
  post,
  TASK,
  TOKEN,
  task,
  WORKER,
  withAgents,
} from '../one-node/task-life.ts';

const HIRED = { reserved_for: WORKER.publicKeyHex };
const row = (p: Parts, key = WORKER): number => p.ids.find(key.publicKey)!.index;
const balance = (p: Parts, key = POSTER): number => p.ids.state.agent(row(p, key))!.balance;
const hiredFor = (p: Parts, key = WORKER): string[] =>
  p.tasks.pageOfHired(row(p, key), 0, 10).ids.map((id) => toHex(id));
const failures = (p: Parts): number => p.ids.state.agent(row(p))!.failed;

it('only the agent that is hired claims, and its name stays', async () => {
  const p = await withAgents();
  const id = await post(p, HIRED);
  const posted = task(p, id);
  expect(posted).toMatchObject({ ...HIRED, reserved_then: 'refund', status: 'open' });
  expect(posted.reserved_until).toBe((posted.posted_at as number) + 86_400);
  expect(posted).not.toHaveProperty('routed_to');
  expect(posted).not.toHaveProperty('exclusive_until');
  expect(p.events.findLast((e) => e.event_type === 'task_posted')!.recipient_id).toBe(WORKER.publicKeyHex);
  expect(hiredFor(p)).toEqual([id]);
  expect(await act(p, OTHER, id, 'claim')).toBe('reserved_for_other');
  expect(await act(p, OTHER, id, 'decline')).toBe('reserved_for_other');
  expect(await act(p, WORKER, id, 'claim')).toBeUndefined();
  expect(task(p, id)).toMatchObject({ status: 'claimed', ...HIRED });
  expect(task(p, id)).not.toHaveProperty('reserved_until');
  expect(hiredFor(p)).toEqual([]);
  expect(await act(p, WORKER, id, 'decline')).toBe('invalid_state');
  expect(await act(p, WORKER, id, 'submit', GOOD)).toBeUndefined();
  expect(await act(p, POSTER, id, 'approve')).toBeUndefined();
  expect(task(p, id)).toMatchObject({ status: 'completed', ...HIRED });
});

it('declining refunds, whatever the poster chose for silence, and is no failure', async () => {
  const p = await withAgents();
  for (const reserved_then of ['refund', 'open']) {
    const before = balance(p);
    const id = await post(p, { ...HIRED, reserved_then });
    expect(await act(p, WORKER, id, 'decline', { reason: 'busy' })).toBeUndefined();
    expect(task(p, id)).toMatchObject({ status: 'cancelled', resolution: 'declined', escrow_amount: 0 });
    expect(balance(p)).toBe(before);
    expect(p.events.findLast((e) => e.event_type === 'task_declined')!.payload).toEqual({
      task_id: id,
      reason: 'busy',
    });
  }
  expect(failures(p)).toBe(0);
  expect(hiredFor(p)).toEqual([]);
});

it('silence refunds a task, or opens it to all, as its poster chose', async () => {
  const p = await withAgents();
  const before = balance(p);
  const refunded = await post(p, { ...HIRED, reserved_secs: 60 });
  const opened = await post(p, { ...HIRED, reserved_secs: 60, reserved_then: 'open' });
  await p.clock.advance(58_000);
  expect(await act(p, OTHER, opened, 'claim')).toBe('reserved_for_other');
  await p.clock.advance(10_000);
  expect(task(p, refunded)).toMatchObject({ status: 'cancelled', resolution: 'expired', ...HIRED });
  expect(balance(p)).toBe(before - 10 * TOKEN);
  expect(task(p, opened)).toMatchObject({ status: 'open', ...HIRED });
  expect(task(p, opened)).not.toHaveProperty('reserved_until');
  expect(hiredFor(p)).toEqual([]);
  expect(await act(p, WORKER, opened, 'decline')).toBe('invalid_state');
  expect(await act(p, OTHER, opened, 'claim')).toBeUndefined();
  expect(failures(p)).toBe(0);
});

it('a claim that ends without a delivery is followed by the same', async () => {
  const p = await withAgents();
  const before = balance(p);
  const late = await post(p, { ...HIRED, max_delivery_time_secs: 3 });
  await act(p, WORKER, late, 'claim');
  await p.clock.advance(10_000);
  expect(task(p, late)).toMatchObject({ status: 'cancelled', resolution: 'expired' });
  expect(failures(p)).toBe(1);
  const given = await post(p, HIRED);
  await act(p, WORKER, given, 'claim');
  expect(await act(p, WORKER, given, 'release')).toBeUndefined();
  expect(task(p, given)).toMatchObject({ status: 'cancelled', resolution: 'declined' });
  expect(balance(p)).toBe(before);
  const open = await post(p, { ...HIRED, reserved_then: 'open' });
  await act(p, WORKER, open, 'claim');
  await act(p, WORKER, open, 'release');
  expect(task(p, open)).toMatchObject({ status: 'open', ...HIRED });
  expect(await act(p, WORKER, open, 'claim')).toBe('claim_barred');
  expect(await act(p, OTHER, open, 'claim')).toBeUndefined();
  expect(failures(p)).toBe(1);
});

it('is routed to nobody while it is reserved, and to another agent afterwards', async () => {
  const p = await withAgents();
  for (const key of [WORKER, OTHER]) await send(p, key, '/v1/router/register', { categories: ['general'] });
  const id = await post(p, { ...HIRED, reserved_secs: 60, reserved_then: 'open', budget: TOKEN });
  expect(p.events.some((e) => e.event_type === 'task_routed')).toBe(false);
  const leave = `/v1/router/register/${WORKER.publicKeyHex}`;
  await p.sequencer.submit(signed(p, WORKER, leave, {}, { method: 'DELETE' }));
  expect(task(p, id)).toMatchObject({ status: 'open', ...HIRED });
  expect(task(p, id).reserved_until).toBeDefined();
  await send(p, WORKER, '/v1/router/register', { categories: ['general'] });
  await p.clock.advance(70_000);
  expect(task(p, id).routed_to).toBe(OTHER.publicKeyHex);
});

it('names an agent that exists and may claim; the terms go together', async () => {
  const p = await withAgents();
  const create = (over: object, path = '/v1/tasks') => send(p, POSTER, path, { ...TASK, ...over });
  expect(await create({ reserved_for: 'nobody' })).toBe('agent_not_found');
  expect(await create({ reserved_for: POSTER.publicKeyHex })).toBe('self_claim');
  expect(await create({ reserved_secs: 60 })).toBe('invalid_request');
  expect(await create({ reserved_then: 'open' })).toBe('invalid_request');
  expect(await create({ ...HIRED, reserved_secs: 2_592_001 })).toBe('invalid_request');
});

it('a subtask is reserved as a task is; declined, its money is in the parent again', async () => {
  const p = await withAgents();
  const parent = await post(p);
  await act(p, WORKER, parent, 'claim');
  const part = { title: 'Part', budget: 2 * TOKEN };
  const path = `/v1/tasks/${parent}/subtask`;
  for (const key of [POSTER, WORKER]) {
    expect(await send(p, WORKER, path, { ...part, reserved_for: key.publicKeyHex })).toBe('self_claim');
  }
  const s = signed(p, WORKER, path, { ...part, reserved_for: OTHER.publicKeyHex });
  await p.sequencer.submit(s);
  const child = taskId(toHex(s.input.id));
  expect(hiredFor(p, OTHER)).toEqual([child]);
  expect(task(p, parent).escrow_amount).toBe(8 * TOKEN);
  expect(await act(p, OTHER, child, 'decline')).toBeUndefined();
  expect(task(p, child)).toMatchObject({ status: 'cancelled', resolution: 'declined' });
  expect(task(p, parent)).toMatchObject({ status: 'claimed', escrow_amount: 10 * TOKEN });
});

it('is no way around the bounds of claims: being hired holds nothing, and each claim needs its backing', async () => {
  const p = await withAgents();
  const ids = [await post(p, HIRED), await post(p, HIRED), await post(p, HIRED)];
  expect(hiredFor(p)).toHaveLength(3);
  expect(balance(p, WORKER)).toBe(balance(p, OTHER));
  expect(await act(p, WORKER, ids[0]!, 'claim')).toBeUndefined();
  expect(await act(p, WORKER, ids[1]!, 'claim')).toBe('claim_limit');
  expect(await act(p, WORKER, ids[2]!, 'decline')).toBeUndefined();
  const rich = await post(p, { ...HIRED, budget: 1_001 * TOKEN });
  await act(p, WORKER, ids[0]!, 'submit', GOOD);
  expect(await act(p, WORKER, rich, 'claim')).toBe('claim_limit');
});
