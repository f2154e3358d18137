// One keep-alive HTTP/1.1 connection of the load generator: send a request as bytes, get its answer.
// Keeps: one request at a time, none pipelined; an answer must have Content-Length, which every server measured here
// sends. A lost connection is an error of the current request, never a silent retry.

import { connect, type Socket } from 'node:net';

export interface Answer {
  status: number;
  /** Status line and headers, as sent. */
  head: string;
  body: Buffer;
}

/** The connection ended before the answer: the request may or may not have been executed. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}

const HOST = '127.0.0.1';
const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /\r\ncontent-length: *(\d+)/i;

interface Exchange {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

export class Connection {
  private received: Buffer = Buffer.alloc(0);
  private waiting: Exchange | undefined;
  private lost: Error | undefined;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('error', (error) => this.end(error.message));
    socket.on('close', () => this.end('closed by the server'));
  }

  /** `host`: this machine unless given. Errors: ConnectionLost if nobody listens. */
  static open(port: number, host = HOST): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, host);
      const refuse = (cause: Error): void => reject(new ConnectionLost(cause.message, { cause }));
      socket.once('error', refuse);
      socket.once('connect', () => {
        socket.off('error', refuse);
        resolve(new Connection(socket));
      });
    });
  }

  /** Opens `count` connections, all of them or none. */
  static async openMany(port: number, count: number): Promise<Connection[]> {
    const opened = await Promise.allSettled(Array.from({ length: count }, () => Connection.open(port)));
    const connections = opened.flatMap((o) => (o.status === 'fulfilled' ? [o.value] : []));
    const failed = opened.find((o) => o.status === 'rejected');
    if (!failed) return connections;
    for (const connection of connections) connection.close();
    throw failed.reason;
  }

  /** Sends one complete request; only while no other is pending. Errors: ConnectionLost. */
  send(request: Uint8Array): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.waiting) return reject(new Error('a request is pending on this connection'));
      if (this.lost) return reject(this.lost);
      this.waiting = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const headEnd = this.received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.received.toString('latin1', 0, headEnd);
    const length = LENGTH.exec(head);
    if (!length) {
      this.end(`an answer without Content-Length: ${head.slice(0, 80)}`);
      return;
    }
    const bodyStart = headEnd + HEAD_END.length;
    const bodyEnd = bodyStart + Number(length[1]);
    if (this.received.length < bodyEnd) return;
    const answer = {
      status: Number(head.slice(9, 12)),
      head,
      body: this.received.subarray(bodyStart, bodyEnd),
    };
    this.received = this.received.subarray(bodyEnd);
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting) waiting.resolve(answer);
    else this.end('an answer without a request');
  }

  private end(reason: string): void {
    this.lost ??= new ConnectionLost(`connection lost: ${reason}`);
    this.socket.destroy();
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.reject(this.lost);
  }
}

interface RequestParts {
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** The bytes of one request. */
export function requestBytes({ method, path, headers = {}, body }: RequestParts): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${HOST}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}
