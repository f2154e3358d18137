// Documents for registrations, transfers, stake and verdicts.

import * as abi from '../../../assembly/abi.ts';
import type { AgentDoc } from '../../store/documents.ts';
import { rowKey, rowU32 } from '../../store/prefixes.ts';
import { addressBytes, encodeAddress } from '../../wire/address.ts';
import { fromUtf8, toHex } from '../../wire/bytes.ts';
import type { LEDGER_OPERATIONS } from '../../wire/operations/ledger.ts';
import { noteVote } from './task-events.ts';
import type { Executed, ExecutedTx, Projections } from './types.ts';
import { NO_VOTES } from './votes.ts';

/** Stores the names and the deposit address of a new agent. */
function register({ parsed, input, outcome, doc, writer }: Executed<'register'>): void {
  const { set, c } = writer;
  const [index, grant, staked] = outcome.words as [number, number, number];
  const isLimited = outcome.words[abi.RESULT_REGISTER_IS_LIMITED] === 1;
  const view = new DataView(input.command.buffer, input.command.byteOffset);
  const id = fromUtf8(input.command.subarray(140, 140 + view.getUint32(136, true)));
  const name = parsed.args.display_name;
  const names: AgentDoc = { id, ...(name === undefined ? {} : { name }) };
  set.putJson(rowKey.agent(index), names);
  c.ids.add(index, names);
  doc.agent_id = id;
  const key = c.ids.state.agent(index)!.publicKey;
  if (key) {
    set.put(rowKey.address(addressBytes(key)), rowU32(index));
    Object.assign(doc.payload, {
      public_key: toHex(key),
      deposit_address: encodeAddress(key, c.testnet),
    });
  }
  Object.assign(doc.payload, {
    onboarding_allocation: grant,
    onboarding_limited: isLimited,
    staked_amount: staked,
  });
}

/** Completes an event that takes verdicts: its panel and its deadline. */
function open({ outcome, doc, writer }: ExecutedTx): void {
  const words = outcome.words as number[];
  const { ids } = writer.c;
  doc.recipient_id = ids.agentId(words[1]!);
  doc.amount = words[2]!;
  doc.settlement_state = 'optimistic';
  doc.deadline = words[4]!;
  doc.votes = NO_VOTES;
  doc.assigned_to = words.slice(6, 6 + words[5]!).map((v) => ids.validatorId(v));
}

function stake({ outcome, doc }: ExecutedTx): void {
  doc.amount = outcome.words[1]!;
  doc.payload.staked_amount = outcome.words[2]!;
}

export const LEDGER_PROJECTIONS: Projections<keyof typeof LEDGER_OPERATIONS> = {
  register,
  faucet({ outcome, doc }) {
    doc.amount = outcome.words[1]!;
    doc.payload.amount = outcome.words[1]!;
  },
  transfer(tx) {
    open(tx);
    if (tx.parsed.args.memo !== undefined) tx.doc.memo = tx.parsed.args.memo;
  },
  generation(tx) {
    open(tx);
    tx.doc.claimed_value = tx.outcome.words[2]!;
    tx.doc.evidence_hash = tx.parsed.args.evidence_hash;
    tx.doc.task_description = tx.parsed.args.task_description ?? '';
  },
  stake,
  unstake: stake,
  verify({ parsed, outcome, doc, writer }) {
    Object.assign(doc.payload, {
      target_event_id: parsed.args.event_id,
      validator_id: writer.c.ids.validatorId(outcome.words[1]!),
      weight: outcome.words[9]!,
    });
    noteVote(parsed.args.event_id, writer);
  },
  voteCommit({ parsed, outcome, doc, writer }) {
    Object.assign(doc.payload, {
      target_event_id: parsed.args.event_id,
      validator_id: writer.c.ids.validatorId(outcome.words[abi.RESULT_VALIDATOR]!),
    });
    noteVote(parsed.args.event_id, writer);
  },
};
