// A leaf of the core's state with its way to the root of the core (consensus 5.18), from bytes and to bytes.
// Keeps: nothing of it is believed that does not lead to the root; the number of the leaf is a part of the way.
//
//   u32 number ‖ leaf[512] ‖ u8 levels ‖ for each level: u16 bits of the children shown, their hashes
//   leaf = SHA-256(512 bytes, 0x00); node of level k = SHA-256(16 children, byte k). A child that is not shown is the way's
//   own or an empty part: a tree of that level over leaves of zeros.

import { ByteReader, ByteWriter, equalBytes } from './bytes.ts';
import { sha256 } from './hash.ts';

export const STATE_LEAF_BYTES = 512;
const FAN = 16;
const HASH_BYTES = 32;
/** More than any core has: 16^8 leaves. */
const MAX_LEVELS = 8;

/** A node on the way to the root: its children, zeros where there is nothing. */
export type Children = Uint8Array;

export interface StateLeaf {
  number: number;
  bytes: Uint8Array;
  /** The root of the core to which it leads. */
  root: Uint8Array;
}

function tagged(bytes: Uint8Array, tag: number): Uint8Array {
  const all = new Uint8Array(bytes.length + 1);
  all.set(bytes);
  all[bytes.length] = tag;
  return sha256(all);
}

const emptyHashes: Uint8Array[] = [];
/** Hash of an empty tree of a level; of a leaf of zeros for 0. */
function emptyHash(level: number): Uint8Array {
  for (let at = emptyHashes.length; at <= level; at++) {
    const children = new Uint8Array(FAN * HASH_BYTES);
    if (at > 0) for (let i = 0; i < FAN; i++) children.set(emptyHashes[at - 1]!, i * HASH_BYTES);
    emptyHashes.push(tagged(children, at));
  }
  return emptyHashes[level]!;
}

export const stateLeafHash = (bytes: Uint8Array): Uint8Array => tagged(bytes, 0);

/** `nodes`: from the leaf to the root. */
export function encodeStateLeaf(number: number, bytes: Uint8Array, nodes: readonly Children[]): Uint8Array {
  const out = new ByteWriter(4096).u32(number).raw(bytes).u8(nodes.length);
  let place = number;
  for (const children of nodes) {
    const hashes = Array.from({ length: FAN }, (_, i) =>
      children.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES),
    );
    const isShown = hashes.map((hash, i) => i !== place % FAN && hash.some((byte) => byte !== 0));
    out.u16(isShown.reduce((bits, shown, i) => (shown ? bits | (1 << i) : bits), 0));
    for (const [i, hash] of hashes.entries()) if (isShown[i]) out.raw(hash);
    place = Math.floor(place / FAN);
  }
  return out.finish();
}

/** Undefined for bytes that are not a leaf with its way; never throws. */
export function readStateLeaf(proof: Uint8Array): StateLeaf | undefined {
  const reader = new ByteReader(proof);
  const number = reader.u32();
  const bytes = reader.raw(STATE_LEAF_BYTES);
  const levels = reader.u8();
  if (reader.failed || levels > MAX_LEVELS) return undefined;
  let hash = stateLeafHash(bytes);
  let place = number;
  for (let level = 1; level <= levels; level++) {
    const bits = reader.u16();
    const own = place % FAN;
    const children = new Uint8Array(FAN * HASH_BYTES);
    for (let i = 0; i < FAN; i++) {
      const isShown = (bits & (1 << i)) !== 0;
      if (isShown && i === own) return undefined;
      const child = i === own ? hash : isShown ? reader.raw(HASH_BYTES) : emptyHash(level - 1);
      if (reader.failed) return undefined;
      children.set(child, i * HASH_BYTES);
    }
    hash = tagged(children, level);
    place = Math.floor(place / FAN);
  }
  return reader.done && place === 0 ? { number, bytes, root: hash } : undefined;
}

/** Does a leaf have the hash that the first node of its way has for it; zeros for a leaf that nothing was written to. */
export const isChild = (children: Children, number: number, bytes: Uint8Array): boolean => {
  const at = (number % FAN) * HASH_BYTES;
  const hash = children.subarray(at, at + HASH_BYTES);
  return equalBytes(hash, stateLeafHash(bytes)) || [...hash, ...bytes].every((byte) => byte === 0);
};
