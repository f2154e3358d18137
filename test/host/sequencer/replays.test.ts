// The life of a replay job as documents and events: executed by the own validator, disputed, passed on, failed, archived
// (protocol 4.8, 7.6).

import { describe, expect, it } from 'vitest';
import { ReplayRunner } from '../../../host/duties/replay-runner.ts';
import { baselineOf } from '../../../host/scoring/index.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { taskKey } from '../../../host/store/task-rows.ts';
import { sha256Hex } from '../../../host/wire/hash.ts';
import {
  approversOf,
  caseOf,
  challenge,
  type Json,
  listOf,
  netOf,
  openCases,
  operatorOf,
  replayed,
  since,
  typesOf,
} from '../one-node/case-life.ts';
import { openParts, type Parts, restoreAt, send, settle } from '../one-node/harness.ts';
import { GOOD, OTHER, TOKEN, task } from '../one-node/task-life.ts';

const runner = (p: Parts, executor: unknown): ReplayRunner =>
  new ReplayRunner({
    store: p.store,
    ids: p.ids,
    cases: p.cases,
    key: operatorOf(executor),
    chainId: 'vws-testnet-1',
    clock: p.clock,
    randomBytes: () => crypto.getRandomValues(new Uint8Array(16)),
    log: { info() {} },
    submit: (s) => p.sequencer.submit(s),
  });
const free = (p: Parts, validator: unknown) =>
  p.ids.state.agent(p.ids.find(operatorOf(validator).publicKey)!.index)!.balance;
const submit = (p: Parts, job: Json, check_results: unknown, by = job.executor_id) =>
  send(p, operatorOf(by), '/v1/replay/submit', { job_id: job.id, task_id: job.task_id, check_results });
const checksOf = (job: Json) => job.checks as { check_type: string; pass: boolean; value_bp?: number }[];

describe('a replay job', () => {
  it('has an event when it is drawn, with the checks of the original verification', async () => {
    const p = await openCases();
    const { id, job } = await replayed(p, { category: 'code' });
    expect(job).toMatchObject({
      task_id: id,
      category: 'code',
      policy_version: 'v1',
      status: 'pending',
      reason: 'sampled',
      attempt: 1,
      reward: 5 * TOKEN,
      created_at: 1_800_000_000,
      submission_deadline: 1_800_007_200,
    });
    const shown = task(p, id) as { verification: Parameters<typeof baselineOf>[0]; contract: Json };
    expect(job.acceptance_contract_hash).toBe(shown.contract.spec_hash);
    expect(job.checks).toEqual(baselineOf(shown.verification, sha256Hex(GOOD.result_content)));
    expect(checksOf(job).find((c) => c.check_type === 'hash_valid')).toEqual({
      check_type: 'hash_valid',
      pass: true,
      artifact_hash: sha256Hex(GOOD.result_content),
    });
    expect(shown).toMatchObject({ replay_status: 'replay_pending', generation_status: 'held' });
    const told = p.events.slice(-2);
    expect(typesOf(told)).toEqual(['task_settled', 'replay_created']);
    expect(told[0]!.payload.replay).toBe(true);
    expect(told[1]).toMatchObject({
      task_id: id,
      payload: { job_id: job.id, task_id: id, executor_id: job.executor_id, status: 'pending' },
    });
    const queries: Record<string, string>[] = [
      {},
      { status: 'pending' },
      { task_id: id },
      { executor_id: String(job.executor_id) },
    ];
    for (const query of queries) {
      expect(listOf(p, 'jobs', query).map((j) => j.id)).toContain(job.id);
    }
    expect(listOf(p, 'jobs', { status: 'failed' })).toEqual([]);
    expect(listOf(p, 'jobs', { executor_id: 'nobody' })).toEqual([]);
  });

  it("is executed by the node's validator, which reproduces the result and is paid", async () => {
    const p = await openCases();
    const { id, job } = await replayed(p);
    const before = free(p, job.executor_id);
    const from = p.events.length;
    const r = runner(p, job.executor_id);
    r.start();
    await settle();
    r.onExecuted(p.events);
    await settle();
    expect(typesOf(since(p, from))).toEqual(['replay_submitted', 'replay_closed']);
    expect(since(p, from)[0]!.payload).toMatchObject({
      job_id: job.id,
      task_id: id,
      executor_id: job.executor_id,
      status: 'completed',
      outcome: 'match',
      action: 'no_action',
    });
    const done = caseOf(p, 'job', String(job.id));
    expect(done).toMatchObject({ status: 'completed', outcome: 'match', severity_bp: 0, mismatch_count: 0 });
    expect(done.comparisons).toEqual(
      checksOf(job).map(({ check_type }) => ({ check_type, delta_bp: 0, anomaly: false })),
    );
    expect(done.closed_at).toBe(1_800_000_000);
    expect(free(p, job.executor_id) - before).toBe(5 * TOKEN);
    expect(task(p, id)).toMatchObject({ replay_status: 'replay_complete', generation_status: 'recognized' });
    expect(listOf(p, 'jobs', { status: 'completed' }).map((j) => j.id)).toContain(job.id);
    expect(await submit(p, job, checksOf(job))).toBe('invalid_state');
  });

  it('never repeats the baseline: other content than was hashed is reported as other content', async () => {
    const p = await openCases();
    const { id, job } = await replayed(p);
    await p.store.write([
      { key: rowKey.resultContent(Buffer.from(id, 'hex')), value: Buffer.from('something else') },
    ]);
    runner(p, job.executor_id).start();
    await settle();
    const done = caseOf(p, 'job', String(job.id)) as { outcome: string; comparisons: Json[] };
    expect(done.outcome).not.toBe('match');
    expect(done.comparisons.some((c) => c.delta_bp === 10_000)).toBe(true);
  });

  it('of a sealed result is passed on to another executor', async () => {
    const p = await openCases();
    const { job } = await replayed(p, { delivery_method: 'public' });
    const doc = JSON.parse(
      Buffer.from(p.store.get(taskKey('submission', Buffer.from(String(job.task_id), 'hex')))!).toString(),
    );
    const value = Buffer.from(JSON.stringify({ ...doc, result_encrypted: true }));
    await p.store.write([{ key: taskKey('submission', Buffer.from(String(job.task_id), 'hex')), value }]);
    const from = p.events.length;
    runner(p, job.executor_id).start();
    await settle();
    expect(typesOf(since(p, from))).toEqual(['replay_submitted', 'replay_created']);
    const next = caseOf(p, 'job', String(job.id));
    expect(next).toMatchObject({ status: 'pending', attempt: 2, notes: 'the content is sealed or not here' });
    expect(next.executor_id).not.toBe(job.executor_id);
    expect(listOf(p, 'jobs', { executor_id: String(job.executor_id), task_id: String(job.task_id) })).toEqual(
      [],
    );
    expect(await submit(p, job, checksOf(job))).toBe('not_assigned');
    await submit(p, next, checksOf(job));
    const done = caseOf(p, 'job', String(job.id));
    expect(done).toMatchObject({ outcome: 'match', executor_id: next.executor_id });
    expect(done).not.toHaveProperty('notes');
  });

  it('that differs is disputed: one challenge for each approver, and an event for the executor', async () => {
    const p = await openCases();
    const { id, job } = await replayed(p);
    const approvers = approversOf(p, id);
    const from = p.events.length;
    const flipped = checksOf(job).map(({ check_type, pass }) => ({ check_type, pass: !pass }));
    await submit(p, job, flipped);
    const told = since(p, from);
    const opened = approvers.map(() => 'challenge_opened');
    expect(typesOf(told)).toEqual(['replay_submitted', 'replay_closed', ...opened]);
    expect(caseOf(p, 'job', String(job.id))).toMatchObject({
      status: 'completed',
      outcome: 'mismatch',
      action: 'slash_recommended',
      mismatch_count: checksOf(job).length,
    });
    expect(task(p, id)).toMatchObject({ replay_status: 'replay_disputed', generation_status: 'denied' });
    const rows = listOf(p, 'challenges', { task_id: id });
    expect(rows.map((c) => c.target_id).sort()).toEqual([...approvers].sort());
    for (const c of rows) {
      expect(c).toMatchObject({
        status: 'open',
        bond: 0,
        offense: 'fraudulent_approval',
        challenger_id: operatorOf(job.executor_id).publicKeyHex,
      });
      expect(c).not.toHaveProperty('reason');
    }
    expect(told[2]!.payload.challenge_id).toBe(rows.at(-1)!.id);
    const dishonest = { task_id: id, target_id: job.executor_id, offense: 'dishonest_replay' };
    expect(await challenge(p, OTHER, dishonest)).toMatch(/^chal-/);
  });

  it('refuses all but its executor, and outcomes without checks where checks are required', async () => {
    const p = await openCases();
    const { job } = await replayed(p, { category: 'data-analysis' });
    const results = checksOf(job);
    const other = ['v1', 'v2', 'v3'].find((v) => v !== job.executor_id);
    expect(await submit(p, job, results, other)).toBe('not_assigned');
    expect(await submit(p, { ...job, id: '0'.repeat(64) }, results)).toBe('replay_job_not_found');
    expect(await submit(p, { ...job, task_id: 'f'.repeat(32) }, results)).toBe('invalid_request');
    const report = (body: Json) =>
      send(p, operatorOf(job.executor_id), '/v1/replay/outcome', { job_id: job.id, ...body });
    expect(await report({ status: 'completed', outcome: 'match' })).toBe('use_replay_submit');
    expect(await report({ status: 'completed' })).toBe('invalid_request');
    expect(await submit(p, job, [])).toBe('invalid_request');
    expect(await submit(p, job, Array(51).fill(results[0]))).toBe('invalid_request');
    expect(await submit(p, job, [{ check_type: 'has_output' }])).toBe('invalid_request');
  });

  it('is reported as a whole in other categories', async () => {
    const p = await openCases();
    const { id, job } = await replayed(p, { category: 'poetry' });
    const body = { job_id: job.id, status: 'completed', outcome: 'partial_match', notes: 'nearly' };
    await send(p, operatorOf(job.executor_id), '/v1/replay/outcome', body);
    expect(caseOf(p, 'job', String(job.id))).toMatchObject({
      outcome: 'partial_match',
      action: 'flag_for_review',
      severity_bp: 0,
      notes: 'nearly',
    });
    expect(task(p, id)).toMatchObject({ replay_status: 'replay_complete', generation_status: 'recognized' });
  });

  it('that nobody answers passes from executor to executor, then fails; its documents stay', async () => {
    const store = new MemoryStore();
    const params = { day_secs: '20', replay_submission_secs: '10' };
    const p = await openCases(params, { store });
    const { id, job } = await replayed(p);
    const from = p.events.length;
    await p.clock.advance(45_000);
    const done = caseOf(p, 'job', String(job.id));
    expect(done).toMatchObject({ status: 'failed' });
    const ofJob = since(p, from).filter((e) => e.payload.job_id === job.id);
    const created = ofJob.filter((e) => e.event_type === 'replay_created');
    expect(typesOf(ofJob).at(-1)).toBe('replay_closed');
    expect(done.attempt).toBe(1 + created.length);
    expect(new Set([job.executor_id, ...created.map((e) => e.payload.executor_id)]).size).toBe(done.attempt);
    expect(task(p, id)).toMatchObject({ replay_status: 'replay_complete', generation_status: 'recognized' });
    await p.clock.advance(120_000);
    expect(p.ids.state.task(Buffer.from(id, 'hex'))).toBeUndefined();
    expect(caseOf(p, 'job', String(job.id))).toEqual(done);
    expect(await submit(p, job, checksOf(job))).toBe('invalid_state');
    const net = netOf(params);
    const again = await openParts({ ...net, store, clock: p.clock });
    expect(listOf(again, 'jobs')).toEqual(listOf(p, 'jobs'));
    expect(await restoreAt(store, false, net)).toEqual(await restoreAt(store, true, net));
  });
});
