import { expect, it } from 'vitest';
import { Latencies } from '../../../tools/load/latencies.ts';
import { type NodeLoad, unexpected } from '../../../tools/load/many-nodes.ts';
import { loadReport } from '../../../tools/load/report.ts';

function node(name: string, ms: readonly number[], refused: readonly [string, number][]): NodeLoad {
  const latencies = new Latencies();
  for (const value of ms) latencies.record(value);
  return { name, done: ms.length, latencies, refused: new Map(refused) };
}

const result = {
  elapsedMs: 2000,
  nodes: [
    node('v1', [0.01, 0.02, 0.03, 0.04], [['overloaded', 3]]),
    node(
      'v2',
      [],
      [
        ['no_quorum', 2],
        ['connection_lost', 1],
      ],
    ),
  ],
};

it('the report has a line for each node, one for all, and every refusal by code', () => {
  const lines = loadReport(result).map((line) => line.trim().split(/ +/).join(' '));
  expect(lines).toEqual([
    'node done per s p50 ms p90 ms p99 ms max ms',
    'v1 4 2 0.0 0.0 0.0 0.0',
    'v2 0 0 - - - -',
    'all 4 2 0.0 0.0 0.0 0.0',
    'v1: 3 x overloaded',
    'v2: 1 x connection_lost',
    'v2: 2 x no_quorum',
  ]);
});

it('an overloaded node is not a fault, every other refusal is', () => {
  expect(unexpected(result)).toBe(3);
});
