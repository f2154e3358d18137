// Sockets and a clock controlled by a stream test.

import type { StreamQuery } from '../../../host/api/stream-hub.ts';
import type { StreamListener, StreamSocket } from '../../../host/world/http.ts';
import { freeCharge } from './charges.ts';
import { EventSource } from './stream-source.ts';

/** Time that moves when told; timers fire as it passes them. */
export class HandClock {
  ms = 0;
  private timers: { at: number; run: () => void }[] = [];
  monotonicMs = () => this.ms;
  soon = (run: () => void): void => void setImmediate(run);
  setTimer = (run: () => void, ms: number) => {
    const timer = { at: this.ms + ms, run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((t) => t !== timer);
    };
  };
  advance(ms: number): void {
    const end = this.ms + ms;
    for (;;) {
      const due = this.timers.filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.timers = this.timers.filter((t) => t !== due);
      this.ms = due.at;
      due.run();
    }
    this.ms = end;
  }
}

/** A socket whose system takes `room` bytes; what is above waits in it. */
export class FakeSocket implements StreamSocket {
  received: Uint8Array[] = [];
  room = Number.POSITIVE_INFINITY;
  waiting = 0;
  pings = 0;
  code: number | undefined;
  listener!: StreamListener;

  send(messages: readonly Uint8Array[]): void {
    for (const message of messages) {
      this.received.push(message);
      const taken = Math.min(this.room, message.length);
      this.room -= taken;
      this.waiting += message.length - taken;
    }
  }
  unsentBytes = () => this.waiting;
  ping = () => void this.pings++;
  close(code: number): void {
    this.code = code;
    this.listener.closed();
  }
  terminate = () => this.close(1006);
  /** Everything that waits leaves, and from now on all is taken at once. */
  open(): void {
    this.room = Number.POSITIVE_INFINITY;
    this.waiting = 0;
    this.listener.drained();
  }
  get messages() {
    return this.received.map((bytes) => JSON.parse(Buffer.from(bytes).toString()));
  }
  get seqs(): number[] {
    return this.messages.map((m) => m.seq);
  }
}

export const turns = async (count = 50) => {
  for (let i = 0; i < count; i++) await new Promise((next) => setImmediate(next));
};
export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** A hub with its events, and readers of it. */
export function setUp() {
  const clock = new HandClock();
  const source = new EventSource(clock);
  const open = (
    query: StreamQuery = {},
    ip = '10.0.0.1',
    room = Number.POSITIVE_INFINITY,
    charge = freeCharge(ip),
  ): FakeSocket => {
    const socket = new FakeSocket();
    socket.room = room;
    socket.listener = source.hub.admit(charge, query)(socket);
    return socket;
  };
  return { clock, source, open };
}
