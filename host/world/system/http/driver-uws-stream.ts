// Streams on uWebSockets.js: the handshake, and an open socket as the service sees it.
// Keeps: a socket of uWS is touched only until its close handler ran, since its memory is gone then.
// Pings are the service's; the idle time here only frees what the other side has left behind.

import type {
  TemplatedApp,
  HttpRequest as UwsHead,
  HttpResponse as UwsResponse,
  WebSocket,
} from 'uWebSockets.js';
import type { StreamListener, StreamOpener, StreamSocket } from '../../http.ts';
import { CLIENT_FRAME_BYTES, CLOSE_SHUTDOWN, CLOSE_TOO_LARGE } from './driver-rules.ts';

/** Above what a stream that answers pings ever leaves between two frames. */
const IDLE_SECS = 120;
/** uWS ends a connection without a close frame above this; up to here the reason can be said. */
const FRAME_MOST = 65_536;

interface UserData {
  opener: StreamOpener;
  stream: UwsStream | undefined;
}

class UwsStream implements StreamSocket {
  listener: StreamListener | undefined;
  isOpen = true;

  constructor(private readonly ws: WebSocket<UserData>) {}

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

  ended(): void {
    this.isOpen = false;
    this.listener?.closed();
  }
}

/** What the driver decides: how to answer a request that asks for an upgrade. */
export type Handshake = (res: UwsResponse, head: UwsHead) => StreamOpener | undefined;

export class UwsStreams {
  private readonly open = new Set<UwsStream>();

  /** `handshake` answers itself, or gives what opens the stream. */
  constructor(app: TemplatedApp, handshake: Handshake) {
    app.ws<UserData>('/*', {
      idleTimeout: IDLE_SECS,
      sendPingsAutomatically: false,
      maxPayloadLength: FRAME_MOST,
      // No limit here: the service gives a socket little more than it takes, and nothing may be dropped.
      maxBackpressure: 0,
      upgrade: (res, head, context) => {
        const key = head.getHeader('sec-websocket-key');
        const opener = handshake(res, head);
        if (opener) res.upgrade<UserData>({ opener, stream: undefined }, key, '', '', context);
      },
      open: (ws) => this.opened(ws),
      message: (ws, message) => {
        if (message.byteLength > CLIENT_FRAME_BYTES) ws.end(CLOSE_TOO_LARGE, 'frame too large');
      },
      drain: (ws) => ws.getUserData().stream?.listener?.drained(),
      pong: (ws) => ws.getUserData().stream?.listener?.pong(),
      close: (ws) => {
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
    const stream = new UwsStream(ws);
    user.stream = stream;
    this.open.add(stream);
    stream.listener = user.opener(stream);
  }

  /** Says goodbye to all. */
  shutdown(): void {
    for (const stream of this.open) stream.close(CLOSE_SHUTDOWN, 'the node stops');
  }
}
