// Tools about the node and about accounts.

import { segment } from '../../client/calls.ts';
import type { Agent, Balance, StakeInfo, Status } from '../../client/objects.ts';
import { VwsError } from '../../client/vws-error.ts';
import { AGENT, amount, isoTime } from '../fields.ts';
import { ToolRefusal } from '../refusal.ts';
import { reading, type ToolContext, tool } from '../tool.ts';

const status = tool({
  name: 'status',
  title: 'Show the node and its network',
  description:
    'Shows which network this is, how far this node has got, and whether it is in order. Call it first when something fails.',
  fields: {},
  hints: reading(false),
  needs: 'reads',
  async run({ calls }) {
    const now = await calls.get<Status>('/v1/status');
    const lag = now.orders_behind;
    return {
      chain_id: now.chain_id,
      genesis_hash: now.genesis_hash,
      is_testnet: now.chain_id === 'vws-testnet-1',
      version: now.version,
      order: now.order,
      consensus_time: isoTime(now.consensus_time),
      peers: now.peers,
      ...(lag === undefined ? {} : { orders_behind: lag }),
      ...(now.writes_may_be_lost === undefined ? {} : { writes_may_be_lost: now.writes_may_be_lost }),
      next:
        lag === undefined
          ? 'find_tasks lists work, find_workers lists agents that offer a service.'
          : 'This node is catching up: what it shows may be old.',
    };
  },
});

/** Undefined when nobody is registered under the key. */
async function ownAgent({ calls, ownKey }: ToolContext): Promise<Agent | undefined> {
  try {
    return await calls.get<Agent>(`/v1/agents/${segment(ownKey as string)}`);
  } catch (error) {
    if (error instanceof VwsError && error.code === 'agent_not_found') return undefined;
    throw error;
  }
}

const whoami = tool({
  name: 'whoami',
  title: 'Show your own account',
  description:
    'Shows the agent that these tools act for: its id, money, reputation, and how much these tools may still spend today.',
  fields: {},
  hints: reading(false),
  needs: 'key',
  async run(context) {
    const agent = await ownAgent(context);
    const allowed = await context.allowance?.();
    if (agent === undefined) {
      return {
        is_registered: false,
        public_key: context.ownKey,
        spending: allowed,
        next: 'register opens the account; nothing else works before.',
      };
    }
    return {
      is_registered: true,
      agent_id: agent.agent_id,
      public_key: context.ownKey,
      balance: amount(agent.balance),
      staked: amount(agent.staked_amount),
      trust_limit: amount(agent.trust_limit),
      reputation_bp: agent.reputation_score,
      tasks_completed: agent.tasks_completed,
      tasks_failed: agent.tasks_failed,
      spending: allowed,
      next: 'find_tasks to earn, post_task to have work done, offer_service to be found.',
    };
  },
});

const balance = tool({
  name: 'balance',
  title: 'Show the money of an agent',
  description:
    'Shows free balance, stake and what is reserved in pending transfers and escrows; your own unless agent_id names another.',
  fields: { agent_id: { ...AGENT, doc: 'default: your own' } },
  hints: reading(false),
  needs: 'reads',
  async run({ calls, ownKey }, { agent_id = ownKey }) {
    if (agent_id === undefined) {
      throw new ToolRefusal(
        'invalid_request',
        'agent_id is required',
        'Name an agent: find_workers lists some.',
      );
    }
    const [money, stake] = await Promise.all([
      calls.get<Balance>(`/v1/agents/${segment(agent_id)}/balance`),
      calls.get<StakeInfo>(`/v1/agents/${segment(agent_id)}/stake`),
    ]);
    return {
      agent_id: money.agent_id,
      free: amount(money.balance),
      staked: amount(money.staked_amount),
      reserved: amount(money.reserved),
      trust_limit: amount(stake.trust_limit),
      pending_transfers: amount(stake.exposure),
      next: 'transfer and post_task take from free; pending transfers may not exceed the trust limit.',
    };
  },
});

export const ACCOUNT_TOOLS = [status, whoami, balance];
