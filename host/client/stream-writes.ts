// Signed writes over an open stream (protocol 9.5): one connection, frames with an id, answers in any order.
// Keeps: each exchange ends with the outcomes of its writes or as a lost answer, also when the connection does; nothing is
// sent twice here. Where no stream can be had, an exchange goes by HTTP as it would without one.

import { isRecord } from '../wire/json.ts';
import type { Clock } from '../world/clock.ts';
import { asItem, type Carrier, estimatedBytes, MAX_BATCH, outcomesOf, replyOf } from './batches.ts';
import type { SignedRequest } from './signed-request.ts';
import { globalSocket, type WritingSocket } from './stream-link.ts';
import type { Reply } from './transport.ts';
import { VwsError } from './vws-error.ts';

/** Frames under way, and bytes of one, that a node takes (protocol 9.5), with room for the id. */
const MAX_FRAMES = 8;
const MAX_FRAME_BYTES = 65_000;

interface StreamWritesOptions {
  /** Required without a global WebSocket: e.g. `(url) => new WebSocket(url)` of the package `ws`. */
  openSocket?: (url: string) => WritingSocket;
}

/** What a client says of its node. */
interface Node {
  baseUrl: string;
  clock: Pick<Clock, 'setTimer'>;
  /** Longest wait for the opening, and for one answer. */
  timeoutMs: number;
  /** Carries what finds no stream, or is too large for a frame. */
  otherwise: Carrier;
}

/** Another way for the writes of a client than a request each. */
export interface WritesOver {
  carrier(node: Node): Carrier;
  /** Ends its connection; answers that are still awaited are lost. The next write opens another. */
  close(): void;
}

interface Exchange {
  requests: readonly SignedRequest[];
  resolve(replies: Reply[]): void;
  reject(error: VwsError): void;
  cancelTimer(): void;
}

/** One connection, from its opening to its end. */
class Connection {
  readonly #underWay = new Map<number, Exchange>();
  readonly #socket: WritingSocket;
  #next = 1;
  #isOver = false;
  /** Whether it could be opened. */
  readonly opened: Promise<boolean>;

  constructor(
    socket: WritingSocket,
    private readonly node: Node,
    private readonly onEnd: () => void,
  ) {
    this.#socket = socket;
    this.opened = new Promise((resolve) => {
      const cancel = node.clock.setTimer(() => this.close(), node.timeoutMs);
      socket.onopen = () => {
        cancel();
        resolve(true);
      };
      socket.onclose = () => {
        cancel();
        resolve(false);
        this.#end();
      };
    });
    socket.onmessage = ({ data }) => this.#take(data);
    // 'close' follows.
    socket.onerror = () => {};
  }

  send(requests: readonly SignedRequest[]): Promise<Reply[]> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) {
        reject(lost(this.node.baseUrl));
        return;
      }
      const id = this.#next++;
      // A connection that leaves an answer out is of no use to the others either.
      const cancelTimer = this.node.clock.setTimer(() => this.close(), this.node.timeoutMs);
      this.#underWay.set(id, { requests, resolve, reject, cancelTimer });
      this.#socket.send(JSON.stringify({ id, requests: requests.map(asItem) }));
    });
  }

  close(): void {
    this.#socket.close();
    this.#end();
  }

  #take(data: unknown): void {
    let message: unknown;
    try {
      message = JSON.parse(String(data));
    } catch {
      return;
    }
    // Anything without an id that was given is a message of the stream.
    if (!isRecord(message) || typeof message.id !== 'number') return;
    const exchange = this.#underWay.get(message.id);
    if (!exchange) return;
    this.#underWay.delete(message.id);
    exchange.cancelTimer();
    const { requests, resolve, reject } = exchange;
    const whole = replyOf(message);
    try {
      resolve(whole ? requests.map(() => whole) : outcomesOf(requests, 200, message));
    } catch (error) {
      reject(error as VwsError);
    }
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onEnd();
    for (const { reject, cancelTimer } of this.#underWay.values()) {
      cancelTimer();
      reject(lost(this.node.baseUrl));
    }
    this.#underWay.clear();
  }
}

const lost = (baseUrl: string): VwsError =>
  new VwsError({
    status: 0,
    code: 'unreachable',
    message: `no answer from ${baseUrl}: the stream has ended`,
  });

class StreamCarrier implements Carrier {
  readonly most = { exchanges: MAX_FRAMES, requests: MAX_BATCH, bytes: MAX_FRAME_BYTES };
  #connection: Connection | undefined;

  constructor(
    private readonly node: Node,
    private readonly openSocket: (url: string) => WritingSocket,
  ) {}

  async carry(requests: readonly SignedRequest[]): Promise<Reply[]> {
    const bytes = requests.reduce((sum, request) => sum + estimatedBytes(request), 0);
    if (bytes > MAX_FRAME_BYTES) return this.node.otherwise.carry(requests);
    const connection = this.#open();
    if (!(await connection.opened)) return this.node.otherwise.carry(requests);
    return connection.send(requests);
  }

  #open(): Connection {
    if (this.#connection) return this.#connection;
    // No event has this type: a stream of gaps alone.
    const url = `${this.node.baseUrl.replace(/^http/, 'ws')}/v1/ws?filter=gap&writes=true`;
    const connection = new Connection(this.openSocket(url), this.node, () => {
      this.#connection = undefined;
    });
    this.#connection = connection;
    return connection;
  }

  close(): void {
    this.#connection?.close();
  }
}

/**
 * The writes of a client go over a stream that stays open until `close`. Error: VwsError `bad_call` without a global
 * WebSocket.
 */
export function overStream({ openSocket = globalSocket() }: StreamWritesOptions = {}): WritesOver {
  const carriers: StreamCarrier[] = [];
  return {
    carrier: (node) => {
      const carrier = new StreamCarrier(node, openSocket);
      carriers.push(carrier);
      return carrier;
    },
    close: () => {
      for (const carrier of carriers) carrier.close();
    },
  };
}
