// The narrow border between HTTP drivers and the service: one request type, one reply type, streams, one driver
// interface.
// Two drivers implement it (uWebSockets.js and node:http) under one contract suite; nothing above knows which runs.

export interface HttpRequest {
  /** In capitals, as sent. */
  method: string;
  /** Raw path of the request line, percent-encoding kept, without query. */
  path: string;
  /** Raw query without `?`; empty when there is none. */
  query: string;
  /** Value of a header by lower-case name; several of one name are joined by ", ". */
  header(name: string): string | undefined;
  /** Socket address, IPv4-mapped IPv6 written as IPv4. */
  remoteAddress: string;
  body: Uint8Array;
}

export interface HttpReply {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

export interface HttpService {
  /** Largest accepted body in bytes for a method and raw path; more: the driver answers `tooLarge`. */
  maxBodyBytes(method: string, path: string): number;
  /**
   * Answers exactly once, now or later. The driver tolerates a `reply` after the client has gone.
   * `request.body` stays valid for as long as it is referenced.
   */
  handle(request: HttpRequest, reply: (reply: HttpReply) => void): void;
  /**
   * Asked for every proper WebSocket handshake: `undefined` when the path takes none and the request is an ordinary
   * one, a reply that refuses it, or what opens the stream. The driver calls the opener at once.
   */
  upgrade(request: HttpRequest): HttpReply | StreamOpener | undefined;
  /** Replies for what the driver itself refuses: 413, 414, 431, 400. */
  refusal(code: 'body_too_large' | 'uri_too_long' | 'headers_too_large' | 'invalid_request'): HttpReply;
}

/** The open socket of a stream, as a driver hands it up. Every call is harmless after its end. */
export interface StreamSocket {
  /** Queues text frames, in order. The bytes are not copied before they leave, so they must not change. */
  send(messages: readonly Uint8Array[]): void;
  /** Bytes queued here that the system has not taken yet. */
  unsentBytes(): number;
  ping(): void;
  /** Sends a close frame behind what is queued; nothing can be sent after it. */
  close(code: number, reason: string): void;
  /** Ends the connection without a word. */
  terminate(): void;
}

/** What a driver tells about a stream. Frames of the client are read and dropped; one over 1 KiB ends it with 1009. */
export interface StreamListener {
  /** Some of the queued bytes have left. */
  drained(): void;
  pong(): void;
  /** Exactly once, whoever ended it. */
  closed(): void;
}

export type StreamOpener = (socket: StreamSocket) => StreamListener;

/** `uws`: uWebSockets.js; `node`: node:http and ws; `auto`: the former where its binary loads. */
export type DriverChoice = 'auto' | 'uws' | 'node';

export interface HttpDriver {
  readonly name: string;
  /** Binds and starts; resolves with the bound port (also for port 0). Rejects when the port is taken. */
  listen(host: string, port: number): Promise<number>;
  /**
   * Stops accepting, ends streams with 1001, lets running answers finish for at most `graceMs`, then closes everything.
   */
  close(graceMs: number): Promise<void>;
}
