// The part of the DAG that the picture shows: the newest ordered vertices, and those above them that are not final yet,
// found from the tips downwards.

import type { Vertex, VwsClient } from '../../client/index.ts';

/** Final vertices shown. */
export const SHOWN = 72;
/** Most vertices shown that are not final: a node without a quorum accumulates many. */
const MAX_UNORDERED = 48;

export interface DagWindow {
  /** Final ones in consensus order, then the others. */
  vertices: Vertex[];
  lastOrder: number;
}

/**
 * `endOrder`: the order number the window ends with; without it, the newest vertices and those not final yet. `shown`: how
 * many final ones.
 */
export async function loadWindow(node: VwsClient, endOrder?: number, shown = SHOWN): Promise<DagWindow> {
  // Tips first: any ancestor of them that becomes final meanwhile is then in the list.
  const { tips } = endOrder === undefined ? await node.dagTips() : { tips: [] };
  const { last_order: lastOrder } = await node.dagStats();
  const end = Math.min(endOrder ?? lastOrder, lastOrder);
  const ordered = await node.vertices({ after: Math.max(0, end - shown), per_page: shown });
  const known = new Set(ordered.map(({ hash }) => hash));
  const open: Vertex[] = [];
  for (let next = tips; next.length > 0 && open.length < MAX_UNORDERED; ) {
    const unseen = [...new Set(next)].filter((hash) => !known.has(hash));
    const found = await Promise.all(unseen.slice(0, MAX_UNORDERED - open.length).map((h) => node.vertex(h)));
    for (const { hash } of found) known.add(hash);
    const above = found.filter(({ order }) => order === undefined || order > end).map(notYet);
    open.push(...above);
    next = above.flatMap(({ parents }) => parents);
  }
  return { vertices: [...ordered, ...open.reverse()], lastOrder };
}

/** Shows a vertex that became final after the list was read as not final: one picture shows one moment. */
function notYet(vertex: Vertex): Vertex {
  const { order: _order, block: _block, is_leader: _isLeader, consensus_time: _time, ...rest } = vertex;
  return rest;
}
