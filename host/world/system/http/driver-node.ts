// The HTTP driver on node:http, for platforms without a binary of uWebSockets.js.
// Keeps: refuses and reads requests exactly like the other driver; one contract suite tests both.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, ListenOptions, Socket } from 'node:net';
import { plainAddress } from '../../../wire/ip-key.ts';
import { ConnectionShares } from '../../connection-shares.ts';
import { after, type HttpDriver, type HttpReply, type HttpService, type Sharing } from '../../http.ts';
import { parting } from '../../parting.ts';
import { RequestHead } from '../../request-head.ts';
import { BodyReader } from './driver-body.ts';
import { NodeStreams, writeRaw } from './driver-node-stream.ts';
import {
  type DriverClock,
  endsConnection,
  headRefusal,
  IDLE_SECS,
  isBodiless,
  isDriversHeader,
  MAX_CONNECTIONS,
  PARSER_BYTES,
  READ_SECS,
  refusalOf,
  safeHeaderValue,
} from './driver-rules.ts';

/** How often node checks for requests that take too long. */
const CHECK_MS = 2_000;
/** Requests of one connection that are not answered yet: Node.js makes one of every line of a packet. Source: protocol 8.2. */
const MAX_UNANSWERED = 100;

export function createNodeDriver(
  service: HttpService,
  clock: DriverClock,
  maxConnections = MAX_CONNECTIONS,
): HttpDriver {
  return new NodeDriver(service, clock, maxConnections);
}

class NodeDriver implements HttpDriver {
  readonly name = 'node';
  private readonly server: Server;
  private readonly streams: NodeStreams;
  private inFlight = 0;
  private connections = 0;
  private readonly shares: ConnectionShares;
  /**
   * Of `inFlight`, by connection. Of several requests that wait behind one another only the first hears of the end of its
   * connection (before Node.js 24).
   */
  private readonly unanswered = new Map<Socket, number>();
  /** Those that end with an answer: nothing behind it is looked at, though it may have come in the same packet. */
  private readonly ending = new WeakSet<Socket>();
  private whenQuiet: (() => void) | undefined;

  constructor(
    private readonly service: HttpService,
    private readonly clock: DriverClock,
    maxConnections: number,
  ) {
    this.server = createServer({
      maxHeaderSize: PARSER_BYTES,
      headersTimeout: READ_SECS * 1000,
      requestTimeout: READ_SECS * 1000,
      keepAliveTimeout: IDLE_SECS * 1000,
      connectionsCheckingInterval: CHECK_MS,
      noDelay: true,
    });
    this.server.maxConnections = maxConnections;
    // Whoever reads nothing of an answer does not hold it for ever.
    this.server.timeout = IDLE_SECS * 1000;
    const isProxy = (address: string): boolean => service.isProxy?.(address) ?? false;
    this.shares = new ConnectionShares({ most: maxConnections, idleMs: IDLE_SECS * 1000, clock, isProxy });
    this.server.on('connection', (socket) => this.connected(socket));
    // 0: header lines are not silently cut at 2,000; RequestHead.refusal counts them.
    this.server.maxHeadersCount = 0;
    this.server.on('request', (req, res) => this.read(req, res));
    this.streams = new NodeStreams(service, clock, () => this.quieter());
    this.server.on('upgrade', (req, socket, rest) =>
      this.streams.upgrade(req, headOf(req), socket as Socket, rest),
    );
    this.server.on('clientError', (error, socket) => this.garbage(error, socket as Socket));
  }

  async listen(host: string, port: number, sharing: Sharing = 'alone'): Promise<number> {
    if (sharing !== 'first') return this.bind(host, port, sharing === 'joins');
    // Whoever has the port for itself is noticed only by one who wants the same.
    const free = await this.bind(host, port, false);
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    return this.bind(host, free, true);
  }

  private bind(host: string, port: number, reusePort: boolean): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen({ host, port, reusePort, backlog: 1024 } as ListenOptions, () => {
        this.server.removeListener('error', reject);
        resolve((this.server.address() as AddressInfo).port);
      });
    });
  }

  async close(graceMs: number): Promise<void> {
    const isClosed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeIdleConnections();
    this.streams.shutdown();
    if (!this.isQuiet) {
      await new Promise<void>((resolve) => {
        const cancel = this.clock.setTimer(resolve, graceMs);
        this.whenQuiet = () => {
          cancel();
          resolve();
        };
      });
    }
    this.streams.terminate();
    this.server.closeAllConnections();
    await isClosed;
  }

  private connected(socket: Socket): void {
    this.connections += 1;
    socket.once('close', () => {
      this.connections -= 1;
    });
    const address = plainAddress(socket.remoteAddress ?? '');
    if (!this.shares.admits(address, this.connections)) socket.destroy();
  }

  private send(res: ServerResponse, method: string, reply: HttpReply): void {
    const isLast = endsConnection(reply) || this.shares.isCrowded(this.connections);
    if (isLast) this.ending.add(res.req.socket);
    send(res, method, reply, isLast);
  }

  private read(req: IncomingMessage, res: ServerResponse): void {
    const { socket } = req;
    if (this.ending.has(socket)) return;
    if ((this.unanswered.get(socket) ?? 0) >= MAX_UNANSWERED) {
      this.ending.add(socket);
      socket.destroy();
      return;
    }
    this.begin(socket);
    res.once('close', () => this.ended(socket));
    // A client that resets its connection is not an error of the node; 'close' follows.
    req.on('error', () => {});
    res.on('error', () => {});
    const head = headOf(req);
    const bodyLimit = this.service.maxBodyBytes(head.method, head.path);
    const refusal = headRefusal(head, bodyLimit);
    const early = refusal ? refusalOf(this.service, head, refusal) : this.service.admit(head);
    void after(early, (reply) => {
      if (res.destroyed || req.destroyed) this.service.gone?.(head);
      else this.readBody(req, res, head, bodyLimit, reply);
    });
  }

  private readBody(
    req: IncomingMessage,
    res: ServerResponse,
    head: RequestHead,
    bodyLimit: number,
    early: HttpReply | undefined,
  ): void {
    const tooLarge = (): HttpReply => parting(this.service, head, this.service.refusal('body_too_large'));
    const body = new BodyReader(bodyLimit, tooLarge);
    if (early) body.refuse(early);
    if (early && endsConnection(early)) this.ending.add(req.socket);
    // An end with a body behind it would be a reset, and the answer lost.
    if (early && !endsConnection(early)) this.send(res, head.method, early);
    let isRead = false;
    req.once('close', () => {
      if (!isRead && !early) this.service.gone?.(head);
    });
    // The rest of a refused body is read within the time of any request (requestTimeout).
    req.on('data', (chunk: Buffer) => {
      if (!body.add(chunk)) req.socket.destroy();
      else if (body.refused && !endsConnection(body.refused)) this.send(res, head.method, body.refused);
    });
    req.on('end', () => {
      if (body.refused) {
        this.send(res, head.method, body.refused);
        return;
      }
      isRead = true;
      head.body = body.take();
      this.service.handle(head, (reply) => this.send(res, head.method, reply));
    });
  }

  private begin(socket: Socket): void {
    const open = this.unanswered.get(socket);
    if (open === undefined)
      socket.once('close', () => {
        this.ended(socket, this.unanswered.get(socket));
        this.unanswered.delete(socket);
      });
    this.unanswered.set(socket, (open ?? 0) + 1);
    this.inFlight++;
  }

  /** So many requests of a connection are over. */
  private ended(socket: Socket, count = 1): void {
    const open = this.unanswered.get(socket);
    if (open === undefined) return;
    this.unanswered.set(socket, open - count);
    this.inFlight -= count;
    this.quieter();
  }

  private get isQuiet(): boolean {
    return this.inFlight === 0 && this.streams.size === 0;
  }

  private quieter(): void {
    if (this.isQuiet) this.whenQuiet?.();
  }

  /** Input that is not HTTP: answered if the socket is still writable, then closed. */
  private garbage(error: NodeJS.ErrnoException, socket: Socket): void {
    if (!socket.writable || error.code === 'ECONNRESET' || error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      socket.destroy();
      return;
    }
    const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const reply = this.service.refusal(isTooLarge ? 'headers_too_large' : 'invalid_request');
    writeRaw(socket, 'GET', reply);
  }
}

function headOf(req: IncomingMessage): RequestHead {
  const url = req.url ?? '/';
  const at = url.indexOf('?');
  const headers = req.rawHeaders;
  for (let i = 0; i < headers.length; i += 2) headers[i] = headers[i]!.toLowerCase();
  return new RequestHead(
    req.method ?? 'GET',
    at < 0 ? url : url.slice(0, at),
    at < 0 ? '' : url.slice(at + 1),
    plainAddress(req.socket.remoteAddress ?? ''),
    headers,
  );
}

/** `isLast`: the connection ends with this answer. */
function send(res: ServerResponse, method: string, reply: HttpReply, isLast: boolean): void {
  if (res.destroyed || res.headersSent) return;
  const headers: Record<string, string | number> = isLast ? { Connection: 'close' } : {};
  for (const name in reply.headers) {
    if (!isDriversHeader(name)) headers[name] = safeHeaderValue(name, reply.headers[name]!);
  }
  if (!isBodiless(reply.status)) headers['Content-Length'] = Buffer.byteLength(reply.body);
  res.writeHead(reply.status, headers);
  if (method === 'HEAD' || isBodiless(reply.status)) res.end();
  else res.end(reply.body);
}
