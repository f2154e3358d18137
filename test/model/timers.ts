// Everything that happens by time, in the order in which it fires (protocol 1.4).
// Keeps: by deadline, then by id as text; refills of reserves after all others of their second.

import * as abi from '../../assembly/abi.ts';
import { expireChallenge } from './challenges.ts';
import { decision, tally } from './figures.ts';
import { endKey } from './key-operations.ts';
import { expireJob } from './replays.ts';
import { refill } from './reserves.ts';
import { close } from './settle.ts';
import type { ModelItem, ModelState } from './state.ts';
import { deadlineOf, fireTask } from './task-ends.ts';
import type { ModelTask } from './task-state.ts';
import { deadlinesOf } from './validator-life.ts';

export interface Timer {
  at: number;
  /** Empty for a refill. */
  id: string;
  fire: () => void;
}

/** Hex of the key's id, whose bytes are read as a little-endian number. */
function keyIdOf(id: bigint): string {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, id, true);
  return Buffer.from(bytes).toString('hex');
}

function expireItem(s: ModelState, item: ModelItem): void {
  const reason = decision(tally(s, item, s.now));
  close(s, item, reason === abi.SETTLED_NONE ? abi.SETTLED_EXPIRED : reason);
}

function taskTimer(s: ModelState, task: ModelTask, lapse: (task: ModelTask) => void): Timer[] {
  const at = deadlineOf(s, task);
  if (at === undefined) return [];
  const isExclusive = task.status === abi.TASK_OPEN && task.exclusiveUntil !== 0;
  const isLapse = isExclusive && task.exclusiveUntil <= task.expires;
  return [{ at, id: task.id, fire: () => (isLapse ? lapse(task) : fireTask(s, task)) }];
}

/** Sorted; `lapse` ends the exclusive time of an open task. */
export function timers(s: ModelState, lapse: (task: ModelTask) => void): Timer[] {
  const found: Timer[] = s.items
    .filter((i) => i.kind === abi.ITEM_TRANSFER || i.kind === abi.ITEM_GENERATION)
    .map((item) => ({ at: item.deadline, id: item.eventId, fire: () => expireItem(s, item) }));
  found.push(...s.tasks.flatMap((task) => taskTimer(s, task, lapse)));
  const jobs = s.jobs.filter((j) => j.status === abi.JOB_PENDING);
  found.push(...jobs.map((j) => ({ at: j.deadline, id: j.id, fire: () => expireJob(s, j) })));
  const open = s.challenges.filter((c) => c.status === abi.CHALLENGE_OPEN);
  const expiries = open.map((c) => ({
    at: c.deadline,
    id: `chal-${c.id}`,
    fire: () => expireChallenge(s, c),
  }));
  found.push(...expiries);
  for (const v of s.validators) found.push(...deadlinesOf(s, v).map((d) => ({ ...d, id: v.id })));
  const expiring = s.keys.filter((k) => k.expires !== 0);
  found.push(...expiring.map((k) => ({ at: k.expires, id: keyIdOf(k.id), fire: () => endKey(s, k) })));
  for (const [place, at] of s.refills.entries()) {
    if (at !== 0) found.push({ at, id: '', fire: () => refill(s, place) });
  }
  const last = (t: Timer): number => (t.id === '' ? 1 : 0);
  const byId = (a: Timer, b: Timer): number => (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);
  return found.sort((a, b) => a.at - b.at || last(a) - last(b) || byId(a, b));
}
