// The tree of documents: hashes of its nodes, and proofs, which are a part of the tree (consensus 5.18).
// Keeps: nothing of a proof is believed that does not lead to the root; what a proof leaves out lies between keys that it
// shows, so that it can't leave out a leaf that was asked for.
// A radix tree of half bytes (nibbles). A branch stands where keys part, so a set of keys has one tree.
//
//   leaf   = SHA-256(0x00, u8 bytes of key, key, SHA-256 of the value)
//   branch = SHA-256(0x01, u8 depth in nibbles, prefix, u16 bits of its children, their hashes)

import { ByteReader, ByteWriter, compareBytes, concat, equalBytes } from './bytes.ts';
import { sha256 } from './hash.ts';

/** Longest key: a letter and 32 bytes. */
export const MAX_KEY_BYTES = 33;
/** Longest proof that is read: a page of leaves with what lies beside them. Source: protocol 8.2. */
export const MAX_PROOF_BYTES = 262_144;
export const FAN = 16;
export const HASH_BYTES = 32;
const [PRUNED, LEAF, BRANCH] = [0, 1, 2] as const;

/** Root of a tree without leaves. */
export const EMPTY_ROOT: Uint8Array = new Uint8Array(HASH_BYTES);

export interface Leaf {
  key: Uint8Array;
  /** SHA-256 of the value. */
  value: Uint8Array;
}

export const nibbleAt = (key: Uint8Array, depth: number): number =>
  depth % 2 === 0 ? key[depth >> 1]! >> 4 : key[depth >> 1]! & 15;

/** Number of nibbles that both keys begin with. */
export function commonNibbles(a: Uint8Array, b: Uint8Array): number {
  const end = Math.min(a.length, b.length);
  let i = 0;
  while (i < end && a[i] === b[i]) i++;
  return i === end ? 2 * end : 2 * i + (a[i]! >> 4 === b[i]! >> 4 ? 1 : 0);
}

/** The first nibbles of a key as bytes; the half byte that is left over is 0. */
export function prefixOf(key: Uint8Array, depth: number): Uint8Array {
  // Not `key.slice`: of a Buffer, which stores give, that is a view, and the half byte of the key would be lost.
  const prefix = Uint8Array.from(key.subarray(0, (depth + 1) >> 1));
  if (depth % 2 === 1) prefix[prefix.length - 1]! &= 0xf0;
  return prefix;
}

const startsWith = (key: Uint8Array, prefix: Uint8Array, depth: number): boolean =>
  2 * key.length >= depth && equalBytes(prefixOf(key, depth), prefix);

/** Where what is hashed is put together: making an array for each hash costs more than the hash. */
const scratch = new Uint8Array(4 + MAX_KEY_BYTES + FAN * HASH_BYTES);

/** The key has at most MAX_KEY_BYTES. */
export function leafHash({ key, value }: Leaf): Uint8Array {
  scratch[0] = 0;
  scratch[1] = key.length;
  scratch.set(key, 2);
  scratch.set(value, 2 + key.length);
  return sha256(scratch.subarray(0, 2 + key.length + HASH_BYTES));
}

/** Longest beginning of what a branch's hash is over. */
export const MAX_HEAD_BYTES = 4 + MAX_KEY_BYTES;

/** Writes what a branch's hash is over before the hashes of its children; returns where they begin. `bits`: a bit for each child. */
export function branchHead(out: Uint8Array, depth: number, prefix: Uint8Array, bits: number): number {
  out[0] = 1;
  out[1] = depth;
  out.set(prefix, 2);
  const bitsAt = 2 + prefix.length;
  out[bitsAt] = bits;
  out[bitsAt + 1] = bits >> 8;
  return bitsAt + 2;
}

/** `hashes`: of the children, in the order of their nibbles. */
function branchHash(
  depth: number,
  prefix: Uint8Array,
  bits: number,
  hashes: readonly Uint8Array[],
): Uint8Array {
  let at = branchHead(scratch, depth, prefix, bits);
  for (const hash of hashes) {
    scratch.set(hash, at);
    at += HASH_BYTES;
  }
  return sha256(scratch.subarray(0, at));
}

/** A part of the tree. `pruned`: only its hash is shown. */
export type ProofNode =
  | { kind: 'pruned'; hash: Uint8Array }
  | { kind: 'leaf'; leaf: Leaf }
  | { kind: 'branch'; depth: number; prefix: Uint8Array; children: (ProofNode | undefined)[] };

function partsOf(node: ProofNode, parts: Uint8Array[]): void {
  if (node.kind === 'pruned') parts.push(Uint8Array.of(PRUNED), node.hash);
  else if (node.kind === 'leaf') {
    const { key, value } = node.leaf;
    parts.push(Uint8Array.of(LEAF, key.length), key, value);
  } else {
    const bits = node.children.reduce((sum, child, i) => (child ? sum | (1 << i) : sum), 0);
    parts.push(Uint8Array.of(BRANCH, node.depth), node.prefix, Uint8Array.of(bits & 255, bits >> 8));
    for (const child of node.children) if (child) partsOf(child, parts);
  }
}

/** `undefined`: the tree is empty. */
export function encodeProof(node: ProofNode | undefined): Uint8Array {
  const parts: Uint8Array[] = [];
  if (node) partsOf(node, parts);
  const out = new ByteWriter(parts.reduce((sum, part) => sum + part.length, 0));
  for (const part of parts) out.raw(part);
  return out.finish();
}

/** What a proof shows of the tree whose root it leads to. */
export interface Shown {
  root: Uint8Array;
  /** Ascending by key. */
  leaves: Leaf[];
  /** Is every leaf with a key from `first` to `last` shown. Both are of one length. */
  covers(first: Uint8Array, last: Uint8Array): boolean;
}

/** Where a child must lie: the nibbles that all its keys begin with. */
interface Place {
  depth: number;
  prefix: Uint8Array;
}

/** The place of a child of a branch. */
function below({ depth, prefix }: Place, nibble: number): Place {
  const bytes = new Uint8Array((depth + 2) >> 1);
  bytes.set(prefix);
  bytes[depth >> 1]! |= depth % 2 === 0 ? nibble << 4 : nibble;
  return { depth: depth + 1, prefix: bytes };
}

class Reading {
  readonly leaves: Leaf[] = [];
  /** Places of what is not shown. */
  readonly hidden: Place[] = [];
  #isBad = false;

  constructor(private readonly reader: ByteReader) {}

  get isBad(): boolean {
    return this.#isBad || this.reader.failed;
  }

  /** Reads a node that must lie in `place`; returns its hash. Recursion is bounded by the length of keys. */
  node(place: Place): Uint8Array {
    const kind = this.reader.u8();
    if (kind === PRUNED) {
      this.hidden.push(place);
      return this.reader.raw(HASH_BYTES);
    }
    if (kind === LEAF) return this.#leaf(place);
    if (kind === BRANCH) return this.#branch(place);
    return this.#bad();
  }

  #bad(): Uint8Array {
    this.#isBad = true;
    return EMPTY_ROOT;
  }

  #leaf({ depth, prefix }: Place): Uint8Array {
    const key = this.reader.raw(this.reader.u8());
    const value = this.reader.raw(HASH_BYTES);
    if (this.isBad || key.length > MAX_KEY_BYTES || !startsWith(key, prefix, depth)) return this.#bad();
    this.leaves.push({ key, value });
    return leafHash({ key, value });
  }

  #branch(place: Place): Uint8Array {
    const depth = this.reader.u8();
    const prefix = this.reader.raw((depth + 1) >> 1);
    const bits = this.reader.u16();
    const isPlaced =
      depth >= place.depth && depth < 2 * MAX_KEY_BYTES && startsWith(prefix, place.prefix, place.depth);
    // The half byte that is left over is 0, and a branch has two children at least.
    const isWhole = equalBytes(prefixOf(prefix, depth), prefix) && (bits & (bits - 1)) !== 0;
    if (this.isBad || !isPlaced || !isWhole) return this.#bad();
    const hashes: Uint8Array[] = [];
    for (let i = 0; i < FAN && !this.isBad; i++) {
      if (bits & (1 << i)) hashes.push(this.node(below({ depth, prefix }, i)));
    }
    return this.isBad ? EMPTY_ROOT : branchHash(depth, prefix, bits, hashes);
  }
}

/** The least and the greatest key of a length in a place. */
const firstIn = ({ prefix }: Place, length: number): Uint8Array => {
  const key = new Uint8Array(length);
  key.set(prefix.subarray(0, length));
  return key;
};
const lastIn = ({ depth, prefix }: Place, length: number): Uint8Array => {
  const key = new Uint8Array(length).fill(0xff);
  key.set(prefix.subarray(0, length));
  if (depth % 2 === 1 && depth >> 1 < length) key[depth >> 1]! |= 0x0f;
  return key;
};

/** Reads a proof. Undefined for bytes that are not one; never throws. */
export function readProof(bytes: Uint8Array): Shown | undefined {
  if (bytes.length > MAX_PROOF_BYTES) return undefined;
  if (bytes.length === 0) return { root: EMPTY_ROOT, leaves: [], covers: () => true };
  const reader = new ByteReader(bytes);
  const reading = new Reading(reader);
  const root = reading.node({ depth: 0, prefix: new Uint8Array(0) });
  if (reading.isBad || !reader.done) return undefined;
  const { leaves, hidden } = reading;
  return {
    root,
    leaves,
    covers: (first, last) =>
      hidden.every(
        (place) =>
          compareBytes(lastIn(place, first.length), first) < 0 ||
          compareBytes(firstIn(place, last.length), last) > 0,
      ),
  };
}

/** The root that seats sign: over the state of the core and over the documents (consensus 5.18). */
export const stateRootOf = (core: Uint8Array, documents: Uint8Array): Uint8Array =>
  sha256(concat(new TextEncoder().encode('VWS-STATE-V2'), core, documents));
