// Reads of the network from the command line, against a fake node: the DAG, the supply, the trend, what the router gave out.

import { beforeEach, describe, expect, it } from 'vitest';
import type { FakeNode } from '../../client/fake-node.ts';
import { fakeAgent } from '../fake-agent.ts';
import { vws } from '../harness.ts';

const HASH = 'ab'.repeat(32);
const VERTEX = {
  hash: HASH,
  author: 'cd'.repeat(32),
  tx_count: 2,
  epoch: 0,
  round: 7,
  order: 9,
  consensus_time: 1_800_000_000,
};

let node: FakeNode;
beforeEach(async () => {
  ({ node } = await fakeAgent());
});
const read = (...args: string[]) => vws([...args, '--node', node.url]);

describe('vws dag', () => {
  it('lists vertices in their order, from one on', async () => {
    node.on('GET /v1/dag/vertices', { body: [VERTEX, { ...VERTEX, is_leader: true, order: 10 }] });
    const { io } = await read('dag', 'list', '--after', '8', '--limit', '2');
    expect(node.received.at(-1)?.url).toBe('/v1/dag/vertices?after=8&limit=2');
    expect(io.outLines[0]).toMatch(/^Order +Vertex +Epoch +Round +Author +Leader +Entries +Time$/);
    expect(io.outLines[1]).toMatch(/^9 +abab.* 0 +7 +cdcd.* - +2 +2027-01-15T08:00:00Z$/);
    expect(io.outLines[2]).toMatch(/^10 .* yes +2 /);
  });

  it('shows one vertex, tips, and figures', async () => {
    node
      .on(`GET /v1/dag/vertices/${HASH}`, { body: VERTEX })
      .on('GET /v1/dag/tips', { body: { tips: [HASH] } })
      .on('GET /v1/dag/stats', { body: { last_order: 9, events_by_type: { transfer: 3 } } });
    expect((await read('dag', 'show', HASH)).out).toContain('Round: 7');
    expect((await read('dag', 'tips')).io.outLines).toEqual([`Tips: ${HASH}`]);
    expect((await read('dag', 'stats')).io.outLines).toEqual(['Last order: 9', 'Events by type transfer: 3']);
    expect((await read('dag', 'show')).code).toBe(2);
  });
});

it('vws economics --supply shows every part of the supply as an amount', async () => {
  node.on('GET /v1/economics/supply', {
    body: { total_supply: 3_000_000, parts: { stakes: 1_000_000, held: 2_000_000 } },
  });
  expect((await read('economics', '--supply')).io.outLines).toEqual([
    'Total supply: 3000000 (3t)',
    'Parts stakes: 1000000 (1t)',
    'Parts held: 2000000 (2t)',
  ]);
});

it('vws trend shows what this node did, step by step', async () => {
  const sample = {
    time: 1_800_000_000,
    seconds: 60,
    ready_seconds: 50,
    transactions: 30,
    volume: 2_500_000,
    fees: 1_000,
  };
  node.on('GET /v1/network/trend', {
    body: {
      span: 'day',
      step_seconds: 900,
      samples: [{ ...sample, latency_p50: 25_000, latency_p99: 1_250_000 }, sample],
    },
  });
  const { io } = await read('trend', '--span', 'day');
  expect(node.received.at(-1)?.url).toBe('/v1/network/trend?span=day');
  expect(io.outLines.map((line) => line.split(/ {2,}/))).toEqual([
    ['Time', 'Not ready', 'Transactions', 'Moved', 'Fees', 'p50', 'p99'],
    ['2027-01-15T08:00:00Z', '10 s', '30', '2.5t', '0.001t', '25 ms', '1250 ms'],
    ['2027-01-15T08:00:00Z', '10 s', '30', '2.5t', '0.001t', '-', '-'],
  ]);
  expect((await read('trend', '--span', 'year')).code).toBe(2);
});

it('vws offer routes lists what the router gave to whom', async () => {
  const route = {
    task_id: 't1',
    agent_id: 'bob',
    reason: 'newcomer',
    match_score: 8_000,
    routed_at: 1_800_000_000,
  };
  node.on('GET /v1/router/routes', { body: [route] });
  expect((await read('offer', 'routes', '--limit', '3')).io.outLines).toEqual([
    'Task ID  Agent  Reason    Match  Time',
    't1       bob    newcomer  80%    2027-01-15T08:00:00Z',
  ]);
  expect(node.received.at(-1)?.url).toBe('/v1/router/routes?limit=3');
});
