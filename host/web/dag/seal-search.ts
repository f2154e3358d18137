// Where epochs end in the order: the first order number of an epoch, found by halving, since nothing lists it.
// Keeps: one small read for each halving, and none of them unless somebody asks.

import type { Vertex } from '../../client/index.ts';

/** The epoch of the vertex with this order number; undefined where the node no longer has it. */
export type EpochAt = (order: number) => Promise<number | undefined>;

/** The least order number in `from..to` whose epoch is at least `epoch`; undefined if there is none. */
export async function firstOf(
  epochAt: EpochAt,
  epoch: number,
  from: number,
  to: number,
): Promise<number | undefined> {
  let [low, high] = [from, to + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    // What a node has dropped lies before what it has.
    const found = (await epochAt(middle)) ?? -1;
    if (found >= epoch) high = middle;
    else low = middle + 1;
  }
  return low > to ? undefined : low;
}

/** The epochs that a section of the DAG touches. */
export const epochsOf = (vertices: readonly Pick<Vertex, 'epoch'>[]): [first: number, last: number] => {
  const epochs = vertices.map(({ epoch }) => epoch);
  return [Math.min(...epochs), Math.max(...epochs)];
};
