// What the node answers, as types: the objects of DECISIONS 3 that this client reads and gets back.
// Units: amounts in micro-units, `*_at`, deadlines and timestamps in Unix seconds, scores in basis
// points. A member with `?` is absent when it does not apply. Types only; nothing is checked here,
// and a newer node may send members that are not listed.

export interface Balance {
  agent_id: string;
  currency: string;
  balance: number;
  staked_amount: number;
  reserved: number;
}

export interface Address {
  agent_id: string;
  address: string;
}

export interface StakeInfo {
  agent_id: string;
  staked_amount: number;
  trust_limit: number;
  required_stake: number;
  exposure: number;
  trust_multiplier: number;
  effective_tasks: number;
  tasks_completed: number;
  days_staked: number;
  last_activity: number;
  staked_since?: number;
}

export interface AgentRow {
  agent_id: string;
  reputation_score: number;
  tasks_completed: number;
  balance: number;
  staked_amount: number;
  trust_limit: number;
}

export interface LeaderboardRow extends AgentRow {
  rank: number;
}

export interface ReputationRecord {
  category: string;
  tasks_completed: number;
  tasks_failed: number;
  avg_delivery_secs: number;
  total_value_earned: number;
  avg_score: number;
  completion_rate: number;
  overall_score: number;
  last_active: number;
}

export interface ReputationSummary {
  agent_id: string;
  overall_score: number;
  reputation_score: number;
  total_completed: number;
  total_failed: number;
  total_earned: number;
  member_since: number;
  top_category?: string;
  categories?: Record<string, ReputationRecord>;
}

export interface Agent extends AgentRow {
  capability_fingerprint: string;
  fingerprint_version: number;
  display_name?: string;
  /** Standard base64. */
  public_key?: string;
  deposit_address?: string;
  category_records: Record<string, ReputationRecord>;
  reputation: ReputationSummary;
  tasks_failed: number;
  total_value_generated: number;
  total_value_transferred: number;
  first_seen: number;
  last_active: number;
  validator_id?: string;
  validator_status?: string;
  suspended_until?: number;
}

export interface RegistrationResult {
  event_id: string;
  agent_id: string;
  capability_fingerprint: string;
  public_key?: string;
  deposit_address?: string;
  onboarding_allocation: number;
  staked_amount: number;
  balance: number;
  trust_limit: number;
}

export interface FaucetResult {
  event_id: string;
  agent_id: string;
  amount: number;
  balance: number;
  next_at: number;
  message: string;
}

export interface StakeResult {
  event_id: string;
  agent_id: string;
  staked_amount: number;
  trust_limit: number;
  balance: number;
}

export interface TransferResult {
  event_id: string;
  agent_id: string;
  status: string;
  deadline: number;
  amount: number;
  to_agent: string;
  balance: number;
}

export interface GenerationResult {
  event_id: string;
  agent_id: string;
  status: string;
  deadline: number;
  claimed_value: number;
  beneficiary: string;
}

export interface Votes {
  approve_weight: number;
  reject_weight: number;
  total_weight: number;
  participants: number;
}

export interface Voter {
  validator_id: string;
  agent_id: string;
  verdict: boolean;
  verified_value?: number;
  weight: number;
  timestamp: number;
}

export interface VerifyResult {
  event_id: string;
  verdict: boolean;
  /** `settled`, `adjusted` or `pending`. */
  status: string;
  votes: Votes;
  verified_value?: number;
  settlement_reason?: string;
}

export interface PendingEvent {
  event_id: string;
  event_type: string;
  agent_id: string;
  amount: number;
  deadline: number;
  timestamp: number;
  assigned_to: string[];
  votes: Votes;
  recipient_id?: string;
  claimed_value?: number;
  evidence_hash?: string;
  task_description?: string;
  task_id?: string;
}

export interface EventRow {
  event_id: string;
  seq: number;
  event_type: string;
  agent_id: string;
  settlement_state: string;
  order: number;
  timestamp: number;
  recipient_id?: string;
  amount?: number;
  memo?: string;
  settlement_reason?: string;
}

export interface LedgerEvent extends EventRow {
  auth: string;
  payload: Record<string, unknown>;
  claimed_value?: number;
  verified_value?: number;
  fee?: number;
  evidence_hash?: string;
  task_description?: string;
  task_id?: string;
  deadline?: number;
  votes?: Votes;
  voters?: Voter[];
  assigned_to?: string[];
  signature?: string;
  vertex_hash: string;
  causal_refs: string[];
  causal_timestamp: number;
  index: number;
}

export interface Validator {
  id: string;
  agent_id: string;
  status: string;
  suspension_reason?: string;
  consensus_public_key?: string;
  key_epoch?: number;
  staked_amount: number;
  required_stake: number;
  reputation_bp: number;
  vote_weight: number;
  assignment_weight: number;
  accuracy: number;
  tasks_processed: number;
  categories: string[];
  is_genesis: boolean;
  registered_at: number;
}

export interface Economics {
  total_supply: number;
  circulating_supply: number;
  treasury_balance: number;
  total_fees_collected: number;
  total_staked: number;
  total_escrowed: number;
  onboarding_remaining: number;
  onboarding_next_grant: number;
  faucet_balance: number;
  total_generated_value: number;
  agents_registered: number;
  fee_basis_points: number;
  bootstrap_active: boolean;
  reserves: { dispute: number; canary: number; replay: Record<string, number> };
}

export interface Status {
  agent_id: string;
  version: string;
  chain_id: string;
  genesis_hash: string;
  protocol_version: string;
  peers: number;
  dag_size: number;
  ocs_pending: number;
  order: number;
  consensus_time: number;
  uptime_seconds: number;
  supply_ratio: number;
  no_auth: boolean;
  validator_id?: string;
  validator_status?: string;
}

export interface NetworkState {
  launch_time: number;
  active_validators: number;
  probation_validators: number;
  seats: number;
  min_participants: number;
  total_vote_weight: number;
  order: number;
  consensus_time: number;
  bootstrap_active: boolean;
  params: Record<string, number | boolean>;
}

export interface ApiKeyCreated {
  event_id: string;
  /** Shown only in this answer. */
  key: string;
  key_id: string;
  name: string;
  scopes: string[];
  owner_id: string;
  hourly_limit: number;
  created_at: number;
  expires_at?: number;
}

export interface ApiKey {
  key_id: string;
  name: string;
  owner_id: string;
  issuing_node: string;
  scopes: string[];
  active: boolean;
  hourly_limit: number;
  created_at: number;
  expires_at?: number;
  revoked_at?: number;
}

export interface ApiKeyRevoked {
  event_id: string;
  key_id: string;
  status: string;
}
