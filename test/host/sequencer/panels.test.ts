// Submissions of assured tasks as documents: the panel, its votes, what follows from them (protocol 3.6, 6.9, 7.1).

import { describe, expect, it } from 'vitest';
import { Autovalidator } from '../../../host/duties/autovalidator.ts';
import { eventOf as storedEvent } from '../../../host/store/events.ts';
import { commit, decide, reveal } from '../one-node/dispute-votes.ts';
import type { Parts } from '../one-node/harness.ts';
import { SEAT_KEY, send, settle } from '../one-node/harness.ts';
import { absentKey, heavyManifest } from '../one-node/manifests.ts';
import { act, GOOD, POSTER, post, TOKEN, task, WORKER, withAgents } from '../one-node/task-life.ts';

const NET = { manifest: heavyManifest(5, 0.7), params: { min_participants: '1' } };
const operatorOf = (validator: string) =>
  validator === 'v1' ? SEAT_KEY : absentKey(Number(validator.slice(1)) - 1);

async function submitted(p: Parts, over: Record<string, unknown> = {}) {
  const id = await post(p, { budget: 200 * TOKEN, assurance_lane: 'standard', ...over });
  await act(p, WORKER, id, 'claim');
  await act(p, WORKER, id, 'submit', GOOD);
  const { panel, submission_event_id } = task(p, id);
  return { id, panel: panel as string[], event: String(submission_event_id) };
}
const eventOf = (p: Parts, id: string) => p.events.findLast((e) => e.event_id === id)!;

describe('an assured task', () => {
  it('has its lane and fee from the start, and a panel from its submission on', async () => {
    const p = await withAgents(NET);
    const { id, panel, event } = await submitted(p);
    expect(task(p, id)).toMatchObject({
      requested_lane: 'standard',
      assurance_lane: 'standard',
      assurance_fee: 6 * TOKEN,
      worker_net_payout: 193_800_000,
      contract: { generation_eligible: true, assurance_lane: 'standard' },
    });
    expect(panel).toHaveLength(3);
    expect(eventOf(p, event)).toMatchObject({
      event_type: 'task_submitted',
      task_id: id,
      recipient_id: POSTER.publicKeyHex,
      settlement_state: 'optimistic',
      deadline: task(p, id).review_deadline,
      assigned_to: panel,
      payload: { panel },
      votes: { approve_weight: 0, participants: 0 },
    });
    expect(eventOf(p, event)).not.toHaveProperty('amount');
    const rows = panel.map((v) => p.ids.findValidator(v)!);
    for (const validator of rows) expect(p.pending.page({ validator }, 0, 10).total).toBe(1);
    const outsider = [0, 1, 2, 3, 4].find((v) => !rows.includes(v))!;
    expect(p.pending.page({ validator: outsider }, 0, 10)).toEqual({ items: [], total: 0 });
  });

  it('takes no verdict that names another task, whatever event a node named to the judge', async () => {
    const p = await withAgents(NET);
    const { id, panel, event } = await submitted(p);
    const other = await submitted(p);
    const vote = (task_id: string) =>
      send(p, operatorOf(panel[0]!), '/v1/verify', { event_id: event, task_id, verdict: true });
    for (const task_id of [other.id, 'ab'.repeat(16), 'none'])
      expect(await vote(task_id)).toBe('event_not_found');
    expect(eventOf(p, event)).toMatchObject({ votes: { participants: 0 } });
    expect(await vote(id.toUpperCase())).toBeInstanceOf(Array);
  });

  it('takes verdicts of its panel only; its event settles, the task waits for its window', async () => {
    const p = await withAgents(NET);
    const { id, panel, event } = await submitted(p, { challenge_window_secs: 100 });
    const outsider = ['v1', 'v2', 'v3', 'v4', 'v5'].find((v) => !panel.includes(v))!;
    const vote = (v: string) => send(p, operatorOf(v), '/v1/verify', { event_id: event, verdict: true });
    expect(await vote(outsider)).toBe('not_assigned');
    for (const v of panel) {
      const result = await vote(v);
      if (result === 'not_pending') break;
      expect(result).toBeInstanceOf(Array);
    }
    const settled = p.events.findLast((e) => e.event_type === 'settlement')!;
    expect(settled.payload).toMatchObject({
      target_event_id: event,
      target_type: 'task_submitted',
      settlement_state: 'settled',
      settlement_reason: 'verified',
    });
    expect(task(p, id).status).toBe('submitted');
    expect(p.pending.size).toBe(0);
    await act(p, POSTER, id, 'approve');
    const done = task(p, id);
    expect(done).toMatchObject({ status: 'completed', base_fee: 200_000 });
    expect(done.generation_status).toBe(done.replay_job_id === undefined ? 'recognized' : 'held');
  });

  it("the node's validator abstains on a panel that it is on", async () => {
    const p = await withAgents(NET);
    const auto = new Autovalidator({
      store: p.store,
      ids: p.ids,
      pending: p.pending,
      key: SEAT_KEY,
      chainId: 'vws-testnet-1',
      clock: p.clock,
      randomBytes: () => crypto.getRandomValues(new Uint8Array(16)),
      log: { info() {}, warn() {} },
      submit: (s) => p.sequencer.submit(s),
    });
    // Panels are drawn by chance: of ten, some hold the first validator.
    const all = [];
    for (let i = 0; i < 10; i++) all.push(await submitted(p, { budget: 25 * TOKEN }));
    expect(all.some((s) => s.panel.includes('v1'))).toBe(true);
    auto.start();
    for (let i = 0; i < 5; i++) await settle();
    expect(p.events.filter((e) => e.event_type === 'verification')).toEqual([]);
  });
});

describe('a dispute where judges are announced', () => {
  const VALIDATORS = ['v1', 'v2', 'v3', 'v4', 'v5'];
  const announce = (p: Parts, v: string, announced: boolean) =>
    send(p, operatorOf(v), `/v1/validators/${v}/judge`, { announced });

  async function disputed(p: Parts) {
    const id = await post(p);
    await act(p, WORKER, id, 'claim');
    await act(p, WORKER, id, 'submit', GOOD);
    await act(p, POSTER, id, 'dispute');
    await act(p, WORKER, id, 'contest');
    const event = String(task(p, id).dispute_event_id);
    const row = p.ids.state.findItem(Buffer.from(event, 'hex'))!;
    const panel = p.ids.state.item(row)!.assigned.map((v) => p.ids.validatorId(v));
    return { id, event, panel };
  }

  it('takes verdicts of the drawn panel only, and is listed for its members', async () => {
    const p = await withAgents(NET);
    for (const v of VALIDATORS) expect(await announce(p, v, true)).toBeInstanceOf(Array);
    expect(await announce(p, 'v2', true)).toBe('invalid_state');
    const announced = p.events.findLast((e) => e.event_type === 'validator_judge')!;
    expect(announced.payload).toEqual({ validator_id: 'v5', announced: true });
    const { id, event, panel } = await disputed(p);
    expect(panel).toHaveLength(5);
    expect(task(p, id)).toMatchObject({ contested: true, dispute_panels: 1 });
    for (const v of VALIDATORS) {
      const validator = p.ids.findValidator(v)!;
      expect(p.pending.page({ validator }, 0, 9).total).toBe(panel.includes(v) ? 1 : 0);
      if (panel.includes(v)) continue;
      expect(await commit(p, event, { by: operatorOf(v), verdict: true })).toBe('not_assigned');
    }
    const vote = { verdict: false, ground: 'plagiarism' } as const;
    await decide(
      p,
      event,
      panel.map((v) => ({ by: operatorOf(v), ...vote })),
    );
    expect(task(p, id)).toMatchObject({ status: 'cancelled', resolution: 'dispute_quorum' });
    const verdict = p.events.findLast((e) => e.event_type === 'verification')!;
    expect(verdict.payload).toMatchObject({ verdict: false, ground: 'plagiarism' });
  });

  it('shows who of the panel has committed and who has revealed, until it is decided', async () => {
    const p = await withAgents(NET);
    for (const v of VALIDATORS) await announce(p, v, true);
    const id = await post(p);
    await act(p, WORKER, id, 'claim');
    await act(p, WORKER, id, 'submit', GOOD);
    await act(p, POSTER, id, 'dispute');
    // The worker has not answered: nobody judges yet.
    expect(task(p, id)).not.toHaveProperty('dispute_judges');
    await act(p, WORKER, id, 'contest');
    const shown = () => task(p, id).dispute_judges as { validator_id: string; vote: string }[];
    const event = String(task(p, id).dispute_event_id);
    const panel = shown().map((j) => j.validator_id);
    expect([...panel].sort()).toEqual(VALIDATORS);
    const vote = (i: number) => ({ by: operatorOf(panel[i]!), verdict: false });
    const states = () => shown().map((j) => j.vote);
    expect(states()).toEqual(['none', 'none', 'none', 'none', 'none']);
    for (const i of [0, 3]) await commit(p, event, vote(i));
    expect(states()).toEqual(['committed', 'none', 'none', 'committed', 'none']);
    for (const i of [1, 2, 4]) await commit(p, event, vote(i));
    await reveal(p, event, vote(1));
    expect(states()).toEqual(['committed', 'revealed', 'committed', 'committed', 'committed']);
    expect(shown().map((j) => j.validator_id)).toEqual(panel);
    for (const i of [0, 2, 3, 4]) await reveal(p, event, vote(i));
    expect(task(p, id)).toMatchObject({ status: 'cancelled' });
    expect(task(p, id)).not.toHaveProperty('dispute_judges');
  });

  it('ends with a part for the worker where a majority of the panel is for it', async () => {
    const p = await withAgents(NET);
    for (const v of VALIDATORS) await announce(p, v, true);
    const { id, event, panel } = await disputed(p);
    const part = { event_id: event, verdict: true, worker_share_bp: 4000 };
    const bad = { ...part, verdict: false };
    expect(await send(p, operatorOf(panel[0]!), '/v1/verify', bad)).toBe('invalid_request');
    await decide(
      p,
      event,
      panel.map((v) => ({ by: operatorOf(v), verdict: true, worker_share_bp: 4000 })),
    );
    expect(task(p, id)).toMatchObject({
      status: 'completed',
      resolution: 'dispute_quorum',
      worker_share_bp: 4000,
    });
    const verdict = p.events.findLast((e) => e.event_type === 'verification')!;
    expect(verdict.payload).toMatchObject({ verdict: true, worker_share_bp: 4000 });
    const judged = storedEvent(p.store, Buffer.from(event, 'hex'))!;
    expect(new Set(judged.voters!.map((v) => v.worker_share_bp))).toEqual(new Set([4000]));
  });

  it('is foreseen: where too few are announced, a task needs a poster who accepts that', async () => {
    const p = await withAgents({ ...NET, params: { ...NET.params, min_judges: '3' } });
    const body = { title: 'count', budget: TOKEN };
    expect(await send(p, POSTER, '/v1/tasks', body)).toBe('too_few_judges');
    expect(task(p, await post(p, { accept_no_judges: true }))).toMatchObject({ accept_no_judges: true });
    for (const v of ['v1', 'v2', 'v3']) await announce(p, v, true);
    expect(task(p, await post(p))).not.toHaveProperty('accept_no_judges');
  });

  it('is judged by all validators where two are announced', async () => {
    const p = await withAgents(NET);
    for (const v of ['v1', 'v2']) await announce(p, v, true);
    const { id, event } = await disputed(p);
    expect(task(p, id)).not.toHaveProperty('dispute_panels');
    expect(task(p, id).dispute_judges).toEqual([]);
    expect(await commit(p, event, { by: operatorOf('v5'), verdict: true })).toBeInstanceOf(Array);
    expect(task(p, id).dispute_judges).toEqual([{ validator_id: 'v5', vote: 'committed' }]);
  });
});
