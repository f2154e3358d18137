// The life of a challenge as documents and events: failed, succeeded, partial, archived (protocol 4.7, 6.5, 6.6, 7.5).

import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import {
  approversOf,
  caseOf,
  challenge,
  completed,
  IDS,
  listOf,
  netOf,
  openCases,
  operatorOf,
  since,
  typesOf,
} from '../one-node/case-life.ts';
import { openParts, type Parts, restoreAt, SEAT_KEY, send } from '../one-node/harness.ts';
import { OTHER, POSTER, post, TOKEN, task, WORKER } from '../one-node/task-life.ts';

/** A completed task, and one of its approvers that does not decide alone. */
async function target(p: Parts): Promise<{ id: string; panel: string[]; target: string }> {
  for (;;) {
    const { id, panel } = await completed(p);
    const found = approversOf(p, id).find((v) => v !== 'v1');
    if (found) return { id, panel, target: found };
  }
}
const balance = (p: Parts, key = OTHER) => {
  const { balance: free, reserved, staked } = p.ids.state.agent(p.ids.find(key.publicKey)!.index)!;
  return { free, reserved, staked };
};
const vote = (p: Parts, id: string, outcome: string, key = SEAT_KEY) =>
  send(p, key, `/v1/challenges/${id}/resolve`, { outcome, note: 'seen' });

describe('a challenge', () => {
  it('is opened with its texts, listed by each filter, and has an event', async () => {
    const p = await openCases();
    const { id, target: target_id } = await target(p);
    const before = balance(p);
    const from = p.events.length;
    const fields = { task_id: id.toUpperCase(), target_id, reason: 'doubt', evidence_uri: 'https://x.org/e' };
    const opened = await challenge(p, OTHER, { ...fields, bond: 2_500_001 });
    expect(caseOf(p, 'challenge', opened)).toEqual({
      id: opened,
      event_id: p.events.at(-1)!.event_id,
      task_id: id,
      challenger_id: OTHER.publicKeyHex,
      target_id,
      offense: 'fraudulent_approval',
      status: 'open',
      bond: 2_500_001,
      created_at: 1_800_000_000,
      deadline: 1_800_000_000 + 259_200,
      reason: 'doubt',
      evidence_uri: 'https://x.org/e',
      votes: expect.objectContaining({ succeeded_weight: 0, participants: 0 }),
    });
    expect(balance(p)).toEqual({ ...before, free: before.free - 2_500_001, reserved: 2_500_001 });
    const [told] = since(p, from);
    expect(told).toMatchObject({
      event_type: 'challenge_opened',
      agent_id: OTHER.publicKeyHex,
      task_id: id,
      settlement_state: 'settled',
      payload: { challenge_id: opened, task_id: id, target_id, bond: 2_500_001, reason: 'doubt' },
    });
    const all: Record<string, string>[] = [
      {},
      { status: 'open' },
      { task_id: id },
      { target_id },
      { target_id: operatorOf(target_id).publicKeyHex },
      { challenger_id: OTHER.publicKeyHex },
      { status: 'open', task_id: id, target_id, challenger_id: OTHER.publicKeyHex },
    ];
    for (const query of all) expect(listOf(p, 'challenges', query).map((c) => c.id)).toEqual([opened]);
    const none: Record<string, string>[] = [
      { status: 'failed' },
      { task_id: 'f'.repeat(32) },
      { target_id: 'nobody' },
      { challenger_id: POSTER.publicKeyHex },
      { challenger_id: 'nobody' },
    ];
    for (const query of none) expect(listOf(p, 'challenges', query)).toEqual([]);
  });

  it('is refused with the code of what is wrong, in order', async () => {
    const p = await openCases();
    const { id: task_id, panel, target: target_id } = await target(p);
    const base = { task_id, target_id };
    const stranger = IDS.find((v) => !panel.includes(v))!;
    const plain = await post(p);
    const refused: [Record<string, unknown>, string, typeof OTHER?][] = [
      [{ ...base, task_id: 'f'.repeat(32), target_id: 'nobody' }, 'task_not_found'],
      [{ ...base, task_id: 'none' }, 'task_not_found'],
      [{ ...base, target_id: 'nobody' }, 'validator_not_found'],
      [{ ...base, task_id: plain }, 'not_challengeable'],
      [{ ...base, target_id: stranger }, 'not_challengeable'],
      [{ ...base, offense: 'dishonest_replay' }, 'not_challengeable'],
      [base, 'self_dealing', operatorOf(target_id)],
      [{ ...base, bond: 1_999_999 }, 'bond_below_minimum'],
      [{ ...base, bond: 10 ** 12 }, 'insufficient_balance'],
    ];
    for (const [fields, code, who] of refused) {
      expect([fields, await challenge(p, who ?? OTHER, fields)]).toEqual([fields, code]);
    }
    const opened = await challenge(p, OTHER, base);
    expect(await challenge(p, WORKER, base)).toBe('already_challenged');
    expect(await vote(p, 'chal-x', 'failed')).toBe('challenge_not_found');
    for (const party of [operatorOf(target_id), OTHER, POSTER, WORKER]) {
      expect(await vote(p, opened, 'failed', party)).toBe('self_dealing');
    }
  });

  it('fails by a quorum: the bond is split, the document keeps the figures', async () => {
    const p = await openCases();
    const { id, target: target_id } = await target(p);
    const opened = await challenge(p, OTHER, { task_id: id, target_id, bond: 2_500_001 });
    const from = p.events.length;
    const others = IDS.filter((v) => v !== 'v1' && v !== target_id);
    const words = await vote(p, opened, 'partial', operatorOf(others[0]));
    expect(words).toMatchObject({ 2: 1, 3: 0, 4: 0, 5: 0, 6: 0 });
    expect(await vote(p, opened, 'failed', operatorOf(others[0]))).toBe('already_voted');
    await vote(p, opened, 'failed');
    expect(typesOf(since(p, from))).toEqual(['challenge_vote', 'challenge_vote', 'challenge_resolved']);
    expect(since(p, from)[1]!.payload).toMatchObject({
      challenge_id: opened,
      validator_id: 'v1',
      outcome: 'failed',
      note: 'seen',
    });
    const figures = { refunded_bond: 0, forfeit_amount: 2_500_001, slash_amount: 0, bounty: 0 };
    expect(since(p, from)[2]!.payload).toMatchObject({ challenge_id: opened, status: 'failed', ...figures });
    expect(caseOf(p, 'challenge', opened)).toMatchObject({
      status: 'failed',
      resolved_at: 1_800_000_000,
      ...figures,
      votes: { participants: 2 },
    });
    expect(listOf(p, 'challenges', { status: 'open' })).toEqual([]);
    expect(listOf(p, 'challenges', { status: 'failed', target_id })).toHaveLength(1);
    expect(await vote(p, opened, 'failed', operatorOf(others[1]))).toBe('invalid_state');
    expect(await challenge(p, WORKER, { task_id: id, target_id })).toBe('already_challenged');
  });

  it('succeeds by a quorum: slash with its challenge, suspension, generation denied', async () => {
    const p = await openCases();
    const { id, target: target_id } = await target(p);
    const { free } = balance(p);
    const opened = await challenge(p, OTHER, { task_id: id, target_id });
    const from = p.events.length;
    await vote(p, opened, 'succeeded');
    const told = since(p, from);
    expect(typesOf(told)).toEqual(['challenge_vote', 'challenge_resolved', 'slash', 'validator_status']);
    const slash = 7_500 * TOKEN;
    expect(told[2]!.payload).toEqual({
      target_agent: operatorOf(target_id).publicKeyHex,
      amount: slash,
      reason: 'fraudulent_approval',
      remaining_stake: 17_500 * TOKEN,
      challenge_id: opened,
    });
    expect(caseOf(p, 'challenge', opened)).toMatchObject({
      status: 'succeeded',
      refunded_bond: 2 * TOKEN,
      slash_amount: slash,
      bounty: slash / 2,
    });
    expect(balance(p)).toMatchObject({ free: free + slash / 2, reserved: 0 });
    expect(task(p, id).generation_status).toBe('denied');
  });

  it('without a quorum is partial at its deadline, and may be opened again', async () => {
    const p = await openCases({ challenge_ttl_secs: '60' });
    const { id, target: target_id } = await target(p);
    const before = balance(p);
    const opened = await challenge(p, OTHER, { task_id: id, target_id });
    await p.clock.advance(66_000);
    expect(caseOf(p, 'challenge', opened)).toMatchObject({
      status: 'partial',
      refunded_bond: 2 * TOKEN,
      bounty: 0,
    });
    expect(p.events.findLast((e) => e.event_type === 'challenge_resolved')).toMatchObject({
      auth: 'system',
      payload: { challenge_id: opened, status: 'partial' },
    });
    expect(balance(p)).toEqual(before);
    expect(await challenge(p, OTHER, { task_id: id, target_id })).toMatch(/^chal-/);
    expect(listOf(p, 'challenges', { task_id: id }).map((c) => c.status)).toEqual(['open', 'partial']);
  });

  it('stays readable when its task has left the core; refusals of late writes name the reason', async () => {
    const store = new MemoryStore();
    // A replay that nobody answers is over after three attempts, before the task leaves.
    const params = { day_secs: '10', replay_submission_secs: '10' };
    const p = await openCases(params, { store });
    const { id, target: target_id } = await target(p);
    const opened = await challenge(p, OTHER, { task_id: id, target_id });
    await vote(p, opened, 'failed');
    const shown = caseOf(p, 'challenge', opened);
    await p.clock.advance(45_000);
    const whole = task(p, id);
    expect(whole.replay_status).not.toBe('replay_pending');
    await p.clock.advance(35_000);
    expect(p.ids.state.task(Buffer.from(id, 'hex'))).toBeUndefined();
    expect(caseOf(p, 'challenge', opened)).toEqual(shown);
    expect(task(p, id)).toEqual(whole);
    expect(await challenge(p, WORKER, { task_id: id, target_id })).toBe('not_challengeable');
    expect(await challenge(p, WORKER, { task_id: id, target_id: 'nobody' })).toBe('validator_not_found');
    expect(await vote(p, opened, 'failed')).toBe('invalid_state');
    const again = await openParts({ ...netOf(params), store, clock: p.clock });
    expect(listOf(again, 'challenges')).toEqual(listOf(p, 'challenges'));
    const net = netOf(params);
    expect(await restoreAt(store, false, net)).toEqual(await restoreAt(store, true, net));
  });
});
