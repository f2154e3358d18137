// The network and this node: status, health, economics, DAG, checkpoints, parameters (DECISIONS 3.10, 4.10).

import * as abi from '../../../assembly/abi.ts';
import { ServiceError } from '../../errors.ts';
import { readPlace } from '../../pipeline/vertex-place.ts';
import type { CheckpointDoc } from '../../store/documents.ts';
import { keyOf, keyU64 } from '../../store/prefixes.ts';
import { readJson } from '../../store/write-set.ts';
import { fromHex, toHex } from '../../wire/bytes.ts';
import { paramsJson } from '../../wire/params.ts';
import { decodeVertex } from '../../wire/vertex.ts';
import type { ReadContext } from '../context.ts';
import type { ReadArgs, Reply } from '../route.ts';
import { STATUS_NAMES } from './validators.ts';

const TOTAL_SUPPLY = abi.SUPPLY_TOKENS * abi.MICRO_PER_TOKEN;
/** Categories with a replay reserve of their own, and `general` for all others. */
const REPLAY_POOLS = {
  code: abi.POOL_REPLAY_CODE,
  data: abi.POOL_REPLAY_DATA,
  analysis: abi.POOL_REPLAY_ANALYSIS,
  content: abi.POOL_REPLAY_CONTENT,
  general: abi.POOL_REPLAY_GENERAL,
} as const;
const FLOORS = { standard: 3, high: 5, enterprise: 10 } as const;
/** 20 percent of the target of a replay reserve, ten payouts of 5 tokens (DECISIONS 6.3). */
const RESERVE_LIMIT_MICRO = 10 * abi.MICRO_PER_TOKEN;

/** mul(T + G, 10000, T) / 10000, at most 10 (DECISIONS 6.13). */
export function supplyRatio(generated30d: number): number {
  const total = BigInt(TOTAL_SUPPLY);
  const bp = Number(((total + BigInt(generated30d)) * 10000n) / total);
  return Math.min(bp, 100_000) / 10000;
}

export function status(c: ReadContext): Reply {
  const h = c.state.header();
  const operator = c.ids.operatorOfSeat(c.seat);
  const validator = operator.validator === undefined ? undefined : c.state.validator(operator.validator);
  return {
    body: {
      agent_id: c.ids.agentId(operator.index),
      version: c.version,
      chain_id: c.genesis.chainId,
      genesis_hash: c.genesis.hashHex,
      protocol_version: c.protocolVersion,
      peers: 0,
      dag_size: c.totals.vertices,
      ocs_pending: c.pending.size,
      order: h.order,
      consensus_time: Math.floor(h.timeMs / 1000),
      uptime_seconds: c.uptimeSecs(),
      supply_ratio: supplyRatio(h.generated30d),
      no_auth: c.noAuth,
      ...(validator
        ? {
            validator_id: c.ids.validatorId(validator.index),
            validator_status: STATUS_NAMES[validator.status],
          }
        : {}),
    },
  };
}

export function health(c: ReadContext): Reply {
  const healthy = c.isHealthy();
  return {
    status: healthy ? 200 : 503,
    body: {
      status: healthy ? 'healthy' : 'degraded',
      peers: 0,
      dag_size: c.totals.vertices,
      uptime_seconds: c.uptimeSecs(),
    },
    ...(healthy ? {} : { headers: { 'Retry-After': '5' } }),
  };
}

export function economics(c: ReadContext): Reply {
  const h = c.state.header();
  const pool = (n: number): number => h.pools[n]!;
  const outside = h.pools.reduce((sum, amount) => sum + amount, 0);
  return {
    body: {
      total_supply: TOTAL_SUPPLY,
      circulating_supply: TOTAL_SUPPLY - outside,
      treasury_balance: pool(abi.POOL_TREASURY),
      total_fees_collected: h.baseFees + h.assuranceFees,
      total_staked: h.totalStaked,
      total_escrowed: h.totalEscrowed,
      onboarding_remaining: pool(abi.POOL_ECOSYSTEM),
      onboarding_next_grant: h.nextGrant,
      faucet_balance: pool(abi.POOL_FAUCET),
      total_generated_value: h.generated,
      agents_registered: h.agents,
      fee_basis_points: 10,
      bootstrap_active: h.bootstrapActive,
      reserves: {
        dispute: pool(abi.POOL_DISPUTE),
        canary: pool(abi.POOL_CANARY),
        replay: Object.fromEntries(Object.entries(REPLAY_POOLS).map(([key, n]) => [key, pool(n)])),
      },
    },
  };
}

export function networkState(c: ReadContext): Reply {
  const h = c.state.header();
  const active: string[][] = [];
  for (let i = 0; i < h.validators; i++) {
    const v = c.state.validator(i)!;
    if (v.status !== abi.VALIDATOR_ACTIVE) continue;
    active.push(v.seat === undefined ? [] : (c.genesis.manifest.entries[v.seat]?.categories ?? []));
  }
  const categories = Object.entries(REPLAY_POOLS).map(([name, poolNumber]) => {
    const count = active.filter((list) => list.length === 0 || list.includes(name)).length;
    const structured = name !== 'general';
    return {
      name,
      validator_count: count,
      floor_standard: FLOORS.standard,
      floor_high: FLOORS.high,
      floor_enterprise: FLOORS.enterprise,
      standard_available: count >= FLOORS.standard,
      high_available: structured && count >= FLOORS.high,
      enterprise_available: structured && count >= FLOORS.enterprise,
      replay_reserve: h.pools[poolNumber]!,
      replay_reserve_healthy: h.pools[poolNumber]! >= RESERVE_LIMIT_MICRO,
    };
  });
  return {
    body: {
      launch_time: h.launchTime,
      active_validators: h.activeValidators,
      probation_validators: h.probationValidators,
      seats: c.genesis.manifest.entries.length,
      min_participants: c.genesis.params.min_participants,
      total_vote_weight: h.voteWeight,
      order: h.order,
      consensus_time: Math.floor(h.timeMs / 1000),
      bootstrap_active: h.bootstrapActive,
      categories,
      params: paramsJson(c.genesis.params),
    },
  };
}

export function dagTips(c: ReadContext): Reply {
  return { body: { tips: c.dag().tips().map(toHex) } };
}

export function dagStats(c: ReadContext): Reply {
  const dag = c.dag();
  const events = c.totals.events;
  return {
    body: {
      total_vertices: c.totals.vertices,
      total_events: Object.values(events).reduce((sum, n) => sum + n, 0),
      tips_count: dag.tips().length,
      // Rounds begin again with each epoch: the running one's.
      max_depth: dag.maxRound,
      last_order: c.state.header().order,
      events_by_type: events,
    },
  };
}

function vertexBody(c: ReadContext, id: Uint8Array, bytes: Uint8Array): Record<string, unknown> {
  const v = decodeVertex(bytes)!;
  const row = c.store.get(keyOf('r', id));
  const place = row && readPlace(row);
  const order = place?.order;
  return {
    hash: toHex(id),
    author: c.genesis.manifest.entries[v.header.creator]!.consensus_public_key,
    parents: v.header.parents.map(toHex).sort(),
    tx_ids: place?.txIds ?? [],
    // What has no place yet is of the running epoch.
    round: place?.round ?? c.dag().roundOf(id) ?? v.header.lamport,
    timestamp: Math.floor(v.header.timeMs / 1000),
    signature: toHex(v.signature),
    ...(order === undefined ? {} : { order, consensus_time: Math.floor(place!.timeMs / 1000) }),
  };
}

export function vertex(c: ReadContext, { path }: ReadArgs): Reply {
  const id = path.hash!.length === 64 ? fromHex(path.hash!) : undefined;
  const bytes = id && c.store.get(keyOf('v', id));
  if (!id || !bytes) throw new ServiceError('vertex_not_found');
  return { body: vertexBody(c, id, bytes) };
}

export function vertices(c: ReadContext, { page, query }: ReadArgs): Reply {
  const after = query.after as number;
  const last = c.state.header().order;
  const first = after + 1 + page.offset;
  const count = Math.max(0, Math.min(page.size, last - first + 1));
  const orders = Array.from({ length: count }, (_, i) => first + i);
  const ids = c.store.getMany(orders.map((o) => keyU64('o', o)));
  const rows = c.store.getMany(ids.map((id) => keyOf('v', id!)));
  return {
    body: ids.map((id, i) => vertexBody(c, id!, rows[i]!)),
    total: Math.max(0, last - after),
  };
}

export function latestCheckpoint(c: ReadContext): Reply {
  const doc = c.totals.checkpoints === 0 ? undefined : c.store.get(keyU64('k', c.totals.checkpoints));
  if (!doc) throw new ServiceError('checkpoint_not_found');
  const { height, order, consensus_time, state_root, manifest_digest, signatures } =
    readJson<CheckpointDoc>(doc)!;
  return { body: { height, order, consensus_time, state_root, manifest_digest, signatures } };
}
