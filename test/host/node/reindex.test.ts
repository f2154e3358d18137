// A store made anew from its log has every row of the first one, whatever was lost or altered of what is derived.

import { describe, expect, it } from 'vitest';
import { openImplementation } from '../../../host/crypto/implementation.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { loadSnapshot, readHead, readSnapshotMark } from '../../../host/execution/recovery.ts';
import { reindex } from '../../../host/node/reindex.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { PREFIXES, type Prefix, rangeOf, rowKey } from '../../../host/store/prefixes.ts';
import { readJson, WriteSet } from '../../../host/store/write-set.ts';
import { toHex, utf8 } from '../../../host/wire/bytes.ts';
import type { Store } from '../../../host/world/store.ts';
import { systemClock } from '../../../host/world/system/clock.ts';
import { systemWorld } from '../../../host/world/system/world.ts';
import { freshCore, genesisOf, openParts, SMALL_TABLES, seedOf, send } from '../one-node/harness.ts';

const LIMITS = { earlyBlocks: 4, blocks: 6, vertices: 400, timeMs: 60_000 };
const GENESIS = genesisOf();

/** A node that has run for some epochs and was stopped. */
async function ran(): Promise<MemoryStore> {
  const store = new MemoryStore();
  const p = await openParts({ store, limits: LIMITS });
  const agents = Array.from({ length: 8 }, (_, n) => keyPairFromSeed(seedOf(40 + n)));
  for (const agent of agents) {
    expect(await send(p, agent, '/v1/agents', {})).toBeInstanceOf(Array);
    await send(p, agent, '/v1/stake', { amount: 5_000_000 });
    await p.clock.advance(1000);
  }
  for (const [n, agent] of agents.entries()) {
    const to = agents[(n + 1) % agents.length]!.publicKeyHex;
    await send(p, agent, '/v1/transfer', { to_agent: to, amount: 1000 + n, memo: `for ${n}` });
    await send(p, agent, '/v1/registry', { name: `Service ${n}`, description: 'Does it.', category: 'code' });
    await p.clock.advance(1000);
  }
  await p.sequencer.close();
  await p.executor.close();
  const set = new WriteSet(store);
  // What only this node knows.
  set.putJson(rowKey.meta('own_vertices'), { until: 7 });
  set.put(Uint8Array.of('K'.charCodeAt(0), ...new Uint8Array(16).fill(3)), utf8('{"canary":1}'));
  set.put(Uint8Array.of('W'.charCodeAt(0), ...new Uint8Array(8).fill(1)), utf8('{"webhook":1}'));
  await store.write(set.ops());
  return store;
}

async function rowsOf(store: Store): Promise<Map<string, string>> {
  const rows = new Map<string, string>();
  // When snapshots were taken is up to each node; what is in them is compared as a root.
  for (const prefix of (Object.keys(PREFIXES) as Prefix[]).filter((p) => p !== 's'))
    for await (const [key, value] of store.scan(rangeOf(prefix))) {
      // Rows M are per batch, and batches are up to each node: one after the other they have the same changes.
      const name = prefix === 'M' ? toHex(utf8('M')) : toHex(key);
      rows.set(name, (prefix === 'M' ? (rows.get(name) ?? '') : '') + toHex(value));
    }
  rows.delete(toHex(rowKey.meta('snapshot')));
  // The number of the first row M, which counts batches, and how many there were is up to each node.
  const top = toHex(utf8('T'));
  rows.set(top, rows.get(top)!.slice(8));
  return rows;
}

async function rootOf(store: Store): Promise<{ order: number; root: string }> {
  const mark = readSnapshotMark(store)!;
  await loadSnapshot(store, freshCore(GENESIS), mark);
  return { order: mark.order, root: mark.root };
}

const anew = async (from: Store): Promise<MemoryStore> => {
  const to = new MemoryStore();
  await reindex({
    ...{ genesis: GENESIS, from, to, clock: systemClock },
    modules: {
      core: await systemWorld.program.module('core.wasm'),
      consensus: await systemWorld.program.module('consensus.wasm'),
    },
    verify: openImplementation('noble', systemWorld),
    scale: { limits: LIMITS, capacity: SMALL_TABLES },
    onProgress() {},
  });
  return to;
};

const NO = { value: undefined };

describe('a store made anew', () => {
  it('has every row of the first one, and ends where it ended', async () => {
    const first = await ran();
    const [rows, root] = [await rowsOf(first), await rootOf(first)];
    expect(readHead(first).epoch).toBeGreaterThan(2);
    for (const prefix of 'vboriceqnadkLwTmKW')
      expect([prefix, [...rows.keys()].some((key) => key.startsWith(toHex(utf8(prefix))))]).toEqual([
        prefix,
        true,
      ]);
    expect(await rowsOf(await anew(first))).toEqual(rows);
    // Events and names that were altered or lost come back.
    const [event] = await lastOf(first, 'q');
    const [name] = await lastOf(first, 'a');
    await first.write([
      { key: event, value: utf8('{"event":"another one"}') },
      { key: name, ...NO },
      // As a killed process leaves it: its lists end before the log.
      { key: rowKey.meta('lists'), value: utf8('{"seq":1}') },
    ]);
    expect(await rowsOf(first)).not.toEqual(rows);
    const second = await anew(first);
    expect(await rowsOf(second)).toEqual(rows);
    expect(await rootOf(second)).toEqual(root);
  });

  it('is refused for a log that begins later, misses a vertex, or gives another checkpoint', async () => {
    const later = await ran();
    const set = new WriteSet(later);
    set.putJson(rowKey.meta('history'), { epoch: 3, order: 50, time_secs: 9 });
    await later.write(set.ops());
    await expect(anew(later)).rejects.toThrow('the log of this node begins with epoch 3');

    const lacking = await ran();
    const [place] = await lastOf(lacking, 'i');
    await lacking.write([{ key: place, ...NO }]);
    await expect(anew(lacking)).rejects.toThrow(/the vertices that made it are missing/);

    const other = await ran();
    const [key, value] = await lastOf(other, 'k');
    const doc = readJson<{ height: number; statement: string }>(value)!;
    const statement = `${doc.statement.slice(0, -2)}00`;
    await other.write([{ key, value: utf8(JSON.stringify({ ...doc, statement })) }]);
    await expect(anew(other)).rejects.toThrow(`another state at checkpoint ${doc.height}`);
  });

  it('is refused for another network and an empty store', async () => {
    await expect(anew(new MemoryStore())).rejects.toThrow('the store is empty');
  });
});

async function lastOf(store: Store, prefix: Prefix): Promise<[Uint8Array, Uint8Array]> {
  for await (const row of store.scan({ ...rangeOf(prefix), reverse: true, limit: 1 })) return row;
  throw new Error(`no row ${prefix}`);
}
