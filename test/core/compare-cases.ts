// Challenges and replay jobs of a core and of the model in one form, and the events about them decoded.
// Keeps: every field of the images that abi.ts names is compared.

import { expect } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import type { ModelChallenge, ModelJob } from '../model/case-state.ts';
import { challengeTally } from '../model/challenges.ts';
import { servingCount } from '../model/lanes.ts';
import type { Model } from '../model/model.ts';
import { modelSeats, shownSeats } from './compare-validators.ts';
import { type Core, type EventOutcome, hex, unhex } from './driver.ts';

type Row = Record<string, unknown>;

const text = (view: DataView, at: number, bytes: number): string =>
  hex(new Uint8Array(view.buffer, view.byteOffset + at, bytes));
const u32 = (view: DataView, at: number): number => view.getUint32(at, true);
const u64 = (view: DataView, at: number): bigint => view.getBigUint64(at, true);
const secs = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

/** An image of a challenge as the core tells it. */
export function shownChallenge(v: DataView): Row {
  const words = [abi.CHALLENGE_STATUS, abi.CHALLENGE_OFFENSE, abi.CHALLENGE_CHALLENGER, abi.CHALLENGE_TARGET];
  const times = [abi.CHALLENGE_CREATED_AT, abi.CHALLENGE_DEADLINE, abi.CHALLENGE_RESOLVED_AT];
  const amounts = [abi.CHALLENGE_BOND, abi.CHALLENGE_REFUNDED, abi.CHALLENGE_FORFEIT, abi.CHALLENGE_SLASH];
  amounts.push(abi.CHALLENGE_BOUNTY);
  const weights = [abi.CHALLENGE_FOR_SUCCEEDED, abi.CHALLENGE_FOR_FAILED, abi.CHALLENGE_FOR_PARTIAL];
  weights.push(abi.CHALLENGE_TOTAL_WEIGHT);
  return {
    id: text(v, abi.CHALLENGE_ID, 12),
    task: text(v, abi.CHALLENGE_TASK, 16),
    event: text(v, abi.CHALLENGE_EVENT, 32),
    words: words.map((at) => u32(v, at)),
    times: times.map((at) => secs(v, at)),
    amounts: amounts.map((at) => u64(v, at)),
    weights: weights.map((at) => u64(v, at)),
    participants: secs(v, abi.CHALLENGE_PARTICIPANTS),
  };
}

/** The image that the model's challenge should have; an open one is counted now. */
export function modelChallenge({ s }: Model, c: ModelChallenge): Row {
  const t = c.status === abi.CHALLENGE_OPEN ? challengeTally(s, c) : c;
  return {
    id: c.id,
    task: c.task.id,
    event: c.event,
    words: [c.status, c.offense, c.challenger.index, c.target.index],
    times: [c.created, c.deadline, c.resolvedAt],
    amounts: [c.bond, c.refunded, c.forfeit, c.slash, c.bounty],
    weights: [...t.weights, t.total],
    participants: t.participants,
  };
}

/** An image of a replay job as the core tells it. */
export function shownJob(v: DataView): Row {
  const words = [abi.JOB_STATUS, abi.JOB_REASON, abi.JOB_ATTEMPT, abi.JOB_EXECUTOR, abi.JOB_OUTCOME];
  words.push(abi.JOB_ACTION, abi.JOB_SEVERITY, abi.JOB_MISMATCHES);
  return {
    id: text(v, abi.JOB_ID, 32),
    task: text(v, abi.JOB_TASK, 16),
    words: words.map((at) => u32(v, at)),
    reward: u64(v, abi.JOB_REWARD),
    times: [abi.JOB_CREATED_AT, abi.JOB_DEADLINE, abi.JOB_CLOSED_AT].map((at) => secs(v, at)),
  };
}

/** The image that the model's job should have. */
export function modelJob(j: ModelJob): Row {
  const executor = j.executors.at(-1)!.index;
  return {
    id: j.id,
    task: j.task.id,
    words: [j.status, j.reason, j.executors.length, executor, j.outcome, j.action, j.severity, j.mismatches],
    reward: j.reward,
    times: [j.created, j.deadline, j.closedAt],
  };
}

/** Fields of an event about a replay job, or undefined for other events. */
export function decodeJobEvent(event: EventOutcome): Row | undefined {
  const v = new DataView(event.fields.buffer, event.fields.byteOffset);
  const head = { id: hex(event.fields.subarray(0, 32)), task: hex(event.fields.subarray(32, 48)) };
  if (event.type === abi.EVENT_REPLAY_CREATED) {
    const [executor, reason, attempt] = [48, 52, 56].map((at) => u32(v, at));
    return { ...head, executor, reason, attempt, reward: u64(v, 64), deadline: secs(v, 72) };
  }
  if (event.type !== abi.EVENT_REPLAY_CLOSED) return undefined;
  const [executor, status, outcome, action] = [48, 52, 56, 60].map((at) => u32(v, at));
  const [severity, mismatches] = [64, 68].map((at) => u32(v, at));
  const rest = { severity, mismatches, paid: u64(v, 72), returned: u64(v, 80) };
  return { ...head, executor, status, outcome, action, ...rest };
}

/** Fields of an event about a challenge, or undefined for other events. */
export function decodeChallengeEvent(event: EventOutcome): Row | undefined {
  const types = [abi.EVENT_CHALLENGE_OPENED, abi.EVENT_CHALLENGE_RESOLVED] as number[];
  if (!types.includes(event.type)) return undefined;
  const v = new DataView(event.fields.buffer, event.fields.byteOffset);
  const [target, offense, challenger, status] = [32, 36, 40, 44].map((at) => u32(v, at));
  const ids = { id: hex(event.fields.subarray(0, 12)), task: hex(event.fields.subarray(16, 32)) };
  const head = { ...ids, target, offense, challenger };
  if (event.type === abi.EVENT_CHALLENGE_OPENED) {
    return { ...head, bond: u64(v, 48), deadline: secs(v, 56) };
  }
  const [refunded, forfeit, slash, bounty] = [48, 56, 64, 72].map((at) => u64(v, at));
  return { ...head, status, refunded, forfeit, slash, bounty };
}

/** Seats, challenges, jobs, and what finds validators and counts them for a lane. */
export function compareCases(core: Core, model: Model): void {
  const { s } = model;
  expect(shownSeats(core)).toEqual(modelSeats(model));
  for (const c of s.challenges) {
    const view = core.query(abi.QUERY_CHALLENGE, unhex(c.id.padEnd(32, '0')))!;
    expect(shownChallenge(view)).toEqual(modelChallenge(model, c));
  }
  for (const j of s.jobs) expect(shownJob(core.query(abi.QUERY_JOB, unhex(j.id))!)).toEqual(modelJob(j));
  for (const v of s.validators) {
    for (const name of [v.id, v.agent.id]) {
      const form = new Uint8Array(72);
      new DataView(form.buffer).setUint32(0, name.length, true);
      form.set(Buffer.from(name), 8);
      expect(u64(core.query(abi.QUERY_VALIDATOR_FIND, form)!, 0)).toBe(BigInt(v.index));
    }
  }
  for (const name of ['code', 'general', 'never seen', ...s.categories.slice(3, 6)]) {
    const form = new Uint8Array(56);
    new DataView(form.buffer).setUint32(0, Buffer.byteLength(name), true);
    form.set(Buffer.from(name), 4);
    const shown = u64(core.query(abi.QUERY_LANE, form)!, 0);
    expect([name, shown]).toEqual([name, BigInt(servingCount(s, name, s.now))]);
  }
}
