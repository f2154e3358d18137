// The history that a node keeps of itself (GET /v1/network/trend), across real restarts of a real process.

import { afterAll, expect, it } from 'vitest';
import type { Trend } from '../../host/client/index.ts';
import type { NodeProcess } from '../../tools/load/node-process.ts';
import { Agent, TOKEN } from './agent.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
afterAll(() => bed.close());

const SPANS = ['hour', 'day', 'week'] as const;

interface Sums {
  transactions: number;
  volume: number;
  writes: number;
}

/** What the samples of a span add up to. */
async function sumsOf(node: NodeProcess, span: string): Promise<Sums> {
  const { samples } = await node.json<Trend>(`/v1/network/trend?span=${span}`);
  const sum = (of: (sample: Trend['samples'][number]) => number): number =>
    samples.reduce((total, sample) => total + of(sample), 0);
  return {
    transactions: sum((s) => s.transactions),
    volume: sum((s) => s.volume),
    writes: sum((s) => s.latencies.reduce((a, b) => a + b, 0)),
  };
}

const allSums = (node: NodeProcess): Promise<Sums[]> => Promise.all(SPANS.map((span) => sumsOf(node, span)));

it('is there after a stop, whole, and after a kill, with nothing counted twice', async () => {
  const network = await bed.network();
  let node = await bed.start(network);
  const payer = await new Agent(node.port).register({ initial_stake: 10 * TOKEN });
  const payee = await new Agent(node.port).register({ initial_stake: 10 * TOKEN });
  for (let i = 0; i < 5; i++) await payer.do('/v1/transfer', { to_agent: payee.id, amount: 1000 + i });
  const before = await allSums(node);
  const [hour] = before as [Sums];
  expect(hour.transactions).toBeGreaterThanOrEqual(7);
  expect(hour.writes).toBe(hour.transactions);
  await node.stop();

  node = await bed.start(network);
  expect(await allSums(node)).toEqual(before);
  const again = new Agent(node.port, payer.signer);
  await again.do('/v1/transfer', { to_agent: payee.id, amount: 7 });
  node.signal('SIGKILL');
  await node.ended();

  // The log is executed again up to where it was: that is not what happens now. Of the last minute nothing may be left.
  node = await bed.start(network);
  const after = await allSums(node);
  for (const [i, sums] of after.entries()) {
    const { transactions, volume } = before[i]!;
    expect([transactions, transactions + 1]).toContain(sums.transactions);
    expect([volume, volume + 7]).toContain(sums.volume);
  }
});
