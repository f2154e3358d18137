// Votes on a contested dispute over HTTP: what each of the two writes refuses, and what they answer (protocol 15.8).

import { expect } from 'vitest';
import { voteCommitment } from '../../host/wire/vote-commitment.ts';
import { Agent, type Answer, get, type Json } from './agent.ts';
import type { Story } from './story.ts';
import { TASK } from './task-cases.ts';

type Refused = (who: Agent, path: string, body: object, code: string) => Promise<Answer>;
const SALT = 'ab'.repeat(32);
const COMMIT = '/v1/verify/commit';
const VERIFY = '/v1/verify';
const UNKNOWN = 'f'.repeat(64);

/** The body of a commitment to a verdict, and of the verdict that reveals it. */
export function votes(who: Agent, event_id: string, vote: { verdict: boolean; worker_share_bp?: number }) {
  const commitment = voteCommitment(event_id, who.id, vote, SALT);
  return { commit: { event_id, commitment }, reveal: { event_id, ...vote, salt: SALT } };
}

async function contested(s: Story): Promise<{ id: string; event: string }> {
  const { id } = await s.alice.do('/v1/tasks', TASK);
  await s.bob.do(`/v1/tasks/${id}/claim`);
  await s.bob.do(`/v1/tasks/${id}/submit`, { result_content: 'Vessels of May: 212.' });
  await s.alice.do(`/v1/tasks/${id}/dispute`);
  await s.bob.do(`/v1/tasks/${id}/contest`);
  return { id, event: (await get(s.port, `/v1/tasks/${id}`)).body.dispute_event_id };
}

/** Provokes what the writes of votes on disputes list. */
export async function refuseVotes(s: Story, refused: Refused): Promise<void> {
  const { id, event } = await contested(s);
  const [first, second] = [
    votes(s.operator, event, { verdict: true }),
    votes(s.second, event, { verdict: true }),
  ];
  await refused(s.operator, COMMIT, { ...first.commit, event_id: UNKNOWN }, 'event_not_found');
  await refused(s.operator, COMMIT, { ...first.commit, event_id: s.settledTransfer }, 'not_pending');
  await refused(s.operator, COMMIT, { ...first.commit, event_id: s.pendingTransfer }, 'invalid_request');
  await refused(s.operator, COMMIT, { ...first.commit, commitment: 'ab' }, 'invalid_request');
  await refused(s.alice, COMMIT, first.commit, 'self_dealing');
  await refused(await new Agent(s.port).register(), COMMIT, first.commit, 'not_a_validator');
  const direct = await refused(s.operator, VERIFY, { event_id: event, verdict: true }, 'not_committed');
  expect(direct.body.error).toContain('POST /v1/verify/commit');
  await s.operator.do(COMMIT, first.commit);
  await refused(s.operator, COMMIT, first.commit, 'already_voted');
  await refused(s.operator, VERIFY, first.reveal, 'reveal_early');
  const shown = (await get(s.port, `/v1/events/${event}`)).body;
  expect(shown).toMatchObject({
    voters: [],
    voting: { stage: 'commit', committed: 1, revealed: 0, judges: 2 },
  });
  expect(shown.commitments).toMatchObject([{ agent_id: s.operator.id, commitment: first.commit.commitment }]);
  const last = await s.second.do(COMMIT, second.commit);
  expect(last.voting).toMatchObject({ stage: 'reveal', committed: 2 });
  await refused(s.probationer, COMMIT, first.commit, 'commitments_over');
  await refused(s.operator, VERIFY, { ...first.reveal, salt: 'cd'.repeat(32) }, 'commitment_differs');
  await refused(s.operator, VERIFY, { ...first.reveal, verdict: false }, 'commitment_differs');
  await s.operator.do(VERIFY, first.reveal);
  await refused(s.operator, VERIFY, first.reveal, 'already_voted');
  const decided: Json = await s.second.do(VERIFY, second.reveal);
  expect(decided).toMatchObject({ status: 'settled', settlement_reason: 'verified' });
  expect((await get(s.port, `/v1/tasks/${id}`)).body).toMatchObject({ status: 'completed' });
}

/** A commitment, as a step of what succeeds. */
export async function commitStep(s: Story): Promise<[Agent, string, object]> {
  const { event } = await contested(s);
  return [s.operator, COMMIT, votes(s.operator, event, { verdict: true, worker_share_bp: 4000 }).commit];
}
