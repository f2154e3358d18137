// The lists that contain a task, and the list for a filter.
// Keeps: every combination of the filters of GET /v1/tasks (status, category, poster, claimer, lane) has its own list, so
// every page is exact and its cost depends on the page size only. A task is in one list for each combination of its terms:
// 7 while open and unassured, 15 once claimed, about twice as many with a lane; and in the lists of its agents in either
// role, with and without status; an open one that is reserved is in the list of its agent.

import { TASK_STATUSES } from '../../core/task-names.ts';
import type { TaskStateDoc } from '../../store/task-documents.ts';

const LANES = ['standard', 'high_assurance', 'enterprise'];

/** The terms of a list. Numbers are rows of agents and categories. */
export interface ListTerms {
  status?: string | undefined;
  category?: number | undefined;
  poster?: number | undefined;
  claimer?: number | undefined;
  lane?: string | undefined;
  /** Whom an open task is reserved for: a list of its own, which no other filter narrows. */
  hired?: number | undefined;
}

/** The terms under which a task is listed; undefined before the core has sent its image. */
export function termsOfTask(
  { core, poster, claimer, hired }: TaskStateDoc,
  category: number | undefined,
): ListTerms | undefined {
  return core && { status: core.status, category, poster, claimer, lane: core.assurance_lane, hired };
}

const word = (n: number): string =>
  String.fromCharCode((n >>> 24) & 0xff, (n >>> 16) & 0xff, (n >>> 8) & 0xff, n & 0xff);

const BITS = { status: 1, category: 2, poster: 4, claimer: 8, lane: 16, member: 32, hired: 64 } as const;

/** Each present term as its bit and its bytes, in the order of the bits. */
function parts(t: ListTerms): [number, string][] {
  const out: [number, string][] = [];
  if (t.status !== undefined) out.push([BITS.status, String.fromCharCode(TASK_STATUSES.indexOf(t.status))]);
  if (t.category !== undefined) out.push([BITS.category, word(t.category)]);
  if (t.poster !== undefined) out.push([BITS.poster, word(t.poster)]);
  if (t.claimer !== undefined) out.push([BITS.claimer, word(t.claimer)]);
  if (t.lane !== undefined) out.push([BITS.lane, String.fromCharCode(LANES.indexOf(t.lane))]);
  return out;
}

/** Name of the list for a filter; undefined for an empty filter, which means all tasks. */
export function listOf(filter: ListTerms): string | undefined {
  const all = parts(filter);
  if (all.length === 0) return undefined;
  const mask = all.reduce((bits, [bit]) => bits | bit, 0);
  return String.fromCharCode(mask) + all.map(([, bytes]) => bytes).join('');
}

/** Name of the list of an agent's tasks in either role. */
export const memberList = (agent: number, status: string | undefined): string =>
  status === undefined
    ? String.fromCharCode(BITS.member) + word(agent)
    : String.fromCharCode(BITS.member | BITS.status, TASK_STATUSES.indexOf(status)) + word(agent);

/** Name of the list of open tasks that are reserved for an agent. */
export const hiredList = (agent: number): string => String.fromCharCode(BITS.hired) + word(agent);

/** Names of all lists that contain a task with these terms. */
export function listsOf(terms: ListTerms): Set<string> {
  const all = parts(terms);
  const lists = new Set<string>();
  for (let chosen = 1; chosen < 1 << all.length; chosen++) {
    let mask = 0;
    let bytes = '';
    for (const [i, [bit, part]] of all.entries()) {
      if ((chosen & (1 << i)) === 0) continue;
      mask |= bit;
      bytes += part;
    }
    lists.add(String.fromCharCode(mask) + bytes);
  }
  if (terms.hired !== undefined) lists.add(hiredList(terms.hired));
  for (const agent of [terms.poster, terms.claimer]) {
    if (agent === undefined) continue;
    lists.add(memberList(agent, undefined));
    lists.add(memberList(agent, terms.status));
  }
  return lists;
}
