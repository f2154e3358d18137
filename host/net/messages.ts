// The messages between nodes, as bytes: a type, then its fields, little-endian (protocol 12.8).
// Keeps: one encoding for each message; bytes that do not decode end the link. Limits: at most 200 vertices or 1 MiB in
// one answer, except that one vertex always fits.

import { MAX_SEATS } from '../../assembly/consensus/abi.ts';
import { ByteReader, ByteWriter } from '../wire/bytes.ts';

export const MAX_VERTICES = 200;
export const MAX_ANSWER_BYTES = 1_048_576;
/** Seal proofs of one answer. */
export const MAX_PROOFS = 64;
const MAX_IDS = 200;
const STATEMENT_BYTES = 168;
const SIGNATURE_BYTES = 64;

/** How far a node has come: sent after the hello, and whenever it has changed. */
export interface HeadMessage {
  type: 'head';
  /** Number of the running epoch, and how many of its vertices the node has. */
  epoch: number;
  vertexCount: number;
  block: number;
  order: number;
  /** Height of the newest checkpoint that a quorum has signed, 0 = none. */
  signed: number;
  /** May the sender's seat sign vertices; not while it may have lost some (consensus 5.12). */
  isOpen: boolean;
  /** Where the sender's history begins: first epoch and order number of its log, first seq of its documents. */
  from: HistoryFrom;
  /** Newest seq of each seat in the running epoch, 0 = none. */
  seqs: number[];
}

export interface HistoryFrom {
  epoch: number;
  order: number;
  seq: number;
}

const PARTS = ['more', 'last', 'gone'] as const;
type Part = (typeof PARTS)[number];

export type Message =
  | {
      type: 'hello';
      protocol: string;
      chainId: string;
      genesisHash: Uint8Array;
      /** Newest revision of the rules that the sender knows. */
      revision: number;
      /** SHA-256 of its core.wasm. */
      core: Uint8Array;
      /** SHA-256 of its consensus.wasm. */
      consensus: Uint8Array;
      isObserver: boolean;
    }
  | HeadMessage
  /** New vertices, or the answer to `want`: those that the node has. */
  | { type: 'vertices'; epoch: number; vertices: readonly Uint8Array[] }
  | { type: 'want'; ids: readonly Uint8Array[] }
  /** Asks for vertices of an epoch, from a position of the asked node on, without each seat's up to `seqs`. */
  | { type: 'sync'; epoch: number; cursor: number; seqs: readonly number[] }
  /** The answer to `sync`. `cursor`: position to continue from; `isEnd`: the node has no more of this epoch now. */
  | { type: 'synced'; epoch: number; cursor: number; isEnd: boolean; vertices: readonly Uint8Array[] }
  | { type: 'checkpoint'; statement: Uint8Array; seat: number; signature: Uint8Array }
  /** Asks for the signatures of the newest checkpoints; the answer is a `checkpoint` for each. */
  | { type: 'words' }
  /** A joining node asks for seal proofs, from an epoch on. */
  | { type: 'seals'; from: number }
  /**
   * The answer to `seals`. `offered`: epoch whose opening state the asked node serves, 0 = none; `rowCount`: about how many
   * rows that is, 0 = not known; `openers`: vertices of that epoch, without payload (join-seals.ts).
   */
  | {
      type: 'sealed';
      from: number;
      offered: number;
      rowCount: number;
      proofs: readonly Uint8Array[];
      openers: readonly Uint8Array[];
    }
  /** Asks for rows of the store as of the opening of an epoch, after a key; an empty key: from the first on. */
  | { type: 'fetch'; epoch: number; after: Uint8Array }
  /** The answer to `fetch`. `gone`: the asked node no longer has that state. */
  | { type: 'fetched'; epoch: number; part: Part; rows: Uint8Array }
  | { type: 'ping'; nonce: number }
  /** `wallMs`: the sender's wall clock; `usedMs`: the time it uses, 0 = none is trusted yet. */
  | { type: 'pong'; nonce: number; wallMs: number; usedMs: number }
  /** The last message before a link is closed. */
  | { type: 'bye'; reason: string };

type Type = Message['type'];

export const CODES: Record<Type, number> = {
  hello: 1,
  head: 2,
  vertices: 3,
  want: 4,
  sync: 5,
  synced: 6,
  checkpoint: 7,
  ping: 8,
  pong: 9,
  bye: 10,
  seals: 11,
  sealed: 12,
  fetch: 13,
  fetched: 14,
  words: 15,
};

function putList(out: ByteWriter, items: readonly Uint8Array[]): void {
  out.u16(items.length);
  for (const bytes of items) out.u32(bytes.length).raw(bytes);
}

function putSeqs(out: ByteWriter, seqs: readonly number[]): void {
  out.u16(seqs.length);
  for (const seq of seqs) out.u32(seq);
}

function roomFor(message: Message): number {
  if ('vertices' in message) return message.vertices.reduce((sum, v) => sum + 4 + v.length, 64);
  return message.type === 'fetched' ? message.rows.length + 64 : 256;
}

export function encodeMessage(message: Message): Uint8Array {
  const out = new ByteWriter(roomFor(message)).u8(CODES[message.type]);
  switch (message.type) {
    case 'hello':
      out.ascii16(message.protocol).ascii16(message.chainId).raw(message.genesisHash);
      out
        .u32(message.revision)
        .raw(message.core)
        .raw(message.consensus)
        .u8(message.isObserver ? 1 : 0);
      break;
    case 'head':
      out
        .u32(message.epoch)
        .u32(message.vertexCount)
        .u64(message.block)
        .u64(message.order)
        .u64(message.signed)
        .u8(message.isOpen ? 1 : 0)
        .u32(message.from.epoch)
        .u64(message.from.order)
        .u64(message.from.seq);
      putSeqs(out, message.seqs);
      break;
    case 'vertices':
      out.u32(message.epoch);
      putList(out, message.vertices);
      break;
    case 'want':
      out.u16(message.ids.length);
      for (const id of message.ids) out.raw(id);
      break;
    case 'sync':
      out.u32(message.epoch).u32(message.cursor);
      putSeqs(out, message.seqs);
      break;
    case 'synced':
      out
        .u32(message.epoch)
        .u32(message.cursor)
        .u8(message.isEnd ? 1 : 0);
      putList(out, message.vertices);
      break;
    case 'checkpoint':
      out.raw(message.statement).u16(message.seat).raw(message.signature);
      break;
    case 'seals':
      out.u32(message.from);
      break;
    case 'sealed':
      out.u32(message.from).u32(message.offered).u64(message.rowCount);
      putList(out, message.proofs);
      putList(out, message.openers);
      break;
    case 'fetch':
      out.u32(message.epoch).u16(message.after.length).raw(message.after);
      break;
    case 'fetched':
      out.u32(message.epoch).u8(PARTS.indexOf(message.part)).u32(message.rows.length).raw(message.rows);
      break;
    case 'ping':
      out.u32(message.nonce);
      break;
    case 'pong':
      out.u32(message.nonce).u64(message.wallMs).u64(message.usedMs);
      break;
    case 'bye':
      out.ascii16(message.reason);
  }
  return out.finish();
}

/** How many follow: more than a message may have are not read. */
function readCount(reader: ByteReader, most: number): number {
  const count = reader.u16();
  if (count > most) reader.failed = true;
  return reader.failed ? 0 : count;
}

function readItems<T>(reader: ByteReader, most: number, item: () => T): T[] {
  const items: T[] = [];
  for (let left = readCount(reader, most); left > 0 && !reader.failed; left--) items.push(item());
  return items;
}

const readList = (reader: ByteReader, most: number): Uint8Array[] =>
  readItems(reader, most, () => reader.raw(reader.u32()));

const readSeqs = (reader: ByteReader): number[] => readItems(reader, MAX_SEATS, () => reader.u32());

const readIds = (reader: ByteReader): Uint8Array[] => {
  const ids = readItems(reader, MAX_IDS, () => reader.raw(32));
  if (ids.length === 0) reader.failed = true;
  return ids;
};

function readPart(reader: ByteReader): Part {
  const part = PARTS[reader.u8()];
  if (part === undefined) reader.failed = true;
  return part ?? 'gone';
}

function readFlag(reader: ByteReader): boolean {
  const byte = reader.u8();
  if (byte > 1) reader.failed = true;
  return byte === 1;
}

const READERS: Record<number, (reader: ByteReader) => Message> = {
  [CODES.hello]: (r) => ({
    type: 'hello',
    protocol: r.ascii16(),
    chainId: r.ascii16(),
    genesisHash: r.raw(32),
    revision: r.u32(),
    core: r.raw(32),
    consensus: r.raw(32),
    isObserver: readFlag(r),
  }),
  [CODES.head]: (r) => ({
    type: 'head',
    epoch: r.u32(),
    vertexCount: r.u32(),
    block: r.u64(),
    order: r.u64(),
    signed: r.u64(),
    isOpen: readFlag(r),
    from: { epoch: r.u32(), order: r.u64(), seq: r.u64() },
    seqs: readSeqs(r),
  }),
  [CODES.vertices]: (r) => ({ type: 'vertices', epoch: r.u32(), vertices: readList(r, MAX_VERTICES) }),
  [CODES.want]: (r) => ({ type: 'want', ids: readIds(r) }),
  [CODES.sync]: (r) => ({ type: 'sync', epoch: r.u32(), cursor: r.u32(), seqs: readSeqs(r) }),
  [CODES.synced]: (r) => ({
    type: 'synced',
    epoch: r.u32(),
    cursor: r.u32(),
    isEnd: readFlag(r),
    vertices: readList(r, MAX_VERTICES),
  }),
  [CODES.checkpoint]: (r) => ({
    type: 'checkpoint',
    statement: r.raw(STATEMENT_BYTES),
    seat: r.u16(),
    signature: r.raw(SIGNATURE_BYTES),
  }),
  [CODES.seals]: (r) => ({ type: 'seals', from: r.u32() }),
  [CODES.sealed]: (r) => ({
    type: 'sealed',
    from: r.u32(),
    offered: r.u32(),
    rowCount: r.u64(),
    proofs: readList(r, MAX_PROOFS),
    openers: readList(r, MAX_SEATS),
  }),
  [CODES.fetch]: (r) => ({ type: 'fetch', epoch: r.u32(), after: r.raw(r.u16()) }),
  [CODES.fetched]: (r) => ({
    type: 'fetched',
    epoch: r.u32(),
    part: readPart(r),
    rows: r.raw(r.u32()),
  }),
  [CODES.ping]: (r) => ({ type: 'ping', nonce: r.u32() }),
  [CODES.pong]: (r) => ({ type: 'pong', nonce: r.u32(), wallMs: r.u64(), usedMs: r.u64() }),
  [CODES.words]: () => ({ type: 'words' }),
  [CODES.bye]: (r) => ({ type: 'bye', reason: r.ascii16() }),
};

/** The message that these bytes encode, or undefined. Byte members are views. */
export function decodeMessage(bytes: Uint8Array): Message | undefined {
  const reader = new ByteReader(bytes);
  const read = READERS[reader.u8()];
  if (!read) return undefined;
  const message = read(reader);
  return reader.done ? message : undefined;
}
