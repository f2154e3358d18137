// The interface between HTTP drivers and the service: requests, replies, streams, and the driver itself.
// Two drivers implement it (uWebSockets.js and node:http) under one contract suite; the service does not know which runs, nor
// on which thread (host/ingress).

import type { Vetted } from '../wire/vetted.ts';

export interface HttpRequest {
  /** In capitals, as sent. */
  method: string;
  /** Raw path of the request line, percent-encoding kept, without query. */
  path: string;
  /** Raw query without `?`; empty if there is none. */
  query: string;
  /** Value of a header by lower-case name; repeated headers are joined by ", ". */
  header(name: string): string | undefined;
  /** Socket address, IPv4-mapped IPv6 written as IPv4. Not to be asked for the first time once the request is answered. */
  readonly remoteAddress: string;
  body: Uint8Array;
  /** What the service keeps of a request between `admit` and `handle`; a driver never touches it. */
  kept?: unknown;
  /** What a thread before the service found out about a signed request; undefined: nothing. */
  vetted?: Vetted | undefined;
  /** The requests of a batch, where such a thread has read them already: then `body` is empty. */
  items?: readonly HttpRequest[] | undefined;
  /** Tells that thread the key behind an actor's name, for the next requests. */
  onKey?: ((actor: string, publicKey: Uint8Array) => void) | undefined;
}

export interface HttpReply {
  status: number;
  /** They do not change once a driver has them: the same object again stands for the same lines. */
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
}

/** Known now or later. */
export type Answer<T> = T | Promise<T>;

/** Goes on with an answer: at once, if it is known. */
export const after = <T, R>(answer: Answer<T>, next: (value: T) => Answer<R>): Answer<R> =>
  answer instanceof Promise ? answer.then(next) : next(answer);

/** What a driver refuses by itself: 413, 414, 431, 400. */
export const REFUSAL_CODES = [
  'body_too_large',
  'uri_too_long',
  'headers_too_large',
  'invalid_request',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

export interface HttpService {
  /** Largest accepted body in bytes for a method and raw path; beyond it the driver answers `body_too_large`. */
  maxBodyBytes(method: string, path: string): number;
  /**
   * Called for each request when its head has been read, before its body: a reply refuses it, and its body is
   * thrown away; a promise, which never rejects, says so later, and the body is not read until then. Not called for what the driver
   * refuses itself.
   */
  admit(head: HttpRequest): Answer<HttpReply | undefined>;
  /** Called when the client of an admitted request has gone before its body was there: `handle` will not be called. */
  gone?(head: HttpRequest): void;
  /**
   * Answers exactly once, now or later. The driver tolerates a `reply` after the client has gone.
   * `request.body` stays valid for as long as it is referenced.
   */
  handle(request: HttpRequest, reply: (reply: HttpReply) => void): void;
  /**
   * Called for every valid WebSocket handshake. Returns the opener of the stream, which the driver calls at once; or a
   * reply that refuses it; or `undefined` if the path has no stream and the request is to be handled as an ordinary one;
   * or a promise of one of these, which never rejects. An opener is called in any case: with a socket that has ended, and told
   * so, if the client has gone meanwhile.
   */
  upgrade(request: HttpRequest): Answer<HttpReply | StreamOpener | undefined>;
  /** Is it the address of a proxy, which opens connections for many clients. */
  isProxy?(address: string): boolean;
  /** Replies for requests that the driver itself refuses. */
  refusal(code: RefusalCode): HttpReply;
}

/** The open socket of a stream. Calls after its end have no effect. */
export interface StreamSocket {
  /** Queues text frames, in order. The bytes are not copied before they are sent, so they must not change. */
  send(messages: readonly Uint8Array[]): void;
  /** Queued bytes that the operating system has not accepted yet. */
  unsentBytes(): number;
  ping(): void;
  /** Sends a close frame after the queued frames; nothing can be sent after it. */
  close(code: number, reason: string): void;
  /** Ends the connection without a close frame. */
  terminate(): void;
}

/** What a thread before the service has read of a frame that is a batch; of its bytes, only those before the batch are left. */
export interface ReadFrame {
  items: readonly HttpRequest[];
  /** Of the batch as it came. */
  byteLength: number;
}

/**
 * Callbacks of a stream. Where it takes no frames, those of the client are read and dropped, and one over 1 KiB ends the
 * stream with 1009; otherwise one over 64 KiB does.
 */
export interface StreamListener {
  /** Some of the queued bytes were sent. */
  drained(): void;
  pong(): void;
  /** Called exactly once, whichever side ended the stream. */
  closed(): void;
  /** A frame of the client, text or binary; the bytes are the listener's own. */
  frame?(bytes: Uint8Array, read?: ReadFrame): void;
}

export type StreamOpener = (socket: StreamSocket) => StreamListener;

/** `uws`: uWebSockets.js; `node`: node:http and ws; `auto`: the former where its binary loads. */
export type DriverChoice = 'auto' | 'uws' | 'node';

/** Does a driver have its port for itself, or is it the first of several that share it, or one that joins these. */
export const SHARINGS = ['alone', 'first', 'joins'] as const;
export type Sharing = (typeof SHARINGS)[number];

export interface HttpDriver {
  readonly name: string;
  /**
   * Binds and starts; resolves with the bound port (also for port 0). Rejects when the port is in use by anybody, or with
   * `joins` by anybody who does not share it.
   */
  listen(host: string, port: number, sharing?: Sharing): Promise<number>;
  /**
   * Stops accepting, ends streams with 1001, lets running answers finish for at most `graceMs`, then closes everything.
   */
  close(graceMs: number): Promise<void>;
}
