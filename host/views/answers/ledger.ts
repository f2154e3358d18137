// Answer bodies of registrations, transfers, stake and verdicts (protocol 3.2, 3.6).

import * as abi from '../../../assembly/abi.ts';
import { encodeAddress } from '../../wire/address.ts';
import { sha256Hex } from '../../wire/hash.ts';
import type { LEDGER_OPERATIONS } from '../../wire/operations/ledger.ts';
import { SETTLEMENT_REASONS, votesDoc } from '../projection/votes.ts';
import type { Answers, Succeeded, SucceededWrite } from './types.ts';

const STATUS_NAMES: Record<number, string> = {
  [abi.VOTE_PENDING]: 'pending',
  [abi.VOTE_SETTLED]: 'settled',
  [abi.VOTE_ADJUSTED]: 'adjusted',
};

function register({ words, base, c }: Succeeded<'register'>): object {
  const [index, grant, staked, balance, trustLimit, isLimited] = words;
  const key = c.ids.state.agent(index!)!.publicKey;
  return {
    ...base,
    capability_fingerprint: sha256Hex(`vws-fingerprint-v1:${base.agent_id}`),
    ...(key
      ? { public_key: Buffer.from(key).toString('base64'), deposit_address: encodeAddress(key, c.testnet) }
      : {}),
    onboarding_allocation: grant,
    onboarding_limited: isLimited === 1,
    staked_amount: staked,
    balance,
    trust_limit: trustLimit,
  };
}

function verify({ parsed: { args }, words }: Succeeded<'verify'>): object {
  const [, , status, reason, approve, reject, total, participants, value] = words;
  const name = SETTLEMENT_REASONS[reason!];
  return {
    event_id: args.event_id.toLowerCase(),
    verdict: args.verdict,
    status: STATUS_NAMES[status!]!,
    votes: votesDoc({ approve: approve!, reject: reject!, total: total!, participants: participants! }),
    ...(status === abi.VOTE_SETTLED ? { verified_value: value } : {}),
    ...(name ? { settlement_reason: name } : {}),
  };
}

const stake = ({ base, words }: SucceededWrite): object => ({
  ...base,
  staked_amount: words[2],
  trust_limit: words[3],
  balance: words[4],
});

export const LEDGER_ANSWERS: Answers<keyof typeof LEDGER_OPERATIONS> = {
  register,
  faucet: ({ base, words }) => ({
    ...base,
    amount: words[1],
    balance: words[2],
    next_at: words[3],
    message: 'testnet tokens granted',
  }),
  // Member by member: what a node answers most, and a spread takes several times as long.
  transfer: ({ base: { event_id, agent_id }, words, c }) => ({
    event_id,
    agent_id,
    to_agent: c.ids.agentId(words[1]!),
    amount: words[2],
    balance: words[3],
    status: 'optimistic',
    deadline: words[4],
  }),
  generation: ({ base, words, c }) => ({
    ...base,
    beneficiary: c.ids.agentId(words[1]!),
    claimed_value: words[2],
    status: 'optimistic',
    deadline: words[4],
  }),
  stake,
  unstake: stake,
  verify,
  voteCommit: ({ parsed: { args }, words, c }) => ({
    event_id: args.event_id.toLowerCase(),
    validator_id: c.ids.validatorId(words[1]!),
    commitment: args.commitment.toLowerCase(),
    voting: {
      stage: words[4] === 1 ? 'reveal' : 'commit',
      committed: words[2],
      revealed: 0,
      judges: words[3],
      until: words[5],
    },
  }),
};
