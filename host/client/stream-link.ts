// One WebSocket connection of a follower: its messages in order, until it ends for any reason.
// Keeps: the queue of unread messages is bounded; if the reader falls behind, the connection is closed, since the
// follower resumes where it was.

import type { Clock } from '../world/clock.ts';
import type { StreamMessage } from './stream-types.ts';
import { badCall, VwsError } from './vws-error.ts';

/** A handler as libraries declare theirs, each for an event of its own with at least these members. */
type Handler<E> = { handle(event: E): void }['handle'] | null;

/** The part of a WebSocket that is used; browsers, Node 22 and later and the package `ws` provide it. */
export interface SocketLike {
  onmessage: Handler<{ data: unknown }>;
  onclose: Handler<{ code: number; reason: string }>;
  onerror: Handler<never>;
  close(code?: number): void;
}

/** A socket that can also send, once it is open. */
export interface WritingSocket extends SocketLike {
  onopen: Handler<never>;
  send(text: string): void;
}

/** How the platform opens a WebSocket. Error: VwsError `bad_call` where it has none. */
export function globalSocket(): (url: string) => WritingSocket {
  const { WebSocket } = globalThis as { WebSocket?: new (url: string) => WritingSocket };
  if (WebSocket) return (url) => new WebSocket(url);
  throw badCall('no global WebSocket: give openSocket');
}

const MAX_WAITING = 8192;

export class StreamLink {
  /** A message has arrived over it. */
  isProven = false;
  private waiting: StreamMessage[] = [];
  private at = 0;
  private isOpen = true;
  private fault: VwsError | undefined;
  private wake: () => void = () => {};
  private cancelWatch: () => void = () => {};

  /** `idleMs`: a connection without messages for this long may be dead unnoticed. */
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

  /**
   * The next message; undefined once the connection has ended and everything was read. Errors: VwsError `bad_answer`.
   */
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

  /** Ends the connection; messages that have arrived can still be read. */
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
        message: 'the stream sent something other than an event message',
      });
      this.close();
      return;
    }
    this.isProven = true;
    this.watch();
    this.waiting.push(message);
    if (this.waiting.length - this.at >= MAX_WAITING) this.close();
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
    if (!Number.isSafeInteger(message.seq) || typeof message.type !== 'string') return undefined;
    // Followers go on from where a gap ends: without a number they would end in silence.
    return message.type === 'gap' && !Number.isSafeInteger(message.data?.to) ? undefined : message;
  } catch {
    return undefined;
  }
}
