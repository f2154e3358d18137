// Checks that nodes agree: the same last event while nothing is written, and the same state at the same checkpoint.

import { systemClock } from '../../host/world/system/clock.ts';
import { type NodeProcess, sleep } from '../load/node-process.ts';
import type { SignedCheckpoint } from './figures.ts';

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

/** Heights that are remembered. */
const KEPT = 4096;

/** Compares the state roots of signed checkpoints by height. */
export class SeenCheckpoints {
  readonly #roots = new Map<number, Map<string, string>>();
  /** Checkpoints at which two nodes had different states. */
  readonly faults: string[] = [];
  #compared = 0;

  /** Pairs of node and height that were compared with another node. */
  get compared(): number {
    return this.#compared;
  }

  add(node: string, { height, stateRoot }: SignedCheckpoint): void {
    const roots = this.#roots.get(height) ?? new Map<string, string>();
    if (roots.size === 0) this.#roots.set(height, roots);
    if (roots.has(node)) return;
    for (const [other, root] of roots) {
      this.#compared += 1;
      if (root !== stateRoot)
        this.faults.push(`checkpoint ${height}: ${node} has ${stateRoot}, ${other} ${root}`);
    }
    roots.set(node, stateRoot);
    if (this.#roots.size > KEPT) this.#roots.delete(this.#roots.keys().next().value as number);
  }

  /** Newest height seen at this node and another one, and whether all nodes seen at it agree. */
  newestCommon(node: string): { height: number; stateRoot: string; isSame: boolean } | undefined {
    let newest: number | undefined;
    for (const [height, roots] of this.#roots) {
      if (roots.size > 1 && roots.has(node) && height > (newest ?? 0)) newest = height;
    }
    if (newest === undefined) return undefined;
    const roots = this.#roots.get(newest)!;
    return { height: newest, stateRoot: roots.get(node)!, isSame: new Set(roots.values()).size === 1 };
  }
}
