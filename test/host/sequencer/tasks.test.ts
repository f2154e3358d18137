// The documents of tasks, made by the real core on a whole node.

import { describe, expect, it } from 'vitest';
import * as abi from '../../../assembly/abi.ts';
import type { KeyPair } from '../../../host/crypto/key-pair.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { bodiesOf, commitsOf, taskRows } from '../../../host/views/tasks/task-view.ts';
import { fromHex, toHex } from '../../../host/wire/bytes.ts';
import { encodeEntry } from '../../../host/wire/entry.ts';
import { sha256Hex } from '../../../host/wire/hash.ts';
import { taskId } from '../../../host/wire/ids.ts';
import { jcs } from '../../../host/wire/json.ts';
import { decide } from '../one-node/dispute-votes.ts';
import {
  openParts,
  order,
  type Parts,
  restoreAt,
  SEAT_KEY,
  send,
  signed,
  signedEntry,
} from '../one-node/harness.ts';
import {
  act,
  BAD,
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

const balance = (p: Parts, key: { publicKey: Uint8Array }): number =>
  p.ids.state.agent(p.ids.find(key.publicKey)!.index)!.balance;
const typesOf = (p: Parts, id: string): string[] =>
  p.events.filter((e) => e.task_id === id).map((e) => e.event_type);
const eventOf = (p: Parts, type: string) => p.events.findLast((e) => e.event_type === type)!;

describe('the life of a task', () => {
  it('posted: text, terms and escrow', async () => {
    const p = await withAgents();
    const before = balance(p, POSTER);
    const body = {
      category: ' Code-Review ',
      success_criteria: ['a'],
      required_checks: ['has_output'],
      tags: ['x'],
    };
    const id = await post(p, body);
    const spec = {
      title: TASK.title,
      description: TASK.description,
      category: 'code-review',
      success_criteria: ['a'],
    };
    expect(task(p, id)).toMatchObject({
      id,
      ...spec,
      poster_id: POSTER.publicKeyHex,
      budget: 10 * TOKEN,
      escrow_amount: 10 * TOKEN,
      escrow_account: `escrow:task:${id}`,
      status: 'open',
      payout_status: 'none',
      delivery_method: 'public',
      routing: 'advisory',
      subtask_ids: [],
      downgraded: false,
      contract: {
        spec_hash: `sha256:${sha256Hex(jcs({ ...spec, required_checks: ['has_output'] }))}`,
        policy_version: 'v1',
        challenge_window_secs: 86_400,
        max_delivery_time_secs: 600,
        generation_eligible: false,
      },
    });
    expect(balance(p, POSTER)).toBe(before - 10 * TOKEN);
    expect(eventOf(p, 'task_posted')).toMatchObject({
      task_id: id,
      amount: 10 * TOKEN,
      settlement_state: 'settled',
      payload: { task_id: id, title: TASK.title, category: 'code-review', budget: 10 * TOKEN },
    });
  });

  it('to completion: result, score, payout, and one event after the other', async () => {
    const p = await withAgents();
    const id = await post(p, { challenge_window_secs: 55, max_delivery_time_secs: 77 });
    const before = balance(p, WORKER);
    expect(await act(p, WORKER, id, 'claim')).toBeUndefined();
    const claimed = task(p, id);
    expect(claimed).toMatchObject({
      status: 'claimed',
      claimer_id: WORKER.publicKeyHex,
      escrow_locked_to: WORKER.publicKeyHex,
    });
    expect(eventOf(p, 'task_claimed').payload.claim_deadline).toBe(claimed.claim_deadline);
    expect(await act(p, WORKER, id, 'submit', GOOD)).toBeUndefined();
    const submitted = task(p, id);
    expect(submitted).toMatchObject({
      status: 'submitted',
      result_content: GOOD.result_content,
      result_note: 'done',
      result_hash: sha256Hex(GOOD.result_content),
      submitted_evidence: { output_size: GOOD.result_content.length, output_type: 'text' },
      verification: { verdict: 'pass', reason_codes: [] },
    });
    const event = eventOf(p, 'task_submitted');
    expect(event).toMatchObject({
      settlement_state: 'settled',
      payload: { task_id: id, verdict: 'pass', review_deadline: submitted.review_deadline },
    });
    expect(event.payload).not.toHaveProperty('result_content');
    expect(await act(p, POSTER, id, 'approve')).toBeUndefined();
    expect(task(p, id)).toMatchObject({
      status: 'completed',
      resolution: 'approved',
      payout_status: 'paid',
      escrow_amount: 0,
      base_fee: 10_000,
      worker_net_payout: 10 * TOKEN - 10_000,
    });
    expect(balance(p, WORKER)).toBe(before + 10 * TOKEN - 10_000);
    expect(typesOf(p, id)).toEqual([
      'task_posted',
      'task_claimed',
      'task_submitted',
      'task_approved',
      'task_settled',
    ]);
    expect(eventOf(p, 'task_settled')).toMatchObject({
      agent_id: 'system:node',
      payload: {
        task_id: id,
        resolution: 'approved',
        claimer_id: WORKER.publicKeyHex,
        payout: 10 * TOKEN - 10_000,
        refund: 0,
        base_fee: 10_000,
        assurance_fee: 0,
        replay: false,
      },
    });
  });

  it('a claimed task is cancelled after a notice, which its worker sees', async () => {
    const p = await withAgents();
    const id = await post(p);
    await act(p, WORKER, id, 'claim');
    expect(await act(p, POSTER, id, 'cancel')).toBeUndefined();
    const asked = eventOf(p, 'task_cancel_requested');
    expect(asked).toMatchObject({ agent_id: POSTER.publicKeyHex, task_id: id });
    expect(asked.payload).toEqual({ task_id: id, cancel_at: asked.timestamp + 60 });
    expect(task(p, id)).toMatchObject({ status: 'claimed', cancel_at: asked.timestamp + 60 });
    expect(await act(p, POSTER, id, 'cancel')).toBe('invalid_state');
    await p.clock.advance(66_000);
    expect(task(p, id)).toMatchObject({ status: 'cancelled', resolution: 'poster_cancelled' });
    expect(task(p, id)).not.toHaveProperty('cancel_at');
    expect(eventOf(p, 'task_cancelled')).toMatchObject({
      agent_id: 'system:node',
      payload: { task_id: id, reason: 'poster_cancelled' },
    });
  });

  it('a delivery within the notice is accepted', async () => {
    const p = await withAgents();
    const id = await post(p);
    await act(p, WORKER, id, 'claim');
    await act(p, POSTER, id, 'cancel');
    expect(await act(p, WORKER, id, 'submit', GOOD)).toBeUndefined();
    expect(task(p, id)).toMatchObject({ status: 'submitted' });
    expect(task(p, id)).not.toHaveProperty('cancel_at');
    expect(typesOf(p, id)).toEqual([
      'task_posted',
      'task_claimed',
      'task_cancel_requested',
      'task_submitted',
    ]);
  });

  it('a step on a final task that left the core is refused by its state', async () => {
    const p = await withAgents();
    const id = await post(p);
    expect(await act(p, POSTER, id, 'cancel')).toBeUndefined();
    expect(task(p, id)).toMatchObject({
      status: 'cancelled',
      resolution: 'poster_cancelled',
      payout_status: 'refunded',
    });
    for (const verb of ['approve', 'dispute', 'cancel']) {
      expect(await act(p, POSTER, id, verb)).toBe('invalid_state');
      expect(await act(p, OTHER, id, verb)).toBe('not_poster');
    }
    expect(await act(p, WORKER, id, 'claim')).toBe('invalid_state');
    expect(await act(p, WORKER, id, 'submit', GOOD)).toBe('invalid_state');
    expect(await act(p, WORKER, id, 'subtask', TASK)).toBe('invalid_state');
    expect(await act(p, WORKER, id, 'trajectory/commit', { outcome: 'progress' })).toBe('invalid_state');
    for (const none of ['f'.repeat(32), 'no-id']) {
      expect(await act(p, POSTER, none, 'cancel')).toBe('task_not_found');
      expect(await act(p, WORKER, none, 'submit', GOOD)).toBe('task_not_found');
    }
  });

  it('refuses results that do not fit, and takes no money for them', async () => {
    const p = await withAgents();
    const id = await post(p);
    expect(await act(p, POSTER, id, 'claim')).toBe('self_claim');
    await act(p, WORKER, id, 'claim');
    expect(await act(p, OTHER, id, 'submit', GOOD)).toBe('not_claimer');
    expect(await act(p, WORKER, id, 'submit', { ...GOOD, result_hash: '0'.repeat(64) })).toBe(
      'result_hash_mismatch',
    );
    expect(await act(p, WORKER, id, 'submit', { ...GOOD, result_encrypted: true })).toBe('delivery_mismatch');
    expect(task(p, id).status).toBe('claimed');
  });

  it('nothing delivered: a dispute by the system at the end of the review, decided at once', async () => {
    const p = await withAgents();
    const before = balance(p, POSTER);
    const id = await post(p, { challenge_window_secs: 5 });
    await act(p, WORKER, id, 'claim');
    await act(p, WORKER, id, 'submit', BAD);
    expect(task(p, id)).toMatchObject({ status: 'submitted', no_quorum: 'split' });
    await p.clock.advance(12_000);
    const dispute = eventOf(p, 'task_disputed');
    expect(dispute).toMatchObject({
      agent_id: 'system:node',
      recipient_id: POSTER.publicKeyHex,
      payload: { task_id: id, reason: 'nothing_delivered' },
    });
    expect(task(p, id)).toMatchObject({
      status: 'cancelled',
      resolution: 'nothing_delivered',
      dispute_reason: 'nothing_delivered',
      payout_status: 'refunded',
      dispute_event_id: dispute.event_id,
    });
    expect(balance(p, POSTER)).toBe(before);
    expect(p.pending.size).toBe(0);
    expect(eventOf(p, 'settlement').payload).toMatchObject({
      target_event_id: dispute.event_id,
      target_type: 'task_disputed',
      settlement_state: 'adjusted',
      settlement_reason: 'expired',
    });
  });

  it('a dispute that nobody judges ends by the rule of the task: here the worker gets half', async () => {
    const p = await withAgents({ params: { dispute_deadline_secs: '20' } });
    const [poster, worker] = [balance(p, POSTER), balance(p, WORKER)];
    const id = await post(p);
    await act(p, WORKER, id, 'claim');
    await act(p, WORKER, id, 'submit', GOOD);
    await act(p, POSTER, id, 'dispute');
    expect(await act(p, OTHER, id, 'contest')).toBe('not_claimer');
    expect(await act(p, WORKER, id, 'contest')).toBeUndefined();
    expect(await act(p, WORKER, id, 'concede')).toBe('invalid_state');
    expect(task(p, id)).toMatchObject({ status: 'disputed', contested: true });
    await p.clock.advance(30_000);
    expect(task(p, id)).toMatchObject({
      status: 'completed',
      resolution: 'dispute_deadline',
      worker_share_bp: 5000,
      worker_net_payout: 5 * TOKEN - 5_000,
    });
    expect(balance(p, WORKER)).toBe(worker + 5 * TOKEN - 5_000);
    expect(balance(p, POSTER)).toBe(poster - 5 * TOKEN);
    expect(eventOf(p, 'task_settled').payload).toMatchObject({ refund: 5 * TOKEN, base_fee: 5_000 });
  });

  it('a worker that concedes, or is silent, is not judged, not slashed, and loses three quarters of its bond, or all of it', async () => {
    for (const isSilent of [false, true]) {
      const p = await withAgents({ params: { contest_secs: '20' } });
      const [poster, worker] = [balance(p, POSTER), balance(p, WORKER)];
      const id = await post(p);
      await act(p, WORKER, id, 'claim');
      const bond = 10 * TOKEN;
      expect(task(p, id)).toMatchObject({ worker_bond: bond, dispute_bond: bond });
      expect(balance(p, WORKER)).toBe(worker - bond);
      await act(p, WORKER, id, 'submit', GOOD);
      await act(p, POSTER, id, 'dispute');
      expect(balance(p, POSTER)).toBe(poster - 10 * TOKEN - bond);
      if (isSilent) await p.clock.advance(30_000);
      else expect(await act(p, WORKER, id, 'concede')).toBeUndefined();
      expect(task(p, id)).toMatchObject({ status: 'cancelled', resolution: 'conceded' });
      expect(balance(p, POSTER)).toBe(poster);
      expect(balance(p, WORKER)).toBe(worker - (isSilent ? bond : (bond * 3) / 4));
      expect(p.events.filter((e) => e.event_type === 'slash')).toEqual([]);
    }
  });

  it('a claim or a dispute reserves no more than its signer allows, whatever bond a node named', async () => {
    const p = await withAgents();
    const id = await post(p);
    const bond = 10 * TOKEN;
    expect(await act(p, WORKER, id, 'claim', { max_bond: bond - 1 })).toBe('invalid_request');
    expect(await act(p, WORKER, id, 'claim', { max_bond: bond })).toBeUndefined();
    await act(p, WORKER, id, 'submit', GOOD);
    expect(await act(p, POSTER, id, 'dispute', { max_bond: 0 })).toBe('invalid_request');
    expect(task(p, id).status).toBe('submitted');
    expect(await act(p, POSTER, id, 'dispute', { max_bond: bond })).toBeUndefined();
    const event = String(task(p, id).dispute_event_id);
    await act(p, WORKER, id, 'contest');
    const commitment = '42'.repeat(32);
    const body = { event_id: event, task_id: await post(p), commitment };
    expect(await send(p, SEAT_KEY, '/v1/verify/commit', body)).toBe('event_not_found');
    expect(await send(p, SEAT_KEY, '/v1/verify/commit', { ...body, task_id: id })).toBeInstanceOf(Array);
  });

  it('a bond that its signer allowed is of a task that was there before: none that a seat orders with the claim', async () => {
    const p = await withAgents();
    const posted = signed(p, POSTER, '/v1/tasks', { ...TASK, worker_bond: 10 * TOKEN });
    const id = taskId(toHex(posted.input.id));
    const claim = encodeEntry(
      signedEntry(p.clock, WORKER, `/v1/tasks/${id}/claim`, { max_bond: 20 * TOKEN }),
    );
    const done = await order(p, [posted.bytes, claim]);
    expect(done.map(({ outcome }) => outcome.code)).toEqual([abi.OK, abi.TASK_NOT_FOUND]);
    expect(task(p, id).status).toBe('open');
    expect(await act(p, WORKER, id, 'claim', { max_bond: 20 * TOKEN })).toBeUndefined();
  });

  it('who cannot pay the bond neither claims nor disputes', async () => {
    const p = await withAgents();
    const id = await post(p, { worker_bond: 10 * TOKEN });
    expect(await send(p, POSTER, '/v1/tasks', { ...TASK, worker_bond: 10 * TOKEN + 1 })).toBe(
      'invalid_request',
    );
    await send(p, WORKER, '/v1/stake', { amount: balance(p, WORKER) - 10 * TOKEN + 1 });
    expect(await act(p, WORKER, id, 'claim')).toBe('insufficient_balance');
    const free = await post(p, { worker_bond: 0 });
    expect(await act(p, WORKER, free, 'claim')).toBeUndefined();
    await act(p, WORKER, free, 'submit', GOOD);
    await send(p, POSTER, '/v1/stake', { amount: balance(p, POSTER) - TOKEN + 1 });
    expect(await act(p, POSTER, free, 'dispute')).toBe('insufficient_balance');
    expect(task(p, free).status).toBe('submitted');
  });

  it('a dispute is listed for verdicts and settled by the vote of a quorum', async () => {
    const p = await withAgents();
    const id = await post(p);
    await act(p, WORKER, id, 'claim');
    await act(p, WORKER, id, 'submit', GOOD);
    expect(await act(p, POSTER, id, 'dispute', { reason: 'late' })).toBeUndefined();
    const { dispute_event_id: event, dispute_reason } = task(p, id);
    expect(dispute_reason).toBe('late');
    expect(await send(p, SEAT_KEY, '/v1/verify', { event_id: event, verdict: true })).toBe('not_pending');
    await act(p, WORKER, id, 'contest');
    expect(await send(p, POSTER, '/v1/verify', { event_id: event, verdict: false })).toBe('self_dealing');
    expect(await send(p, SEAT_KEY, '/v1/verify', { event_id: event, verdict: true })).toBe('not_committed');
    await decide(p, String(event), [{ by: SEAT_KEY, verdict: true }]);
    expect(task(p, id)).toMatchObject({ status: 'completed', resolution: 'dispute_quorum' });
    expect(typesOf(p, id)).toEqual([
      'task_posted',
      'task_claimed',
      'task_submitted',
      'task_disputed',
      'task_contested',
      'task_settled',
    ]);
    expect(await send(p, SEAT_KEY, '/v1/verify', { event_id: event, verdict: true })).toBe('not_pending');
  });

  it('an expired claim opens the task again without its claimer', async () => {
    const p = await withAgents();
    const id = await post(p, { max_delivery_time_secs: 3 });
    await act(p, WORKER, id, 'claim');
    await p.clock.advance(10_000);
    const open = task(p, id);
    expect(open.status).toBe('open');
    for (const gone of ['claimer_id', 'claimed_at', 'claim_deadline', 'escrow_locked_to'])
      expect(open).not.toHaveProperty(gone);
    expect(eventOf(p, 'claim_expired').payload).toEqual({ task_id: id, claimer_id: WORKER.publicKeyHex });
    expect(await act(p, WORKER, id, 'claim')).toBe('claim_barred');
    expect(p.tasks.page({ claimer: p.ids.find(WORKER.publicKey)!.index }, 0, 10).total).toBe(0);
  });
});

describe('parts and steps of a task', () => {
  it('subtasks are listed in their parent and close with it', async () => {
    const p = await withAgents();
    const parent = await post(p);
    await act(p, WORKER, parent, 'claim');
    const s = signed(p, WORKER, `/v1/tasks/${parent}/subtask`, { title: 'Part', budget: 2 * TOKEN });
    await p.sequencer.submit(s);
    const child = taskId(toHex(s.input.id));
    expect(task(p, child)).toMatchObject({
      is_subtask: true,
      parent_task_id: parent,
      poster_id: WORKER.publicKeyHex,
    });
    expect(task(p, parent)).toMatchObject({ subtask_ids: [child], escrow_amount: 8 * TOKEN });
    expect(await act(p, POSTER, child, 'claim')).toBe('self_claim');
    expect(await act(p, WORKER, parent, 'submit', GOOD)).toBe('subtasks_open');
    await act(p, POSTER, parent, 'cancel');
    await p.clock.advance(66_000);
    expect(task(p, child)).toMatchObject({
      status: 'cancelled',
      resolution: 'parent_closed',
      escrow_amount: 0,
    });
    expect(p.tasks.totals).toMatchObject({
      count: 2,
      budget: 10 * TOKEN,
      escrowed: 0,
      by_status: { cancelled: 2 },
    });
    expect(p.tasks.byCategory(0, 200).counts).toEqual({ general: 1 });
  });

  it('commits keep hash, size and body, and may only name commits of the same task', async () => {
    const p = await withAgents();
    const [a, b] = [await post(p), await post(p)];
    await p.sequencer.submit(signed(p, WORKER, '/v1/stake', { amount: 100 * TOKEN }));
    await act(p, WORKER, a, 'claim');
    await act(p, WORKER, b, 'claim');
    const body = { approach_description: 'try é', parameters: { b: '2', a: '1' } };
    const s = signed(p, WORKER, `/v1/tasks/${a}/trajectory/commit`, { outcome: 'progress', ...body });
    await p.sequencer.submit(s);
    const first = toHex(s.input.id);
    const step = (id: string, parent: string) =>
      act(p, WORKER, id, 'trajectory/commit', {
        outcome: 'success',
        branch_id: 'side',
        parent_commit_id: parent,
      });
    expect(await step(a, 'f'.repeat(64))).toBe('event_not_found');
    expect(await step(b, first)).toBe('event_not_found');
    expect(await step(a, first.toUpperCase())).toBeUndefined();
    const [c1, c2] = commitsOf(p.store, fromHex(a)!, 2);
    const full = { ...body, error_detail: '', evidence_snippet: '', intermediate_output_hash: '' };
    expect(c1).toMatchObject({
      event_id: first,
      branch_id: 'main',
      checkpoint_hash: sha256Hex(jcs(full)),
      checkpoint_size: Buffer.byteLength(jcs(full)),
    });
    expect(c2).toMatchObject({ branch_id: 'side', parent_commit_id: first });
    expect(bodiesOf(p.store, fromHex(a)!, [0])).toEqual([full]);
    expect(p.events.find((e) => e.event_id === first)!.payload).not.toHaveProperty('approach_description');
  });
});

describe('restart and replay', () => {
  it('keep documents, lists and the root, also with refused submissions in the log', async () => {
    const store = new MemoryStore();
    const p = await withAgents({ store });
    const id = await post(p);
    await act(p, WORKER, id, 'claim');
    await act(p, WORKER, id, 'submit', GOOD);
    await post(p, { category: 'poetry' });
    const before = task(p, id);
    const root = toHex(p.ids.state.core.stateHash());
    expect((await restoreAt(store, false)).root).toBe(root);
    const again = await openParts({ store, clock: p.clock });
    expect(task(again, id)).toEqual(before);
    expect(again.tasks.page({ status: 'submitted' }, 0, 10).ids.map(toHex)).toEqual([id]);
    expect(await act(again, POSTER, id, 'approve')).toBeUndefined();
    expect(again.tasks.page({ status: 'submitted' }, 0, 10).total).toBe(0);
    const page = again.tasks.page({ poster: again.ids.find(POSTER.publicKey)!.index }, 0, 10);
    expect(taskRows(store, page.ids).map((t) => t.status)).toEqual(['open', 'completed']);
  });

  it('a submission in the block of its own task is refused, now and in a replay that has the text', async () => {
    const store = new MemoryStore();
    const p = await withAgents({ store });
    const bytes = (key: KeyPair, path: string, body: Record<string, unknown>): Uint8Array =>
      encodeEntry(signedEntry(p.clock, key, path, body));
    const create = signed(p, POSTER, '/v1/tasks', TASK);
    const id = taskId(toHex(create.input.id));
    const submission = { ...GOOD, result_note: 'too early' };
    const done = await order(p, [
      create.bytes,
      bytes(WORKER, `/v1/tasks/${id}/claim`, {}),
      bytes(WORKER, `/v1/tasks/${id}/submit`, submission),
    ]);
    expect(done.map((d) => d.outcome.code)).toEqual([abi.OK, abi.OK, abi.TASK_NOT_FOUND]);
    expect(task(p, id)).toMatchObject({ status: 'claimed', claimer_id: WORKER.publicKeyHex });
    const [taken] = await order(p, [bytes(WORKER, `/v1/tasks/${id}/submit`, GOOD)]);
    expect(taken!.outcome.code).toBe(abi.OK);
    expect(task(p, id)).toMatchObject({ status: 'submitted', result_note: 'done' });
    expect((await restoreAt(store, false)).root).toBe(toHex(p.ids.state.core.stateHash()));
  });
});
