// Agents: profiles, balances, stakes, addresses, reputation, lists (protocol 3.1, 3.2, 3.7, 4.1).

import * as abi from '../../../assembly/abi.ts';
import type { AgentAccount, AgentState, RecordState } from '../../core/state.ts';
import { VALIDATOR_STATUS } from '../../core/validator-names.ts';
import { ServiceError } from '../../errors.ts';
import { readU32, rowKey } from '../../store/prefixes.ts';
import type { Sort } from '../../views/leaderboards.ts';
import { decodeAddress, encodeAddress } from '../../wire/address.ts';
import { toHex } from '../../wire/bytes.ts';
import { normalName } from '../../wire/category.ts';
import { agentKey } from '../../wire/ids.ts';
import type { ReadContext } from '../context.ts';
import { needsBuilt } from '../needs-built.ts';
import { MAX_PAGE } from '../query.ts';
import type { ReadArgs, Reply } from '../route.ts';

/** Basis points as the ratio 0..1 of the API. */
export const ratio = (bp: number): number => bp / 10000;
/** A score in basis points as a number 0..100 with two decimals. */
const percent = (bp: number): number => bp / 100;

/** What an agent's profile is made of. */
type ProfileContext = Pick<ReadContext, 'state' | 'genesis'> & {
  ids: Pick<ReadContext['ids'], 'agentId' | 'displayName' | 'validatorId'>;
};

/** The agent named in a path by agent_id or hex key. Error: 404 agent_not_found. */
export const agentOf = (c: ReadContext, id: string): AgentState => c.state.agent(indexOf(c, id))!;

/** Error: 404 agent_not_found. */
function indexOf(c: ReadContext, id: string): number {
  const index = c.state.findAgent(agentKey(id));
  if (index === undefined) throw new ServiceError('agent_not_found');
  return index;
}

function recordBody(c: ProfileContext, r: RecordState): Record<string, unknown> {
  return {
    category: c.state.categoryName(r.category),
    tasks_completed: r.completed,
    tasks_failed: r.failed,
    avg_delivery_secs: r.avgDeliverySecs,
    total_value_earned: r.earned,
    avg_score: ratio(r.avgScoreBp),
    completion_rate: ratio(r.rateBp),
    overall_score: percent(r.scoreBp),
    last_active: r.lastActive,
  };
}

/** The records of one page: those with most completions first; of equals, the category that was used first by anybody. */
function recordsBody(
  c: ProfileContext,
  records: readonly RecordState[],
  { offset, size }: ReadArgs['page'],
): Record<string, unknown> {
  const ranked = [...records].sort((x, y) => y.completed - x.completed || x.category - y.category);
  const shown = ranked.slice(offset, offset + size);
  return Object.fromEntries(shown.map((r) => [c.state.categoryName(r.category), recordBody(c, r)]));
}

/** What a profile shows of an agent's records; the rest has pages of its own. */
const FIRST_RECORDS: ReadArgs['page'] = { number: 1, size: MAX_PAGE, offset: 0 };

function reputationBody(c: ProfileContext, a: AgentState, records: RecordState[]): Record<string, unknown> {
  const ranked = records
    .map((r) => ({ name: c.state.categoryName(r.category), completed: r.completed }))
    .filter((r) => r.completed > 0 && r.name !== 'transfer')
    .sort((x, y) => y.completed - x.completed || (x.name < y.name ? -1 : 1));
  return {
    agent_id: c.ids.agentId(a.index),
    ...(ranked[0] ? { top_category: ranked[0].name } : {}),
    overall_score: percent(a.reputationBp),
    reputation_score: a.reputationBp,
    standing: a.standing,
    backing: a.backingBp,
    total_completed: a.completed,
    total_failed: a.failed,
    total_earned: a.earned,
    member_since: a.firstSeen,
  };
}

/** The Agent object. */
export function profileObject(c: ProfileContext, a: AgentState): Record<string, unknown> {
  const name = c.ids.displayName(a.index);
  const records = c.state.records(a.index);
  const validator = a.validator === undefined ? undefined : c.state.validator(a.validator)!;
  return {
    agent_id: c.ids.agentId(a.index),
    ...(name === undefined ? {} : { display_name: name }),
    ...(a.publicKey
      ? {
          public_key: Buffer.from(a.publicKey).toString('base64'),
          deposit_address: encodeAddress(a.publicKey, c.genesis.testnet),
        }
      : {}),
    capability_fingerprint: toHex(a.fingerprint),
    fingerprint_version: a.fingerprintVersion,
    category_records: recordsBody(c, records, FIRST_RECORDS),
    category_count: records.length,
    reputation: reputationBody(c, a, records),
    reputation_score: a.reputationBp,
    standing: a.standing,
    backing: a.backingBp,
    tasks_completed: a.completed,
    tasks_failed: a.failed,
    as_poster: {
      tasks_paid: a.tasksPaid,
      disputes: a.disputes,
      disputes_won: a.disputesWon,
      disputes_lost: a.disputesLost,
    },
    total_value_generated: a.generated,
    total_value_transferred: a.transferred,
    balance: a.balance,
    staked_amount: a.staked,
    trust_limit: a.trustLimit,
    first_seen: a.firstSeen,
    last_active: a.lastActive,
    ...(validator
      ? {
          validator_id: c.ids.validatorId(validator.index),
          validator_status: VALIDATOR_STATUS[validator.status],
          ...(validator.suspendedUntil === 0 || validator.status !== abi.VALIDATOR_SUSPENDED
            ? {}
            : { suspended_until: validator.suspendedUntil }),
        }
      : {}),
  };
}

export function profile(c: ReadContext, { path }: ReadArgs): Reply {
  return { body: profileObject(c, agentOf(c, path.id!)) };
}

/** The Balance object. */
export const balanceObject = (agentId: string, { balance, staked, reserved }: AgentAccount): object => ({
  agent_id: agentId,
  currency: 'TOK',
  balance,
  staked_amount: staked,
  reserved,
});

export function balance(c: ReadContext, { path }: ReadArgs): Reply {
  const index = indexOf(c, path.id!);
  return { body: balanceObject(c.ids.agentId(index), c.state.account(index)!) };
}

export function stakeInfo(c: ReadContext, { path }: ReadArgs): Reply {
  const a = agentOf(c, path.id!);
  return {
    body: {
      agent_id: c.ids.agentId(a.index),
      staked_amount: a.staked,
      trust_limit: a.trustLimit,
      required_stake: c.state.header().requiredStake,
      exposure: a.exposure,
      trust_multiplier: a.multiplier,
      effective_tasks: a.effectiveTasks,
      tasks_completed: a.completed,
      days_staked: a.daysStaked,
      last_activity: a.lastActive,
      ...(a.stakedSince === 0 ? {} : { staked_since: a.stakedSince }),
    },
  };
}

/** The Address object. Error: 404 address_not_found. */
export function addressObject(
  agentId: string,
  publicKey: Uint8Array | undefined,
  isTestnet: boolean,
): object {
  if (!publicKey) throw new ServiceError('address_not_found', { text: 'the agent has no key' });
  return { agent_id: agentId, address: encodeAddress(publicKey, isTestnet) };
}

const addressBody = (c: ReadContext, { index, publicKey }: AgentState): object =>
  addressObject(c.ids.agentId(index), publicKey, c.genesis.testnet);

export const address = (c: ReadContext, { path }: ReadArgs): Reply => ({
  body: addressBody(c, agentOf(c, path.id!)),
});

export function byAddress(c: ReadContext, { path }: ReadArgs): Reply {
  const bytes = decodeAddress(path.address!, c.genesis.testnet);
  const row = bytes && c.store.get(rowKey.address(bytes));
  if (!row) throw new ServiceError('address_not_found');
  return { body: addressBody(c, c.state.agent(readU32(row))!) };
}

export function reputation(c: ReadContext, { path, page }: ReadArgs): Reply {
  const a = agentOf(c, path.id!);
  const records = c.state.records(a.index);
  const categories = recordsBody(c, records, page);
  return { body: { ...reputationBody(c, a, records), categories }, total: records.length };
}

function rows(c: ReadContext, indexes: number[]): Record<string, unknown>[] {
  return indexes.map((index) => {
    const a = c.state.agent(index)!;
    return {
      agent_id: c.ids.agentId(index),
      reputation_score: a.reputationBp,
      standing: a.standing,
      tasks_completed: a.completed,
      balance: a.balance,
      staked_amount: a.staked,
      trust_limit: a.trustLimit,
    };
  });
}

export function list(c: ReadContext, { page }: ReadArgs): Reply {
  const total = c.state.header().agents;
  const count = Math.max(0, Math.min(page.size, total - page.offset));
  return {
    body: rows(
      c,
      Array.from({ length: count }, (_, i) => page.offset + i),
    ),
    total,
  };
}

export function leaderboard(c: ReadContext, { page, query }: ReadArgs): Reply {
  needsBuilt(c.boards.isBuilt);
  const agents = c.boards.page(query.sort as Sort, page.offset, page.size);
  const body = rows(c, agents).map((row, i) => ({ ...row, rank: page.offset + i + 1 }));
  return { body, total: c.state.header().agents };
}

export function rankings(c: ReadContext, { page, query }: ReadArgs): Reply {
  needsBuilt(c.boards.isBuilt);
  const name = normalName(String(query.category));
  const { agents, total, category } = c.boards.category(name, page.offset, page.size);
  const body = agents.map((agent, i) => {
    const r = c.state.records(agent).find((x) => x.category === category)!;
    return {
      rank: page.offset + i + 1,
      agent_id: c.ids.agentId(agent),
      category: name,
      tasks_completed: r.completed,
      avg_score: ratio(r.avgScoreBp),
      completion_rate: ratio(r.rateBp),
      overall_score: percent(r.scoreBp),
    };
  });
  return { body, total };
}
