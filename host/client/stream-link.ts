// One WebSocket connection of a follower: its messages in order, until it ends for whatever reason.
// Keeps: what waits to be read is bounded; when the reader does not keep up the connection is given up, since the
// follower goes on from where it was.

import type { Clock } from '../world/clock.ts';
import type { StreamMessage } from './stream-types.ts';
import { VwsError } from './vws-error.ts';

/** The part of a WebSocket that is used; browsers, Node from 22 on and the package `ws` have it. */
export interface SocketLike {
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  onerror: ((event: never) => void) | null;
  close(code?: number): void;
}

const WAITING_MOST = 8192;

export class StreamLink {
  /** A message has come over it. */
  isProven = false;
  private waiting: StreamMessage[] = [];
  private at = 0;
  private isOpen = true;
  private fault: VwsError | undefined;
  private wake: () => void = () => {};
  private cancelWatch: () => void = () => {};

  /** `idleMs`: a connection that brings nothing for so long may be dead without knowing it. */
  constructor(
    private readonly socket: SocketLike,
    private readonly clock: Pick<Clock, 'setTimer'>,
    private readonly idleMs: number,
  ) {
    socket.onmessage = ({ data }) => this.take(data);
    socket.onclose = () => this.end();
    // 'close' follows.
    socket.onerror = () => {};
    this.watch();
  }

  /** The next message; undefined when the connection has ended and all was read. Errors: VwsError `bad_answer`. */
  async next(): Promise<StreamMessage | undefined> {
    for (;;) {
      if (this.at < this.waiting.length) return this.waiting[this.at++];
      this.waiting = [];
      this.at = 0;
      if (this.fault) throw this.fault;
      if (!this.isOpen) return undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /** Ends it; what has come already can still be read. */
  close(): void {
    if (!this.isOpen) return;
    this.end();
    this.socket.close(1000);
  }

  private end(): void {
    this.isOpen = false;
    this.cancelWatch();
    this.wake();
  }

  private take(data: unknown): void {
    if (!this.isOpen) return;
    const message = parse(data);
    if (!message) {
      this.fault = new VwsError({
        status: 0,
        code: 'bad_answer',
        message: 'the stream sent no event message',
      });
      this.close();
      return;
    }
    this.isProven = true;
    this.watch();
    this.waiting.push(message);
    if (this.waiting.length - this.at >= WAITING_MOST) this.close();
    this.wake();
  }

  private watch(): void {
    this.cancelWatch();
    this.cancelWatch = this.clock.setTimer(() => this.close(), this.idleMs);
  }
}

function parse(data: unknown): StreamMessage | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    const message = JSON.parse(data) as StreamMessage;
    return Number.isSafeInteger(message.seq) && typeof message.type === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
