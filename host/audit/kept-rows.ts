// The store of a verifier: of a node's rows those from which later entries are read or a question is answered. The log
// itself, lists and sums stay with the node that has them.

import type { EventDoc } from '../store/documents.ts';
import type { Prefix } from '../store/prefixes.ts';
import type { BatchOp, RowUse, ScanRange, Store, StoreMemory, StoreView } from '../world/store.ts';

const KEPT: readonly Prefix[] = ['m', 'c', 'E', 'e', 'q', 'a', 'p', 's', 'w', 'C', 'L', 'x', 'u', 'H', 'Y'];
const KEPT_CODES = new Set(KEPT.map((prefix) => prefix.charCodeAt(0)));

export const isKept = (key: Uint8Array): boolean => KEPT_CODES.has(key[0]!);

/** Is a stored event read again by later ones: it can be settled, or be the parent of a commit. */
export const isOpenEvent = (doc: EventDoc): boolean =>
  doc.settlement_state === 'optimistic' || doc.event_type === 'trajectory_commit';

/** Prefixes of KEPT that a node gives to those who begin at a seal, in byte order. */
export const KEPT_PREFIXES: readonly Prefix[] = [...KEPT].sort();

/** A store in which questions are answered later, too: some rows may come from slower places. */
export interface VerifierStore extends Store {
  find(key: Uint8Array): Promise<Uint8Array | undefined>;
}

/** Passes on to a store what is kept. */
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
