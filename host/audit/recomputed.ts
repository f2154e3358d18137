// The numbers that an auditor computed itself, by document: what a reader compares with what a node shows.
// Keeps: all of one answer are of one state; what is not computed from the log, such as sums over lists, is left out.

import { type SupplyParts, supplyParts } from '../core/supply-parts.ts';
import { validatorObject } from '../views/validators/validator-view.ts';
import { agentKey } from '../wire/ids.ts';
import { checkedEvent, checkedTask } from './answers.ts';
import type { Replica } from './replica.ts';

/** Kinds of documents whose numbers can be asked for; `supply` has one document without an id. */
export type NumbersOf = 'agents' | 'tasks' | 'events' | 'validators' | 'supply';

export type Numbers = Readonly<Record<string, unknown>>;

/** Most documents in one question. */
export const MAX_ASKED = 200;

function agentNumbers({ state }: Replica, id: string): Numbers | undefined {
  const index = state.findAgent(agentKey(id));
  const agent = index === undefined ? undefined : state.agent(index);
  if (!agent) return undefined;
  return {
    balance: agent.balance,
    staked_amount: agent.staked,
    reserved: agent.reserved,
    trust_limit: agent.trustLimit,
    reputation_score: agent.reputationBp,
    standing: agent.standing,
    tasks_completed: agent.completed,
    tasks_failed: agent.failed,
  };
}

function validatorNumbers({ ids }: Replica, id: string): Numbers | undefined {
  const index = ids.findValidator(id);
  return index === undefined ? undefined : validatorObject(ids, index);
}

/** What the escrows are for are sums over lists, which an auditor does not keep, and what is left beside them. */
const SUMMED = ['task_escrows', 'subtask_escrows', 'claim_bonds', 'pending_transfers', 'held'] as const;
const NO_SUMS = { tasks: 0, subtasks: 0, claimBonds: 0, transfers: 0 };

function supplyNumbers({ state }: Replica): Numbers {
  const header = state.header();
  const computed: Partial<SupplyParts> = supplyParts(header, NO_SUMS);
  for (const part of SUMMED) delete computed[part];
  const outside = header.pools.reduce((sum, amount) => sum + amount, 0);
  return {
    ...computed,
    total_supply: header.supply,
    circulating_supply: header.supply - outside,
    total_staked: header.totalStaked,
    total_escrowed: header.totalEscrowed,
    total_fees_collected: header.baseFees + header.assuranceFees,
    agents_registered: header.agents,
  };
}

/** By id; what does not exist is left out. At most MAX_ASKED are looked at. */
export async function recomputed(
  replica: Replica,
  kind: NumbersOf,
  ids: readonly string[],
): Promise<Record<string, Numbers>> {
  if (kind === 'supply') return { supply: supplyNumbers(replica) };
  const found: [string, Numbers][] = [];
  for (const id of ids.slice(0, MAX_ASKED)) {
    const one = await numbersOf(replica, kind, id);
    if (one) found.push([id, one]);
  }
  return Object.fromEntries(found);
}

async function numbersOf(
  replica: Replica,
  kind: Exclude<NumbersOf, 'supply'>,
  id: string,
): Promise<Numbers | undefined> {
  if (kind === 'agents') return agentNumbers(replica, id);
  if (kind === 'validators') return validatorNumbers(replica, id);
  if (kind === 'tasks') return checkedTask(replica, id);
  return (await checkedEvent(replica, id)) as unknown as Numbers | undefined;
}
