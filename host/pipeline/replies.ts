// The answer bodies of writes, from the outcome of the very transaction: the state right after it, not after its group.

import * as abi from '../../assembly/abi.ts';
import type { TxOutcome } from '../core/outcomes.ts';
import { encodeAddress } from '../wire/address.ts';
import { toHex } from '../wire/bytes.ts';
import { sha256Hex } from '../wire/hash.ts';
import type { EntryInput } from './block.ts';
import type { Identities } from './identity.ts';
import { SETTLEMENT_REASONS, votesDoc } from './projector.ts';
import { scopeNames } from './translate.ts';

const STATUS_NAMES: Record<number, string> = {
  [abi.VOTE_PENDING]: 'pending',
  [abi.VOTE_SETTLED]: 'settled',
  [abi.VOTE_ADJUSTED]: 'adjusted',
};

export interface ReplyContext {
  ids: Identities;
  testnet: boolean;
  /** Text of a new API key, known only to the node that made it. */
  apiKey?: string;
  timeSecs: number;
}

function registered(o: TxOutcome, base: { event_id: string; agent_id: string }, c: ReplyContext): object {
  const [index, grant, staked, balance, trustLimit] = o.words;
  const key = c.ids.state.agent(index!)!.publicKey;
  return {
    ...base,
    capability_fingerprint: sha256Hex(`vws-fingerprint-v1:${base.agent_id}`),
    ...(key
      ? { public_key: Buffer.from(key).toString('base64'), deposit_address: encodeAddress(key, c.testnet) }
      : {}),
    onboarding_allocation: grant,
    staked_amount: staked,
    balance,
    trust_limit: trustLimit,
  };
}

function verified(input: EntryInput, o: TxOutcome): object {
  const [, , status, reason, approve, reject, total, participants, value] = o.words as number[];
  const args = input.parsed!.args as { event_id: string; verdict: boolean };
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

/** Body of a successful write. Source: DECISIONS 3.2, 3.6, 4. */
export function replyOf(input: EntryInput, o: TxOutcome, c: ReplyContext): object {
  const parsed = input.parsed!;
  const words = o.words as number[];
  const base = { event_id: toHex(o.txId), agent_id: c.ids.agentId(words[0]!) };
  switch (parsed.name) {
    case 'register':
      return registered(o, base, c);
    case 'faucet':
      return {
        ...base,
        amount: words[1],
        balance: words[2],
        next_at: words[3],
        message: 'testnet tokens granted',
      };
    case 'transfer':
      return {
        ...base,
        to_agent: c.ids.agentId(words[1]!),
        amount: words[2],
        balance: words[3],
        status: 'optimistic',
        deadline: words[4],
      };
    case 'generation':
      return {
        ...base,
        beneficiary: c.ids.agentId(words[1]!),
        claimed_value: words[2],
        status: 'optimistic',
        deadline: words[4],
      };
    case 'stake':
    case 'unstake':
      return { ...base, staked_amount: words[2], trust_limit: words[3], balance: words[4] };
    case 'verify':
      return verified(input, o);
    case 'keyCreate': {
      const { name, expires_at } = parsed.args;
      const view = new DataView(input.command.buffer, input.command.byteOffset);
      return {
        event_id: base.event_id,
        key: c.apiKey,
        key_id: toHex(input.command.subarray(96, 104)),
        name,
        scopes: scopeNames(view.getUint32(136, true)),
        owner_id: base.agent_id,
        hourly_limit: view.getUint32(140, true),
        created_at: c.timeSecs,
        ...(expires_at ? { expires_at } : {}),
      };
    }
    case 'keyRevoke':
      return { event_id: base.event_id, key_id: toHex(input.command.subarray(96, 104)), status: 'revoked' };
  }
}
