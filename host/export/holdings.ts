// The accounts of the ledger by name, and what the core says that each of them holds.
// Names: pool:<name>, agent:<agent_id>:balance, :stake or :escrow, replay_escrow.

import { type AccountKind, POOL_NAMES } from '../core/movements.ts';
import type { AgentState, State } from '../core/state.ts';
import type { Identities } from '../execution/identity.ts';
import { ExportFault, type Holding, SUPPLY } from './batch.ts';

const AGENT_KINDS = ['balance', 'stake', 'escrow'] as const;
type AgentKind = (typeof AGENT_KINDS)[number];

const AMOUNTS: Readonly<Record<AgentKind, (agent: AgentState) => number>> = {
  balance: ({ balance }) => balance,
  stake: ({ staked }) => staked,
  escrow: ({ reserved }) => reserved,
};

export function accountName(ids: Identities, kind: AccountKind, index: number): string {
  if (kind === 'pool') return `pool:${POOL_NAMES[index]!}`;
  return kind === 'replay_escrow' ? kind : `agent:${ids.agentId(index)}:${kind}`;
}

/** What the account holds now. */
export function holdingOf(state: State, kind: AccountKind, index: number): number {
  if (kind === 'pool') return state.header().pools[index]!;
  return kind === 'replay_escrow' ? state.header().replayEscrow : AMOUNTS[kind](state.agent(index)!);
}

/** All accounts that ever held anything or belong to an agent. Errors: ExportFault where they are not the supply. */
export function allHoldings(state: State, ids: Identities): Holding[] {
  const { agents, pools, replayEscrow } = state.header();
  const holdings: Holding[] = [
    ...pools.map((amount, pool): Holding => [accountName(ids, 'pool', pool), amount]),
    ['replay_escrow', replayEscrow],
  ];
  for (let index = 0; index < agents; index++) {
    const agent = state.agent(index)!;
    for (const kind of AGENT_KINDS) holdings.push([accountName(ids, kind, index), AMOUNTS[kind](agent)]);
  }
  const sum = holdings.reduce((total, [, amount]) => total + amount, 0);
  if (sum !== SUPPLY) throw new ExportFault('differs', `the accounts sum to ${sum}, not to ${SUPPLY}`);
  return holdings;
}
