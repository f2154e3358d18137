// Every benchmark suite with small parameters, so that none breaks unnoticed. Checks only that figures exist.

import { describe, expect, it } from 'vitest';
import { tableText } from '../../bench/report.ts';
import type { Row } from '../../bench/row.ts';
import { SUITE_NAMES, SUITES } from '../../bench/suites.ts';
import { missingPostgres } from '../../tools/export/postgres-server.ts';

/** Cases that each suite must have, even in a small run. */
const CASES: Record<string, readonly string[]> = {
  ledger: ['register', 'transfer', 'verdict that settles', 'memory of 100,000 agents'],
  signatures: ['verify', 'with forgeries'],
  programs: [
    ...['equals', 'size', 'contains', 'number', 'json-shape', 'regex', 'csv', 'vectors'],
    ...['SHA-256', 'admit', 'hostile, that run', 'hostile, that are refused'],
  ],
  wire: ['body to TxID', 'entry to bytes', 'bytes to entry', 'vertex to bytes', 'bytes to vertex'],
  store: ['write a group, median', 'write a group, p99', 'point read'],
  http: ['GET status', 'GET status, p99', 'GET balance', 'GET balance, p99'],
  node: ['signed transfers', 'signed transfer, p50', 'signed transfer, p99'],
  stream: [
    'signed transfers, readers of all events',
    'signed transfer p99, readers of all events',
    'signed transfers, readers of other events',
  ],
  cluster: [
    'signed transfers',
    'finality, p50',
    'finality, p99',
    'between nodes, each transfer',
    'idle, vertices of the network',
    'caught up by a new node',
  ],
  finality: [
    'answered for good, p50',
    'answered for good, p99',
    'vertices, each write',
    'between nodes, each write',
  ],
  consensus: [
    'order',
    'order, objects in batches',
    'order under a fork flood',
    'latency p50',
    'latency p99',
    'memory of 100,000 vertices',
    'cost at the end of an epoch',
  ],
  market: ['search, a word, median', 'discover, no words, p99', 'update a listing'],
  export: [
    'events into the database',
    'events into the database, by processor time',
    'events, all in all',
    'reads',
    'reads, by processor time',
    'lag under load, p99',
  ],
  verify: ['transactions verified', 'from a checkpoint', 'memory'],
  proofs: ['size of an answer, with gzip', 'check of a proof'],
  routing: ['task created and routed'],
  growth: ['GET balance, p99', 'GET agents, a page, p99', 'GET event, p99', 'POST transfer, p99'],
};

function expectComplete(rows: readonly Row[], suite: string): void {
  for (const row of rows) {
    expect(row.suite).toBe(suite);
    expect(row.name).not.toBe('');
    expect(row.peer).not.toBe('');
    expect(Object.keys(row.params).length).toBeGreaterThan(0);
    for (const value of [row.value, row.peer_value, row.ratio]) {
      expect(Number.isFinite(value) && value > 0, `${JSON.stringify(row)}`).toBe(true);
    }
    expect(row.ratio).toBeCloseTo(row.value / row.peer_value, 9);
  }
}

const missing = missingPostgres();
const suites = SUITE_NAMES.filter((name) => name !== 'export' || missing === undefined);
if (missing) console.warn(`suite export is skipped: ${missing}`);

describe.each(suites)('suite %s', (name) => {
  it('gives complete rows, each beside a peer', { timeout: 180_000 }, async () => {
    const { run } = await SUITES[name]();
    const said: string[] = [];
    const rows = await run({ small: true, say: (line) => said.push(line) });
    expectComplete(rows, name);
    for (const wanted of CASES[name] ?? []) {
      expect(rows.map((row) => row.name)).toContain(wanted);
    }
    expect(said.length, 'a suite prints the work behind its figures').toBeGreaterThan(0);
    expect(tableText(rows).split('\n')).toHaveLength(rows.length + 1);
  });
});
