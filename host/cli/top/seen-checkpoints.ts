// Compares the states of nodes at the checkpoints that they show.
// Keeps: bounded memory; each pair of node and height is compared once.

import type { SignedCheckpoint } from './sample.ts';

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
