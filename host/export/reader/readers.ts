// Which routes a reader answers, and by what; of all others, why a node must be asked.
// Keeps: every GET of the route table has a row here, so a reader never answers what it cannot know.

import type { ReadArgs, Reply } from '../../api/route.ts';
import type { RouteId } from '../../api/tags.ts';
import * as agents from './agents.ts';
import type { Reason } from './answers.ts';
import * as cases from './cases.ts';
import * as events from './events.ts';
import * as market from './market.ts';
import * as network from './network.ts';
import type { Snapshot } from './snapshot.ts';
import * as tasks from './tasks.ts';

/** Answers at one place in the order. Errors: those of the route, `ask_a_node`. */
export type Reader = (s: Snapshot, args: ReadArgs) => Promise<Reply>;

/** `own`: the reader answers about itself. */
export const READERS: Readonly<Partial<Record<RouteId, Reader | Reason | 'own'>>> = {
  agents_card: 'node',
  agents_registration: 'node',
  agents_list: 'moves',
  agents_leaderboard: 'moves',
  agents_get: 'moves',
  agents_balance: agents.balance,
  agents_address: agents.address,
  agents_stake: 'moves',
  agents_reputation: 'moves',
  agents_by_address: agents.byAddress,
  agents_rankings: 'moves',
  market_search: market.search,
  market_categories: market.categories,
  market_listing: market.listing,
  market_discover: 'moves',
  market_capabilities: 'lists',
  market_routes: 'lists',
  market_router_stats: network.summary('market_router_stats'),
  verification_pending: 'votes',
  platform_key: 'lists',
  validators_list: agents.validators,
  validators_get: agents.validator,
  tasks_list: tasks.list,
  tasks_stats: 'lists',
  tasks_result: tasks.result,
  tasks_of_agent: tasks.ofAgent,
  tasks_subtasks: tasks.subtasks,
  tasks_trajectories: 'lists',
  tasks_get: tasks.task,
  programs_get: 'lists',
  challenges_list: cases.challenges,
  challenges_get: cases.challenge,
  replay_jobs: cases.jobs,
  replay_job: cases.job,
  events_recent: events.recent,
  events_get: events.event,
  events_stream: 'own',
  network_status: 'node',
  network_health: 'node',
  network_live: 'own',
  network_ready: 'own',
  network_metrics: 'own',
  network_dag_tips: 'log',
  network_dag_stats: 'log',
  network_vertices: 'log',
  network_vertex: 'log',
  network_latest_checkpoint: network.latestCheckpoint,
  network_economics: network.summary('network_economics'),
  network_supply: 'lists',
  network_activity: events.activity,
  network_trend: 'node',
  network_state: network.summary('network_state'),
  log_genesis: network.summary('log_genesis'),
  log_vertices: 'log',
  log_checkpoints: network.checkpoints,
  log_proof: 'log',
  log_proof_list: 'log',
  log_seals: 'log',
  log_state: 'log',
  pages_openapi: 'node',
  pages_docs: 'node',
  pages_llms: 'node',
  pages_agent_card: 'node',
  pages_home: 'node',
};
