// Rebuilds the answer of a write whose own answer was lost, from its event.
// Keeps: ids, amounts and verdicts are those of the event; balances and limits are read now, so
// they show the state after later writes too. The secret of an API key cannot be rebuilt.

import type {
  Agent,
  ApiKeyRevoked,
  Balance,
  FaucetResult,
  GenerationResult,
  LedgerEvent,
  RegistrationResult,
  StakeInfo,
  StakeResult,
  TransferResult,
  VerifyResult,
  VoteCommitted,
} from './objects.ts';

/** The reads that rebuilding needs. */
export interface Reads {
  agent(id: string): Promise<Agent>;
  balance(id: string): Promise<Balance>;
  stakeInfo(id: string): Promise<StakeInfo>;
  event(id: string): Promise<LedgerEvent>;
}

export async function rebuildRegistration(reads: Reads, event: LedgerEvent): Promise<RegistrationResult> {
  const agent = await reads.agent(event.agent_id);
  return {
    event_id: event.event_id,
    agent_id: agent.agent_id,
    capability_fingerprint: agent.capability_fingerprint,
    public_key: agent.public_key,
    deposit_address: agent.deposit_address,
    onboarding_allocation: numberOf(event.payload.onboarding_allocation),
    onboarding_limited: event.payload.onboarding_limited === true,
    staked_amount: agent.staked_amount,
    balance: agent.balance,
    trust_limit: agent.trust_limit,
  };
}

export async function rebuildFaucet(reads: Reads, event: LedgerEvent): Promise<FaucetResult> {
  const { balance } = await reads.balance(event.agent_id);
  return {
    event_id: event.event_id,
    agent_id: event.agent_id,
    amount: event.amount ?? numberOf(event.payload.amount),
    balance,
    next_at: numberOf(event.payload.next_at),
    message: 'granted earlier',
  };
}

export async function rebuildStake(reads: Reads, event: LedgerEvent): Promise<StakeResult> {
  const [stake, { balance }] = await Promise.all([
    reads.stakeInfo(event.agent_id),
    reads.balance(event.agent_id),
  ]);
  return {
    event_id: event.event_id,
    agent_id: event.agent_id,
    staked_amount: stake.staked_amount,
    trust_limit: stake.trust_limit,
    balance,
  };
}

export async function rebuildTransfer(reads: Reads, event: LedgerEvent): Promise<TransferResult> {
  const { balance } = await reads.balance(event.agent_id);
  return {
    event_id: event.event_id,
    agent_id: event.agent_id,
    status: 'optimistic',
    deadline: numberOf(event.deadline),
    amount: numberOf(event.amount),
    to_agent: event.recipient_id ?? '',
    balance,
  };
}

export async function rebuildGeneration(event: LedgerEvent): Promise<GenerationResult> {
  return {
    event_id: event.event_id,
    agent_id: event.agent_id,
    status: 'optimistic',
    deadline: numberOf(event.deadline),
    claimed_value: numberOf(event.claimed_value),
    beneficiary: event.recipient_id ?? event.agent_id,
  };
}

/** `event` is the verdict; its result is read from the event that was judged. */
export async function rebuildVerify(reads: Reads, event: LedgerEvent): Promise<VerifyResult> {
  const target = await reads.event(textOf(event.payload.event_id ?? event.payload.target_event_id));
  const isDecided = target.settlement_state !== 'optimistic';
  return {
    event_id: target.event_id,
    verdict: event.payload.verdict === true,
    status: isDecided ? target.settlement_state : 'pending',
    votes: target.votes ?? { approve_weight: 0, reject_weight: 0, total_weight: 0, participants: 0 },
    verified_value: target.verified_value,
    settlement_reason: target.settlement_reason,
  };
}

/** `event` is the commitment; how far the votes are is read from the dispute. */
export async function rebuildVoteCommit(reads: Reads, event: LedgerEvent): Promise<VoteCommitted> {
  const target = await reads.event(textOf(event.payload.event_id ?? event.payload.target_event_id));
  const { voters = [], commitments = [], deadline = event.timestamp } = target;
  const committed = voters.length + commitments.length;
  const over = { stage: 'reveal', committed, revealed: voters.length, judges: committed, until: deadline };
  return {
    event_id: target.event_id,
    validator_id: textOf(event.payload.validator_id),
    commitment: textOf(event.payload.commitment),
    voting: target.voting ?? over,
  };
}

export async function rebuildKeyRevocation(event: LedgerEvent): Promise<ApiKeyRevoked> {
  return { event_id: event.event_id, key_id: textOf(event.payload.key_id), status: 'revoked' };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
