// Rules shared by both HTTP drivers: sizes and times of protocol 8.2, the request object, and the refusals made before the
// service sees a request.
// Keeps: the same bytes on the wire give the same request or the same refusal with either driver.
// Never answers by itself and never touches a socket.

import { STATUS_CODES } from 'node:http';
import type { Clock } from '../../clock.ts';
import type { HttpReply, HttpService, RefusalCode, StreamListener, StreamSocket } from '../../http.ts';
import { parting } from '../../parting.ts';
import type { RequestHead } from '../../request-head.ts';
import { connectionsWith, maxOpenFiles } from '../open-files.ts';

/** Source of the four sizes and times: protocol 8.2. */
const URL_BYTES = 8_192;
export const HEADER_BYTES = 16_384;
export const READ_SECS = 30;
export const IDLE_SECS = 65;

/** uWebSockets.js parses at most 98 header lines; both drivers stop a little earlier, with a proper answer. */
const HEADER_LINES = 90;

/** Limit of the parsers themselves: above URL plus headers, so that the refusals below apply first. */
export const PARSER_BYTES = 32_768;

/**
 * Connections open at once, streams included; one more is closed. Each is a file of the process. Source: protocol 8.2.
 */
export const MAX_CONNECTIONS = connectionsWith(maxOpenFiles());

/** Drivers only need timers, and to know how long ago something was. */
export type DriverClock = Pick<Clock, 'setTimer' | 'soon' | 'monotonicMs'>;

/** Streams (protocol 9): largest frame of a client that only reads, of one that writes, and the close codes that drivers send. */
const READER_FRAME_BYTES = 1024;
export const MAX_FRAME_BYTES = 65_536;
/** Pongs that may wait for a client that reads nothing: each ping asks for one, and nobody else bounds them. As in `ws`. */
export const MAX_WAITING_PONGS = 60;
/** Frames of a client that ask for nothing, in so many milliseconds. Source: protocol 8.2. */
const MAX_IDLE_FRAMES = 1_000;
const IDLE_FRAMES_MS = 10_000;
export const CLOSE_SHUTDOWN = 1001;
export const CLOSE_TOO_LARGE = 1009;

/** Is a frame of this many bytes larger than the stream's client may send. */
export const isTooLarge = (listener: StreamListener | undefined, bytes: number): boolean =>
  bytes > (listener?.frame ? MAX_FRAME_BYTES : READER_FRAME_BYTES);

/**
 * Counts the frames of one client that ask for nothing: pings, pongs, and all others where a stream takes none. Two million a second
 * fit 15 MB, take two thirds of the main thread, and are in nobody's budget.
 */
export class IdleFrames {
  private count = 0;
  private sinceMs: number;

  constructor(private readonly clock: Pick<DriverClock, 'monotonicMs'>) {
    this.sinceMs = clock.monotonicMs();
  }

  /** Is another one too many. */
  isFlooded(): boolean {
    this.count += 1;
    if (this.count <= MAX_IDLE_FRAMES) return false;
    const nowMs = this.clock.monotonicMs();
    const isFlood = nowMs - this.sinceMs < IDLE_FRAMES_MS;
    this.sinceMs = nowMs;
    this.count = 1;
    return isFlood;
  }
}

/** Checks the head of a request; returns the code of a refusal. `bodyLimit` in bytes. */
export function headRefusal(head: RequestHead, bodyLimit: number): RefusalCode | undefined {
  if (head.path.length + head.query.length + 1 > URL_BYTES) return 'uri_too_long';
  if (head.headers.length > 2 * HEADER_LINES) return 'headers_too_large';
  let bytes = 0;
  for (const text of head.headers) bytes += text.length + 2;
  if (bytes > HEADER_BYTES) return 'headers_too_large';
  const length = head.header('content-length');
  if (length === undefined) return undefined;
  // Two different lengths are joined by a comma and fail here, so no proxy can see a different request (smuggling).
  if (!/^\d{1,15}$/.test(length)) return 'invalid_request';
  return Number(length) > bodyLimit ? 'body_too_large' : undefined;
}

/**
 * The answer to a request that its head refuses. It ends the connection: nobody pays for it. A body that is too long has cost its
 * sender more than it costs here, and is read and thrown away.
 */
export const refusalOf = (service: HttpService, head: RequestHead, code: RefusalCode): HttpReply =>
  code === 'body_too_large' ? service.refusal(code) : parting(service, head, service.refusal(code));

/** True for a complete WebSocket handshake (RFC 6455, 4.2.1); anything less is an ordinary request. */
export function isHandshake(head: RequestHead): boolean {
  const lists = (name: string, word: string): boolean =>
    (head.header(name) ?? '').split(',').some((part) => part.trim().toLowerCase() === word);
  return (
    head.method === 'GET' &&
    lists('upgrade', 'websocket') &&
    lists('connection', 'upgrade') &&
    head.header('sec-websocket-version') === '13' &&
    /^[A-Za-z0-9+/]{22}==$/.test(head.header('sec-websocket-key') ?? '') &&
    // Nothing comes behind a handshake but frames.
    head.header('transfer-encoding') === undefined &&
    Number(head.header('content-length') ?? 0) === 0
  );
}

const STATUS_LINES = new Map<number, string>();
for (const [status, text] of Object.entries(STATUS_CODES))
  STATUS_LINES.set(Number(status), `${status} ${text}`);

export function statusLine(status: number): string {
  return STATUS_LINES.get(status) ?? `${status} Unknown`;
}

/** The value that each header had last and that was found safe: most answers repeat it. */
const lastSafe = new Map<string, string>();
/** More than the service has names of headers. */
const MAX_NAMES = 64;

/** Makes the value of a header safe against header injection: everything but printable ASCII becomes `?`. */
export function safeHeaderValue(name: string, value: string): string {
  if (lastSafe.get(name) === value) return value;
  if (!/^[\x20-\x7e]*$/.test(value)) return value.replace(/[^\x20-\x7e]/g, '?');
  if (lastSafe.size < MAX_NAMES || lastSafe.has(name)) lastSafe.set(name, value);
  return value;
}

/** Drivers add Content-Length and Connection themselves; those from the service would be sent twice. */
export function isDriversHeader(name: string): boolean {
  if (name.length === 14) return name.toLowerCase() === 'content-length';
  return name.length === 10 && name.toLowerCase() === 'connection';
}

/** Does the service want the connection to end with this answer. */
export const endsConnection = ({ headers }: HttpReply): boolean => headers.Connection !== undefined;

/** All headers of an answer as one: its name, and everything behind the colon. */
export interface JoinedHeaders {
  name: string;
  value: string;
}

let lastHeaders: HttpReply['headers'] = {};
let lastJoined: JoinedHeaders | undefined;

/** For a driver that writes headers as it gets them. Most answers in a row have the same ones. */
export function joinedHeaders(headers: HttpReply['headers']): JoinedHeaders | undefined {
  if (headers === lastHeaders) return lastJoined;
  let name = '';
  let value = '';
  for (const next in headers) {
    if (isDriversHeader(next)) continue;
    const safe = safeHeaderValue(next, headers[next]!);
    if (name === '') {
      name = next;
      value = safe;
    } else value += `\r\n${next}: ${safe}`;
  }
  lastHeaders = headers;
  lastJoined = name === '' ? undefined : { name, value };
  return lastJoined;
}

/** True for a status whose answer has neither body nor length. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}

/** Text of 4 or 16 address bytes; IPv6 in the shortest form (RFC 5952). */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return `${bytes[0]}.${bytes[1]}.${bytes[2]}.${bytes[3]}`;
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

/** The socket of a stream whose client has gone before it was opened. */
export const GONE: StreamSocket = {
  send() {},
  unsentBytes: () => 0,
  ping() {},
  close() {},
  terminate() {},
};
