// What must hold at the end of a soak (protocol 1.2, 1.8; pitfalls D1, P5): every acknowledged write is on every node,
// the money of every writer matches its writes, and all nodes signed the same states.

import type { CheckpointDoc } from '../../host/store/documents.ts';
import { rowKey } from '../../host/store/prefixes.ts';
import { readJson } from '../../host/store/write-set.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { openStore } from '../../host/world/system/open-store.ts';
import { Connection, requestBytes } from '../load/connection.ts';
import { type NodeProcess, sleep } from '../load/node-process.ts';
import type { SoakWriter } from './writer.ts';

const READERS = 16;
const SETTLED_MS = 60_000;
const MAX_HEIGHT = 2 ** 48;

/** Status of each of these events on a node, read over a few connections. */
async function eventStatuses(port: number, txids: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const connections = await Connection.openMany(port, READERS);
  let next = 0;
  const read = async (connection: Connection): Promise<void> => {
    while (next < txids.length) {
      const txid = txids[next++]!;
      const request = requestBytes({ method: 'GET', path: `/v1/events/${txid}` });
      found.set(txid, (await connection.send(request)).status);
    }
  };
  try {
    await Promise.all(connections.map(read));
  } finally {
    for (const connection of connections) connection.close();
  }
  return found;
}

/**
 * Resolves when no node has an event that waits for a verdict; only while nobody writes. Errors: not within a minute.
 */
export async function untilNothingPending(nodes: readonly NodeProcess[]): Promise<void> {
  const endMs = systemClock.monotonicMs() + SETTLED_MS;
  for (const node of nodes) {
    while ((await node.json<unknown[]>('/v1/pending?limit=1')).length > 0) {
      if (systemClock.monotonicMs() > endMs) throw new Error('events stay pending after their deadline');
      await sleep(200);
    }
  }
}

/** Writes with an unknown outcome must be on all nodes or on none. Those on all count as executed from here on. */
export async function settleOpen(
  nodes: readonly NodeProcess[],
  writers: readonly SoakWriter[],
): Promise<string[]> {
  const faults: string[] = [];
  const txids = writers.flatMap((writer) => writer.open.map(({ txid }) => txid));
  const statuses = await Promise.all(nodes.map((node) => eventStatuses(node.port, txids)));
  for (const writer of writers) {
    for (const row of writer.open.splice(0)) {
      const seen = new Set(statuses.map((s) => s.get(row.txid)));
      if (seen.size !== 1) faults.push(`${row.kind} ${row.txid}: nodes answer ${[...seen].join(' and ')}`);
      if (seen.has(200)) writer.executed(row);
    }
  }
  return faults;
}

/** Acknowledged writes that a node does not have. */
export async function findLost(nodes: readonly NodeProcess[], txids: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const [i, node] of nodes.entries()) {
    for (const [txid, status] of await eventStatuses(node.port, txids)) {
      if (status !== 200) faults.push(`${txid} was acknowledged; node ${i + 1} answers ${status}`);
    }
  }
  return faults;
}

interface Balance {
  balance: number;
  staked_amount: number;
  reserved: number;
}

/** Every writer has its whole grant: part of it staked, all the rest free, since its transfers have expired. */
export async function checkBooks(
  nodes: readonly NodeProcess[],
  writers: readonly SoakWriter[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const [i, node] of nodes.entries()) {
    for (const { signer, books } of writers) {
      const path = `/v1/agents/${signer.publicKeyHex}/balance`;
      const { balance, staked_amount, reserved } = await node.json<Balance>(path);
      const free = books.granted - books.staked;
      if (staked_amount === books.staked && balance === free && reserved === 0) continue;
      faults.push(
        `node ${i + 1}, agent ${signer.publicKeyHex}: staked ${staked_amount}, free ${balance}, reserved ${reserved};` +
          ` its writes make ${books.staked} and ${free}`,
      );
    }
  }
  return faults;
}

async function checkpointsOf(dataDir: string): Promise<Map<number, string>> {
  const store = await openStore(dataDir, 'auto', () => {});
  const found = new Map<number, string>();
  try {
    for await (const [, value] of store.scan({
      gte: rowKey.checkpoint(0),
      lt: rowKey.checkpoint(MAX_HEIGHT),
    })) {
      const doc = readJson<CheckpointDoc>(value)!;
      found.set(doc.height, `${doc.order} ${doc.block_hash} ${doc.state_root}`);
    }
  } finally {
    await store.close();
  }
  return found;
}

/** Compares the stored checkpoints of stopped nodes, height by height. */
export async function compareCheckpoints(
  dataDirs: readonly string[],
): Promise<{ heights: number; faults: string[] }> {
  const all = await Promise.all(dataDirs.map(checkpointsOf));
  const faults: string[] = [];
  let heights = 0;
  for (const [height, first] of all[0]!) {
    const others = all.slice(1).map((found) => found.get(height));
    if (others.every((other) => other === undefined)) continue;
    heights += 1;
    for (const [i, other] of others.entries()) {
      if (other !== undefined && other !== first) {
        faults.push(`checkpoint ${height}: node 1 has ${first}, node ${i + 2} has ${other}`);
      }
    }
  }
  return { heights, faults };
}
