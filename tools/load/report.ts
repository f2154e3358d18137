// The result of a load as text: one line for each node, one for all, then the refusals by code.

import { Latencies } from './latencies.ts';
import type { LoadResult, NodeLoad } from './many-nodes.ts';

const ms = (value: number): string => (Number.isNaN(value) ? '-' : value.toFixed(1));

function line(name: string, { done, latencies }: Pick<NodeLoad, 'done' | 'latencies'>, secs: number): string {
  const cells = [
    name.padEnd(24),
    String(done).padStart(9),
    (done / secs).toFixed(0).padStart(8),
    ...[0.5, 0.9, 0.99, 1].map((q) => ms(latencies.quantileMs(q)).padStart(9)),
  ];
  return cells.join(' ');
}

export function loadReport({ elapsedMs, nodes }: LoadResult): string[] {
  const secs = Math.max(elapsedMs, 1) / 1000;
  const all = { done: 0, latencies: new Latencies() };
  for (const { done, latencies } of nodes) {
    all.done += done;
    all.latencies.merge(latencies);
  }
  const head = ['node'.padEnd(24), 'done'.padStart(9), 'per s'.padStart(8)];
  const lines = [[...head, ...['p50 ms', 'p90 ms', 'p99 ms', 'max ms'].map((t) => t.padStart(9))].join(' ')];
  for (const node of nodes) lines.push(line(node.name, node, secs));
  if (nodes.length > 1) lines.push(line('all', all, secs));
  for (const { name, refused } of nodes) {
    for (const [code, count] of [...refused].sort(([a], [b]) => (a < b ? -1 : 1))) {
      lines.push(`${name}: ${count} x ${code}`);
    }
  }
  return lines;
}
