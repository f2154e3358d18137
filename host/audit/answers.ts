// Reads an agent's account, a task or an event from the audited state, and compares it with the node's document.

import type { EventDoc } from '../store/documents.ts';
import { readU64, rowKey } from '../store/prefixes.ts';
import { readJson } from '../store/write-set.ts';
import { eventObject } from '../views/events/event-view.ts';
import { taskObject } from '../views/tasks/task-view.ts';
import { fromHex } from '../wire/bytes.ts';
import { agentKey } from '../wire/ids.ts';
import { jcs } from '../wire/json.ts';
import { latin1 } from '../wire/latin1.ts';
import { textOf } from '../world/store.ts';
import type { Replica } from './replica.ts';

/** Amounts in micro-units. */
export interface CheckedAgent {
  agent_id: string;
  currency: string;
  balance: number;
  staked_amount: number;
  reserved: number;
  /** Order number of the state. */
  order: number;
}

/** Protocol 3.1: there is only one. */
const CURRENCY = 'TOK';

export type Kind = 'agent' | 'task' | 'event';

/** Paths of the node's documents about the same. */
export const PATHS: Readonly<Record<Kind, (id: string) => string>> = {
  agent: (id) => `/v1/agents/${encodeURIComponent(id)}/balance`,
  task: (id) => `/v1/tasks/${encodeURIComponent(id)}`,
  event: (id) => `/v1/events/${encodeURIComponent(id)}`,
};

/** An agent by id or key; undefined when there is none. */
export function checkedAgent({ ids, state }: Replica, id: string): CheckedAgent | undefined {
  const index = state.findAgent(agentKey(id));
  const agent = index === undefined ? undefined : state.agent(index);
  if (index === undefined || !agent) return undefined;
  return {
    agent_id: ids.agentId(index),
    currency: CURRENCY,
    balance: agent.balance,
    staked_amount: agent.staked,
    reserved: agent.reserved,
    order: state.header().order,
  };
}

/** The Task object of protocol 3.3, computed here. */
export async function checkedTask(
  { store }: Replica,
  id: string,
): Promise<Record<string, unknown> | undefined> {
  const bytes = id.length === 32 ? fromHex(id) : undefined;
  if (!bytes) return undefined;
  const rows = new Map<string, Uint8Array | undefined>();
  // Which rows it is made of depends on rows: what one pass misses is fetched for the next.
  for (;;) {
    const missed: Uint8Array[] = [];
    const get = (key: Uint8Array): Uint8Array | undefined => {
      if (!rows.has(latin1(key))) missed.push(key);
      return rows.get(latin1(key));
    };
    const body = taskObject({ get, getTexts: (some) => some.map((key) => textOf(get(key))) }, bytes);
    if (missed.length === 0) return body;
    for (const key of missed) rows.set(latin1(key), await store.find(key));
  }
}

/** The Event object of protocol 3.6, computed here. */
export async function checkedEvent(
  { store, state, ids }: Replica,
  id: string,
): Promise<EventDoc | undefined> {
  const bytes = id.length === 64 ? fromHex(id) : undefined;
  const seq = bytes && (await store.find(rowKey.eventSeq(bytes)));
  const doc = seq && readJson<EventDoc>(await store.find(rowKey.event(readU64(seq))));
  return doc && eventObject(doc, state, ids);
}

/** Members of a task that count since genesis and are not under the state root. */
export const COUNTS_OF_TASK = ['poster_runs', 'poster_runs_passed', 'program_runs'];

/** The object as computed here; undefined where there is none. */
export async function computed(replica: Replica, kind: Kind, id: string): Promise<object | undefined> {
  if (kind === 'task') return checkedTask(replica, id);
  if (kind === 'event') return checkedEvent(replica, id);
  const agent = checkedAgent(replica, id);
  if (!agent) return undefined;
  const { order: _, ...shown } = agent;
  return shown;
}

/**
 * The first member, of both together, in which the node's document differs from the computed one; undefined if they agree.
 * What the node invents is a difference as well.
 */
export function difference(own: object | undefined, reported: unknown): string | undefined {
  if (own === undefined) return reported === undefined ? undefined : 'it does not exist';
  if (reported === undefined) return 'the node says that it does not exist';
  if (typeof reported !== 'object' || reported === null || Array.isArray(reported))
    return 'the node answers something else than an object';
  const [here, there] = [new Map(Object.entries(own)), new Map(Object.entries(reported))];
  for (const name of new Set([...here.keys(), ...there.keys()])) {
    const [mine, yours] = [text(here.get(name)), text(there.get(name))];
    if (mine !== yours) return `${name} is ${mine || 'absent'}, the node says ${yours || 'nothing'}`;
  }
  return undefined;
}

/** In JCS form. A value that has none, such as half a character, equals nothing that is computed here. */
function text(value: unknown): string {
  if (value === undefined) return '';
  try {
    return jcs(value);
  } catch {
    return 'something that is no valid text or number';
  }
}
