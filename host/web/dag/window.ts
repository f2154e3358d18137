// The part of the DAG that the picture shows: the newest ordered vertices, and those above them that are not final yet,
// found from the tips downwards.

import { type Vertex, type VwsClient, VwsError } from '../../client/index.ts';

/** Final vertices shown. */
export const SHOWN = 72;
/** Most vertices shown that are not final: a node without a quorum accumulates many. */
const MAX_UNORDERED = 48;

export interface DagWindow {
  /** Final ones in consensus order, then the others. */
  vertices: Vertex[];
  lastOrder: number;
  /** Hashes that others refer to and the node does not have. */
  missing: string[];
}

/** Undefined for a vertex that the node does not have: dropped with older history, or never received. */
async function vertexIfAny(node: Pick<VwsClient, 'vertex'>, hash: string): Promise<Vertex | undefined> {
  try {
    return await node.vertex(hash);
  } catch (error) {
    if (error instanceof VwsError && (error.status === 404 || error.status === 410)) return undefined;
    throw error;
  }
}

type DagReads = Pick<VwsClient, 'dagTips' | 'dagStats' | 'vertices' | 'vertex'>;

/**
 * `endOrder`: the order number the window ends with; without it, the newest vertices and those not final yet. `shown`: how
 * many final ones.
 */
export async function loadWindow(node: DagReads, endOrder?: number, shown = SHOWN): Promise<DagWindow> {
  // Tips first: any ancestor of them that becomes final meanwhile is then in the list.
  const { tips } = endOrder === undefined ? await node.dagTips() : { tips: [] };
  const { last_order: lastOrder } = await node.dagStats();
  const end = Math.min(endOrder ?? lastOrder, lastOrder);
  const ordered = await node.vertices({ after: Math.max(0, end - shown), per_page: shown });
  const known = new Set(ordered.map(({ hash }) => hash));
  const open: Vertex[] = [];
  const missing: string[] = [];
  for (let next = tips; next.length > 0 && open.length < MAX_UNORDERED; ) {
    const unseen = [...new Set(next)].filter((hash) => !known.has(hash));
    const asked = unseen.slice(0, MAX_UNORDERED - open.length);
    const answers = await Promise.all(asked.map((hash) => vertexIfAny(node, hash)));
    for (const hash of asked) known.add(hash);
    missing.push(...asked.filter((_, i) => answers[i] === undefined));
    const found = answers.filter((vertex) => vertex !== undefined);
    const above = found.filter(({ order }) => order === undefined || order > end).map(notYet);
    open.push(...above);
    next = above.flatMap(({ parents }) => parents);
  }
  return { vertices: [...ordered, ...open.reverse()], lastOrder, missing };
}

/** Shows a vertex that became final after the list was read as not final: one picture shows one moment. */
function notYet(vertex: Vertex): Vertex {
  const { order: _order, block: _block, is_leader: _isLeader, consensus_time: _time, ...rest } = vertex;
  return rest;
}
