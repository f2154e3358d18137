// The HTTP driver on uWebSockets.js: accepts, routes, keeps time, closes.
// Keeps: no socket object is touched after its close. Where uWS lets a close pass unseen, every connection that
// waits for a request is in doubt until its next byte arrives, and a doubted one is left to the shorter timeouts
// of uWS itself.
// Differs from node:http where uWS decides alone: HTTP/1.0 and absolute URLs get 505, a second request before
// the answer to the first closes the connection, malformed heads are left to time out.

import type { HttpRequest as UwsHead, HttpResponse as UwsResponse, us_listen_socket } from 'uWebSockets.js';
import { soon } from '../clock.ts';
import { readEnv } from '../config.ts';
import type { DriverClock } from './driver-rules.ts';
import { addressText, BodyParts, DRAIN_BYTES, PARSER_BYTES, RequestHead } from './driver-rules.ts';
import type { HttpDriver, HttpReply, HttpService } from './http.ts';
import type { ConnectionHost, PendingRequest } from './uws-connection.ts';
import { UwsConnection, writeReply } from './uws-connection.ts';

type Uws = typeof import('uWebSockets.js');

/** One connection in four is looked at each second: each of them every 4 s, well within the 8 s of uWS. */
const BEAT_SECS = 1;
const BEAT_SLOTS = 4;
/** A connection so long in doubt is gone: the idle timeout of uWS ends after 12 s at most. */
const DOUBT_SECS = 24;
/** Without this option of uSockets two processes would share a port unnoticed. */
const EXCLUSIVE_PORT = 1;

/**
 * Errors: rejects where no binary of uWebSockets.js exists for this platform and Node version (musl, Node 24).
 * Main thread only: the limit of the parser is read from the real environment when the binary loads.
 */
export async function createUwsDriver(service: HttpService, clock: DriverClock): Promise<HttpDriver> {
  Object.assign(readEnv(), { UWS_HTTP_MAX_HEADERS_SIZE: String(PARSER_BYTES) });
  return new UwsDriver(await import('uWebSockets.js'), service, clock);
}

class UwsDriver implements HttpDriver, ConnectionHost {
  readonly name = 'uws';
  doubt = 0;
  private readonly app;
  private listenSocket: us_listen_socket | undefined;
  private readonly slots = Array.from({ length: BEAT_SLOTS }, () => new Set<UwsConnection>());
  private readonly slotOf = new WeakMap<UwsConnection, Set<UwsConnection>>();
  private accepted = 0;
  private beats = 0;
  private cancelBeat: (() => void) | undefined;
  private pending: PendingRequest | undefined;
  private unarmed: UwsConnection[] = [];
  private outbox: (() => void)[] = [];
  private isFlushDue = false;
  private inFlight = 0;
  private whenQuiet: (() => void) | undefined;
  /** Closes that the accept filter reported and no connection claimed. */
  private strayCloses = 0;

  constructor(
    private readonly uws: Uws,
    readonly service: HttpService,
    private readonly clock: DriverClock,
  ) {
    this.app = uws.App();
    const onChange = (res: UwsResponse, change: number): void => {
      if (change > 0) new UwsConnection(this, res);
      else this.strayCloses++;
    };
    this.app.filter(onChange);
    this.app.any('/*', (res, head) => this.route(res, head));
  }

  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      // The published types lack this form.
      const listen = this.app.listen as unknown as (
        host: string,
        port: number,
        options: number,
        done: (socket: us_listen_socket | false) => void,
      ) => void;
      listen.call(this.app, host, port, EXCLUSIVE_PORT, (socket) => {
        if (!socket) {
          reject(new Error(`cannot listen on ${host}:${port}: the port is taken or the address is not ours`));
          return;
        }
        this.listenSocket = socket;
        this.scheduleBeat();
        resolve(this.uws.us_socket_local_port(socket));
      });
    });
  }

  async close(graceMs: number): Promise<void> {
    if (this.listenSocket) this.uws.us_listen_socket_close(this.listenSocket);
    this.listenSocket = undefined;
    if (this.inFlight > 0) {
      await new Promise<void>((resolve) => {
        const cancel = this.clock.setTimer(resolve, graceMs);
        this.whenQuiet = () => {
          cancel();
          resolve();
        };
      });
    }
    this.cancelBeat?.();
    this.app.close();
  }

  takePending(): PendingRequest | undefined {
    const request = this.pending;
    this.pending = undefined;
    return request;
  }

  rearmLater(connection: UwsConnection): void {
    this.unarmed.push(connection);
    this.scheduleFlush();
  }

  sendLater(send: () => void): void {
    this.outbox.push(send);
    this.scheduleFlush();
  }

  closesWithin(end: () => void): boolean {
    const before = this.strayCloses;
    end();
    return this.strayCloses > before;
  }

  requestStarted(): void {
    this.inFlight++;
  }

  requestEnded(): void {
    this.inFlight--;
    // The answer is written after this call, but in the same turn.
    if (this.inFlight === 0 && this.whenQuiet) soon(this.whenQuiet);
  }

  opened(connection: UwsConnection): void {
    const slot = this.slotOf.get(connection) ?? this.slots[this.accepted++ % BEAT_SLOTS]!;
    this.slotOf.set(connection, slot);
    slot.add(connection);
  }

  closed(connection: UwsConnection): void {
    this.strayCloses--;
    this.slotOf.get(connection)?.delete(connection);
  }

  private scheduleFlush(): void {
    if (this.isFlushDue) return;
    this.isFlushDue = true;
    soon(() => {
      this.isFlushDue = false;
      this.rearmAll();
      const batch = this.outbox;
      this.outbox = [];
      for (const send of batch) send();
    });
  }

  private rearmAll(): void {
    if (this.unarmed.length === 0) return;
    for (const connection of this.unarmed) connection.rearm();
    this.unarmed = [];
  }

  private scheduleBeat(): void {
    this.cancelBeat = this.clock.setTimer(() => {
      this.scheduleBeat();
      this.beat();
    }, BEAT_SECS * 1000);
  }

  private beat(): void {
    this.dropUnclaimed();
    if (this.strayCloses !== 0) {
      this.strayCloses = 0;
      this.doubt++;
    }
    const slot = this.slots[this.beats++ % BEAT_SLOTS]!;
    for (const connection of slot) {
      if (connection.beat(BEAT_SECS * BEAT_SLOTS) > DOUBT_SECS) slot.delete(connection);
    }
  }

  /**
   * uWS calls this for each request. An abort handler must be armed when it returns, or uWS ends the process;
   * that handler replaces the connection's own until the connection claims the request.
   */
  private route(res: UwsResponse, uwsHead: UwsHead): void {
    this.rearmAll();
    this.dropUnclaimed();
    const encoding = uwsHead.getHeader('transfer-encoding').toLowerCase();
    const length = uwsHead.getHeader('content-length');
    if ((encoding !== '' && encoding !== 'chunked') || !/^\d{0,15}$/.test(length)) {
      // uWS would drop these after this call without a word to the connection, which still listens now.
      res.close();
      return;
    }
    const request = this.readHead(res, uwsHead);
    res.onAborted(() => {
      request.isClosed = true;
      request.closed?.();
    });
    if (encoding === 'chunked') this.readChunked(request);
    else this.pending = request;
  }

  private readHead(res: UwsResponse, uwsHead: UwsHead): PendingRequest {
    const headers: string[] = [];
    uwsHead.forEach((name, value) => {
      headers.push(name, value);
    });
    const method = uwsHead.getCaseSensitiveMethod();
    const head = new RequestHead(method, uwsHead.getUrl(), uwsHead.getQuery() ?? '', '', headers);
    const bodyLimit = this.service.maxBodyBytes(method, head.path);
    const refusal = head.refusal(bodyLimit);
    return { head, res, bodyLimit, refusal, isClosed: false, closed: undefined };
  }

  /** A request that no connection claimed: its socket would wait for ever, and its connection no longer hears it. */
  private dropUnclaimed(): void {
    const request = this.takePending();
    if (!request) return;
    this.doubt++;
    if (!request.isClosed) request.res.close();
  }

  /**
   * A chunked body may begin long after its route handler, so the connection can't be told by order. Such a
   * request stands for itself, its connection is in doubt, and the answer closes the socket.
   */
  private readChunked(request: PendingRequest): void {
    const { head, res } = request;
    const body = new BodyParts();
    let bytes = 0;
    this.doubt++;
    this.requestStarted();
    request.closed = () => this.requestEnded();
    head.remoteAddress = addressText(new Uint8Array(res.getRemoteAddress()));
    const answer = (reply: HttpReply) => {
      if (request.isClosed) return;
      request.isClosed = true;
      writeReply(res, head.method, reply, true);
      this.requestEnded();
    };
    res.onData((chunk, isLast) => {
      bytes += chunk.byteLength;
      if (bytes <= request.bodyLimit) body.add(new Uint8Array(chunk).slice());
      else request.refusal ??= 'body_too_large';
      if (request.refusal) {
        // Answered when the client has sent all, or a closing socket would reset before the answer is read.
        if (isLast || bytes > request.bodyLimit + DRAIN_BYTES) answer(this.service.refusal(request.refusal));
        return;
      }
      if (!isLast) return;
      head.body = body.take();
      this.service.handle(head, (reply) => this.sendLater(() => answer(reply)));
    });
  }
}
