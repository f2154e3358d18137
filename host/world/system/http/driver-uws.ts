// The HTTP driver on uWebSockets.js.
// Keeps: a response object is never touched after an answer or an abort, since uWS frees its memory then.
// Differs from node:http where uWS allows no choice: it closes a connection that is idle for 10 s or sends less than
// 16 KiB/s for 10 s, answers 505 to anything but HTTP/1.1, and closes on a second request before the first answer.

import type { HttpRequest as UwsHead, HttpResponse as UwsResponse, us_listen_socket } from 'uWebSockets.js';
import type { HttpDriver, HttpReply, HttpService, Sharing, StreamOpener } from '../../http.ts';
import { RequestHead } from '../../request-head.ts';
import type { DriverClock } from './driver-rules.ts';
import {
  addressText,
  BodyParts,
  GONE,
  headRefusal,
  isBodiless,
  isHandshake,
  isLengthHeader,
  MAX_CONNECTIONS,
  PARSER_BYTES,
  safeHeaderValue,
  statusLine,
} from './driver-rules.ts';
import { UwsStreams } from './driver-uws-stream.ts';

type Uws = typeof import('uWebSockets.js');

/** Options of uSockets: without the first, two processes could silently share a port. */
const EXCLUSIVE_PORT = 1;
const SHARED_PORT = 0;
/** uWS ends sockets at once when it closes; this delay lets clients read the close frames just written. */
const GOODBYE_MS = 100;

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

/** Writes status, headers and body at once; HEAD gets the length only. */
function writeReply(res: UwsResponse, method: string, reply: HttpReply): void {
  res.cork(() => {
    // 200 is what it writes by itself.
    if (reply.status !== 200) res.writeStatus(statusLine(reply.status));
    for (const name in reply.headers) {
      if (!isLengthHeader(name)) res.writeHeader(name, safeHeaderValue(name, reply.headers[name]!));
    }
    const isBare = isBodiless(reply.status);
    if (method !== 'HEAD' && !isBare) {
      res.end(reply.body);
      return;
    }
    if (!isBare) res.writeHeader('Content-Length', String(Buffer.byteLength(reply.body)));
    // With arguments this function leaves the answer open (uWebSockets issue 1855).
    res.endWithoutBody();
  });
}

/** A request on its way. */
interface Exchange {
  isOpen: boolean;
  /** A callback of its own socket runs: an answer is written at once. */
  isInside: boolean;
  /** Called when the client goes. */
  onGone: (() => void) | undefined;
  answer(reply: HttpReply): void;
  /** It is over for the driver. */
  end(): void;
}

class UwsDriver implements HttpDriver {
  readonly name = 'uws';
  private readonly app;
  private readonly streams: UwsStreams;
  private listenSocket: us_listen_socket | undefined;
  private outbox: (() => void)[] = [];
  private inFlight = 0;
  private connections = 0;
  private whenQuiet: (() => void) | undefined;

  constructor(
    private readonly uws: Uws,
    private readonly service: HttpService,
    private readonly clock: DriverClock,
    maxConnections: number,
  ) {
    this.app = uws.App();
    // Called with 1 for a new connection and with -1 when one has ended, but not for the end of a stream.
    const count = (res: UwsResponse, change: number): void => {
      this.connections += change;
      if (change > 0 && this.connections > maxConnections) res.close();
    };
    this.app.filter(count);
    this.streams = new UwsStreams(
      this.app,
      (res, head, accept) => this.handshake(res, head, accept),
      () => {
        this.connections -= 1;
      },
    );
    this.app.any('/*', (res, head) => this.route(res, head));
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
          reject(
            new Error(`cannot listen on ${host}:${port}: the port is in use or the address is not local`),
          );
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
  private sendLater(send: () => void): void {
    if (this.outbox.push(send) > 1) return;
    this.clock.soon(() => {
      const batch = this.outbox;
      this.outbox = [];
      for (const sendNow of batch) sendNow();
    });
  }

  private ended(): void {
    this.inFlight--;
    // The answer was written before this call; it leaves the process in the same turn of the loop.
    if (this.inFlight === 0 && this.whenQuiet) this.clock.soon(this.whenQuiet);
  }

  /** Called for requests that look like a WebSocket handshake: accepts it, or answers by itself. */
  private handshake(res: UwsResponse, uwsHead: UwsHead, accept: (opener: StreamOpener) => void): void {
    const head = this.readHead(res, uwsHead);
    const refusal = headRefusal(head, this.service.maxBodyBytes(head.method, head.path));
    const decision = !refusal && isHandshake(head) ? this.service.upgrade(head) : undefined;
    if (typeof decision === 'function') accept(decision);
    else if (decision instanceof Promise) this.decideLater(decision, res, head, accept);
    else if (decision === undefined) this.route(res, uwsHead);
    else writeReply(res, head.method, decision);
  }

  private decideLater(
    decision: Promise<HttpReply | StreamOpener | undefined>,
    res: UwsResponse,
    head: RequestHead,
    accept: (opener: StreamOpener) => void,
  ): void {
    const exchange = this.begin(res, head);
    void decision.then((late) => {
      if (typeof late !== 'function') {
        const early = late ?? this.service.admit(head);
        // What has no body is admitted at once, or not at all.
        if (early) exchange.answer(early as HttpReply);
        else this.service.handle(head, exchange.answer);
      } else if (!exchange.isOpen) late(GONE).closed();
      else {
        exchange.end();
        // Not corked: where the socket keeps its place in memory, the end of a cork reads what is now the state of a stream as
        // that of a request, and closes about one connection in 600 (HttpResponse::cork of uWebSockets). The library warns of it
        // on standard error each time, which cannot be switched off.
        accept(late);
      }
    });
  }

  /** Counts a request until it was answered or its client has gone. */
  private begin(res: UwsResponse, head: RequestHead): Exchange {
    this.inFlight++;
    const exchange: Exchange = {
      isOpen: true,
      isInside: false,
      onGone: undefined,
      end: () => {
        exchange.isOpen = false;
        this.ended();
      },
      answer: (reply) => {
        if (exchange.isInside) answerNow(reply);
        else this.sendLater(() => answerNow(reply));
      },
    };
    const answerNow = (reply: HttpReply): void => {
      if (!exchange.isOpen) return;
      exchange.isOpen = false;
      writeReply(res, head.method, reply);
      this.ended();
    };
    res.onAborted(() => {
      if (!exchange.isOpen) return;
      exchange.end();
      exchange.onGone?.();
    });
    return exchange;
  }

  /** Called for each request. Reads everything from `uwsHead` before it returns. */
  private route(res: UwsResponse, uwsHead: UwsHead): void {
    const encoding = uwsHead.getHeader('transfer-encoding').toLowerCase();
    const length = uwsHead.getHeader('content-length');
    if ((encoding !== '' && encoding !== 'chunked') || !/^\d{0,15}$/.test(length)) {
      // A proxy between client and node might read a different request from these bytes (request smuggling).
      res.close();
      return;
    }
    const head = this.readHead(res, uwsHead);
    const bodyLimit = this.service.maxBodyBytes(head.method, head.path);
    const exchange = this.begin(res, head);
    exchange.isInside = true;
    const refusal = headRefusal(head, bodyLimit);
    const early = refusal ? this.service.refusal(refusal) : this.service.admit(head);
    const hasBody = encoding !== '' || (length !== '' && length !== '0');
    if (early instanceof Promise) this.readLater(early, res, head, bodyLimit, exchange);
    else if (early) exchange.answer(early);
    else if (!hasBody) this.service.handle(head, exchange.answer);
    else {
      exchange.onGone = () => this.service.gone?.(head);
      this.readBody(res, head, bodyLimit, exchange, () => {
        exchange.onGone = undefined;
        exchange.isInside = true;
        this.service.handle(head, exchange.answer);
        exchange.isInside = false;
      });
    }
    exchange.isInside = false;
  }

  /** Reads the body once the request was admitted. uWS hands over what it has read already. */
  private readLater(
    verdict: Promise<HttpReply | undefined>,
    res: UwsResponse,
    head: RequestHead,
    bodyLimit: number,
    exchange: Exchange,
  ): void {
    let isAdmitted = false;
    let isRead = false;
    const handle = (): void => {
      exchange.onGone = undefined;
      this.service.handle(head, exchange.answer);
    };
    res.pause();
    this.readBody(res, head, bodyLimit, exchange, () => {
      isRead = true;
      if (isAdmitted) handle();
    });
    void verdict.then((early) => {
      if (!exchange.isOpen) {
        if (!early) this.service.gone?.(head);
        return;
      }
      res.resume();
      if (early) {
        exchange.answer(early);
        return;
      }
      isAdmitted = true;
      exchange.onGone = () => this.service.gone?.(head);
      if (isRead) handle();
    });
  }

  private readBody(
    res: UwsResponse,
    head: RequestHead,
    bodyLimit: number,
    exchange: Exchange,
    done: () => void,
  ): void {
    const body = new BodyParts();
    let isRefused = false;
    res.onData((chunk, isLast) => {
      if (isRefused) return;
      // The chunk is memory of uWS, freed when this callback returns: what is kept of it is a copy.
      body.add(new Uint8Array(chunk));
      if (body.bytes > bodyLimit) {
        isRefused = true;
        exchange.onGone?.();
        exchange.isInside = true;
        // uWS reads and discards the rest of a refused body by itself, so the answer arrives.
        exchange.answer(this.service.refusal('body_too_large'));
        exchange.isInside = false;
        return;
      }
      if (!isLast) return;
      head.body = body.take();
      done();
    });
  }

  private readHead(res: UwsResponse, uwsHead: UwsHead): RequestHead {
    const headers: string[] = [];
    uwsHead.forEach((name, value) => {
      headers.push(name, value);
    });
    const address = addressText(new Uint8Array(res.getRemoteAddress()));
    const method = uwsHead.getCaseSensitiveMethod();
    return new RequestHead(method, uwsHead.getUrl(), uwsHead.getQuery() ?? '', address, headers);
  }
}
