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

/** Provokes what the writes of votes on disputes list. All active validators judge here: nobody has announced a judge. */
export async function refuseVotes(s: Story, refused: Refused): Promise<void> {
  const { id, event } = await contested(s);
  const others = Object.values(s.court.seats).filter(
    (who) => ![s.operator.id, s.probationer.id].includes(who.id),
  );
  const own = votes(s.operator, event, { verdict: true });
  await refused(s.operator, COMMIT, { ...own.commit, event_id: UNKNOWN }, 'event_not_found');
  await refused(s.operator, COMMIT, { ...own.commit, event_id: s.settledTransfer }, 'not_pending');
  await refused(s.operator, COMMIT, { ...own.commit, event_id: s.pendingTransfer }, 'invalid_request');
  await refused(s.operator, COMMIT, { ...own.commit, commitment: 'ab' }, 'invalid_request');
  await refused(s.alice, COMMIT, own.commit, 'self_dealing');
  await refused(await new Agent(s.port).register(), COMMIT, own.commit, 'not_a_validator');
  const direct = await refused(s.operator, VERIFY, { event_id: event, verdict: true }, 'not_committed');
  expect(direct.body.error).toContain('POST /v1/verify/commit');
  await s.operator.do(COMMIT, own.commit);
  await refused(s.operator, COMMIT, own.commit, 'already_voted');
  await refused(s.operator, VERIFY, own.reveal, 'reveal_early');
  const shown = (await get(s.port, `/v1/events/${event}`)).body;
  expect(shown).toMatchObject({ voters: [], voting: { stage: 'commit', committed: 1, revealed: 0 } });
  expect(shown.voting.judges).toBe(1 + others.length);
  expect(shown.commitments).toMatchObject([{ agent_id: s.operator.id, commitment: own.commit.commitment }]);
  for (const who of others) await who.do(COMMIT, votes(who, event, { verdict: true }).commit);
  expect((await get(s.port, `/v1/events/${event}`)).body.voting.stage).toBe('reveal');
  await refused(s.probationer, COMMIT, own.commit, 'commitments_over');
  await refused(s.operator, VERIFY, { ...own.reveal, salt: 'cd'.repeat(32) }, 'commitment_differs');
  await refused(s.operator, VERIFY, { ...own.reveal, verdict: false }, 'commitment_differs');
  await s.operator.do(VERIFY, own.reveal);
  await refused(s.operator, VERIFY, own.reveal, 'already_voted');
  let decided: Json = {};
  for (const who of others) decided = await who.do(VERIFY, votes(who, event, { verdict: true }).reveal);
  expect(decided).toMatchObject({ status: 'settled', settlement_reason: 'verified' });
  expect((await get(s.port, `/v1/tasks/${id}`)).body).toMatchObject({ status: 'completed' });
}

/** A commitment, as a step of what succeeds. */
export async function commitStep(s: Story): Promise<[Agent, string, object]> {
  const { event } = await contested(s);
  return [s.operator, COMMIT, votes(s.operator, event, { verdict: true, worker_share_bp: 4000 }).commit];
}
