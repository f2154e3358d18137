// The gauges of GET /metrics, read when metrics are scraped (protocol 11).

import * as abi from '../../assembly/abi.ts';
import type { ReadContext } from '../api/context.ts';
import type { GaugeName } from '../metrics.ts';
import type { Network } from '../net/network.ts';
import { type Epoch, totalWeight, weightOf } from '../ordering/epoch.ts';
import type { GuardedClock } from '../ordering/guarded-clock.ts';
import type { ActiveAgents } from '../views/active-agents.ts';
import type { MemoryUse, World } from '../world/world.ts';
import type { DiskWatch } from './disk-watch.ts';

const TOTAL_SUPPLY = abi.SUPPLY_TOKENS * abi.MICRO_PER_TOKEN;

export function nodeGauges(c: ReadContext, active: ActiveAgents): Partial<Record<GaugeName, number>> {
  const h = c.state.header();
  const seats = c.state.seats();
  const timeSecs = Math.floor(h.timeMs / 1000);
  return {
    vws_agents_registered: h.agents,
    ...(active.isBuilt && { vws_agents_active_24h: active.count(timeSecs) }),
    vws_total_staked_microunits: h.totalStaked,
    vws_total_escrowed_microunits: h.totalEscrowed,
    vws_treasury_microunits: h.pools[abi.POOL_TREASURY]!,
    vws_uptime_seconds: c.uptimeSecs(),
    vws_ocs_pending: c.pending.size,
    vws_dag_size: c.totals.vertices,
    vws_dag_tips: c.dag().tips().length,
    vws_last_order: h.order,
    vws_silent_seats: seats.filter(({ silence }) => silence !== undefined).length,
    vws_removed_seats: seats.filter(({ isRemoved }) => isRemoved).length,
    vws_consensus_time_seconds: timeSecs,
    vws_seq: h.seq,
    vws_supply_check: h.supply === TOTAL_SUPPLY ? 1 : 0,
  };
}

/** Memory of the process by part; the rest is code, threads and the allocator. */
export function memoryGauges(
  c: Pick<ReadContext, 'state' | 'store' | 'dag'>,
  { rss, heapTotal, heapUsed, arrayBuffers }: MemoryUse,
): Partial<Record<GaugeName, number>> {
  const store = c.store.memory();
  return {
    vws_resident_bytes: rss,
    vws_heap_bytes: heapTotal,
    vws_heap_used_bytes: heapUsed,
    vws_buffers_bytes: arrayBuffers,
    vws_core_memory_bytes: c.state.core.memoryBytes,
    vws_dag_memory_bytes: c.dag().memoryBytes,
    ...(store && {
      vws_store_memtables_bytes: store.memtables,
      vws_store_cache_bytes: store.cache,
      vws_store_index_bytes: store.index,
    }),
  };
}

/** The machine under the process, and what waits inside of it. */
export function machineGauges(
  world: Pick<World, 'cpuMs' | 'loopDelayMs'>,
  disk: Pick<DiskWatch, 'use'>,
): Partial<Record<GaugeName, number>> {
  const { use } = disk;
  return {
    vws_cpu_seconds_total: world.cpuMs() / 1000,
    vws_event_loop_delay_seconds: world.loopDelayMs() / 1000,
    ...(use && {
      vws_disk_free_bytes: use.freeBytes,
      vws_disk_size_bytes: use.totalBytes,
      vws_store_files_bytes: use.storeBytes,
      vws_store_wal_bytes: use.walBytes,
    }),
  };
}

/** Seats of the running epoch; `connected`: this one and those it has a link to. */
export function seatGauges(epoch: Epoch, connected: readonly number[]): Partial<Record<GaugeName, number>> {
  const total = totalWeight(epoch);
  const reached = Number(weightOf(epoch, connected));
  return {
    vws_seats: epoch.seats.filter(({ weight }) => weight > 0n).length,
    vws_reachable_weight_ratio: total === 0n ? 0 : reached / Number(total),
  };
}

/** How far the wall clock is ahead of the time in use and of that of other seats; the latter only while it is known. */
export function clockGauges({
  offsetMs,
  peersOffsetMs,
}: Pick<GuardedClock, 'offsetMs' | 'peersOffsetMs'>): Partial<Record<GaugeName, number>> {
  return {
    vws_clock_offset_seconds: Math.round(offsetMs) / 1000,
    ...(peersOffsetMs === undefined
      ? {}
      : { vws_clock_peers_offset_seconds: Math.round(peersOffsetMs) / 1000 }),
  };
}

/** Empty for a node without peers: its counters stay at 0. */
export function networkGauges(network: Network | undefined): Partial<Record<GaugeName, number>> {
  if (!network) return {};
  const { sentBytes, receivedBytes, vertices, requests: questions, ordersBehind } = network.figures;
  return {
    vws_peer_count: network.peers.length,
    vws_peer_sent_bytes_total: sentBytes,
    vws_peer_received_bytes_total: receivedBytes,
    vws_peer_vertices_total: vertices,
    vws_sync_requests_total: questions,
    vws_catch_up_orders: ordersBehind,
  };
}
