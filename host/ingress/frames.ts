// The frames between a thread that takes requests in and the node, both ways. A ticket names a request, or the stream that
// came of it, on its thread.
//   to the node:    kind u8, ticket u32, content
//   to the thread:  kind u8, ticket u32, content

import type { Vetted } from '../wire/vetted.ts';
import type { HttpReply, HttpRequest } from '../world/http.ts';
import type { RequestHead } from '../world/request-head.ts';
import type { PacketReader, PacketWriter } from './packet.ts';
import { headText, isPlain, PacketHead } from './packet-head.ts';

/** From the thread to the node. */
export const TO_NODE = {
  /** A request: head, content. */
  request: 1,
  /** The head of a request whose body is long: may it be read. */
  head: 2,
  /** The content of such a request. */
  body: 3,
  /** The head of a WebSocket handshake. */
  handshake: 4,
  /** A request was refused by the driver: index of its code u8. Ticket 0. */
  refused: 5,
  /** Of a stream: so many bytes were accepted by the system since the last time, u32. */
  accepted: 6,
  /** Of a stream. */
  pong: 7,
  closed: 8,
  /** Of a stream: bytes of the batch u32, content, whose bytes are those before the batch if it was read. */
  frame: 9,
  /** The driver listens: port u32, name of the driver. Ticket 0. */
  listening: 10,
  /** What was asked last failed: text, code of the system or none. Ticket 0. */
  failed: 11,
  /** The driver has closed. Ticket 0. */
  stopped: 12,
  /** The client of a request whose head was admitted has gone before its body was there. */
  gone: 13,
} as const;

/** From the node to the thread. */
export const TO_THREAD = {
  reply: 1,
  /** The body may be read; the handshake is no one's and the request is handled as an ordinary one. */
  go: 2,
  /** The handshake is taken: takes frames u8. */
  open: 3,
  /** Of a stream: messages. */
  send: 4,
  ping: 5,
  /** Code u16, reason. */
  close: 6,
  terminate: 7,
  /** Of a stream: so many bytes of its frames were taken, u32. */
  taken: 8,
  /** An actor's key: text, 32 bytes. Ticket 0. */
  key: 9,
  /** Host, port u32, sharing u8. Ticket 0. */
  listen: 10,
  /** Grace in ms, u32. Ticket 0. */
  stop: 11,
} as const;

const HAS = 1;
const HAS_VALUE = 2;
const IS_GOOD = 4;

function writeVetted(out: PacketWriter, vetted: Vetted | undefined): void {
  if (!vetted) {
    out.u8(0);
    return;
  }
  out.u8(HAS | (vetted.hasValue ? HAS_VALUE : 0) | (vetted.isGood ? IS_GOOD : 0));
  out.raw(vetted.id).raw(vetted.publicKey).text(vetted.bodySha256);
}

function readVetted(reader: PacketReader): Vetted | undefined {
  const flags = reader.u8();
  if (flags === 0) return undefined;
  // It may be kept for longer than the rest of the packet.
  const id = reader.raw(32).slice();
  const publicKey = reader.raw(32);
  const bodySha256 = reader.text();
  return {
    bodySha256,
    hasValue: (flags & HAS_VALUE) !== 0,
    id,
    publicKey,
    isGood: (flags & IS_GOOD) !== 0,
  };
}

/** The requests of a batch, where they can be written down. */
export function plainItems({ items }: HttpRequest): readonly RequestHead[] | undefined {
  const heads = items as readonly RequestHead[] | undefined;
  return heads?.every(isPlain) ? heads : undefined;
}

/** The body, or instead of it the requests of a batch. */
export function writeContent(
  out: PacketWriter,
  request: HttpRequest,
  bytes: Uint8Array,
  items: readonly RequestHead[] | undefined,
): void {
  out.u16(items?.length ?? 0).bytes(bytes);
  writeVetted(out, request.vetted);
  for (const item of items ?? []) {
    out.text(headText(item)).bytes(item.body);
    writeVetted(out, item.vetted);
  }
}

export interface Content {
  bytes: Uint8Array;
  vetted: Vetted | undefined;
  items: readonly PacketHead[] | undefined;
}

export function readContent(reader: PacketReader, onKey: HttpRequest['onKey']): Content {
  const count = reader.u16();
  const bytes = reader.bytes();
  const vetted = readVetted(reader);
  const items: PacketHead[] = [];
  for (let i = 0; i < count; i++) {
    const item = new PacketHead(reader.text());
    item.body = reader.bytes();
    item.vetted = readVetted(reader);
    item.onKey = onKey;
    items.push(item);
  }
  return { bytes, vetted, items: count === 0 ? undefined : items };
}

/** Between the names and values of an answer's headers: none of them may hold one. */
const SEPARATOR = '\n';

/** The headers that were written last, and the text that was read last: most answers in a row have the same ones. */
const lastWritten: { headers: HttpReply['headers']; text: string } = { headers: {}, text: '' };
const lastRead: { text: string; headers: HttpReply['headers'] } = { text: '', headers: {} };

function textOf(headers: HttpReply['headers']): string {
  if (headers === lastWritten.headers) return lastWritten.text;
  let text = '';
  for (const name in headers)
    text += `${text === '' ? '' : SEPARATOR}${name}${SEPARATOR}${oneLine(headers[name]!)}`;
  Object.assign(lastWritten, { headers, text });
  return text;
}

function headersOf(text: string): HttpReply['headers'] {
  if (text === lastRead.text) return lastRead.headers;
  const headers: Record<string, string> = {};
  const parts = text.split(SEPARATOR);
  for (let i = 0; i + 1 < parts.length; i += 2) headers[parts[i]!] = parts[i + 1]!;
  Object.assign(lastRead, { text, headers });
  return headers;
}

/** Status, headers and body, which is bytes for whoever reads it. */
export function writeReply(out: PacketWriter, { status, headers, body }: HttpReply): void {
  out.u16(status).text(textOf(headers));
  if (typeof body === 'string') out.text(body);
  else out.shared(body);
}

/** A line break in a header is nothing that could be sent: drivers write `?` for it. */
const oneLine = (value: string): string =>
  value.includes(SEPARATOR) ? value.replaceAll(SEPARATOR, '?') : value;

export function readReply(reader: PacketReader): HttpReply {
  const status = reader.u16();
  const headers = headersOf(reader.text());
  return { status, headers, body: reader.shared() };
}
