// The store of an auditor: only those rows of a node that execution reads or that answer a question. The vertices
// themselves, lists and sums are not stored.

import type { Prefix } from '../store/prefixes.ts';
import type { RowBatch, RowUse, ScanRange, Store, StoreMemory, StoreView } from '../world/store.ts';

/**
 * Fetched from a node when an audit begins at a seal, in byte order: what the root is over, and the totals that numbers go
 * on from.
 */
export const FETCHED_PREFIXES: readonly Prefix[] = [
  'A',
  'C',
  'D',
  'G',
  'H',
  'L',
  'P',
  'Y',
  'a',
  'g',
  'p',
  'q',
  's',
  'u',
  'w',
  'x',
];
/** Rebuilt or checked here: ids from events, epochs and checkpoints from seals, marks, the tree from the documents. */
const OWN: readonly Prefix[] = ['m', 'c', 'E', 'e', 'k', 'T', 'M'];
/** In byte order. */
export const KEPT_PREFIXES: readonly Prefix[] = [...OWN, ...FETCHED_PREFIXES].sort();
const KEPT_CODES = new Set(KEPT_PREFIXES.map((prefix) => prefix.charCodeAt(0)));

export const isKept = (key: Uint8Array): boolean => KEPT_CODES.has(key[0]!);

/** A store that can also read rows asynchronously, from a slower medium. */
export interface VerifierStore extends Store {
  find(key: Uint8Array): Promise<Uint8Array | undefined>;
  /** True once it had to forget settled events or results: then what is not found may have existed. */
  readonly isPartial?: boolean;
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
  get isPartial(): boolean {
    return this.inner.isPartial === true;
  }
  async find(key: Uint8Array): Promise<Uint8Array | undefined> {
    return this.inner.find ? this.inner.find(key) : this.inner.get(key);
  }
  async write(ops: RowBatch): Promise<void> {
    const kept = [...ops].filter(({ key }) => isKept(key));
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
