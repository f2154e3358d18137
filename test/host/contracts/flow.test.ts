// Contracts on a whole node without sockets: the order here takes whatever is signed, as a dishonest seat would.

import { expect, it } from 'vitest';
import { type KeyPair, keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { CHECK_DIGESTS } from '../../../host/modules/module-digests.ts';
import { standardCheck } from '../../../host/modules/standard-checks.ts';
import { toHex, utf8 } from '../../../host/wire/bytes.ts';
import { sha256Hex } from '../../../host/wire/hash.ts';
import { taskId } from '../../../host/wire/ids.ts';
import { jcs } from '../../../host/wire/json.ts';
import { openParts, type Parts, restoreAt, seedOf, send, signed } from '../one-node/harness.ts';
import { act, OTHER, POSTER, post, TOKEN, task, WORKER, withAgents } from '../one-node/task-life.ts';

type Json = Record<string, unknown>;

const CONTAINS = [{ program: 'contains', parameters: { all: ['Bern'] } }];
const ON_PASS = { acceptance: CONTAINS, settle: 'on_pass' };
const SECRET = 'the harvest of the harbour log';

const claimed = async (p: Parts, over: Json, who = WORKER): Promise<string> => {
  const id = await post(p, over);
  expect(await act(p, who, id, 'claim')).toBeUndefined();
  return id;
};
const deliver = (p: Parts, id: string, content: string): Promise<string | undefined> =>
  act(p, WORKER, id, 'submit', { result_content: content });
const balance = (p: Parts, key = WORKER): number =>
  p.ids.state.agent(p.ids.find(key.publicKey)!.index)!.balance;
const typesOf = (p: Parts): string[] => p.events.map((e) => e.event_type);

/** Every row of the store but the log itself: vertices by id. */
async function rowsWith(p: Parts, text: string): Promise<string[]> {
  const found: string[] = [];
  for await (const [key, value] of p.store.scan({ gte: Uint8Array.of(0), lt: Uint8Array.of(0xff) })) {
    if (key[0] !== 'v'.charCodeAt(0) && Buffer.from(value).includes(text))
      found.push(String.fromCharCode(key[0]!));
  }
  return found;
}

it('pays nothing for a hash with fluent prose in the evidence', async () => {
  const p = await withAgents();
  const id = await claimed(p, {});
  const evidence = { summary: 'Harbour traffic was counted in full; vessels of every week are listed.' };
  expect(await act(p, WORKER, id, 'submit', { result_hash: 'x', evidence })).toBe('delivery_missing');
  expect(task(p, id).status).toBe('claimed');
  await p.clock.advance(3_600_000);
  expect(task(p, id)).toMatchObject({ status: 'open', escrow_amount: 10 * TOKEN });
});

it('pays a delivery that passes at once, without lane, replay or reward', async () => {
  const p = await withAgents();
  const id = await claimed(p, ON_PASS);
  const before = balance(p);
  expect(await deliver(p, id, 'Bern and Chur')).toBeUndefined();
  const shown = task(p, id);
  expect(shown).toMatchObject({ status: 'completed', resolution: 'contract', payout_status: 'paid' });
  expect(shown).toMatchObject({ result_content: 'Bern and Chur', settle: 'on_pass', delivered: 'content' });
  expect(shown.acceptance_report).toMatchObject({ passed: true, end: 'pass', score_bp: 10_000 });
  expect(shown.assurance_lane).toBeUndefined();
  expect(balance(p) - before).toBe(10 * TOKEN - 10_000);
  const checks = shown.acceptance as Json[];
  expect(checks[0]!.program).toBe(CHECK_DIGESTS.contains);
  const contract = { checks, settle: 'on_pass' };
  expect(shown.acceptance_contract_hash).toBe(sha256Hex(utf8(jcs(contract))));
  expect(typesOf(p).slice(-3)).toEqual(['task_submitted', 'task_checked', 'task_settled']);
});

it('shows before a claim how often deliveries passed the programs and the poster', async () => {
  const p = await withAgents();
  const id = await claimed(p, ON_PASS);
  await deliver(p, id, 'Chur');
  await deliver(p, id, 'Bern');
  const size = { program: 'size', parameters: { max_bytes: 9 } };
  const shown = task(p, await post(p, { ...ON_PASS, acceptance: [...CONTAINS, size, size] }));
  expect(shown).toMatchObject({ poster_runs: 2, poster_runs_passed: 1 });
  expect(shown.program_runs).toEqual([
    { program: CHECK_DIGESTS.contains, runs: 2, passed: 1 },
    { program: CHECK_DIGESTS.size, runs: 0, passed: 0 },
  ]);
  const other = task(p, await post(p, ON_PASS, OTHER));
  expect(other).toMatchObject({ poster_runs: 0, poster_runs_passed: 0 });
  expect(task(p, await post(p)).program_runs).toBeUndefined();
});

it('has what passes reviewed, if the poster wants that', async () => {
  const p = await withAgents();
  const id = await claimed(p, { acceptance: CONTAINS });
  await deliver(p, id, 'Bern');
  expect(task(p, id)).toMatchObject({ status: 'submitted', settle: 'review' });
  await p.clock.advance(400_000);
  expect(task(p, id)).toMatchObject({ status: 'completed', resolution: 'window_passed' });
});

it('has judges decide a dispute of what passed at once, and asks no bond of its worker', async () => {
  const p = await withAgents();
  const before = balance(p);
  const id = await claimed(p, { acceptance: CONTAINS });
  expect(task(p, id)).toMatchObject({ worker_bond: 0, contract: { challenge_window_secs: 300 } });
  await deliver(p, id, 'Bern');
  const spent = balance(p, POSTER);
  expect(await act(p, POSTER, id, 'dispute', { reason: 'I wanted Basel' })).toBeUndefined();
  expect(task(p, id)).toMatchObject({ status: 'disputed', contested: true });
  expect(spent - balance(p, POSTER)).toBe(10 * TOKEN);
  expect(await act(p, WORKER, id, 'concede')).toBe('invalid_state');
  // The worker sleeps, and nobody votes: what passed is paid, and the bond goes back.
  await p.clock.advance(3_700_000);
  expect(task(p, id)).toMatchObject({ status: 'completed', resolution: 'dispute_deadline' });
  expect(balance(p) - before).toBe(10 * TOKEN - 10_000);
  expect(balance(p, POSTER)).toBe(spent);
});

it('refuses in execution what fails, and shows its body to nobody', async () => {
  const p = await withAgents();
  const id = await claimed(p, ON_PASS);
  const before = balance(p);
  expect(await act(p, WORKER, id, 'submit', { result_content: SECRET, result_note: SECRET })).toBeUndefined();
  const shown = task(p, id);
  expect(shown).toMatchObject({ status: 'claimed', escrow_amount: 10 * TOKEN });
  expect(shown.result_content).toBeUndefined();
  expect(shown.acceptance_report).toMatchObject({ passed: false, check: 0, program: CHECK_DIGESTS.contains });
  expect((shown.acceptance_report as Json).reason).toContain('Bern');
  // A million units of fuel cost 1,000 u: ten of the check and one of its base.
  expect(before - balance(p)).toBe(11_000);
  expect(await rowsWith(p, SECRET)).toEqual([]);
  expect(JSON.stringify(p.events)).not.toContain(SECRET);
});

it('ends a claim at its third failure', async () => {
  const p = await withAgents();
  const id = await claimed(p, ON_PASS);
  for (const text of ['a', 'b']) await deliver(p, id, text);
  expect(task(p, id).status).toBe('claimed');
  await deliver(p, id, 'c');
  expect(task(p, id)).toMatchObject({ status: 'open' });
  expect(await act(p, WORKER, id, 'claim')).toBe('claim_barred');
  expect(await act(p, OTHER, id, 'claim')).toBeUndefined();
});

it('cancels a task at the third failure, if its poster asked for that', async () => {
  const p = await withAgents();
  const before = balance(p, POSTER);
  const id = await claimed(p, ON_PASS);
  const paid = before - balance(p, POSTER);
  for (const text of ['a', 'b']) await deliver(p, id, text);
  expect(await act(p, POSTER, id, 'cancel')).toBeUndefined();
  await deliver(p, id, 'c');
  expect(task(p, id)).toMatchObject({ status: 'cancelled', resolution: 'poster_cancelled' });
  // The run that it paid for when it posted is spent.
  expect(paid - (before - balance(p, POSTER))).toBe(10 * TOKEN);
});

it('has the poster pay for one run when it posts', async () => {
  const p = await withAgents();
  const before = balance(p, POSTER);
  await post(p, ON_PASS);
  expect(before - balance(p, POSTER)).toBe(10 * TOKEN + 11_000);
});

it('ends an endless program by its fuel', async () => {
  const p = await withAgents();
  // 200 checks of nothing fit no fuel of 1: the run ends before the first answer.
  const id = await claimed(p, { acceptance: [{ ...CONTAINS[0], fuel: 1 }], settle: 'on_pass' });
  await deliver(p, id, 'Bern');
  expect(task(p, id).acceptance_report).toMatchObject({ passed: false, end: 'out_of_fuel', fuel: 1 });
});

it('runs what does not fit a block in the next ones, also after a restart', async () => {
  const p = await withAgents();
  // Two runs of this size do not fit a block, and a batch of one seat has a few blocks.
  const heavy = { acceptance: [{ ...CONTAINS[0], fuel: 60_000_000 }], settle: 'on_pass' };
  const workers = Array.from({ length: 12 }, (_, i) => keyPairFromSeed(seedOf(40 + i)));
  const ids: string[] = [];
  for (const key of workers) {
    await send(p, key, '/v1/agents', {});
    ids.push(await claimed(p, heavy, key));
  }
  const body = { result_content: 'Bern' };
  const sent = workers.map((key, i) =>
    p.sequencer.submit(signed(p, key, `/v1/tasks/${ids[i]}/submit`, body)),
  );
  await Promise.all(sent);
  const due = ids.filter((id) => task(p, id).acceptance_due === true);
  expect(due.length).toBeGreaterThan(0);
  expect(p.ids.state.header().dueRuns).toBe(due.length);
  // First come, first served.
  expect(due).toEqual(ids.slice(-due.length));
  // What waits is not given back, and not submitted again.
  const last = due.at(-1)!;
  expect(await act(p, workers.at(-1)!, last, 'release')).toBe('invalid_state');
  expect(task(p, last)).toMatchObject({ status: 'claimed' });
  expect(task(p, last).result_content).toBeUndefined();
  await p.sequencer.close();
  const again = await openParts({ store: p.store, clock: p.clock });
  await again.clock.advance(60_000);
  expect(again.ids.state.header().dueRuns).toBe(0);
  for (const id of ids) expect(task(again, id)).toMatchObject({ status: 'completed' });
  const checked = p.events.concat(again.events).filter((e) => e.event_type === 'task_checked');
  expect(new Set(checked.map((e) => e.order)).size).toBeGreaterThan(2);
  await again.sequencer.close();
  const { root } = await restoreAt(p.store, false);
  expect(root).toBe(toHex(again.ids.state.core.stateHash()));
});

it('forgets what waits in a subtask that is closed with its parent', async () => {
  const p = await withAgents();
  const heavy = { acceptance: [{ ...CONTAINS[0], fuel: 60_000_000 }], settle: 'on_pass' };
  const parent = await claimed(p, { max_delivery_time_secs: 300 });
  const part = signed(p, WORKER, `/v1/tasks/${parent}/subtask`, { ...heavy, title: 'Part', budget: TOKEN });
  await p.sequencer.submit(part);
  const child = taskId(toHex(part.input.id));
  const sent: [KeyPair, string, string][] = [];
  for (const key of Array.from({ length: 12 }, (_, i) => keyPairFromSeed(seedOf(40 + i)))) {
    await send(p, key, '/v1/agents', {});
    sent.push([key, await claimed(p, heavy, key), 'Bern']);
  }
  expect(await act(p, OTHER, child, 'claim')).toBeUndefined();
  sent.push([OTHER, child, SECRET]);
  const before = balance(p, OTHER);
  await p.clock.advance(Number(task(p, parent).claim_deadline) * 1000 - 1000 - p.clock.nowMs());
  const requests = sent.map(([key, id, result_content]) =>
    signed(p, key, `/v1/tasks/${id}/submit`, { result_content }),
  );
  await Promise.all(requests.map((one) => p.sequencer.submit(one)));
  expect(task(p, child).acceptance_due).toBe(true);
  expect(await rowsWith(p, SECRET)).toEqual(['D']);
  await p.clock.advance(2000);
  expect(task(p, child)).toMatchObject({ status: 'cancelled', resolution: 'parent_closed' });
  // What was held for the run that never came is back.
  expect(balance(p, OTHER)).toBe(before);
  expect(p.events.some((e) => e.event_type === 'task_checked' && e.task_id === child)).toBe(false);
  expect(await rowsWith(p, SECRET)).toEqual([]);
});

it('gives a seeded check 32 bytes that come with the block, and wants the fee at hand', async () => {
  const p = await withAgents();
  const id = await claimed(p, { acceptance: [{ ...CONTAINS[0], seeded: true }], settle: 'on_pass' });
  await deliver(p, id, 'Bern');
  expect(task(p, id).status).toBe('completed');
});

const FEE = 11_000;

/** Leaves an agent that much free balance. */
const leave = async (p: Parts, key: KeyPair, left: number): Promise<void> => {
  await send(p, key, '/v1/stake', { amount: balance(p, key) - left });
};

it('runs at most once for workers without the fee of a run: what the poster has paid', async () => {
  const p = await withAgents();
  const id = await claimed(p, ON_PASS);
  await leave(p, WORKER, FEE - 1);
  expect(await deliver(p, id, 'a')).toBeUndefined();
  expect(task(p, id).acceptance_report).toMatchObject({ passed: false });
  expect(balance(p)).toBe(FEE - 1);
  // The run of the poster is spent, for whoever comes next as well.
  expect(await deliver(p, id, 'b')).toBe('insufficient_balance');
  expect(await act(p, WORKER, id, 'release')).toBeUndefined();
  await leave(p, OTHER, FEE - 1);
  expect(await act(p, OTHER, id, 'claim')).toBeUndefined();
  expect(await act(p, OTHER, id, 'submit', { result_content: 'Bern' })).toBe('insufficient_balance');
  expect(typesOf(p).filter((type) => type === 'task_checked')).toHaveLength(1);
});

it('pays a worker that has nothing, whose delivery passes', async () => {
  const p = await withAgents();
  const id = await claimed(p, ON_PASS);
  await leave(p, WORKER, 0);
  expect(await deliver(p, id, 'Bern')).toBeUndefined();
  expect(task(p, id)).toMatchObject({ status: 'completed', resolution: 'contract' });
  expect(balance(p)).toBe(10 * TOKEN - 10_000);
});

it('holds the fee of a run from the submission on, and gives it back if the run passes or never comes', async () => {
  const p = await withAgents();
  const heavy = { acceptance: [{ ...CONTAINS[0], fuel: 60_000_000 }], settle: 'on_pass' };
  const [fee, pay] = [61_000, 10 * TOKEN - 10_000];
  const keys = Array.from({ length: 12 }, (_, i) => keyPairFromSeed(seedOf(40 + i)));
  const requests: ReturnType<typeof signed>[] = [];
  for (const [i, key] of [...keys, OTHER].entries()) {
    await send(p, key, '/v1/agents', {});
    const id = await claimed(p, heavy, key);
    await leave(p, key, fee + 1);
    const content = { result_content: i < 11 ? 'Bern' : 'Chur' };
    requests.push(signed(p, key, `/v1/tasks/${id}/submit`, content));
  }
  await Promise.all(requests.map((one) => p.sequencer.submit(one)));
  // What the last ones will owe cannot leave while they wait for their blocks.
  expect(balance(p, OTHER)).toBe(1);
  expect(balance(p, keys[11])).toBe(1);
  const checked = (): number => typesOf(p).filter((type) => type === 'task_checked').length;
  while (checked() < 13) await p.clock.advance(1000);
  expect([0, 10, 11].map((i) => balance(p, keys[i]))).toEqual([fee + 1 + pay, fee + 1 + pay, 1]);
});

const PROGRAM = Buffer.concat([standardCheck(CHECK_DIGESTS.size)!, Uint8Array.of(0, 2, 1, 98)]);
const HASH = sha256Hex(PROGRAM);
const publish = (p: Parts, module: Uint8Array) =>
  send(p, POSTER, '/v1/programs', { module: Buffer.from(module).toString('base64') });

it('stores a program once, and contracts name it by its hash', async () => {
  const p = await withAgents();
  const refusal = post(p, { acceptance: [{ program: HASH }] });
  // Another node may have it already.
  await expect(refusal).rejects.toMatchObject({ code: 'program_not_found', isOfState: true });
  const before = balance(p, POSTER);
  expect(await publish(p, PROGRAM)).toHaveLength(12);
  // A row, and no byte above 8 KiB less than a mebibyte's share.
  expect(before - balance(p, POSTER)).toBeGreaterThanOrEqual(100_000);
  const id = await claimed(p, {
    acceptance: [{ program: HASH, parameters: { max_bytes: 4 } }],
    settle: 'on_pass',
  });
  await deliver(p, id, 'Bern');
  expect(task(p, id).status).toBe('completed');
  expect(await publish(p, PROGRAM)).toBe('program_exists');
});

it('says what a module that is no program has', async () => {
  const p = await withAgents();
  const module = Buffer.from([0, 97, 115, 109, 1, 0, 0, 0]).toString('base64');
  expect(() => signed(p, POSTER, '/v1/programs', { module })).toThrow(/no program: /);
});

it('returns the budget where a silent poster did not choose to pay for what is outside', async () => {
  const p = await withAgents();
  const outside = { result_hash: 'ab'.repeat(32), result_uri: 'https://example.org/film.mp4' };
  const [unpaid, paid] = [
    await claimed(p, { delivered: 'external', challenge_window_secs: 300 }),
    await claimed(
      p,
      { delivered: 'external', pay_external_on_silence: true, challenge_window_secs: 300 },
      OTHER,
    ),
  ];
  expect(await act(p, WORKER, unpaid, 'submit', outside)).toBeUndefined();
  expect(await act(p, OTHER, paid, 'submit', outside)).toBeUndefined();
  await p.clock.advance(400_000);
  expect(task(p, unpaid)).toMatchObject({
    status: 'cancelled',
    resolution: 'unreviewed',
    payout_status: 'refunded',
  });
  expect(task(p, paid)).toMatchObject({ status: 'completed', resolution: 'window_passed' });
});

it('takes a claim back without a failure in the first quarter of its time', async () => {
  const p = await withAgents();
  const id = await claimed(p, { max_delivery_time_secs: 400 });
  expect(await act(p, OTHER, id, 'release')).toBe('not_claimer');
  expect(await act(p, WORKER, id, 'release')).toBeUndefined();
  expect(task(p, id)).toMatchObject({ status: 'open' });
  expect(task(p, id).claimer_id).toBeUndefined();
  expect(await act(p, WORKER, id, 'claim')).toBe('claim_barred');
  const failed = (key: typeof WORKER): number => p.ids.state.agent(p.ids.find(key.publicKey)!.index)!.failed;
  expect(failed(WORKER)).toBe(0);
  await act(p, OTHER, id, 'claim');
  await p.clock.advance(101_000);
  expect(await act(p, OTHER, id, 'release')).toBeUndefined();
  expect(failed(OTHER)).toBe(1);
});

it.each([
  ['a lane', { ...ON_PASS, budget: 100 * TOKEN, assurance_lane: 'standard' }],
  ['sealed deliveries', { ...ON_PASS, delivery_method: 'encrypted' }],
  ['external deliveries', { ...ON_PASS, delivered: 'external' }],
  ['no contract', { settle: 'on_pass' }],
  [
    'more fuel than a contract has',
    { acceptance: [1, 2].map(() => ({ ...CONTAINS[0], fuel: 100_000_000 })) },
  ],
])('does not settle by contract with %s', async (_, over) => {
  const p = await withAgents();
  await expect(post(p, over)).rejects.toMatchObject({ code: 'invalid_request' });
});
