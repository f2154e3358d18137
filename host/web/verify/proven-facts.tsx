// What a proof shows of a task or an agent, as facts.

import { type Proven, partsOf } from '../../client/index.ts';
import type { Fact } from '../parts/facts.tsx';
import { Chip, Money } from '../parts/values.tsx';

export type ProvenKind = 'agent' | 'task';

/** The members of a task's documents that the page shows. */
interface TaskParts {
  text?: { title?: string };
  state?: { core?: { status: string; budget: number } };
}

export function factsOf(kind: ProvenKind, proven: Proven): Fact[] {
  if (kind === 'task') {
    const { text, state } = (partsOf(kind, proven) ?? {}) as TaskParts;
    const core = state?.core;
    return [
      ['Title, proven', text?.title],
      ['Status, proven', core && <Chip key="status" state={core.status} />],
      ['Budget, proven', core && <Money key="budget" micro={core.budget} />],
    ];
  }
  const account = proven.rows?.account;
  if (!account) return [];
  return [
    ['Balance, proven', <Money key="balance" micro={account.balance} />],
    ['Stake, proven', <Money key="stake" micro={account.staked_amount} />],
    ['Reserved, proven', <Money key="reserved" micro={account.reserved} />],
  ];
}
