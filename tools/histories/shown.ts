// What a history shows at a time: the newest order of each node, and the first start of each signed write.

import { type Call, type Executed, isExecuted, isSuccess } from './call.ts';

type Answered = Call & { order: number; endMs: number };

/** An answer about an earlier execution shows nothing of what the node has now. */
const showsNow = (call: Call): call is Answered =>
  call.endMs !== undefined && call.order !== undefined && isSuccess(call.status) && call.code === undefined;

/**
 * Executed writes, each with the start of its first request: a repetition is answered for what an earlier one did.
 * One row for each answer.
 */
export function executedWrites(calls: readonly Call[]): Executed[] {
  const starts = new Map<string, number>();
  for (const { txId, startMs } of calls) {
    if (txId !== undefined) starts.set(txId, Math.min(startMs, starts.get(txId) ?? startMs));
  }
  return calls.filter(isExecuted).map((call) => ({ ...call, startMs: starts.get(call.txId)! }));
}

export class Shown {
  readonly #byMachine = new Map<string, Answered[]>();
  readonly #anywhere: Answered[];
  /** Executed writes by start, each with the least order from it on. */
  readonly #later: { startMs: number; order: number }[] = [];

  constructor(calls: readonly Call[]) {
    const answered = calls.filter(showsNow).sort((a, b) => a.endMs - b.endMs);
    this.#anywhere = newestSoFar(answered);
    for (const machine of new Set(answered.map((call) => call.machine))) {
      const own = answered.filter((call) => call.machine === machine);
      this.#byMachine.set(machine, newestSoFar(own));
    }
    let least = Number.POSITIVE_INFINITY;
    for (const { startMs, order } of executedWrites(calls).sort((a, b) => b.startMs - a.startMs)) {
      least = Math.min(least, order);
      this.#later.push({ startMs, order: least });
    }
    this.#later.reverse();
  }

  /** The answer with the newest order that this node had given before this time. */
  before(machine: string, startMs: number): Answered | undefined {
    return lastBefore(this.#byMachine.get(machine) ?? [], startMs);
  }

  /** The same of all nodes together. */
  anywhere(startMs: number): Answered | undefined {
    return lastBefore(this.#anywhere, startMs);
  }

  /** The highest order whose state an answer of this time can show: what was asked for later is behind it. */
  most(endMs: number): number {
    const next = this.#later[countUntil(this.#later, ({ startMs }) => startMs <= endMs)];
    return (next?.order ?? Number.POSITIVE_INFINITY) - 1;
  }
}

/** For each call the one with the highest order up to it; ends stay sorted. */
function newestSoFar(calls: readonly Answered[]): Answered[] {
  const newest: Answered[] = [];
  for (const call of calls) {
    const top = newest.at(-1);
    newest.push(top && top.order > call.order ? top : call);
  }
  return newest;
}

const lastBefore = (newest: readonly Answered[], startMs: number): Answered | undefined =>
  newest[countUntil(newest, ({ endMs }) => endMs < startMs) - 1];

/** How many rows at the front hold the condition; it holds for no row behind one for which it does not. */
function countUntil<T>(rows: readonly T[], holds: (row: T) => boolean): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(rows[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
