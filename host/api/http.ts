// The narrow border between HTTP drivers and the service: one request type, one reply type, one driver interface.
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
  /** Replies for what the driver itself refuses: 413, 414, 431, 400. */
  refusal(code: 'body_too_large' | 'uri_too_long' | 'headers_too_large' | 'invalid_request'): HttpReply;
}

export interface HttpDriver {
  readonly name: 'uws' | 'node';
  /** Binds and starts; resolves with the bound port (also for port 0). Rejects when the port is taken. */
  listen(host: string, port: number): Promise<number>;
  /** Stops accepting, lets running answers finish for at most `graceMs`, then closes everything. */
  close(graceMs: number): Promise<void>;
}
