// What both HTTP drivers share: sizes and times of DECISIONS 8.2, the request they hand up, and what they
// refuse before anybody above sees it.
// Keeps: the same bytes on the wire give the same request or the same refusal under either driver.
// Never answers by itself and never touches a socket.

import { STATUS_CODES } from 'node:http';
import type { Clock } from '../../clock.ts';
import type { HttpRequest, HttpService } from '../../http.ts';

export type RefusalCode = Parameters<HttpService['refusal']>[0];

/** Source of the four sizes and times: DECISIONS 8.2. */
export const URL_BYTES = 8_192;
export const HEADER_BYTES = 16_384;
export const READ_SECS = 30;
export const IDLE_SECS = 65;

/** uWebSockets.js parses at most 98 header lines; both drivers stop a little earlier, with a proper answer. */
export const HEADER_LINES = 90;

/** What the parsers themselves take: above URL plus headers, so that the refusals below are ours to word. */
export const PARSER_BYTES = 32_768;

/**
 * A body over the limit is refused at once, but read and thrown away up to this many bytes, since closing a
 * socket with unread bytes resets it and the client would never see the answer.
 */
export const DRAIN_BYTES = 1_048_576;

/** Drivers measure spans only. */
export type DriverClock = Pick<Clock, 'setTimer' | 'soon'>;

/** Streams (DECISIONS 9): largest frame of a client, and the close codes that drivers send. */
export const CLIENT_FRAME_BYTES = 1024;
export const CLOSE_SHUTDOWN = 1001;
export const CLOSE_TOO_LARGE = 1009;

const EMPTY = new Uint8Array(0);

/** A request as a driver read it. `headers` holds lower-case name, value, name, value, ... */
export class RequestHead implements HttpRequest {
  body: Uint8Array = EMPTY;

  constructor(
    readonly method: string,
    readonly path: string,
    readonly query: string,
    public remoteAddress: string,
    private readonly headers: readonly string[],
  ) {}

  header(name: string): string | undefined {
    let found: string | undefined;
    for (let i = 0; i < this.headers.length; i += 2) {
      if (this.headers[i] !== name) continue;
      const value = this.headers[i + 1]!;
      found = found === undefined ? value : `${found}, ${value}`;
    }
    return found;
  }

  /** What makes the head alone unacceptable; `bodyLimit` in bytes. */
  refusal(bodyLimit: number): RefusalCode | undefined {
    if (this.path.length + this.query.length + 1 > URL_BYTES) return 'uri_too_long';
    if (this.headers.length > 2 * HEADER_LINES) return 'headers_too_large';
    let bytes = 0;
    for (const text of this.headers) bytes += text.length + 2;
    if (bytes > HEADER_BYTES) return 'headers_too_large';
    const length = this.header('content-length');
    if (length === undefined) return undefined;
    // Two different lengths are joined with a comma and fail here: nobody in between may see another request.
    if (!/^\d{1,15}$/.test(length)) return 'invalid_request';
    return Number(length) > bodyLimit ? 'body_too_large' : undefined;
  }
}

/** A complete WebSocket handshake (RFC 6455, 4.2.1); anything less is an ordinary request. */
export function isHandshake(head: RequestHead): boolean {
  const lists = (name: string, word: string): boolean =>
    (head.header(name) ?? '').split(',').some((part) => part.trim().toLowerCase() === word);
  return (
    head.method === 'GET' &&
    lists('upgrade', 'websocket') &&
    lists('connection', 'upgrade') &&
    head.header('sec-websocket-version') === '13' &&
    /^[A-Za-z0-9+/]{22}==$/.test(head.header('sec-websocket-key') ?? '')
  );
}

/** Body chunks of one request with the count that is compared with the limit. */
export class BodyParts {
  private parts: Uint8Array[] = [];
  bytes = 0;

  /** Keeps the chunk as it is: the caller copies what it does not own. */
  add(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    if (chunk.length > 0) this.parts.push(chunk);
  }

  take(): Uint8Array {
    if (this.parts.length === 0) return EMPTY;
    if (this.parts.length === 1) return this.parts[0]!;
    const whole = new Uint8Array(this.bytes);
    let at = 0;
    for (const part of this.parts) {
      whole.set(part, at);
      at += part.length;
    }
    this.parts = [];
    return whole;
  }
}

const STATUS_LINES = new Map<number, string>();
for (const [status, text] of Object.entries(STATUS_CODES))
  STATUS_LINES.set(Number(status), `${status} ${text}`);

export function statusLine(status: number): string {
  return STATUS_LINES.get(status) ?? `${status} Unknown`;
}

/** A header value that cannot split an answer: everything but printable ASCII becomes `?`. */
export function safeHeaderValue(value: string): string {
  return /^[\x20-\x7e]*$/.test(value) ? value : value.replace(/[^\x20-\x7e]/g, '?');
}

/** Drivers count bodies themselves; a length from above would be sent twice. */
export function isLengthHeader(name: string): boolean {
  return name.length === 14 && name.toLowerCase() === 'content-length';
}

/** Answers to these carry neither body nor length. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}

/** Text of 4 or 16 address bytes; IPv6 in the shortest form (RFC 5952). */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return '';
  const isMapped = bytes.subarray(0, 10).every((b) => b === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
  if (isMapped) return bytes.subarray(12).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16));
  let best = { at: 0, length: 1 };
  for (let at = 0; at < 8; at++) {
    let end = at;
    while (end < 8 && groups[end] === '0') end++;
    if (end - at > best.length) best = { at, length: end - at };
  }
  if (best.length < 2) return groups.join(':');
  return `${groups.slice(0, best.at).join(':')}::${groups.slice(best.at + best.length).join(':')}`;
}
