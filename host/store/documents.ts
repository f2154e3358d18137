// The stored documents of the views: one definition for the writer (views/projection) and the readers (api).

import type { EventType } from './event-types.ts';

export interface Votes {
  approve_weight: number;
  reject_weight: number;
  total_weight: number;
  participants: number;
}

export interface VoterDoc {
  validator_id: string;
  agent_id: string;
  verdict: boolean;
  /** In a dispute: the worker's share, where the verdict is for a part of it. */
  worker_share_bp?: number;
  /** What a verdict against the worker of a dispute names. */
  ground?: string;
  verified_value: number;
  weight: number;
  timestamp: number;
}

/** How far the votes on a contested dispute are (protocol 15.8). */
export interface VotingDoc {
  stage: 'commit' | 'reveal';
  committed: number;
  revealed: number;
  /** Validators whose votes would count. */
  judges: number;
  until: number;
}

/** A vote that is committed and not revealed. */
export interface VoteCommitmentDoc {
  validator_id: string;
  agent_id: string;
  commitment: string;
  timestamp: number;
}

/** The Event object (protocol 3.6). While the event is optimistic, votes and voters are in the core and added on reading. */
export interface EventDoc {
  event_id: string;
  event_type: EventType;
  auth: 'tx_v1' | 'request_v1' | 'api_key' | 'unsigned' | 'system';
  seq: number;
  agent_id: string;
  payload: Record<string, unknown>;
  recipient_id?: string;
  amount?: number;
  claimed_value?: number;
  verified_value?: number;
  fee?: number;
  evidence_hash?: string;
  task_description?: string;
  memo?: string;
  task_id?: string;
  settlement_state: 'optimistic' | 'settled' | 'adjusted';
  settlement_reason?: 'verified' | 'rejected' | 'expired';
  deadline?: number;
  votes?: Votes;
  voters?: VoterDoc[];
  voting?: VotingDoc;
  commitments?: VoteCommitmentDoc[];
  assigned_to?: string[];
  signature?: string;
  vertex_hash: string;
  causal_refs: string[];
  causal_timestamp: number;
  order: number;
  index: number;
  timestamp: number;
}

/** Names of an agent; everything else about it is in the core. */
export interface AgentDoc {
  id: string;
  name?: string;
}

export interface ApiKeyDoc {
  key_id: string;
  name: string;
  scopes: string[];
  owner_id: string;
  issuing_node: string;
}

export interface CheckpointDoc {
  height: number;
  order: number;
  consensus_time: number;
  state_root: string;
  manifest_digest: string;
  block_index: number;
  block_hash: string;
  /** The signed bytes (consensus 5.17), hex. */
  statement: string;
  signatures: { validator_id: string; public_key: string; signature: string }[];
  /** Root of the core, from which state_root follows with that of the documents; missing at seals before a join. */
  core_root?: string;
}

/** Counters over everything executed, written in the same batch as the events. */
export interface Totals {
  vertices: number;
  events: Record<string, number>;
  checkpoints: number;
}
