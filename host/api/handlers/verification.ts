// Reads of pending events and API keys (protocol 3.6, 3.9, 4.3, 4.9).

import * as abi from '../../../assembly/abi.ts';
import { ServiceError } from '../../errors.ts';
import { keyIdFromPath } from '../../execution/translation/platform.ts';
import type { ApiKeyDoc } from '../../store/documents.ts';
import { firstEventsOf } from '../../store/events.ts';
import { rowKey } from '../../store/prefixes.ts';
import { readJson } from '../../store/write-set.ts';
import { votesDoc, votingDoc } from '../../views/projection/votes.ts';
import { toHex } from '../../wire/bytes.ts';
import { agentKey } from '../../wire/ids.ts';
import type { ReadContext } from '../context.ts';
import type { ReadArgs, Reply } from '../route.ts';

const KINDS: Record<string, number> = {
  transfer: abi.ITEM_TRANSFER,
  generation: abi.ITEM_GENERATION,
  task_submitted: abi.ITEM_SUBMISSION,
  task_disputed: abi.ITEM_DISPUTE,
};

export function pending(c: ReadContext, { page, query }: ReadArgs): Reply {
  const empty: Reply = { body: [], total: 0 };
  const kind = query.event_type === undefined ? undefined : KINDS[query.event_type];
  if (query.event_type !== undefined && kind === undefined) return empty;
  const agent =
    query.agent_id === undefined ? undefined : c.state.findAgent(agentKey(String(query.agent_id)));
  if (query.agent_id !== undefined && agent === undefined) return empty;
  const assigned =
    query.assigned_to === undefined ? undefined : c.ids.findValidator(String(query.assigned_to));
  if (query.assigned_to !== undefined && assigned === undefined) return empty;
  const { items, total } = c.pending.page({ kind, agent, validator: assigned }, page.offset, page.size);
  const states = items.map((i) => c.state.item(i)!);
  const docs = firstEventsOf(
    c.store,
    states.map((s) => s.eventId),
  );
  const body = docs.map((doc, i) => {
    const s = states[i]!;
    return {
      event_id: doc.event_id,
      event_type: doc.event_type,
      agent_id: doc.agent_id,
      amount: s.amount,
      deadline: s.deadline,
      timestamp: doc.timestamp,
      assigned_to: s.assigned.map((v) => c.ids.validatorId(v)),
      votes: votesDoc(s),
      ...votingDoc(s),
      ...(doc.recipient_id === undefined ? {} : { recipient_id: doc.recipient_id }),
      ...(doc.claimed_value === undefined ? {} : { claimed_value: doc.claimed_value }),
      ...(doc.evidence_hash === undefined ? {} : { evidence_hash: doc.evidence_hash }),
      ...(doc.task_description === undefined ? {} : { task_description: doc.task_description }),
      ...(doc.task_id === undefined ? {} : { task_id: doc.task_id }),
    };
  });
  return { body, wanted: states.length, total };
}

export function apiKey(c: ReadContext, { path }: ReadArgs): Reply {
  // Only key ids are accepted here: a full key in a path would leak through logs of proxies.
  const id = path.key!.startsWith('vws_') ? undefined : keyIdFromPath(path.key!);
  const key = id && c.state.apiKey(id);
  const doc = id && readJson<ApiKeyDoc>(c.store.get(rowKey.apiKey(id)));
  if (!id || !key || !doc) throw new ServiceError('key_not_found');
  const now = Math.floor(c.state.header().timeMs / 1000);
  return {
    body: {
      key_id: toHex(id),
      name: doc.name,
      owner_id: doc.owner_id,
      issuing_node: doc.issuing_node,
      scopes: doc.scopes,
      active: key.expires === 0 || key.expires > now,
      hourly_limit: key.hourlyLimit,
      created_at: key.created,
      deposit: key.deposit,
      ...(key.expires === 0 ? {} : { expires_at: key.expires }),
    },
  };
}
