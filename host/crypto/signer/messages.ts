// What a node asks a signer, and what that answers (protocol 12.11).
// Keeps: bytes of another form are refused, never guessed at; an answer never has a secret in it.
//
//   asked:    u8 what, then:  1 who: nothing   2 sign: message   3 vertex: epoch u32, header   4 product: point[32]   5 shared: key[32]
//   answered: u8 0 and the bytes that were asked for, or u8 1 and why not, as text
//   `who` is answered by key[32], u8 (0 the key signed no vertex, 1 it signed the following, 2 it was not recorded; 128 more: the key only
//   signs, the last two questions are refused), epoch u32, seq u32, id[32]

import { ByteReader, ByteWriter, fromUtf8, toHex, utf8 } from '../../wire/bytes.ts';
import type { HeldKey } from '../key-pair.ts';

const WHAT = { who: 1, sign: 2, vertex: 3, product: 4, shared: 5 } as const;
const KEY_BYTES = 32;
const KNOWN = { unused: 0, newest: 1, unrecorded: 2 } as const;
/** Added to it. */
const ONLY_SIGNS = 128;

/** Why a signer refuses whoever comes while a node is connected. */
export const SECOND_NODE = 'another node is connected to this signer';

export type Question =
  | { what: 'who' }
  | { what: 'sign'; message: Uint8Array }
  | { what: 'vertex'; epoch: number; header: Uint8Array }
  | { what: 'product'; point: Uint8Array }
  | { what: 'shared'; key: Uint8Array };

const bytesOf = (question: Question): Uint8Array => {
  switch (question.what) {
    case 'who':
      return new Uint8Array(0);
    case 'sign':
      return question.message;
    case 'vertex':
      return new ByteWriter(4 + question.header.length).u32(question.epoch).raw(question.header).finish();
    case 'product':
      return question.point;
    case 'shared':
      return question.key;
  }
};

export function encodeQuestion(question: Question): Uint8Array {
  const body = bytesOf(question);
  return new ByteWriter(1 + body.length).u8(WHAT[question.what]).raw(body).finish();
}

/** Undefined for anything else. */
export function decodeQuestion(bytes: Uint8Array): Question | undefined {
  const reader = new ByteReader(bytes);
  const code = reader.u8();
  const body = bytes.slice(1);
  if (code === WHAT.who) return body.length === 0 ? { what: 'who' } : undefined;
  if (code === WHAT.sign) return { what: 'sign', message: body };
  if (code === WHAT.vertex) {
    const epoch = reader.u32();
    return reader.failed ? undefined : { what: 'vertex', epoch, header: body.slice(4) };
  }
  if (body.length !== KEY_BYTES) return undefined;
  if (code === WHAT.product) return { what: 'product', point: body };
  return code === WHAT.shared ? { what: 'shared', key: body } : undefined;
}

export const encodeAnswer = (body: Uint8Array): Uint8Array => Uint8Array.of(0, ...body);
export const encodeRefusal = (why: string): Uint8Array => Uint8Array.of(1, ...utf8(why));

/** The answer, or why there is none. */
export const decodeAnswer = (bytes: Uint8Array): Uint8Array | string =>
  bytes[0] === 0 ? bytes.slice(1) : fromUtf8(bytes.subarray(1));

export interface Who extends HeldKey {
  publicKey: Uint8Array;
}

export function encodeWho({ publicKey, newest, isUnused, onlySigns }: Who): Uint8Array {
  const out = new ByteWriter(KEY_BYTES + 41).raw(publicKey);
  const more = onlySigns ? ONLY_SIGNS : 0;
  if (!newest) return out.u8((isUnused ? KNOWN.unused : KNOWN.unrecorded) + more).finish();
  const id = Uint8Array.from(Buffer.from(newest.id, 'hex'));
  return out
    .u8(KNOWN.newest + more)
    .u32(newest.epoch)
    .u32(newest.seq)
    .raw(id)
    .finish();
}

/** Undefined for what no signer answers. */
export function decodeWho(bytes: Uint8Array): Who | undefined {
  const reader = new ByteReader(bytes);
  const publicKey = reader.raw(KEY_BYTES).slice();
  const code = reader.u8();
  const onlySigns = code >= ONLY_SIGNS;
  const known = onlySigns ? code - ONLY_SIGNS : code;
  if (known !== KNOWN.newest)
    return reader.done
      ? { publicKey, newest: undefined, isUnused: known === KNOWN.unused, onlySigns }
      : undefined;
  const newest = { epoch: reader.u32(), seq: reader.u32(), id: toHex(reader.raw(32)) };
  return reader.done ? { publicKey, newest, isUnused: false, onlySigns } : undefined;
}
