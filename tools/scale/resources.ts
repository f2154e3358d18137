// What a vertex takes on its way, besides the wire's delay: the sender's line, the receiver's line, the receiver's processor.
// Each serves one thing after another.
// Keeps: simulated time is whole milliseconds, queues are kept exactly; whatever is sent passes all three; a queue that grows shows as delay, never as loss.

import type { Message } from '../../test/sim/surroundings.ts';
import type { SimVertex } from '../../test/sim/vertex.ts';
import { wanDelayMs } from './wan.ts';

/** Bytes of a vertex without parents and payload, with its signature and what a frame adds. */
const HEADER_BYTES = 260;
const PARENT_BYTES = 32;
/** Of a question for vertices. */
const QUESTION_BYTES = 200;

/** Of a vertex without its payload. */
export const vertexBytes = (parents: number): number => HEADER_BYTES + PARENT_BYTES * parents;

export interface Machine {
  /** Of each seat's line, each way. */
  bitsPerSecond: number;
  /** Work of a node for a vertex without its payload, in microseconds of one core. */
  vertexUs: number;
  /** Work of a node for one transaction of anybody. */
  transactionUs: number;
  /** Cores over which the work for transactions spreads. */
  cores: number;
  /** Bytes of a transaction in a vertex. */
  transactionBytes: number;
  /** Payload travels apart from headers and behind them, so that headers never wait for it. */
  isApart: boolean;
}

function once(known: Map<string, number>, key: string, make: () => number): number {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

export class Resources {
  private readonly sendFreeMs: Float64Array;
  private readonly receiveFreeMs: Float64Array;
  private readonly workFreeMs: Float64Array;
  /** By receiver and vertex: a node takes each vertex once, and asks for none that is on its way. */
  private readonly leftMs: Map<string, number>[];
  private readonly doneMs: Map<string, number>[];

  constructor(
    private readonly machine: Machine,
    private readonly seats: number,
    /** Transactions that one simulated entry stands for. */
    private readonly weight: number,
  ) {
    this.sendFreeMs = new Float64Array(seats);
    this.receiveFreeMs = new Float64Array(seats);
    this.workFreeMs = new Float64Array(seats);
    this.leftMs = Array.from({ length: seats }, () => new Map());
    this.doneMs = Array.from({ length: seats }, () => new Map());
  }

  /** Milliseconds that so many bytes take on a line. */
  private lineMs(bytes: number): number {
    return (bytes * 8000) / this.machine.bitsPerSecond;
  }

  /** Milliseconds that a vertex takes on a line: its header, and all of it. */
  private lineMsOf({ entries, parentKeys }: SimVertex): { headerMs: number; wholeMs: number } {
    const headerMs = this.lineMs(vertexBytes(parentKeys.length));
    const payloadMs = this.lineMs(entries.length * this.weight * this.machine.transactionBytes);
    return { headerMs, wholeMs: headerMs + payloadMs };
  }

  /** Milliseconds from now until the last byte of a message that is sent now reaches the receiver's line. */
  carryMs(from: number, to: number, message: Message, nowMs: number): number {
    const wireMs = wanDelayMs(from, to, this.seats);
    if (message.type !== 'vertices') return wireMs + Math.ceil(this.lineMs(QUESTION_BYTES));
    const left = message.vertices.map((vertex) =>
      once(this.leftMs[to]!, vertex.key, () => {
        const { headerMs, wholeMs } = this.lineMsOf(vertex);
        const sentMs = this.serve(this.sendFreeMs, from, nowMs, wholeMs);
        // Apart: headers pass by what waits of the payload, which was on its way before them.
        return this.machine.isApart ? nowMs + headerMs : sentMs;
      }),
    );
    return Math.ceil(Math.max(nowMs, ...left) + wireMs - nowMs);
  }

  /** Milliseconds from now, when a message reaches the node's line, until the node has worked on it. */
  workMs(to: number, message: Message, nowMs: number): number {
    if (message.type !== 'vertices') return 0;
    const { vertexUs, transactionUs, cores, isApart } = this.machine;
    const done = message.vertices.map((vertex) =>
      once(this.doneMs[to]!, vertex.key, () => {
        const { headerMs, wholeMs } = this.lineMsOf(vertex);
        const receivedMs = this.serve(this.receiveFreeMs, to, nowMs, wholeMs);
        const us = vertexUs + (vertex.entries.length * this.weight * transactionUs) / cores;
        return this.serve(this.workFreeMs, to, isApart ? nowMs + headerMs : receivedMs, us / 1000);
      }),
    );
    return Math.ceil(Math.max(nowMs, ...done) - nowMs);
  }

  /** A node's work for a simulated entry of its own clients. */
  takeIn(node: number, nowMs: number): void {
    const { transactionUs, cores } = this.machine;
    this.serve(this.workFreeMs, node, nowMs, (this.weight * transactionUs) / cores / 1000);
  }

  /** Milliseconds of work and of bytes that wait at the busiest seat: it grows without end past the limit. */
  backlogMs(nowMs: number): number {
    const free = [this.sendFreeMs, this.receiveFreeMs, this.workFreeMs].flatMap((each) => [...each]);
    return Math.max(0, Math.max(...free) - nowMs);
  }

  private serve(free: Float64Array, at: number, fromMs: number, takesMs: number): number {
    free[at] = Math.max(free[at]!, fromMs) + takesMs;
    return free[at]!;
  }
}
