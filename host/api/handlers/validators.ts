// Validators, pending events and API keys as they are read (DECISIONS 3.6, 3.9, 4.3, 4.9).

import * as abi from '../../../assembly/abi.ts';
import type { ValidatorState } from '../../core/state.ts';
import { ServiceError } from '../../errors.ts';
import { votesDoc } from '../../pipeline/projection/votes.ts';
import { keyIdFromPath } from '../../pipeline/translation/platform.ts';
import type { ApiKeyDoc, EventDoc } from '../../store/documents.ts';
import { keyOf } from '../../store/prefixes.ts';
import { readJson } from '../../store/write-set.ts';
import { toHex } from '../../wire/bytes.ts';
import { normalName } from '../../wire/category.ts';
import { agentKey } from '../../wire/ids.ts';
import type { ReadContext } from '../context.ts';
import type { ReadArgs, Reply } from '../route.ts';

export const STATUS_NAMES: Record<number, string> = {
  [abi.VALIDATOR_PROBATION]: 'probation',
  [abi.VALIDATOR_ACTIVE]: 'active',
  [abi.VALIDATOR_SUSPENDED]: 'suspended',
  [abi.VALIDATOR_EXCLUDED]: 'excluded',
};
const KINDS: Record<string, number> = {
  transfer: abi.ITEM_TRANSFER,
  generation: abi.ITEM_GENERATION,
  task_submitted: abi.ITEM_SUBMISSION,
  task_disputed: abi.ITEM_DISPUTE,
};

const accuracy = (right: number, all: number): number =>
  all === 0 ? 0 : Math.floor((right * 10000) / all) / 10000;

function validatorBody(c: ReadContext, v: ValidatorState): Record<string, unknown> {
  const entry = v.seat === undefined ? undefined : c.genesis.manifest.entries[v.seat];
  const requiredStake = c.state.header().requiredStake;
  return {
    id: c.ids.validatorId(v.index),
    agent_id: c.ids.agentId(v.agent),
    status: STATUS_NAMES[v.status],
    ...(v.status === abi.VALIDATOR_ACTIVE ? { activated_at: v.registeredAt } : {}),
    ...(entry ? { consensus_public_key: entry.consensus_public_key, key_epoch: entry.key_epoch } : {}),
    staked_amount: v.staked,
    required_stake: requiredStake,
    reputation_bp: v.reputationBp,
    vote_weight: v.voteWeight,
    assignment_weight: v.assignmentWeight,
    accuracy: accuracy(v.votesRight, v.votesDecided),
    tasks_processed: v.tasksProcessed,
    slash_count: v.slashes,
    collusion_count: v.collusions,
    calibration: Object.fromEntries(
      v.calibration.map((k) => [
        c.state.categoryName(k.category),
        { signals: k.signals, correct: k.correct, accuracy: accuracy(k.correct, k.signals) },
      ]),
    ),
    canary: {},
    categories: entry?.categories ?? [],
    suspended_categories: {},
    ...(v.status === abi.VALIDATOR_PROBATION
      ? { probation_started_at: v.registeredAt, probation_cycle: 1 }
      : {}),
    is_genesis: v.isGenesis,
    recovery_configured: false,
    registered_at: v.registeredAt,
  };
}

export function validators(c: ReadContext, { page, query }: ReadArgs): Reply {
  const count = c.state.header().validators;
  const category = query.category === undefined ? undefined : normalName(String(query.category));
  const matching: ValidatorState[] = [];
  // A few thousand at most (the table's capacity); registered_at rises with the row.
  for (let i = 0; i < count; i++) {
    const v = c.state.validator(i)!;
    if (query.status !== undefined && STATUS_NAMES[v.status] !== query.status) continue;
    const categories = v.seat === undefined ? [] : (c.genesis.manifest.entries[v.seat]?.categories ?? []);
    if (category !== undefined && categories.length > 0 && !categories.includes(category)) continue;
    matching.push(v);
  }
  const rows = matching.slice(page.offset, page.offset + page.size);
  return { body: rows.map((v) => validatorBody(c, v)), total: matching.length };
}

export function validator(c: ReadContext, { path }: ReadArgs): Reply {
  const row = c.ids.findValidator(path.id!);
  if (row === undefined) throw new ServiceError('validator_not_found');
  return { body: validatorBody(c, c.state.validator(row)!) };
}

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
  const docs = c.store.getMany(states.map((s) => keyOf('e', s.eventId)));
  const body = states.map((s, i) => {
    const doc = readJson<EventDoc>(docs[i])!;
    return {
      event_id: doc.event_id,
      event_type: doc.event_type,
      agent_id: doc.agent_id,
      amount: s.amount,
      deadline: s.deadline,
      timestamp: doc.timestamp,
      assigned_to: doc.assigned_to ?? [],
      votes: votesDoc(s),
      ...(doc.recipient_id === undefined ? {} : { recipient_id: doc.recipient_id }),
      ...(doc.claimed_value === undefined ? {} : { claimed_value: doc.claimed_value }),
      ...(doc.evidence_hash === undefined ? {} : { evidence_hash: doc.evidence_hash }),
      ...(doc.task_description === undefined ? {} : { task_description: doc.task_description }),
      ...(doc.task_id === undefined ? {} : { task_id: doc.task_id }),
    };
  });
  return { body, total };
}

export function apiKey(c: ReadContext, { path }: ReadArgs): Reply {
  // A full key in a path would leak through logs: only its id is looked up.
  const id = path.key!.startsWith('vws_') ? undefined : keyIdFromPath(path.key!);
  const key = id && c.state.apiKey(id);
  const doc = id && readJson<ApiKeyDoc>(c.store.get(keyOf('p', id)));
  if (!id || !key || !doc) throw new ServiceError('key_not_found');
  const now = Math.floor(c.state.header().timeMs / 1000);
  return {
    body: {
      key_id: toHex(id),
      name: doc.name,
      owner_id: doc.owner_id,
      issuing_node: doc.issuing_node,
      scopes: doc.scopes,
      active: key.revoked === 0 && (key.expires === 0 || key.expires > now),
      hourly_limit: key.hourlyLimit,
      created_at: key.created,
      ...(key.expires === 0 ? {} : { expires_at: key.expires }),
      ...(key.revoked === 0 ? {} : { revoked_at: key.revoked }),
    },
  };
}
