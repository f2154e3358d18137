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
  // Tips first: what they build on and is final by the time of the list is in the list.
  const { tips } = endOrder === undefined ? await node.dagTips() : { tips: [] };
  const { last_order: lastOrder } = await node.dagStats();
  const end = Math.min(endOrder ?? lastOrder, lastOrder);
  const ordered = await node.vertices({ after: Math.max(0, end - SHOWN), per_page: SHOWN });
  const known = new Set(ordered.map(({ hash }) => hash));
  const open: Vertex[] = [];
  for (let next = tips; next.length > 0 && open.length < UNORDERED_MOST; ) {
    const unseen = [...new Set(next)].filter((hash) => !known.has(hash));
    const found = await Promise.all(unseen.slice(0, UNORDERED_MOST - open.length).map((h) => node.vertex(h)));
    for (const { hash } of found) known.add(hash);
    const above = found.filter(({ order }) => order === undefined || order > end).map(notYet);
    open.push(...above);
    next = above.flatMap(({ parents }) => parents);
  }
  return { vertices: [...ordered, ...open.reverse()], lastOrder };
}

/** What became final since the list was read: one picture shows one moment. */
function notYet(vertex: Vertex): Vertex {
  const { order: _order, block: _block, is_leader: _isLeader, consensus_time: _time, ...rest } = vertex;
  return rest;
}
