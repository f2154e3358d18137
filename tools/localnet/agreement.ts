// Checks that nodes agree: the same last event while nothing is written.

import { systemClock } from '../../host/world/system/clock.ts';
import { type NodeProcess, sleep } from '../load/node-process.ts';

const EQUAL_MS = 60_000;

interface EventRow {
  seq: number;
}

async function lastSeq(node: NodeProcess): Promise<number> {
  const [newest] = await node.json<EventRow[]>('/v1/events/recent?limit=1');
  return newest?.seq ?? 0;
}

/** Resolves when all nodes show the same last event; only while nobody writes. Errors: not within `maxMs`. */
export async function untilEqual(nodes: readonly NodeProcess[], maxMs = EQUAL_MS): Promise<void> {
  const endMs = systemClock.monotonicMs() + maxMs;
  for (;;) {
    const seqs = await Promise.all(nodes.map(lastSeq));
    if (new Set(seqs).size === 1) return;
    if (systemClock.monotonicMs() > endMs) {
      throw new Error(`the nodes did not reach the same event: ${seqs.join(', ')}`);
    }
    await sleep(50);
  }
}
