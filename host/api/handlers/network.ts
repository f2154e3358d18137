// The network and this node: status, health, economics, DAG, checkpoints, parameters (protocol 3.10, 4.10).

import * as abi from '../../../assembly/abi.ts';
import type { HeaderState } from '../../core/header-state.ts';
import { supplyParts } from '../../core/supply-parts.ts';
import { VALIDATOR_STATUS } from '../../core/validator-names.ts';
import { ServiceError } from '../../errors.ts';
import { type BlockSpan, blocksBetween } from '../../ordering/block-index.ts';
import { signedHeight } from '../../ordering/checkpoints.ts';
import { readPlace } from '../../ordering/vertex-place.ts';
import type { CheckpointDoc } from '../../store/documents.ts';
import { firstRows } from '../../store/first-rows.ts';
import { rowKey } from '../../store/prefixes.ts';
import { readJson } from '../../store/write-set.ts';
import { categoryPrice } from '../../views/category-names.ts';
import { escrowSums } from '../../views/escrow-sums.ts';
import { fromHex, toHex } from '../../wire/bytes.ts';
import { taskCategory } from '../../wire/category.ts';
import { paramsJson } from '../../wire/params.ts';
import { decodeVertexHead } from '../../wire/vertex.ts';
import type { ReadContext } from '../context.ts';
import type { ReadArgs, Reply } from '../route.ts';
import { historyFrom, historyHeaders, missing } from './history.ts';

const TOTAL_SUPPLY = abi.SUPPLY_TOKENS * abi.MICRO_PER_TOKEN;
/** Categories with their own replay reserve, and `general` for all others. */
const REPLAY_POOLS = {
  code: abi.POOL_REPLAY_CODE,
  data: abi.POOL_REPLAY_DATA,
  analysis: abi.POOL_REPLAY_ANALYSIS,
  content: abi.POOL_REPLAY_CONTENT,
  general: abi.POOL_REPLAY_GENERAL,
} as const;
const FLOORS = { standard: 3, high: 5, enterprise: 10 } as const;
/** 20 percent of the target of a replay reserve, which is ten payouts of 5 tokens (protocol 6.3). */
const MIN_HEALTHY_RESERVE_MICRO = 10 * abi.MICRO_PER_TOKEN;

/** mul(T + G, 10000, T) / 10000, at most 10 (protocol 6.13). */
function supplyRatio(generated30d: number): number {
  const total = BigInt(TOTAL_SUPPLY);
  const bp = Number(((total + BigInt(generated30d)) * 10000n) / total);
  return Math.min(bp, 100_000) / 10000;
}

/** Member of what is said about the network, once acknowledged writes may have been lost (consensus 5.7). */
export function lostWrites({ lostWritesOrder: order, lostWritesSecs }: HeaderState) {
  return order === 0 ? {} : { writes_may_be_lost: { order, consensus_time: lostWritesSecs } };
}

/** Connected peers that say they have the whole log: validator ids, keys of those without a seat. */
const fullHistoryAt = (c: ReadContext): string[] =>
  c.peers().flatMap(({ key, seat, from }) => {
    if (from?.epoch !== 0) return [];
    return seat === undefined ? key : c.ids.seatName(seat);
  });

/** The revision that applies, and how far the seats are with the next one (consensus 5.11). */
function rulesOf(c: ReadContext, revision: number) {
  let [judges, ready] = [0, 0];
  const waiting: number[] = [];
  for (const [seat, row] of c.state.seats().entries()) {
    const weight = Number(row.weight);
    judges += weight;
    if (row.revision > revision) ready += weight;
    else if (weight > 0) waiting.push(seat);
  }
  return {
    revision,
    known: c.revision,
    ready_ratio: ready === 0 ? 0 : Math.floor((ready * 10_000) / judges) / 10_000,
    waiting_for: ready === 0 ? [] : waiting.map((seat) => c.ids.seatName(seat)),
  };
}

export function status(c: ReadContext): Reply {
  const h = c.state.header();
  // An observer has no seat, so its own key identifies it (protocol 3.10).
  const operator = c.seat < 0 ? undefined : c.ids.operatorOfSeat(c.seat);
  const validator = operator?.validator;
  const ordersBehind = c.ordersBehind();
  return {
    body: {
      agent_id: operator ? c.ids.agentId(operator.index) : c.nodeKey,
      version: c.version,
      software_version: c.softwareVersion,
      chain_id: c.genesis.chainId,
      genesis_hash: c.genesis.hashHex,
      protocol_version: c.protocolVersion,
      rules: rulesOf(c, h.revision),
      peers: c.peers().length,
      dag_size: c.totals.vertices,
      ocs_pending: c.pending.size,
      order: h.order,
      consensus_time: Math.floor(h.timeMs / 1000),
      uptime_seconds: c.uptimeSecs(),
      supply_ratio: supplyRatio(h.generated30d),
      no_auth: c.noAuth,
      not_ready: c.readiness().reasons,
      history_from: historyFrom(c.history()),
      full_history_at: fullHistoryAt(c),
      ...(c.isUnarchived() ? { history_unarchived: true } : {}),
      ...(validator === undefined
        ? {}
        : {
            validator_id: c.ids.validatorId(validator),
            validator_status: VALIDATOR_STATUS[c.state.validatorBrief(validator)!.status],
          }),
      ...(ordersBehind === undefined ? {} : { orders_behind: ordersBehind }),
      ...lostWrites(h),
    },
  };
}

export function health(c: ReadContext): Reply {
  const { status, reason } = c.health();
  const healthy = status === 'healthy';
  return {
    status: healthy ? 200 : 503,
    body: {
      status,
      peers: c.peers().length,
      dag_size: c.totals.vertices,
      uptime_seconds: c.uptimeSecs(),
      ...(reason === undefined ? {} : { reason }),
      ...lostWrites(c.state.header()),
    },
    ...(healthy ? {} : { headers: { 'Retry-After': '5' } }),
  };
}

/** The process runs and its main thread answers. */
export function live(c: Pick<ReadContext, 'uptimeSecs'>): Reply {
  return { body: { uptime_seconds: c.uptimeSecs() } };
}

export function ready(c: Pick<ReadContext, 'readiness'>): Reply {
  const { isReady, reasons } = c.readiness();
  const body = { ready: isReady, reasons };
  return isReady ? { body } : { status: 503, body, headers: { 'Retry-After': '5' } };
}

export function economics(c: Pick<ReadContext, 'state'>): Reply {
  const h = c.state.header();
  const pool = (n: number): number => h.pools[n]!;
  const outside = h.pools.reduce((sum, amount) => sum + amount, 0);
  // Of all seats, since every node answers the same at one order.
  const parts = c.state.seats().map(({ grantsLeft }) => grantsLeft);
  return {
    body: {
      total_supply: TOTAL_SUPPLY,
      circulating_supply: TOTAL_SUPPLY - outside,
      treasury_balance: pool(abi.POOL_TREASURY),
      total_fees_collected: h.baseFees + h.assuranceFees,
      total_staked: h.totalStaked,
      total_escrowed: h.totalEscrowed,
      onboarding_remaining: pool(abi.POOL_ECOSYSTEM),
      onboarding_next_grant: Math.min(h.nextGrant, Math.max(...parts)),
      onboarding_left_today: parts.reduce((sum, part) => sum + part, 0),
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

export const supply = (c: ReadContext): Reply => ({
  body: { total_supply: TOTAL_SUPPLY, parts: supplyParts(c.state.header(), escrowSums(c)) },
});

/** Seats of which no vertex was ordered in the last sealed epochs, by number. */
function silentSeats(c: Pick<ReadContext, 'state' | 'ids'>): Record<string, unknown>[] {
  return c.state.seats().flatMap(({ silence, isRemoved }, seat) =>
    silence === undefined
      ? []
      : [
          {
            seat,
            validator_id: c.ids.seatName(seat),
            from_epoch: silence.fromEpoch,
            since: silence.sinceSecs,
            is_removed: isRemoved,
          },
        ],
  );
}

export function networkState(
  c: Pick<ReadContext, 'state' | 'ids' | 'genesis'>,
  { query }: Partial<ReadArgs> = {},
): Reply {
  const h = c.state.header();
  const asked = query?.category as string | undefined;
  const categories = Object.entries(REPLAY_POOLS).map(([name, poolNumber]) => {
    const count = c.state.activeInCategory(name);
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
      replay_reserve_healthy: h.pools[poolNumber]! >= MIN_HEALTHY_RESERVE_MICRO,
    };
  });
  return {
    body: {
      launch_time: h.launchTime,
      active_validators: h.activeValidators,
      probation_validators: h.probationValidators,
      seats: h.seats,
      min_participants: c.genesis.params.min_participants,
      total_vote_weight: h.voteWeight,
      order: h.order,
      consensus_time: Math.floor(h.timeMs / 1000),
      bootstrap_active: h.bootstrapActive,
      silent_seats: silentSeats(c),
      categories,
      ...(asked === undefined
        ? {}
        : { category_name: categoryPrice(c.state, taskCategory(asked), c.genesis.params.row_deposit) }),
      params: paramsJson(c.genesis.params),
      ...lostWrites(h),
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
      // Of the running epoch: rounds begin again with each epoch.
      max_depth: dag.maxRound,
      last_order: c.state.header().order,
      events_by_type: events,
    },
  };
}

/** The block that contains an order number, from a list of blocks in ascending order. */
const blockOf = (blocks: readonly BlockSpan[], order: number): BlockSpan | undefined =>
  blocks.find(({ lastOrder }) => lastOrder >= order);

/** `bytes`: the stored vertex; `row`: its stored position, once it is ordered. */
function vertexBody(
  c: ReadContext,
  id: Uint8Array,
  bytes: Uint8Array,
  row: Uint8Array | undefined,
  block: (order: number) => BlockSpan | undefined,
  txs: Pick<ReadArgs['page'], 'offset' | 'size'>,
): Record<string, unknown> {
  const { header, signature } = decodeVertexHead(bytes)!;
  const epoch = c.epochKeys.of(header.epochId);
  const place = row && readPlace(row);
  const order = place?.order;
  const span = order === undefined ? undefined : block(order);
  return {
    hash: toHex(id),
    author: epoch.keys[header.creator]!,
    parents: header.parents.map(toHex).sort(),
    tx_ids: place?.txIds.slice(txs.offset, txs.offset + txs.size) ?? [],
    tx_count: place?.txIds.length ?? 0,
    epoch: epoch.number,
    // A vertex without a position belongs to the running epoch.
    round: place?.round ?? c.dag().roundOf(id) ?? header.lamport,
    seq: header.seq,
    timestamp: Math.floor(header.timeMs / 1000),
    signature: toHex(signature),
    ...(order === undefined ? {} : { order, consensus_time: Math.floor(place!.timeMs / 1000) }),
    ...(span ? { block: span.index, is_leader: span.lastOrder === order } : {}),
  };
}

/** Transactions of each vertex in a list; all of them are in the pages of the vertex itself. */
const TXS_IN_LIST = { offset: 0, size: 50 };

export function vertex(c: ReadContext, { path, page }: ReadArgs): Reply {
  const id = path.hash!.length === 64 ? fromHex(path.hash!) : undefined;
  const bytes = id && c.store.get(rowKey.vertex(id));
  if (!id || !bytes) throw missing(c, 'vertex_not_found', 'log');
  const { block } = c.state.header();
  const find = (order: number): BlockSpan | undefined =>
    blockOf(blocksBetween(c.store, block, order, order), order);
  const body = vertexBody(c, id, bytes, c.store.get(rowKey.vertexPlace(id)), find, page);
  return { body, total: body.tx_count as number };
}

export function vertices(c: ReadContext, { page, query }: ReadArgs): Reply {
  const after = query.after as number;
  const { order: last, block } = c.state.header();
  const first = after + 1 + page.offset;
  const count = Math.max(0, Math.min(page.size, last - first + 1));
  const orders = Array.from({ length: count }, (_, i) => first + i);
  const ids = c.store.getMany(orders.map((o) => rowKey.orderedVertex(o)));
  // Vertices from before the beginning of the log are not here.
  const known = ids.flatMap((id) => (id ? [id] : []));
  const rows = firstRows(
    known.map((id) => rowKey.vertex(id)),
    (keys) => c.store.getMany(keys),
  );
  const shown = known.slice(0, rows.length);
  const places = c.store.getMany(shown.map((id) => rowKey.vertexPlace(id)));
  const blocks = known.length === 0 ? [] : blocksBetween(c.store, block, first, first + count - 1);
  return {
    body: shown.map((id, i) =>
      vertexBody(c, id, rows[i]!, places[i], (order) => blockOf(blocks, order), TXS_IN_LIST),
    ),
    wanted: known.length,
    total: Math.max(0, last - after),
    headers: historyHeaders(c, 'log'),
  };
}

/** The Checkpoint object. */
export const checkpointObject = (doc: Omit<CheckpointDoc, 'block_index' | 'core_root'>): object => {
  const { height, order, consensus_time, state_root, manifest_digest, signatures } = doc;
  return { height, order, consensus_time, state_root, manifest_digest, signatures };
};

export function latestCheckpoint(c: ReadContext): Reply {
  // Newer checkpoints that no quorum has signed yet are not shown (protocol 3.10).
  const signed = signedHeight(c.store);
  const doc = signed === 0 ? undefined : c.store.get(rowKey.checkpoint(signed));
  if (!doc) throw new ServiceError('checkpoint_not_found');
  return { body: checkpointObject(readJson<CheckpointDoc>(doc)!) };
}
