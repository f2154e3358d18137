// The part of the DAG that the picture shows: the newest vertices of the order, and what stands above them and is not
// final yet, found from the tips downwards.

import type { Vertex, VwsClient } from '../../client/index.ts';

/** Final vertices shown. */
export const SHOWN = 72;
/** Vertices that are not final, at most: a node that lost its quorum piles up many. */
const UNORDERED_MOST = 48;

export interface DagWindow {
  /** Final ones in their order, then the others. */
  vertices: Vertex[];
  lastOrder: number;
}

/** `endOrder`: the order the window ends with; without it the newest, and what is not final yet. */
export async function loadWindow(node: VwsClient, endOrder?: number): Promise<DagWindow> {
  const { last_order: lastOrder } = await node.dagStats();
  const end = Math.min(endOrder ?? lastOrder, lastOrder);
  const [ordered, tips] = await Promise.all([
    node.vertices({ after: Math.max(0, end - SHOWN), per_page: SHOWN }),
    endOrder === undefined ? node.dagTips() : { tips: [] },
  ]);
  const known = new Map(ordered.map((vertex) => [vertex.hash, vertex]));
  const open: Vertex[] = [];
  for (let next = tips.tips; next.length > 0 && open.length < UNORDERED_MOST; ) {
    const unseen = [...new Set(next)]
      .filter((hash) => !known.has(hash))
      .slice(0, UNORDERED_MOST - open.length);
    const found = await Promise.all(unseen.map((hash) => node.vertex(hash)));
    for (const vertex of found) {
      known.set(vertex.hash, vertex);
      // What became final meanwhile belongs to the next window, but its children to this one.
      open.push(vertex);
    }
    next = found.flatMap(({ order, parents }) => (order === undefined ? parents : []));
  }
  const fresh = open.filter(({ order }) => order === undefined || order > end);
  return { vertices: [...ordered, ...fresh.reverse()], lastOrder };
}
