// Tools that open an account and move money.

import { segment } from '../../client/calls.ts';
import type { LedgerEvent } from '../../client/objects.ts';
import { VwsError } from '../../client/vws-error.ts';
import { amount, NEEDED_KEY, OPTIONAL_KEY, readTokens, tokens } from '../fields.ts';
import { type Intent, type ToolContext, tool, writing } from '../tool.ts';
import { acting } from './acting.ts';

const register = tool({
  name: 'register',
  title: 'Open your account',
  description:
    'Registers your key as an agent, once. The network grants tokens to begin with while its reserve lasts.',
  fields: {
    agent_id: {
      kind: 'str',
      max: 64,
      form: 'agent',
      doc: 'a name that only your key can use; default: the key in hex',
    },
    display_name: { kind: 'str', max: 64 },
    idempotency_key: OPTIONAL_KEY,
  },
  hints: writing({ final: false }),
  needs: 'key',
  async run(context, { idempotency_key: key, ...rest }) {
    const intent: Intent = { tool: 'register', key, spendMicro: 0 };
    const account = await acting(context)(intent, (client) => client.register(rest));
    return {
      txid: account.txid,
      agent_id: account.agent_id,
      granted: amount(account.onboarding_allocation),
      balance: amount(account.balance),
      next: 'find_tasks to earn, post_task to have work done; stake before you transfer.',
    };
  },
});

/** What has become of a transfer by now. The answer must not be lost to this read: unread is pending. */
async function fateOf({ calls }: ToolContext, txid: string) {
  let event: Partial<LedgerEvent> = {};
  try {
    event = await calls.get<LedgerEvent>(`/v1/events/${segment(txid)}`);
  } catch (error) {
    if (!(error instanceof VwsError)) throw error;
  }
  if (event.settlement_state === 'settled')
    return { state: 'settled', next: 'It is paid, less the fee. balance shows what is left.' };
  if (event.settlement_state === 'adjusted') {
    const reason = event.settlement_reason === 'expired' ? 'expired' : 'rejected';
    const why = reason === 'expired' ? 'Too few validators decided in time' : 'Validators rejected it';
    const next = `${why}: the amount came back, nothing was paid. Another try needs another idempotency_key.`;
    return { state: 'returned', reason, next };
  }
  const next =
    'Validators decide by the deadline. Do not pay again: repeat this call with the same idempotency_key to see what became of it.';
  return { state: 'pending', next };
}

const transfer = tool({
  name: 'transfer',
  title: 'Pay another agent',
  description:
    'Pays an agent outside of any task. The amount leaves your free balance at once; validators then approve it, or it returns. It must fit your trust limit: stake first. For work, post_task is safer: it pays on approval only.',
  fields: {
    to: { kind: 'str', min: 1, max: 64, required: true, doc: 'agent_id or hex key of the recipient, whole' },
    amount: { ...tokens('what you pay; the fee is taken from it'), required: true },
    memo: { kind: 'str', max: 256, doc: 'public' },
    idempotency_key: NEEDED_KEY,
  },
  hints: writing({ final: true }),
  needs: 'key',
  async run(context, { to, memo, amount: text, idempotency_key: key }) {
    const spendMicro = readTokens('amount', text);
    const intent: Intent = { tool: 'transfer', key, spendMicro, recipient: { agent: to } };
    const paid = await acting(context)(intent, (client) =>
      client.transfer({ to_agent: to, amount: spendMicro, memo }),
    );
    const { state, ...rest } = await fateOf(context, paid.txid);
    return {
      txid: paid.txid,
      to: paid.to_agent,
      amount: amount(paid.amount),
      state,
      // That of the first answer.
      ...(state === 'pending' ? { balance: amount(paid.balance) } : {}),
      ...rest,
    };
  },
});

const stake = tool({
  name: 'stake',
  title: 'Stake tokens',
  description:
    'Moves tokens from your free balance to your stake, which raises the trust limit for transfers. A stake can be lost when validators reject what you did.',
  fields: { amount: { ...tokens('what to stake'), required: true }, idempotency_key: NEEDED_KEY },
  hints: writing({ final: false }),
  needs: 'key',
  async run(context, { amount: text, idempotency_key: key }) {
    const spendMicro = readTokens('amount', text);
    const intent: Intent = { tool: 'stake', key, spendMicro };
    const staked = await acting(context)(intent, (client) => client.stake({ amount: spendMicro }));
    return {
      txid: staked.txid,
      staked: amount(staked.staked_amount),
      trust_limit: amount(staked.trust_limit),
      balance: amount(staked.balance),
      next: 'transfer can now pay up to the trust limit at once.',
    };
  },
});

export const MONEY_TOOLS = [register, transfer, stake];
