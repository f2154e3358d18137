import { expect, it } from 'vitest';
import { metricSum, type Sample } from '../../../../host/cli/top/sample.ts';
import { SeenCheckpoints } from '../../../../host/cli/top/seen-checkpoints.ts';
import { plainLine, type Shown, tableLines } from '../../../../host/cli/top/table.ts';

const sample = (more: Partial<Sample>): Sample => ({
  atMs: 0,
  health: 'healthy',
  order: 1,
  seq: 1,
  vertices: 1,
  epoch: 0,
  peers: 3,
  transactions: 0,
  answered: 0,
  answerSecs: 0,
  sentBytes: 0,
  receivedBytes: 0,
  ordersBehind: 0,
  supplyHolds: true,
  checkpoint: undefined,
  cpuMs: 0,
  memoryBytes: 0,
  ...more,
});

const NODES: Shown[] = [
  {
    name: 'v1',
    url: 'http://127.0.0.1:1',
    before: sample({
      atMs: 1000,
      transactions: 100,
      answered: 10,
      answerSecs: 1,
      sentBytes: 1000,
      cpuMs: 50,
    }),
    now: sample({
      atMs: 3000,
      order: 1234,
      epoch: 2,
      ordersBehind: 7,
      transactions: 500,
      answered: 20,
      answerSecs: 1.25,
      sentBytes: 41_000,
      cpuMs: 1050,
      memoryBytes: 150e6,
    }),
  },
  { name: 'v2', url: 'http://127.0.0.1:2', before: sample({}), now: undefined },
];

function seen(other: string): SeenCheckpoints {
  const checkpoints = new SeenCheckpoints();
  const signed = { height: 12, order: 1200, signers: 3 };
  checkpoints.add('v1', { ...signed, stateRoot: '0123456789abcdef' });
  checkpoints.add('v3', { ...signed, stateRoot: other });
  return checkpoints;
}

it('the table shows growth between two samples, the common state, and nodes that are down', () => {
  const [heading, first, second] = tableLines(NODES, seen('0123456789abcdef'));
  expect(heading!.split(/ +/).join(' ')).toBe(
    'node health order epoch checkpoint state peers behind tx/s ms/tx kB/s out CPU % MB',
  );
  // 400 transactions, 40 kB and 1 s of processor time in 2 s; ten answers that took a quarter of a second.
  expect(first!.split(/ +/)).toEqual([
    'v1',
    'healthy',
    '1234',
    '2',
    '12',
    '01234567',
    '3',
    '7',
    '200',
    '25.0',
    '20.0',
    '50',
    '150',
  ]);
  expect(second!.split(/ +/)).toEqual(['v2', 'down']);
});

it('a state that differs is marked; a restarted counter shows no rate', () => {
  const [first] = NODES;
  const restarted = { ...first!, before: sample({ atMs: 1000, transactions: 9999 }) };
  expect(plainLine([first!, NODES[1]!], seen('ff'), 61)).toBe(
    '61 s: v1 healthy order 1234 state 01234567! peers 3 tx/s 200 | v2 down',
  );
  expect(plainLine([restarted], new SeenCheckpoints(), 0)).toContain('state - peers 3 tx/s -');
});

it('a metric is summed over its labels, without metrics whose names begin with its own', () => {
  const text = 'vws_a{x="1"} 2\nvws_a{x="2"} 3\nvws_a_b 100\n# HELP vws_a 7\nvws_c 1\n';
  expect([metricSum(text, 'vws_a'), metricSum(text, 'vws_c'), metricSum(text, 'vws_d')]).toEqual([5, 1, 0]);
});
