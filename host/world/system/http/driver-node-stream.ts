// Streams on node:http with ws: the handshake, and the StreamSocket of an open connection.
// Keeps: with an `upgrade` listener, node hands over every request that offers an upgrade, even if it is not a WebSocket
// handshake; such a request is answered like any other, on the raw socket, which is then closed.

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  after,
  type HttpReply,
  type HttpService,
  type StreamListener,
  type StreamOpener,
  type StreamSocket,
} from '../../http.ts';
import type { RequestHead } from '../../request-head.ts';
import { BodyParts } from './driver-body.ts';
import {
  CLOSE_SHUTDOWN,
  CLOSE_TOO_LARGE,
  type DriverClock,
  GONE,
  headRefusal,
  IdleFrames,
  isBodiless,
  isDriversHeader,
  isHandshake,
  isTooLarge,
  MAX_FRAME_BYTES,
  READ_SECS,
  safeHeaderValue,
  statusLine,
} from './driver-rules.ts';

/** An empty part costs a microsecond, and a frame is counted when it is whole. Source: protocol 8.2. */
const MAX_FRAME_PARTS = 1_000;

const TEXT = { binary: false, compress: false };

class NodeStream implements StreamSocket {
  constructor(
    private readonly ws: WebSocket,
    private readonly socket: Socket,
    private readonly onSent: () => void,
  ) {}

  send(messages: readonly Uint8Array[]): void {
    if (!this.isOpen) return;
    this.socket.cork();
    for (const [i, message] of messages.entries())
      this.ws.send(message, TEXT, i === messages.length - 1 ? this.sent : undefined);
    this.socket.uncork();
  }

  /** The system has accepted the last of some messages. A socket's own `drain` comes only after more than its high-water mark. */
  private readonly sent = (error?: Error): void => {
    if (!error && this.isOpen) this.onSent();
  };

  unsentBytes(): number {
    return this.isOpen ? this.ws.bufferedAmount : 0;
  }

  ping(): void {
    if (this.isOpen) this.ws.ping();
  }

  close(code: number, reason: string): void {
    this.ws.close(code, reason);
  }

  terminate(): void {
    this.ws.terminate();
  }

  get isOpen(): boolean {
    return this.ws.readyState === this.ws.OPEN;
  }
}

/** Writes an answer to a socket detached from node's parser, and ends the connection. */
export function writeRaw(socket: Socket, method: string, reply: HttpReply): void {
  if (!socket.writable) return;
  const lines = [`HTTP/1.1 ${statusLine(reply.status)}`];
  for (const name in reply.headers) {
    if (!isDriversHeader(name)) lines.push(`${name}: ${safeHeaderValue(name, reply.headers[name]!)}`);
  }
  const isBare = isBodiless(reply.status);
  if (!isBare) lines.push(`Content-Length: ${Buffer.byteLength(reply.body)}`);
  lines.push('Connection: close', '', '');
  socket.write(lines.join('\r\n'));
  if (method === 'HEAD' || isBare) socket.end();
  else socket.end(reply.body);
}

export class NodeStreams {
  private readonly wss = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
    maxFragments: MAX_FRAME_PARTS,
  });
  private readonly streams = new Set<NodeStream>();
  private readonly bare = new Set<Socket>();

  /** `onChange`: called when a stream or an answer has ended. */
  constructor(
    private readonly service: HttpService,
    private readonly clock: DriverClock,
    private readonly onChange: () => void,
  ) {}

  /** Number of open streams and of unfinished answers on raw sockets. */
  get size(): number {
    return this.streams.size + this.bare.size;
  }

  /** Takes over the socket of a request that offers an upgrade. `rest`: bytes received after its head. */
  upgrade(req: IncomingMessage, head: RequestHead, socket: Socket, rest: Buffer): void {
    socket.on('error', () => socket.destroy());
    const refusal = headRefusal(head, this.service.maxBodyBytes(head.method, head.path));
    if (refusal) {
      writeRaw(socket, head.method, this.service.refusal(refusal));
      return;
    }
    const decision = isHandshake(head) ? this.service.upgrade(head) : undefined;
    // A good handshake is not judged again, in the way of ws, which would refuse some and choose among protocols.
    req.headers.upgrade = 'websocket';
    delete req.headers['sec-websocket-protocol'];
    void after(decision, (known) => this.decided(known, req, head, socket, rest));
  }

  private decided(
    decision: HttpReply | StreamOpener | undefined,
    req: IncomingMessage,
    head: RequestHead,
    socket: Socket,
    rest: Buffer,
  ): void {
    if (decision === undefined) this.ordinary(head, socket, rest);
    else if (typeof decision !== 'function') writeRaw(socket, head.method, decision);
    else this.open(decision, req, socket, rest);
  }

  private open(opener: StreamOpener, req: IncomingMessage, socket: Socket, rest: Buffer): void {
    let isOpened = false;
    this.wss.handleUpgrade(req, socket, rest, (ws) => {
      isOpened = true;
      this.opened(ws, socket, opener);
    });
    // Where the client has closed its side, or both, ws ends the connection without a word.
    if (!isOpened) opener(GONE).closed();
  }

  private opened(ws: WebSocket, socket: Socket, opener: StreamOpener): void {
    let listener: StreamListener | undefined;
    const stream = new NodeStream(ws, socket, () => listener?.drained());
    const idle = new IdleFrames(this.clock);
    const idled = (): void => {
      if (stream.isOpen && idle.isFlooded()) stream.terminate();
    };
    this.streams.add(stream);
    // On a frame that is too large or malformed, ws closes with the matching code; 'close' follows.
    ws.on('error', () => {});
    ws.on('ping', idled);
    ws.on('pong', () => {
      listener?.pong();
      idled();
    });
    ws.on('message', (message: Buffer) => {
      if (isTooLarge(listener, message.length)) ws.close(CLOSE_TOO_LARGE, 'frame too large');
      else if (!listener?.frame) idled();
      else if (stream.isOpen) listener.frame(message);
    });
    ws.on('close', () => {
      this.streams.delete(stream);
      listener?.closed();
      this.onChange();
    });
    listener = opener(stream);
  }

  private ordinary(head: RequestHead, socket: Socket, rest: Buffer): void {
    const answer = (reply: HttpReply): void => {
      cancel();
      writeRaw(socket, head.method, reply);
    };
    this.bare.add(socket);
    const cancel = this.clock.setTimer(() => socket.destroy(), READ_SECS * 1000);
    socket.once('close', () => {
      cancel();
      this.bare.delete(socket);
      this.onChange();
    });
    if (head.header('transfer-encoding') !== undefined) {
      answer(this.service.refusal('invalid_request'));
      return;
    }
    void after(this.service.admit(head), (early) => {
      if (early) answer(early);
      else this.readBody(head, socket, rest, answer);
    });
  }

  private readBody(
    head: RequestHead,
    socket: Socket,
    rest: Buffer,
    answer: (reply: HttpReply) => void,
  ): void {
    // headRefusal has already compared the length with the limit.
    const length = Number(head.header('content-length') ?? 0);
    const body = new BodyParts();
    /** The body is there, or never will be. */
    let isOver = false;
    const take = (chunk: Buffer): void => {
      if (isOver) return;
      body.add(chunk.subarray(0, length - body.bytes));
      if (body.bytes < length) return;
      isOver = true;
      head.body = body.take();
      this.service.handle(head, answer);
    };
    const leave = (): void => {
      if (isOver) return;
      isOver = true;
      socket.destroy();
      this.service.gone?.(head);
    };
    take(rest);
    // What its client has not sent before the end of its side never comes; that may have been before now.
    if (!socket.readable) leave();
    socket.once('end', leave);
    socket.once('close', leave);
    socket.on('data', take);
  }

  /** Sends a close frame to all streams. */
  shutdown(): void {
    for (const stream of this.streams) stream.close(CLOSE_SHUTDOWN, 'the node stops');
  }

  /** Ends all remaining connections. */
  terminate(): void {
    for (const stream of this.streams) stream.terminate();
    for (const socket of this.bare) socket.destroy();
  }
}
