// The interface between HTTP drivers and the service: requests, replies, streams, and the driver itself.
// Two drivers implement it (uWebSockets.js and node:http) under one contract suite; the service does not know which runs.

export interface HttpRequest {
  /** In capitals, as sent. */
  method: string;
  /** Raw path of the request line, percent-encoding kept, without query. */
  path: string;
  /** Raw query without `?`; empty if there is none. */
  query: string;
  /** Value of a header by lower-case name; repeated headers are joined by ", ". */
  header(name: string): string | undefined;
  /** Socket address, IPv4-mapped IPv6 written as IPv4. */
  remoteAddress: string;
  body: Uint8Array;
  /** What the service keeps of a request between `admit` and `handle`; a driver never touches it. */
  kept?: unknown;
}

export interface HttpReply {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

export interface HttpService {
  /** Largest accepted body in bytes for a method and raw path; beyond it the driver answers `body_too_large`. */
  maxBodyBytes(method: string, path: string): number;
  /**
   * Called for each request when its head has been read, before its body: a reply refuses it, and its body need not be
   * read. Not called for what the driver refuses itself.
   */
  admit(head: HttpRequest): HttpReply | undefined;
  /**
   * Answers exactly once, now or later. The driver tolerates a `reply` after the client has gone.
   * `request.body` stays valid for as long as it is referenced.
   */
  handle(request: HttpRequest, reply: (reply: HttpReply) => void): void;
  /**
   * Called for every valid WebSocket handshake. Returns the opener of the stream, which the driver calls at once; or a
   * reply that refuses it; or `undefined` if the path has no stream and the request is to be handled as an ordinary one.
   */
  upgrade(request: HttpRequest): HttpReply | StreamOpener | undefined;
  /** Replies for requests that the driver itself refuses: 413, 414, 431, 400. */
  refusal(code: 'body_too_large' | 'uri_too_long' | 'headers_too_large' | 'invalid_request'): HttpReply;
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
  frame?(bytes: Uint8Array): void;
}

export type StreamOpener = (socket: StreamSocket) => StreamListener;

/** `uws`: uWebSockets.js; `node`: node:http and ws; `auto`: the former where its binary loads. */
export type DriverChoice = 'auto' | 'uws' | 'node';

export interface HttpDriver {
  readonly name: string;
  /** Binds and starts; resolves with the bound port (also for port 0). Rejects when the port is in use. */
  listen(host: string, port: number): Promise<number>;
  /**
   * Stops accepting, ends streams with 1001, lets running answers finish for at most `graceMs`, then closes everything.
   */
  close(graceMs: number): Promise<void>;
}
