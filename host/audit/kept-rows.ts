// The store of an auditor: only those rows of a node that execution reads or that answer a question. The vertices
// themselves, lists and sums are not stored.

import type { EventDoc } from '../store/documents.ts';
import type { Prefix } from '../store/prefixes.ts';
import type { BatchOp, RowUse, ScanRange, Store, StoreMemory, StoreView } from '../world/store.ts';

const KEPT: readonly Prefix[] = ['m', 'c', 'E', 'e', 'q', 'a', 'p', 's', 'w', 'C', 'L', 'x', 'u', 'H', 'Y'];
const KEPT_CODES = new Set(KEPT.map((prefix) => prefix.charCodeAt(0)));

export const isKept = (key: Uint8Array): boolean => KEPT_CODES.has(key[0]!);

/** True when later events may read a stored event: it can still be settled, or be the parent of a commit. */
export const isOpenEvent = (doc: EventDoc): boolean =>
  doc.settlement_state === 'optimistic' || doc.event_type === 'trajectory_commit';

/** The kept prefixes in byte order, as they are fetched from a node when an audit begins at a seal. */
export const KEPT_PREFIXES: readonly Prefix[] = [...KEPT].sort();

/** A store that can also read rows asynchronously, from a slower medium. */
export interface VerifierStore extends Store {
  find(key: Uint8Array): Promise<Uint8Array | undefined>;
}

/** Filters the writes to a store: only kept rows pass. */
export class KeptRows implements VerifierStore {
  constructor(private readonly inner: Store & Partial<VerifierStore>) {}

  get engine(): Store['engine'] {
    return this.inner.engine;
  }
  get(key: Uint8Array): Uint8Array | undefined {
    return this.inner.get(key);
  }
  getMany(keys: readonly Uint8Array[]): (Uint8Array | undefined)[] {
    return this.inner.getMany(keys);
  }
  getTexts(keys: readonly Uint8Array[], use?: RowUse): (string | undefined)[] {
    return this.inner.getTexts(keys, use);
  }
  async find(key: Uint8Array): Promise<Uint8Array | undefined> {
    return this.inner.find ? this.inner.find(key) : this.inner.get(key);
  }
  async write(ops: readonly BatchOp[]): Promise<void> {
    const kept = ops.filter(({ key }) => isKept(key));
    if (kept.length > 0) await this.inner.write(kept);
  }
  scan(range: ScanRange): AsyncIterable<[Uint8Array, Uint8Array]> {
    return this.inner.scan(range);
  }
  view(): StoreView {
    return this.inner.view();
  }
  memory(): StoreMemory | undefined {
    return this.inner.memory();
  }
  close(): Promise<void> {
    return this.inner.close();
  }
}
