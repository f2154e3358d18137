// Challenges and replays on a whole node without sockets: five seats, of which the first is a quorum alone.

import { expect } from 'vitest';
import type { ReadContext } from '../../../host/api/context.ts';
import { challenges, job, jobs, challenge as oneChallenge } from '../../../host/api/handlers/cases.ts';
import { checkObject } from '../../../host/api/object-schema.ts';
import type { KeyPair } from '../../../host/crypto/key-pair.ts';
import type { EventDoc } from '../../../host/store/documents.ts';
import { readHistory } from '../../../host/store/history.ts';
import { challengeId } from '../../../host/wire/ids.ts';
import { type Parts, SEAT_KEY, send, signed } from './harness.ts';
import { absentKey, heavyManifest } from './manifests.ts';
import { act, GOOD, POSTER, post, TOKEN, task, WORKER, withAgents } from './task-life.ts';

export type Json = Record<string, unknown>;

export const IDS = ['v1', 'v2', 'v3', 'v4', 'v5'];
export const netOf = (params: Record<string, string> = {}) => ({
  manifest: heavyManifest(5, 0.7),
  params: { min_participants: '1', ...params },
});
export const openCases = (params: Record<string, string> = {}, o: Parameters<typeof withAgents>[0] = {}) =>
  withAgents({ ...netOf(params), ...o });

export const operatorOf = (validator: unknown): KeyPair =>
  validator === 'v1' ? SEAT_KEY : absentKey(Number(String(validator).slice(1)) - 1);

/** What a read handler sees of the parts. */
const context = (p: Parts): ReadContext =>
  ({
    store: p.store,
    state: p.ids.state,
    ids: p.ids,
    cases: p.cases,
    history: () => readHistory(p.store),
  }) as ReadContext;
const page = { number: 1, size: 50, offset: 0 };
const plain = (body: unknown): Json[] => JSON.parse(JSON.stringify(body)) as Json[];

const LISTS = { challenges, jobs };
const ONES = { challenge: oneChallenge, job };

export function listOf(p: Parts, kind: 'challenges' | 'jobs', query: Record<string, string> = {}): Json[] {
  const { body, total } = LISTS[kind](context(p), { path: {}, query, page });
  const rows = plain(body);
  expect(checkObject(kind === 'jobs' ? 'ReplayJob[]' : 'Challenge[]', rows)).toEqual([]);
  expect(total).toBe(rows.length);
  return rows;
}

export function caseOf(p: Parts, kind: 'challenge' | 'job', id: string): Json {
  const [body] = plain([ONES[kind](context(p), { path: { id }, query: {}, page }).body]);
  expect(checkObject(kind === 'job' ? 'ReplayJob' : 'Challenge', body)).toEqual([]);
  return body!;
}

/** An assured task that its panel approved and its poster took; `panel` in order of places. */
export async function completed(p: Parts, over: Json = {}): Promise<{ id: string; panel: string[] }> {
  const id = await post(p, { budget: 200 * TOKEN, assurance_lane: 'standard', ...over });
  await act(p, WORKER, id, 'claim');
  await act(p, WORKER, id, 'submit', GOOD);
  const { panel, submission_event_id: event_id } = task(p, id) as {
    panel: string[];
    submission_event_id: string;
  };
  for (const member of panel) await send(p, operatorOf(member), '/v1/verify', { event_id, verdict: true });
  await act(p, POSTER, id, 'approve');
  return { id, panel };
}

/** Completes tasks until one is drawn for a replay: three in four are. */
export async function replayed(
  p: Parts,
  over: Json = {},
): Promise<{ id: string; panel: string[]; job: Json }> {
  for (let i = 0; i < 12; i++) {
    const done = await completed(p, over);
    const job = task(p, done.id).replay_job_id;
    if (job !== undefined) return { ...done, job: caseOf(p, 'job', String(job)) };
  }
  throw new Error('no replay was drawn in 12 tasks');
}

/** Approvers of a task's panel as votes have it: those that were in time for the quorum. */
export const approversOf = (p: Parts, id: string): string[] => {
  const event = p.events.find((e) => e.event_type === 'task_submitted' && e.task_id === id)!;
  return p.events
    .filter((e) => e.event_type === 'verification' && e.payload.target_event_id === event.event_id)
    .map((e) => String(e.payload.validator_id));
};

/** Opens a challenge; its id, or the code of the refusal. */
export async function challenge(p: Parts, who: KeyPair, fields: Json): Promise<string> {
  const s = signed(p, who, '/v1/challenges', fields);
  try {
    await p.sequencer.submit(s);
    return challengeId(Buffer.from(s.input.id).toString('hex'));
  } catch (error) {
    return (error as { code: string }).code;
  }
}

/** Types and payloads of events since an event count. */
export const since = (p: Parts, from: number): EventDoc[] => p.events.slice(from);
export const typesOf = (events: readonly EventDoc[]): string[] => events.map((e) => e.event_type);
