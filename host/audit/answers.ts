// Reads an agent's account, a task or an event from the audited state, and compares it with the node's document.

import type { EventDoc } from '../store/documents.ts';
import { readU64, rowKey } from '../store/prefixes.ts';
import { taskKey } from '../store/task-rows.ts';
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
  balance: number;
  staked_amount: number;
  /** Order number of the state. */
  order: number;
}

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
    balance: agent.balance,
    staked_amount: agent.staked,
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
  const keys = [
    ...(['text', 'state', 'submission'] as const).map((part) => taskKey(part, bytes)),
    rowKey.resultContent(bytes),
  ];
  const rows = new Map<string, Uint8Array | undefined>();
  for (const key of keys) rows.set(latin1(key), await store.find(key));
  const get = (key: Uint8Array): Uint8Array | undefined => rows.get(latin1(key));
  return taskObject({ get, getTexts: (some) => some.map((key) => textOf(get(key))) }, bytes);
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

/** The first member in which the node's document differs from the computed one; undefined if they agree. */
export function difference(computed: object | undefined, reported: unknown): string | undefined {
  if (computed === undefined) return reported === undefined ? undefined : 'it does not exist';
  if (typeof reported !== 'object' || reported === null) return 'the node says that it does not exist';
  for (const [name, value] of Object.entries(computed)) {
    const [here, there] = [value, (reported as Record<string, unknown>)[name]].map((v) =>
      v === undefined ? '' : jcs(v),
    );
    if (here !== there) return `${name} is ${here || 'absent'}, the node says ${there || 'nothing'}`;
  }
  return undefined;
}
