// The HTTP driver on uWebSockets.js.
// Keeps: a response object is never touched after an answer or an abort, since uWS frees its memory then.
// Differs from node:http where uWS allows no choice: it closes a connection that is idle for 10 s or sends less than
// 16 KiB/s for 10 s, answers 505 to anything but HTTP/1.1, and closes on a second request before the first answer.

import type { HttpRequest as UwsHead, HttpResponse as UwsResponse, us_listen_socket } from 'uWebSockets.js';
import { ConnectionShares } from '../../connection-shares.ts';
import type { Answer, HttpDriver, HttpReply, HttpService, Sharing, StreamOpener } from '../../http.ts';
import { parting } from '../../parting.ts';
import { RequestHead } from '../../request-head.ts';
import { BodyReader } from './driver-body.ts';
import type { DriverClock } from './driver-rules.ts';
import {
  addressText,
  endsConnection,
  GONE,
  headRefusal,
  isBodiless,
  isHandshake,
  joinedHeaders,
  MAX_CONNECTIONS,
  PARSER_BYTES,
  refusalOf,
  statusLine,
} from './driver-rules.ts';
import { UwsStreams } from './driver-uws-stream.ts';

type Uws = typeof import('uWebSockets.js');

/** Most requests: its text need not be asked for each time. */
const GET = 'GET';
/** Options of uSockets: without the first, two processes could silently share a port. */
const EXCLUSIVE_PORT = 1;
const SHARED_PORT = 0;
/** uWS ends sockets at once when it closes; this delay lets clients read the close frames just written. */
const GOODBYE_MS = 100;
/** uWS closes a connection on which nothing comes for so long. */
const IDLE_MS = 10_000;

/**
 * Errors: rejects where no binary of uWebSockets.js exists for this platform and Node version (musl, Node 24).
 * Main thread only: the limit of the parser is read from the real environment when the binary loads.
 */
export async function createUwsDriver(
  service: HttpService,
  clock: DriverClock,
  maxConnections = MAX_CONNECTIONS,
): Promise<HttpDriver> {
  Object.assign(process.env, { UWS_HTTP_MAX_HEADERS_SIZE: String(PARSER_BYTES) });
  return new UwsDriver(await import('uWebSockets.js'), service, clock, maxConnections);
}

/**
 * Writes status, headers and body to a corked socket, and ends its connection if the service wants that, or too many are open; HEAD
 * gets the length only. All headers are one call, since each crosses into C++ and copies what it is given.
 */
function writeReply(res: UwsResponse, method: string, reply: HttpReply, isCrowded: boolean): void {
  const isEnd = endsConnection(reply);
  // 200 is what it writes by itself.
  if (reply.status !== 200) res.writeStatus(statusLine(reply.status));
  const headers = joinedHeaders(reply.headers);
  if (headers) res.writeHeader(headers.name, headers.value);
  const isBare = isBodiless(reply.status);
  if (method !== 'HEAD' && !isBare) {
    res.end(reply.body, isCrowded || isEnd);
    return;
  }
  // Without a body it cannot end a connection: then an empty one.
  if (isEnd) {
    res.end('', true);
    return;
  }
  if (!isBare) res.writeHeader('Content-Length', String(Buffer.byteLength(reply.body)));
  // With arguments this function leaves the answer open (uWebSockets issue 1855).
  res.endWithoutBody();
}

const addressOf = (res: UwsResponse): string => addressText(new Uint8Array(res.getRemoteAddress()));

/** The value of a header by which the parser goes, which takes the first of several. */
function firstOf({ headers }: RequestHead, name: string): string {
  for (let i = 0; i < headers.length; i += 2) if (headers[i] === name) return headers[i + 1]!;
  return '';
}

/** A proxy between client and node might read a different request from such bytes (request smuggling). */
const isAmbiguous = (encoding: string, length: string): boolean =>
  (encoding !== '' && encoding.toLowerCase() !== 'chunked') || (length !== '' && !/^\d{1,15}$/.test(length));

/** What a request needs of the driver. */
interface ExchangeOwner {
  /** There are so many connections that each is ended with its answer. */
  readonly isCrowded: boolean;
  /** It was answered, or its client has gone. */
  ended(): void;
  sendLater(send: () => void): void;
}

/** A request on its way, begun in a callback of its own socket. */
class Exchange {
  isOpen = true;
  /** Such a callback runs: an answer is written at once. */
  isInside = true;
  /** It is the first one, for which the socket is corked. A body that waited comes outside of a cork. */
  #isCorked = true;
  /** Called when the client goes. */
  onGone: (() => void) | undefined;

  constructor(
    private readonly owner: ExchangeOwner,
    private readonly res: UwsResponse,
    private readonly head: RequestHead,
  ) {}

  answer(reply: HttpReply): void {
    if (this.isInside) this.#write(reply);
    else this.owner.sendLater(() => this.#write(reply));
  }

  #write(reply: HttpReply): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    const { method } = this.head;
    const { isCrowded } = this.owner;
    if (this.#isCorked) writeReply(this.res, method, reply, isCrowded);
    else this.res.cork(() => writeReply(this.res, method, reply, isCrowded));
    this.owner.ended();
  }

  /** It is over for the driver. */
  end(): void {
    this.isOpen = false;
    this.owner.ended();
  }

  /** It will not be handled. */
  leaveBehind(): void {
    this.onGone?.();
    this.onGone = undefined;
  }

  /** The callback that began it returns: what is not answered yet may be given up by its client, and is not asked any more. */
  leave(): void {
    this.isInside = false;
    this.#isCorked = false;
    if (!this.isOpen) return;
    this.head.keepAddress();
    this.res.onAborted(() => {
      if (!this.isOpen) return;
      this.end();
      this.leaveBehind();
    });
  }
}

class UwsDriver implements HttpDriver, ExchangeOwner {
  readonly name = 'uws';
  private readonly app;
  private readonly streams: UwsStreams;
  private listenSocket: us_listen_socket | undefined;
  private outbox: (() => void)[] = [];
  private inFlight = 0;
  private connections = 0;
  private readonly shares: ConnectionShares;
  private whenQuiet: (() => void) | undefined;

  constructor(
    private readonly uws: Uws,
    private readonly service: HttpService,
    private readonly clock: DriverClock,
    maxConnections: number,
  ) {
    this.app = uws.App();
    const isProxy = (address: string): boolean => service.isProxy?.(address) ?? false;
    this.shares = new ConnectionShares({ most: maxConnections, idleMs: IDLE_MS, clock, isProxy });
    // Called with 1 for a new connection and with -1 when one has ended, but not for the end of a stream.
    const count = (res: UwsResponse, change: number): void => {
      this.connections += change;
      if (change > 0 && !this.shares.admits(addressOf(res), this.connections)) res.close();
    };
    this.app.filter(count);
    this.streams = new UwsStreams(
      this.app,
      this.clock,
      (res, head, accept) => this.handshake(res, head, accept),
      () => {
        this.connections -= 1;
      },
    );
    this.app.get('/*', (res, head) => this.route(res, head, GET));
    this.app.any('/*', (res, head) => this.route(res, head, head.getCaseSensitiveMethod()));
  }

  get isCrowded(): boolean {
    return this.shares.isCrowded(this.connections);
  }

  async listen(host: string, port: number, sharing: Sharing = 'alone'): Promise<number> {
    if (sharing !== 'first') return this.bind(host, port, sharing === 'joins' ? SHARED_PORT : EXCLUSIVE_PORT);
    // Whoever has the port for itself is noticed only by one who wants the same.
    const free = await this.bind(host, port, EXCLUSIVE_PORT);
    this.uws.us_listen_socket_close(this.listenSocket!);
    return this.bind(host, free, SHARED_PORT);
  }

  private bind(host: string, port: number, options: number): Promise<number> {
    return new Promise((resolve, reject) => {
      // The published types lack this overload.
      const listen = this.app.listen as unknown as (
        host: string,
        port: number,
        options: number,
        done: (socket: us_listen_socket | false) => void,
      ) => void;
      listen.call(this.app, host, port, options, (socket) => {
        if (!socket) {
          // The library does not say which; a taken port is usual.
          const low = port < 1024 ? ', or this user may not listen below 1024' : '';
          const text = `cannot listen on ${host}:${port}: the port is in use or the address is not local${low}`;
          reject(Object.assign(new Error(text), { code: 'EADDRINUSE' }));
          return;
        }
        this.listenSocket = socket;
        resolve(this.uws.us_socket_local_port(socket));
      });
    });
  }

  async close(graceMs: number): Promise<void> {
    if (this.listenSocket) this.uws.us_listen_socket_close(this.listenSocket);
    this.listenSocket = undefined;
    if (this.streams.size > 0) {
      this.streams.shutdown();
      await new Promise<void>((resolve) => this.clock.setTimer(resolve, Math.min(GOODBYE_MS, graceMs)));
    }
    if (this.inFlight > 0) {
      await new Promise<void>((resolve) => {
        const cancel = this.clock.setTimer(resolve, graceMs);
        this.whenQuiet = () => {
          cancel();
          resolve();
        };
      });
    }
    this.app.close();
  }

  /**
   * Answers to sockets other than the one whose callback is running are collected and sent in the next turn of the event
   * loop: there, corked one by one, they are twice as fast as inside another socket's callback.
   */
  sendLater(send: () => void): void {
    if (this.outbox.push(send) > 1) return;
    this.clock.soon(() => {
      const batch = this.outbox;
      this.outbox = [];
      for (const sendNow of batch) sendNow();
    });
  }

  ended(): void {
    this.inFlight--;
    // The answer was written before this call; it leaves the process in the same turn of the loop.
    if (this.inFlight === 0 && this.whenQuiet) this.clock.soon(this.whenQuiet);
  }

  /** Called for requests that look like a WebSocket handshake: accepts it, or answers by itself. */
  private handshake(res: UwsResponse, uwsHead: UwsHead, accept: (opener: StreamOpener) => void): void {
    const head = this.readHead(res, uwsHead, GET);
    const refusal = headRefusal(head, this.service.maxBodyBytes(head.method, head.path));
    const decision = !refusal && isHandshake(head) ? this.service.upgrade(head) : undefined;
    if (typeof decision === 'function') {
      head.keepAddress();
      accept(decision);
    } else if (decision instanceof Promise) this.decideLater(decision, res, head, accept);
    else if (decision === undefined) this.route(res, uwsHead, GET);
    else writeReply(res, head.method, decision, this.isCrowded);
  }

  private decideLater(
    decision: Promise<HttpReply | StreamOpener | undefined>,
    res: UwsResponse,
    head: RequestHead,
    accept: (opener: StreamOpener) => void,
  ): void {
    const exchange = this.begin(res, head);
    exchange.leave();
    void decision.then((late) => {
      if (typeof late !== 'function') {
        const early = late ?? this.service.admit(head);
        // What has no body is admitted at once, or not at all.
        if (early) exchange.answer(early as HttpReply);
        else this.service.handle(head, (reply) => exchange.answer(reply));
      } else if (!exchange.isOpen) late(GONE).closed();
      else {
        exchange.end();
        this.streams.openLater(() => accept(late));
      }
    });
  }

  /** Counts a request until it was answered or its client has gone. */
  private begin(res: UwsResponse, head: RequestHead): Exchange {
    this.inFlight++;
    return new Exchange(this, res, head);
  }

  /** Called for each request. Reads everything from `uwsHead` before it returns. */
  private route(res: UwsResponse, uwsHead: UwsHead, method: string): void {
    const head = this.readHead(res, uwsHead, method);
    const encoding = firstOf(head, 'transfer-encoding');
    const length = firstOf(head, 'content-length');
    if (isAmbiguous(encoding, length)) {
      res.close();
      return;
    }
    const bodyLimit = this.service.maxBodyBytes(head.method, head.path);
    const exchange = this.begin(res, head);
    const refusal = headRefusal(head, bodyLimit);
    const early = refusal ? refusalOf(this.service, head, refusal) : this.service.admit(head);
    const hasBody = encoding !== '' || (length !== '' && length !== '0');
    // An end with a body behind it would be a reset, and the answer lost.
    if (early instanceof Promise || (hasBody && (!early || endsConnection(early))))
      this.readBody(res, head, bodyLimit, exchange, early);
    else if (early) exchange.answer(early);
    else this.service.handle(head, (reply) => exchange.answer(reply));
    exchange.leave();
  }

  /**
   * Reads a body, to handle it or to throw it away; a verdict that comes later is waited for. uWS hands over meanwhile what it
   * has read already.
   */
  private readBody(
    res: UwsResponse,
    head: RequestHead,
    bodyLimit: number,
    exchange: Exchange,
    early: Answer<HttpReply | undefined>,
  ): void {
    const tooLarge = (): HttpReply => {
      exchange.leaveBehind();
      return parting(this.service, head, this.service.refusal('body_too_large'));
    };
    const body = new BodyReader(bodyLimit, tooLarge);
    let isKnown = false;
    let isRead = false;
    const finish = (): void => {
      if (!isKnown) return;
      if (body.refused) {
        if (isRead || !endsConnection(body.refused)) exchange.answer(body.refused);
        return;
      }
      if (!isRead) return;
      exchange.onGone = undefined;
      head.body = body.take();
      this.service.handle(head, (reply) => exchange.answer(reply));
    };
    const decide = (verdict: HttpReply | undefined): void => {
      isKnown = true;
      if (verdict) body.refuse(verdict);
      else if (body.refused) this.service.gone?.(head);
      else exchange.onGone = () => this.service.gone?.(head);
    };
    res.onData((chunk, isLast) => {
      if (!exchange.isOpen) return;
      // The chunk is memory of uWS, freed when this callback returns: what is kept of it is a copy.
      if (!body.add(new Uint8Array(chunk))) {
        res.close();
        return;
      }
      isRead = isLast;
      exchange.isInside = true;
      finish();
      exchange.isInside = false;
    });
    if (!(early instanceof Promise)) {
      decide(early);
      return;
    }
    res.pause();
    void early.then((verdict) => {
      if (!exchange.isOpen) {
        if (!verdict) this.service.gone?.(head);
        return;
      }
      res.resume();
      decide(verdict);
      finish();
    });
  }

  private readHead(res: UwsResponse, uwsHead: UwsHead, method: string): RequestHead {
    const headers: string[] = [];
    uwsHead.forEach((name, value) => {
      headers.push(name, value);
    });
    return new RequestHead(method, uwsHead.getUrl(), uwsHead.getQuery() ?? '', () => addressOf(res), headers);
  }
}
