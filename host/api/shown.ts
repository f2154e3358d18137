// Which answers can be shown to be true without believing the node, and how: for the API description (consensus 5.18).
// Keeps: an answer that is not listed is the node's word, and is called so. test/e2e/lies.long.ts lies in each that is.

import type { RouteId } from './tags.ts';

/** `checked`: an audit computes it again; `proven`: the answer leads to what seats signed, or to the genesis hash. */
const SHOWN: Readonly<Partial<Record<RouteId, 'checked' | 'proven'>>> = {
  agents_balance: 'checked',
  tasks_get: 'checked',
  events_get: 'checked',
  log_genesis: 'proven',
  log_vertices: 'proven',
  log_checkpoints: 'proven',
  log_proof: 'proven',
  log_proof_list: 'proven',
  log_seals: 'proven',
  log_state: 'proven',
};

/** How far answers of a route can be shown to be true; names as of an audit. */
export const shownOf = (id: RouteId): 'checked' | 'proven' | 'as_the_node_says' =>
  SHOWN[id] ?? 'as_the_node_says';
