// Sealed deliveries on a whole node without sockets (protocol 15.10): who opens them, when, and what follows. The order here
// takes whatever is signed, as a dishonest seat would.

import { expect, it } from 'vitest';
import { contentKey, sealResult } from '../../../host/client/sealed.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { taskResult } from '../../../host/views/tasks/task-view.ts';
import { fromHex, toHex } from '../../../host/wire/bytes.ts';
import { keyCommitment, sealBox } from '../../../host/wire/sealed-box.ts';
import { decide } from '../one-node/dispute-votes.ts';
import { type Parts, restoreAt, SEAT_KEY } from '../one-node/harness.ts';
import { act, OTHER, POSTER, post, TASK, TOKEN, task, WORKER, withAgents } from '../one-node/task-life.ts';

type Json = Record<string, unknown>;

const SEALED = { delivery_method: 'encrypted' };
const SECRET = 'Vessels of May: 212, and Bern has no harbour.';
const CONTRACT = { ...SEALED, acceptance: [{ program: 'contains', parameters: { all: ['Bern'] } }] };
const BOND = 10 * TOKEN;
const KEY = new Uint8Array(32).fill(5);
const READERS = { poster: POSTER.publicKey, worker: WORKER.publicKey };

const balance = (p: Parts, key = WORKER): number =>
  p.ids.state.agent(p.ids.find(key.publicKey)!.index)!.balance;
const typesOf = (p: Parts, id: string): string[] =>
  p.events.filter((e) => e.task_id === id).map((e) => e.event_type);
const result = (p: Parts, id: string): Json =>
  taskResult(p.store, fromHex(id)!, { has: () => false }) as Json;

/** A task with a sealed delivery; `keyOf`: its content key in hex. */
async function delivered(p: Parts, over: Json = SEALED, text = SECRET): Promise<{ id: string; key: string }> {
  const id = await post(p, over);
  expect(await act(p, WORKER, id, 'claim')).toBeUndefined();
  const sealed = sealResult(WORKER, POSTER.publicKey, id, text);
  expect(await act(p, WORKER, id, 'submit', { ...sealed })).toBeUndefined();
  return { id, key: contentKey(POSTER, id, sealed.result_content) };
}

async function disputed(p: Parts, ...rest: [Json?, string?]): Promise<{ id: string; key: string }> {
  const made = await delivered(p, ...rest);
  expect(await act(p, POSTER, made.id, 'dispute', { reason: 'two weeks are missing' })).toBeUndefined();
  return made;
}

/** Delivers a box that its own key does not make. */
async function garbage(p: Parts, box: (id: string) => string, over: Json = SEALED): Promise<string> {
  const id = await post(p, over);
  await act(p, WORKER, id, 'claim');
  const body = { result_content: box(id), result_encrypted: true, key_commitment: keyCommitment(id, KEY) };
  expect(await act(p, WORKER, id, 'submit', body)).toBeUndefined();
  return id;
}

it('is read by nobody but its parties while nobody disputes it, and paid as any other', async () => {
  const p = await withAgents();
  const { id, key } = await delivered(p);
  expect(JSON.stringify(task(p, id))).not.toContain('212');
  expect(await act(p, WORKER, id, 'open', { content_key: key })).toBe('invalid_state');
  expect(await act(p, POSTER, id, 'open', { content_key: key })).toBe('invalid_state');
  await act(p, POSTER, id, 'approve');
  expect(task(p, id)).toMatchObject({ status: 'completed', resolution: 'approved' });
  expect(await act(p, WORKER, id, 'open', { content_key: key })).toMatch(/task_not_found|invalid_state/);
  expect(task(p, id).content_key).toBeUndefined();
});

it('is refused without its commitment, or in a form that no key opens', async () => {
  const p = await withAgents();
  const id = await post(p, SEALED);
  await act(p, WORKER, id, 'claim');
  const { result_content, key_commitment } = sealResult(WORKER, POSTER.publicKey, id, SECRET);
  const submit = (body: Json) => act(p, WORKER, id, 'submit', { result_encrypted: true, ...body });
  expect(await submit({ result_content })).toBe('not_sealed');
  expect(await submit({ result_content: 'c2VhbGVk', key_commitment })).toBe('not_sealed');
  expect(await submit({ result_content: `${result_content}=`, key_commitment })).toBe('not_sealed');
  expect(await submit({ result_hash: 'x', key_commitment })).toBe('invalid_request');
  expect(task(p, id).status).toBe('claimed');
});

it('contests with its key only: judges read what they judge, and so does everybody', async () => {
  const p = await withAgents();
  const { id, key } = await disputed(p);
  expect(await act(p, WORKER, id, 'contest')).toBe('content_key_needed');
  expect(await act(p, WORKER, id, 'contest', { content_key: '0'.repeat(64) })).toBe('content_key_mismatch');
  expect(task(p, id).contested).toBeUndefined();
  expect(await act(p, WORKER, id, 'contest', { content_key: key.toUpperCase() })).toBeUndefined();
  expect(task(p, id)).toMatchObject({
    status: 'disputed',
    contested: true,
    content_key: key,
    opened_by: WORKER.publicKeyHex,
    opened_is_delivery: true,
    opened_content: SECRET,
  });
  expect(result(p, id)).toMatchObject({ result_encrypted: true, content_key: key, opened_content: SECRET });
  const { dispute_event_id: event } = task(p, id);
  await decide(p, String(event), [{ by: SEAT_KEY, verdict: true }]);
  expect(task(p, id)).toMatchObject({ status: 'completed', opened_content: SECRET });
  expect(typesOf(p, id).slice(-3)).toEqual(['task_disputed', 'task_contested', 'task_settled']);
});

it('concedes by silence if it stays closed', async () => {
  const p = await withAgents({ params: { contest_secs: '20' } });
  const before = balance(p, POSTER);
  const { id } = await disputed(p);
  await p.clock.advance(60_000);
  expect(task(p, id)).toMatchObject({ status: 'cancelled', resolution: 'conceded' });
  expect(balance(p, POSTER)).toBe(before);
});

it('is opened by either party, once, and by nobody else', async () => {
  const p = await withAgents();
  const { id, key } = await disputed(p);
  expect(await act(p, OTHER, id, 'open', { content_key: key })).toBe('not_party');
  expect(await act(p, POSTER, id, 'open', { content_key: '1'.repeat(64) })).toBe('content_key_mismatch');
  expect(await act(p, POSTER, id, 'open', { content_key: key })).toBeUndefined();
  expect(task(p, id)).toMatchObject({ status: 'disputed', opened_by: POSTER.publicKeyHex });
  expect(task(p, id).contested).toBeUndefined();
  const opened = p.events.at(-1)!;
  expect(opened).toMatchObject({ event_type: 'task_opened', payload: { task_id: id, content_key: key } });
  expect(await act(p, WORKER, id, 'open', { content_key: key })).toBe('invalid_state');
  expect(await act(p, WORKER, id, 'contest', { content_key: '1'.repeat(64) })).toBe('content_key_mismatch');
  expect(await act(p, WORKER, id, 'contest')).toBeUndefined();
  expect(task(p, id)).toMatchObject({ contested: true, opened_by: POSTER.publicKeyHex });
});

it('is opened by its poster with the dispute, if it wants that', async () => {
  const p = await withAgents();
  const { id, key } = await delivered(p);
  expect(await act(p, POSTER, id, 'dispute', { content_key: '2'.repeat(64) })).toBe('content_key_mismatch');
  expect(await act(p, POSTER, id, 'dispute', { reason: 'late', content_key: key })).toBeUndefined();
  expect(task(p, id)).toMatchObject({ status: 'disputed', opened_content: SECRET, dispute_reason: 'late' });
  expect(await act(p, WORKER, id, 'concede')).toBeUndefined();
  expect(task(p, id)).toMatchObject({ status: 'cancelled', resolution: 'conceded', opened_content: SECRET });
});

it('takes no key where nothing is sealed', async () => {
  const p = await withAgents();
  const id = await post(p);
  await act(p, WORKER, id, 'claim');
  await act(p, WORKER, id, 'submit', { result_content: SECRET });
  const content_key = '3'.repeat(64);
  expect(await act(p, POSTER, id, 'dispute', { content_key })).toBe('content_key_mismatch');
  await act(p, POSTER, id, 'dispute');
  expect(await act(p, POSTER, id, 'open', { content_key })).toBe('invalid_state');
  expect(await act(p, WORKER, id, 'contest', { content_key })).toBe('content_key_mismatch');
  expect(await act(p, WORKER, id, 'contest')).toBeUndefined();
});

const sealedWith = (key: Uint8Array, readers: typeof READERS, text: string) => (id: string) =>
  sealBox(id, key, readers, text)!;
/** A box whose content opens by the key, but whose poster finds no key in it. */
const unreadable = (id: string): string => {
  const box = sealedWith(KEY, READERS, SECRET)(id);
  const bytes = Buffer.from(box.slice(14), 'base64');
  bytes[40]! ^= 1;
  return `vws-sealed-v2:${bytes.toString('base64')}`;
};

it.each([
  ['that another key made', sealedWith(new Uint8Array(32).fill(6), READERS, SECRET)],
  ['that its poster cannot open', unreadable],
  ['for another poster', sealedWith(KEY, { ...READERS, poster: OTHER.publicKey }, SECRET)],
  ['of another task', (_: string) => sealedWith(KEY, READERS, SECRET)('0'.repeat(32))],
  ['with nothing in it', sealedWith(KEY, READERS, '')],
  ["with the task's own words in it", sealedWith(KEY, READERS, TASK.description)],
])('is no delivery as a box %s: its worker loses as for nothing', async (_, box) => {
  const p = await withAgents();
  const [posterHad, workerHad] = [balance(p, POSTER), balance(p)];
  const id = await garbage(p, box);
  await act(p, POSTER, id, 'dispute');
  expect(await act(p, WORKER, id, 'contest', { content_key: toHex(KEY) })).toBeUndefined();
  expect(task(p, id)).toMatchObject({
    status: 'cancelled',
    resolution: 'nothing_delivered',
    payout_status: 'refunded',
    opened_is_delivery: false,
  });
  expect(task(p, id).opened_content).toBeUndefined();
  expect(balance(p, POSTER)).toBe(posterHad);
  expect(workerHad - balance(p)).toBeGreaterThanOrEqual(BOND);
  expect(typesOf(p, id).slice(-3)).toEqual(['task_disputed', 'task_opened', 'task_settled']);
});

it('is no delivery for the poster either, which then pays no bond', async () => {
  const p = await withAgents();
  const id = await garbage(p, sealedWith(KEY, READERS, ''));
  const before = balance(p, POSTER);
  expect(await act(p, POSTER, id, 'dispute', { content_key: toHex(KEY) })).toBeUndefined();
  expect(task(p, id)).toMatchObject({ status: 'cancelled', resolution: 'nothing_delivered' });
  expect(balance(p, POSTER)).toBe(before + 10 * TOKEN);
  const other = await garbage(p, sealedWith(KEY, READERS, ''));
  await act(p, POSTER, other, 'dispute');
  expect(await act(p, POSTER, other, 'open', { content_key: toHex(KEY) })).toBeUndefined();
  expect(task(p, other)).toMatchObject({ status: 'cancelled', resolution: 'nothing_delivered' });
});

it('is not paid at once by a contract, which runs when it is opened', async () => {
  const p = await withAgents({ params: { dispute_deadline_secs: '20' } });
  await expect(post(p, { ...CONTRACT, settle: 'on_pass' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  const { id, key } = await delivered(p, CONTRACT);
  expect(task(p, id)).toMatchObject({
    status: 'submitted',
    worker_bond: BOND,
    contract: { challenge_window_secs: 86_400 },
  });
  expect(task(p, id).acceptance_report).toBeUndefined();
  await act(p, POSTER, id, 'dispute');
  expect(task(p, id).contested).toBeUndefined();
  expect(await act(p, WORKER, id, 'contest')).toBe('content_key_needed');
  expect(await act(p, WORKER, id, 'contest', { content_key: key })).toBeUndefined();
  expect(task(p, id)).toMatchObject({ status: 'disputed', contested: true, opened_content: SECRET });
  expect(task(p, id).acceptance_report).toMatchObject({ passed: true });
  expect(task(p, id).acceptance_due).toBeUndefined();
  expect(p.store.get(rowKey.dueDelivery(fromHex(id)!))).toBeUndefined();
  expect(result(p, id).result_content).toMatch(/^vws-sealed-v2:/);
  expect(typesOf(p, id).slice(-3)).toEqual(['task_disputed', 'task_opened', 'task_checked']);
  // Nobody votes: what passed is paid.
  await p.clock.advance(60_000);
  expect(task(p, id)).toMatchObject({ status: 'completed', resolution: 'dispute_deadline' });
});

it('loses when its contract fails it, whoever opens it', async () => {
  const p = await withAgents();
  for (const opener of [WORKER, POSTER]) {
    const before = balance(p, POSTER);
    const { id, key } = await disputed(p, CONTRACT, 'done');
    expect(await act(p, opener, id, 'open', { content_key: key })).toBeUndefined();
    expect(task(p, id)).toMatchObject({
      status: 'cancelled',
      resolution: 'contract',
      opened_content: 'done',
    });
    expect(task(p, id).acceptance_report).toMatchObject({ passed: false, check: 0 });
    // What its own run at the posting cost.
    expect(before - balance(p, POSTER)).toBeLessThan(TOKEN);
  }
  const { id, key } = await delivered(p, CONTRACT, 'done');
  expect(await act(p, POSTER, id, 'dispute', { content_key: key })).toBeUndefined();
  expect(task(p, id)).toMatchObject({ status: 'cancelled', resolution: 'contract' });
});

it('comes to the same state when its log is executed again, with later documents in the store', async () => {
  const p = await withAgents();
  const one = await disputed(p);
  await act(p, WORKER, one.id, 'contest', { content_key: one.key });
  const two = await disputed(p, CONTRACT, 'done');
  await act(p, POSTER, two.id, 'open', { content_key: two.key });
  const three = await garbage(p, unreadable);
  await act(p, POSTER, three, 'dispute', { content_key: toHex(KEY) });
  const { root } = await restoreAt(p.store, false);
  expect(root).toBe(toHex(p.ids.state.core.stateHash()));
});

it('is paid by silence although nobody ran its contract', async () => {
  const p = await withAgents();
  const { id } = await delivered(p, { ...CONTRACT, challenge_window_secs: 30 }, 'done');
  await p.clock.advance(60_000);
  expect(task(p, id)).toMatchObject({ status: 'completed', resolution: 'window_passed' });
});
