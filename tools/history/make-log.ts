// Makes a log of random transactions on a chain, with a given number of them per vertex and time between vertices.
// Keeps: the clock of the log is the caller's; the same chain, story and clock give the same log.

import * as abi from '../../assembly/abi.ts';
import type { Chain } from './chain.ts';
import type { Story } from './story.ts';

/** Time between two vertices, so that deadlines, windows and cooldowns pass within the log. */
export const VERTEX_MS = 1000;

interface LogPlan {
  transactions: number;
  /** Maximum of transactions in one vertex. */
  perVertex: number;
  /** Time of the next vertex, Unix milliseconds. */
  startMs: number;
}

interface LogResult {
  transactions: number;
  refused: number;
  /** Time of a next vertex. */
  nextMs: number;
}

/** Orders `plan.transactions` of the story. */
export async function makeLog(chain: Chain, story: Story, plan: LogPlan): Promise<LogResult> {
  const result: LogResult = { transactions: 0, refused: 0, nextMs: plan.startMs };
  while (result.transactions < plan.transactions) {
    const count = Math.min(plan.perVertex, plan.transactions - result.transactions);
    const nowSecs = Math.floor(result.nextMs / 1000);
    const entries = Array.from({ length: count }, () => story.next(nowSecs));
    const { transactions } = await chain.order(entries, result.nextMs);
    result.transactions += transactions.length;
    result.refused += transactions.filter((t) => t.code !== abi.OK).length;
    result.nextMs += VERTEX_MS;
  }
  return result;
}
