// Everything that clients of a run asked and were answered, and what must hold of it against the order.
// Source: linearizability (Herlihy and Wing 1990), with the order that the validators agreed on as the witness.

import type { Watch } from './watch.ts';

export interface Call {
  agent: number;
  machine: string;
  /** Which disk of the machine answered: one that was put back shows less than the one before. */
  disk: number;
  method: string;
  path: string;
  startMs: number;
  /** Undefined: no answer came. */
  endMs?: number;
  status?: number;
  code?: string;
  /** X-Service-TxID of a write that was executed. */
  txId?: string;
  /** X-Service-Order of the answer. */
  order?: number;
}

const isWrite = ({ method }: Call): boolean => method !== 'GET';
const isExecuted = (call: Call): call is Call & { txId: string; order: number; endMs: number } =>
  isWrite(call) && call.status !== undefined && call.status < 300 && call.txId !== undefined;

export class History {
  readonly calls: Call[] = [];

  get executed(): (Call & { txId: string; order: number; endMs: number })[] {
    return this.calls.filter(isExecuted);
  }

  /**
   * The first thing that does not hold, or undefined.
   * Every write that was answered 2xx is in the order, at the place that was told; a write that was answered before another
   * was asked for stands before it; and no answer of a machine shows less than that machine has shown before.
   */
  fault(watch: Watch): string | undefined {
    return this.#missing(watch) ?? this.#overtaken() ?? this.#stale();
  }

  #missing(watch: Watch): string | undefined {
    for (const { txId, order, method, path, machine } of this.executed) {
      const seq = watch.seqs.get(txId);
      const event = seq === undefined ? undefined : watch.events.get(seq);
      if (!event) return `${method} ${path} at ${machine} was answered and ${txId} is nowhere in the order`;
      if (event.order !== order)
        return `${method} ${path} at ${machine}: told order ${order}, it is at ${event.order}`;
    }
    return undefined;
  }

  #overtaken(): string | undefined {
    const byStart = [...this.executed].sort((a, b) => a.startMs - b.startMs);
    const byEnd = [...this.executed].sort((a, b) => a.endMs - b.endMs);
    let ended = 0;
    let newest: (typeof byEnd)[number] | undefined;
    for (const call of byStart) {
      for (; ended < byEnd.length && byEnd[ended]!.endMs < call.startMs; ended++) {
        if (!newest || byEnd[ended]!.order > newest.order) newest = byEnd[ended];
      }
      if (newest && newest.order >= call.order)
        return `${call.path} (order ${call.order}) was asked for after ${newest.path} (order ${newest.order}) had been answered`;
    }
    return undefined;
  }

  #stale(): string | undefined {
    const shown = new Map<string, { order: number; endMs: number }[]>();
    const answered = this.calls.filter((c) => c.endMs !== undefined && c.order !== undefined);
    for (const call of [...answered].sort((a, b) => a.endMs! - b.endMs!)) {
      const name = `${call.machine} ${call.disk}`;
      const before = shown.get(name) ?? [];
      const least = before.findLast(({ endMs }) => endMs < call.startMs);
      if (least && call.order! < least.order && !isWrite(call))
        return `${call.machine} showed order ${call.order} after it had shown ${least.order}`;
      const top = Math.max(call.order!, before.at(-1)?.order ?? 0);
      shown.set(name, [...before.slice(-64), { order: top, endMs: call.endMs! }]);
    }
    return undefined;
  }
}
