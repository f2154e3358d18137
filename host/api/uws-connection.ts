// One connection of the uWebSockets.js driver: reads requests, answers them, knows whether it still lives.
// uWS names no connection: each request comes with a fresh `res` and nothing that tells its socket. So a connection
// keeps the `res` that the accept filter gave (`root`) and listens through it: the bytes of a request reach
// `root.onData` right after its route handler ran, and that is how a request finds its connection.
// Keeps: `root` is used only while an abort handler that leads here is armed, for after a close its memory is gone;
// between requests that is `root.onAborted`, during one the request's own.

import type { HttpResponse as UwsResponse } from 'uWebSockets.js';
import {
  addressText,
  BodyParts,
  DRAIN_BYTES,
  DRAIN_SECS,
  IDLE_SECS,
  isBodiless,
  isLengthHeader,
  READ_SECS,
  type RefusalCode,
  type RequestHead,
  safeHeaderValue,
  statusLine,
} from './driver-rules.ts';
import type { HttpReply, HttpService } from './http.ts';

/** A request between its route handler and the connection that claims it. */
export interface PendingRequest {
  head: RequestHead;
  res: UwsResponse;
  bodyLimit: number;
  refusal: RefusalCode | undefined;
  isClosed: boolean;
  /** Tells the connection that the socket closed before the answer. */
  closed: (() => void) | undefined;
}

/** What a connection needs from its driver. */
export interface ConnectionHost {
  readonly service: HttpService;
  /** Moves on when a waiting connection may have closed unseen. */
  readonly doubt: number;
  /** The request whose route handler has just run. */
  takePending(): PendingRequest | undefined;
  /** Asks for `rearm` before the next request is parsed: uWS drops onData when a body ends. */
  rearmLater(connection: UwsConnection): void;
  /** Sends outside of other sockets' callbacks. */
  sendLater(send: () => void): void;
  /** Runs `end` and tells whether the socket closed inside it. */
  closesWithin(end: () => void): boolean;
  requestStarted(): void;
  requestEnded(): void;
  opened(connection: UwsConnection): void;
  closed(connection: UwsConnection): void;
}

type Phase = 'opening' | 'idle' | 'reading' | 'answering' | 'draining';

const PHASE_SECS: Record<Phase, number> = {
  opening: READ_SECS,
  idle: IDLE_SECS,
  reading: READ_SECS,
  answering: Number.POSITIVE_INFINITY,
  draining: DRAIN_SECS,
};

/** Status, headers and body in one go; HEAD gets the length only. `isLast` closes the connection behind it. */
export function writeReply(res: UwsResponse, method: string, reply: HttpReply, isLast: boolean): void {
  res.cork(() => {
    res.writeStatus(statusLine(reply.status));
    for (const name in reply.headers) {
      if (!isLengthHeader(name)) res.writeHeader(name, safeHeaderValue(reply.headers[name]!));
    }
    const isBare = isBodiless(reply.status);
    if (method !== 'HEAD' && !isBare) {
      res.end(reply.body, isLast);
      return;
    }
    if (!isBare) res.writeHeader('Content-Length', String(Buffer.byteLength(reply.body)));
    // With arguments this function leaves the answer open (uWebSockets issue 1855).
    res.endWithoutBody();
  });
}

export class UwsConnection {
  isClosed = false;
  private phase: Phase = 'opening';
  private secsInPhase = 0;
  private seenDoubt: number;
  private secsInDoubt = 0;
  private addressCache: string | undefined;
  private request: PendingRequest | undefined;
  private body = new BodyParts();
  private drainedBytes = 0;
  /** Inside the callback that delivered the last byte: uWS drops onData when it returns. */
  private isAtLastByte = false;
  private readonly onClosed = () => this.closed();
  private readonly onData = (chunk: ArrayBuffer, isLast: boolean) => this.data(chunk, isLast);

  constructor(
    private readonly host: ConnectionHost,
    private readonly root: UwsResponse,
  ) {
    this.seenDoubt = host.doubt;
    this.rearm();
    host.opened(this);
  }

  /** Ready for the next request. Only where the socket is known to be alive. */
  rearm(): void {
    if (this.isClosed) return;
    this.root.onAborted(this.onClosed);
    this.root.onData(this.onData);
  }

  /**
   * Called every few seconds: ends what took too long and keeps the rest from the fixed timeout of uWS, which
   * closes after 8 to 12 s what may take 30 or 65 (DECISIONS 8.2); pausing and resuming restarts it.
   * Returns the seconds since when the connection may have closed unseen, 0 for none; such a one is not touched.
   */
  beat(elapsedSecs: number): number {
    this.secsInPhase += elapsedSecs;
    if (this.phase === 'answering') return 0;
    // A close while reading is told by the request's own handler, so there is never doubt.
    if (this.phase !== 'reading' && this.seenDoubt !== this.host.doubt) {
      this.secsInDoubt += elapsedSecs;
      return this.secsInDoubt;
    }
    if (this.secsInPhase >= PHASE_SECS[this.phase]) {
      this.root.close();
    } else {
      this.root.pause();
      this.root.resume();
    }
    return 0;
  }

  private seen(): void {
    this.seenDoubt = this.host.doubt;
    this.secsInDoubt = 0;
  }

  private enter(phase: Phase): void {
    this.phase = phase;
    this.secsInPhase = 0;
  }

  private closed(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    if (this.request) this.host.requestEnded();
    this.request = undefined;
    this.host.closed(this);
  }

  private data(chunk: ArrayBuffer, isLast: boolean): void {
    this.seen();
    this.isAtLastByte = isLast;
    if (this.phase === 'opening' || this.phase === 'idle') this.begin();
    if (this.phase === 'draining') this.drain(chunk.byteLength, isLast);
    else if (this.phase === 'reading') this.read(chunk, isLast);
    this.isAtLastByte = false;
  }

  private begin(): void {
    const request = this.host.takePending();
    if (!request) return;
    request.closed = this.onClosed;
    this.request = request;
    this.body = new BodyParts();
    this.drainedBytes = 0;
    this.enter('reading');
    this.host.opened(this);
    this.host.requestStarted();
    this.addressCache ??= addressText(new Uint8Array(request.res.getRemoteAddress()));
    request.head.remoteAddress = this.addressCache;
    if (request.refusal) this.refuse(request.refusal);
  }

  private read(chunk: ArrayBuffer, isLast: boolean): void {
    const request = this.request!;
    // The chunk is memory of uWS and gone when this returns.
    this.body.add(new Uint8Array(chunk).slice());
    if (this.body.bytes > request.bodyLimit) {
      this.refuse('body_too_large');
      return;
    }
    if (!isLast) return;
    this.enter('answering');
    request.head.body = this.body.take();
    this.host.service.handle(request.head, (reply) => {
      if (this.isAtLastByte) this.answer(request, reply, 'idle');
      else this.host.sendLater(() => this.answer(request, reply, 'idle'));
    });
  }

  private refuse(code: RefusalCode): void {
    const next = this.isAtLastByte ? 'idle' : 'draining';
    this.answer(this.request!, this.host.service.refusal(code), next);
  }

  private drain(bytes: number, isLast: boolean): void {
    this.drainedBytes += bytes;
    if (isLast) {
      this.enter('idle');
      this.host.rearmLater(this);
    } else if (this.drainedBytes > DRAIN_BYTES) this.root.close();
  }

  private answer(request: PendingRequest, reply: HttpReply, next: Phase): void {
    if (this.request !== request) return;
    this.request = undefined;
    this.enter(next);
    this.host.requestEnded();
    if (this.host.closesWithin(() => writeReply(request.res, request.head.method, reply, false))) {
      this.closed();
      return;
    }
    this.seen();
    this.rearm();
    if (this.isAtLastByte) this.host.rearmLater(this);
  }
}
