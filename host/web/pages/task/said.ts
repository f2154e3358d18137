// What was written about a dispute: the worker's answer, and why each judge voted as it did.
// Keeps: reasons are in the requests, not in what was decided, so they are looked for by author and time; each search is bounded.

import type { EventRow, LedgerEvent, Query, Task, Voter } from '../../../client/index.ts';
import { eventsWithin } from '../../data/find-events.ts';
import { node } from '../../data/node.ts';

/** Judges whose reasons are looked for, and events that are opened for one of them. */
const MAX_JUDGES = 20;
const MAX_OPENED = 40;
const AT_ONCE = 8;

type Says = (event: LedgerEvent) => boolean;

type Time = readonly [from: number, to: number];

const rowsOf = (query: Query, [from, to]: Time): Promise<EventRow[]> =>
  eventsWithin(
    async (page, per_page) => {
      const { body, total } = await node.read<EventRow[]>('/v1/events/recent', { ...query, page, per_page });
      return { rows: body, total: total ?? body.length };
    },
    from,
    to,
  );

/** The event of an author and type, within a time, for which `isIt` holds. */
async function findEvent(query: Query, time: Time, isIt: Says): Promise<LedgerEvent | undefined> {
  const rows = (await rowsOf(query, time)).slice(0, MAX_OPENED);
  for (let i = 0; i < rows.length; i += AT_ONCE) {
    const some = await Promise.all(rows.slice(i, i + AT_ONCE).map(({ event_id }) => node.event(event_id)));
    const found = some.find(isIt);
    if (found) return found;
  }
  return undefined;
}

const textOf = (event: LedgerEvent | undefined): string => String(event?.payload.reason ?? '');

/** By validator: its reason as written, empty if it wrote none. Of whom it was not found is missing. */
export async function reasonsOf(eventId: string, voters: readonly Voter[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { agent_id, validator_id, timestamp } of voters.slice(0, MAX_JUDGES)) {
    const isIt: Says = ({ payload }) =>
      payload.target_event_id === eventId && payload.validator_id === validator_id;
    const vote = await findEvent({ agent_id, event_type: 'verification' }, [timestamp, timestamp], isIt);
    if (vote) found.set(validator_id, textOf(vote));
  }
  return found;
}

/** From the dispute of a task to its end, as far as that is known. */
const disputeTime = ({ disputed_at: from = 0, completed_at, cancelled_at, dispute_deadline }: Task): Time => [
  from,
  completed_at ?? cancelled_at ?? dispute_deadline ?? Number.MAX_SAFE_INTEGER,
];

/** What the worker answered to the dispute; empty if it said nothing in words, undefined if its answer was not found. */
export async function answerOf(task: Task): Promise<string | undefined> {
  const query = { agent_id: task.claimer_id, event_type: 'task_contested' };
  const answer = await findEvent(query, disputeTime(task), ({ task_id: id }) => id === task.id);
  return answer && textOf(answer);
}

/** Validators that committed a vote on a decided dispute and did not reveal it. */
export async function missedOf(task: Task, { event_id: id, voters = [] }: LedgerEvent): Promise<string[]> {
  const spoke = new Set(voters.map(({ agent_id }) => agent_id));
  const rows = await rowsOf({ event_type: 'vote_committed' }, disputeTime(task));
  const silent = rows.filter(({ agent_id }) => !spoke.has(agent_id)).slice(0, MAX_OPENED);
  const events = await Promise.all(silent.map(({ event_id }) => node.event(event_id)));
  return events.flatMap(({ payload }) =>
    payload.target_event_id === id ? [String(payload.validator_id)] : [],
  );
}
