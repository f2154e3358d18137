// Streams on uWebSockets.js: the handshake, and the StreamSocket of an open connection.
// Keeps: a socket of uWS is not touched after its close handler ran, since its memory is freed then.
// The service sends pings; the idle timeout here only frees connections that the other side has abandoned.

import type {
  TemplatedApp,
  HttpRequest as UwsHead,
  HttpResponse as UwsResponse,
  WebSocket,
} from 'uWebSockets.js';
import type { StreamListener, StreamOpener, StreamSocket } from '../../http.ts';
import {
  CLOSE_SHUTDOWN,
  CLOSE_TOO_LARGE,
  type DriverClock,
  IdleFrames,
  isTooLarge,
  MAX_FRAME_BYTES,
  MAX_WAITING_PONGS,
} from './driver-rules.ts';

/** Longer than the time between two frames of any stream that answers pings. */
const IDLE_SECS = 120;

interface UserData {
  opener: StreamOpener;
  stream: UwsStream | undefined;
}

class UwsStream implements StreamSocket {
  listener: StreamListener | undefined;
  isOpen = true;
  /** Answers to pings since the client last read anything. */
  private waitingPongs = 0;

  constructor(
    private readonly ws: WebSocket<UserData>,
    private readonly idle: IdleFrames,
  ) {}

  /** Does something in a callback of this socket, which must be open. */
  within(work: () => void): void {
    this.ws.cork(work);
  }

  send(messages: readonly Uint8Array[]): void {
    if (!this.isOpen) return;
    this.ws.cork(() => {
      for (const message of messages) this.ws.send(message, false, false);
    });
  }

  unsentBytes(): number {
    return this.isOpen ? this.ws.getBufferedAmount() : 0;
  }

  ping(): void {
    if (this.isOpen) this.ws.ping();
  }

  close(code: number, reason: string): void {
    if (this.isOpen) this.ws.end(code, reason);
  }

  terminate(): void {
    if (this.isOpen) this.ws.close();
  }

  /** A frame that the stream takes, or any other. Its bytes are memory of uWS, freed when the callback returns. */
  frame(bytes: ArrayBuffer): void {
    if (!this.listener?.frame) this.idled();
    else this.listener.frame(new Uint8Array(bytes).slice());
  }

  /** uWS has answered a ping. */
  ponged(): void {
    if (this.ws.getBufferedAmount() === 0) this.waitingPongs = 0;
    else if (++this.waitingPongs > MAX_WAITING_PONGS) this.terminate();
    this.idled();
  }

  pong(): void {
    this.listener?.pong();
    this.idled();
  }

  private idled(): void {
    if (this.isOpen && this.idle.isFlooded()) this.terminate();
  }

  /** The client has read something. */
  drained(): void {
    this.waitingPongs = 0;
    this.listener?.drained();
  }

  ended(): void {
    this.isOpen = false;
    this.listener?.closed();
  }
}

/** Decides about a request for an upgrade, now or later: answers it, or accepts with the opener of the stream. */
type Handshake = (res: UwsResponse, head: UwsHead, accept: (opener: StreamOpener) => void) => void;

export class UwsStreams {
  private readonly open = new Set<UwsStream>();

  /**
   * `handshake` either answers by itself or accepts. `clock`: for the bound of idle frames. `onEnd`: called when the
   * connection of a stream has ended.
   */
  constructor(
    app: TemplatedApp,
    private readonly clock: Pick<DriverClock, 'monotonicMs'>,
    handshake: Handshake,
    onEnd: () => void,
  ) {
    app.ws<UserData>('/*', {
      idleTimeout: IDLE_SECS,
      sendPingsAutomatically: false,
      // Above this size uWS ends a connection without a close frame.
      maxPayloadLength: MAX_FRAME_BYTES,
      // No limit here: the service limits what it queues for a socket, and nothing may be dropped.
      maxBackpressure: 0,
      upgrade: (res, head, context) => {
        const key = head.getHeader('sec-websocket-key');
        handshake(res, head, (opener) => {
          res.upgrade<UserData>({ opener, stream: undefined }, key, '', '', context);
        });
      },
      open: (ws) => this.opened(ws),
      message: (ws, message) => {
        const { stream } = ws.getUserData();
        if (isTooLarge(stream?.listener, message.byteLength)) ws.end(CLOSE_TOO_LARGE, 'frame too large');
        else stream?.frame(message);
      },
      drain: (ws) => ws.getUserData().stream?.drained(),
      ping: (ws) => ws.getUserData().stream?.ponged(),
      pong: (ws) => ws.getUserData().stream?.pong(),
      close: (ws) => {
        onEnd();
        const { stream } = ws.getUserData();
        if (!stream) return;
        this.open.delete(stream);
        stream.ended();
      },
    });
  }

  get size(): number {
    return this.open.size;
  }

  private opened(ws: WebSocket<UserData>): void {
    const user = ws.getUserData();
    const stream = new UwsStream(ws, new IdleFrames(this.clock));
    user.stream = stream;
    this.open.add(stream);
    stream.listener = user.opener(stream);
    // Closed by its opener: the close handler has run, when there was nobody to be told.
    if (!stream.isOpen) stream.listener.closed();
  }

  /**
   * Opens a stream that was decided on later. Not corked: where the socket keeps its place in memory, the end of a cork reads
   * what is now the state of a stream as that of a request, and closes one connection in 600 (HttpResponse::cork of
   * uWebSockets). In a callback of another stream, where there is one: without any, uWS warns on standard error.
   */
  openLater(accept: () => void): void {
    const [other] = this.open;
    if (other) other.within(accept);
    else accept();
  }

  /** Sends a close frame to all streams. */
  shutdown(): void {
    for (const stream of this.open) stream.close(CLOSE_SHUTDOWN, 'the node stops');
  }
}
