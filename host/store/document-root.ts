// The root over all documents, kept between two checkpoints: which leaves changed is known at once, the tree is written
// when a root is asked for.
// Keeps: after a crash the changes since the last root are read back from the store, so the next root is the same.
//
//   row T:         u32 number of the first row M that counts, then the tree's top node, unless the tree is empty
//   row M, number: for each change u8 bytes of key, key, u8 1 and value[32], or u8 0 for a leaf that was removed

import { ByteReader, ByteWriter, compareBytes, equalBytes, utf8 } from '../wire/bytes.ts';
import { EMPTY_ROOT, encodeProof, type Leaf } from '../wire/document-proof.ts';
import { sha256 } from '../wire/hash.ts';
import { documentText } from '../wire/json.ts';
import { latin1 } from '../wire/latin1.ts';
import { PackedRows } from '../world/packed-rows.ts';
import type { Store } from '../world/store.ts';
import { type Child, childAt, encodeChild, hashOf } from './document-branch.ts';
import { type AgentKeyOf, leavesOf, type RowLeaf } from './document-leaves.ts';
import { type Change, DocumentTree } from './document-tree.ts';
import { rowKey } from './prefixes.ts';
import { WriteSet } from './write-set.ts';

/** Changes whose rows are read and whose tree is written at once, where a whole store gets its root. */
export const MAX_CHANGES_AT_ONCE = 5000;

function writeChange(out: ByteWriter, { key, value }: Change): void {
  out
    .u8(key.length)
    .raw(key)
    .u8(value ? 1 : 0);
  if (value) out.raw(value);
}

function readChanges(row: Uint8Array): Change[] {
  const reader = new ByteReader(row);
  const changes: Change[] = [];
  while (reader.left > 0 && !reader.failed) {
    const key = reader.raw(reader.u8());
    changes.push({ key, value: reader.u8() === 1 ? reader.raw(32) : undefined });
  }
  return changes;
}

/** A leaf whose document is written and hashed only if it is still there when its batch ends, or a root is asked for. */
interface LateLeaf {
  key: Uint8Array;
  document: unknown;
}

/** Documents kept as the last root has them; what changes when there are more can be proven again after the next root. */
const MAX_KEPT_BYTES = 16_777_216;

export class DocumentRoot {
  readonly #tree: DocumentTree;
  #top: Child | undefined;
  /** Since the last root. */
  readonly #pending = new PackedRows();
  /** How far they are in rows M. */
  #written = 0;
  /** Of this batch, by key. */
  readonly #late = new Map<string, LateLeaf>();
  /** Numbers of the first row M that counts, and of the next one. */
  #firstRow = 0;
  #nextRow = 0;

  /** By key of a leaf: the document as the last root has it, where it changed since. */
  #kept = new Map<string, Uint8Array>();
  #keptBytes = 0;

  /** `keeps`: documents that change stay readable as the last root has them, for proofs. */
  constructor(
    store: Pick<Store, 'get'>,
    readonly keeps = false,
  ) {
    this.#tree = new DocumentTree(store);
    const row = store.get(rowKey.documentRoot());
    if (row) {
      const reader = new ByteReader(row);
      this.#firstRow = reader.u32();
      if (reader.left > 0) this.#top = childAt(reader.raw(reader.left), 0);
    }
    this.#nextRow = this.#firstRow;
    for (;;) {
      const changes = store.get(rowKey.changedLeaves(this.#nextRow));
      if (!changes) break;
      this.#nextRow += 1;
      for (const change of readChanges(changes)) this.#note(change);
    }
    this.#written = this.#pending.end;
  }

  /** Leaves that changed since the last root. */
  get changed(): number {
    return this.#pending.length + this.#late.size;
  }

  /** A leaf was set to a value, a hash, or removed. */
  change(change: Change): void {
    if (this.#late.size > 0) this.#late.delete(latin1(change.key));
    this.#note(change);
  }

  #note({ key, value }: Change): void {
    if (value) this.#pending.put(key, value);
    else this.#pending.delete(key);
  }

  /** A leaf was set to a document that has no row and will not change. */
  changeLate(key: Uint8Array, document: unknown): void {
    this.#late.set(latin1(key), { key, document });
  }

  #hashLate(): void {
    for (const { key, document } of this.#late.values())
      this.#note({ key, value: sha256(utf8(documentText(document))) });
    this.#late.clear();
  }

  /** Is the document of a leaf, about to change, to be kept: unless it has changed since the last root. */
  wants(key: Uint8Array): boolean {
    return this.keeps && this.#pending.placeOf(key) < 0;
  }

  /** A document is about to change: `old` is what it was until now. To be called before `change`. */
  keep(key: Uint8Array, old: Uint8Array): void {
    if (!this.wants(key) || this.#keptBytes + old.length > MAX_KEPT_BYTES) return;
    this.#kept.set(latin1(key), old);
    this.#keptBytes += old.length;
  }

  /** The document of a leaf of the last root; undefined if it changed since and was not kept. `now`: the stored one. */
  documentOf({ key, value }: Leaf, now: Uint8Array | undefined): Uint8Array | undefined {
    const document = this.#kept.get(latin1(key)) ?? now;
    return document && equalBytes(sha256(document), value) ? document : undefined;
  }

  /** Adds what changed in this batch to its rows. */
  endBatch(set: WriteSet): void {
    this.#hashLate();
    if (this.#written === this.#pending.end) return;
    const out = new ByteWriter(this.#pending.end - this.#written);
    for (const change of this.#pending.since(this.#written)) writeChange(out, change);
    set.put(rowKey.changedLeaves(this.#nextRow++), out.finish());
    this.#written = this.#pending.end;
  }

  /** The root over all documents as they are now; its rows join the batch. Costs only what changed since the last. */
  update(set: WriteSet): Uint8Array {
    this.#hashLate();
    if (this.#pending.length > 0) {
      const changes = [...this.#pending].sort((a, b) => compareBytes(a.key, b.key));
      this.#top = this.#tree.update(set, this.#top, changes);
      for (let row = this.#firstRow; row < this.#nextRow; row++) set.delete(rowKey.changedLeaves(row));
      this.#firstRow = this.#nextRow;
      this.#pending.clear();
      this.#written = 0;
      this.#kept = new Map();
      this.#keptBytes = 0;
      const out = new ByteWriter(128).u32(this.#firstRow);
      if (this.#top) out.raw(encodeChild(this.#top));
      set.put(rowKey.documentRoot(), out.finish());
    }
    return this.hash;
  }

  /** The last root. */
  get hash(): Uint8Array {
    return this.#top ? hashOf(this.#top) : EMPTY_ROOT;
  }

  /** A proof of what the last root has from `first` to `last`, both of one length: at most `max` leaves of them. */
  prove(first: Uint8Array, last: Uint8Array, max: number): Uint8Array {
    return encodeProof(this.#top && this.#tree.prove(this.#top, first, last, max));
  }
}

/**
 * A write set whose documents come under the root. Rows with leaves are written in the one form that JCS gives a document,
 * since their hashes are what nodes must agree on.
 */
export class DocumentSet extends WriteSet {
  constructor(
    store: Store,
    private readonly documents: DocumentRoot,
    private readonly agentKey: AgentKeyOf,
    rows?: PackedRows,
  ) {
    super(store, rows);
  }

  override putJson(key: Uint8Array, value: unknown): void {
    const leaves = leavesOf(key, false, () => value, this.agentKey);
    this.#keep(key, leaves);
    this.#putJson(key, value, leaves);
  }

  /** Nothing is looked up: there is no older document to keep. */
  override putNewJson(key: Uint8Array, value: unknown): void {
    this.#putJson(
      key,
      value,
      leavesOf(key, false, () => value, this.agentKey),
    );
  }

  /** Nothing is looked up: the older document is the one that was read. */
  override rewriteJson(key: Uint8Array, old: Uint8Array, value: unknown): void {
    const leaves = leavesOf(key, false, () => value, this.agentKey);
    this.#keep(key, leaves, old);
    this.#putJson(key, value, leaves);
  }

  #putJson(key: Uint8Array, value: unknown, leaves: readonly RowLeaf[]): void {
    const isRooted = leaves.some(({ isSet }) => isSet);
    const row = this.rows.putText(key, isRooted ? documentText(value) : JSON.stringify(value));
    this.#change(row, leaves);
  }

  override put(key: Uint8Array, value: Uint8Array): void {
    const leaves = leavesOf(key, false, () => undefined, this.agentKey);
    this.#keep(key, leaves);
    super.put(key, value);
    this.#change(value, leaves);
  }

  override delete(key: Uint8Array): void {
    const leaves = leavesOf(key, true, () => undefined, this.agentKey);
    this.#keep(key, leaves);
    super.delete(key);
    this.#change(undefined, leaves);
  }

  /** The row of these leaves is about to change. `old`: as it is, if it was read before. */
  #keep(key: Uint8Array, leaves: readonly RowLeaf[], old?: Uint8Array): void {
    if (!leaves.some((leaf) => this.documents.wants(leaf.key))) return;
    const row = old ?? this.get(key);
    if (row) for (const leaf of leaves) this.documents.keep(leaf.key, row);
  }

  /** The row of these leaves is another one now, or gone. */
  #change(row: Uint8Array | undefined, leaves: readonly RowLeaf[]): void {
    if (leaves.length === 0) return;
    const value = leaves.some(({ isSet }) => isSet) ? sha256(row!) : undefined;
    for (const { key, isSet } of leaves) this.documents.change({ key, value: isSet ? value : undefined });
  }
}
