// The running epoch of a stored log, and the error for a log that contradicts itself.

import { rowKey } from '../store/prefixes.ts';
import { readJson } from '../store/write-set.ts';
import { type Store, StoreError } from '../world/store.ts';
import { type Epoch, type EpochDoc, readEpochDoc } from './epoch.ts';
import type { Head } from './head.ts';

export const damaged = (index: number, what: string): StoreError =>
  new StoreError(
    `the log is damaged at block ${index}: ${what}. Everything before it is intact and nothing was changed; restore the data directory from a copy`,
  );

/** The epoch that the block after `head` belongs to, and the one before it. */
export interface StoredEpochs {
  epoch: Epoch;
  epochBefore: Epoch | undefined;
}

/** Errors: StoreError when a record is missing or altered. */
export function storedEpochs(
  store: Store,
  genesisHash: Uint8Array,
  genesis: Epoch,
  head: Head,
): StoredEpochs {
  const read = (number: number): Epoch => {
    if (number === 0) return genesis;
    const doc = readJson<EpochDoc>(store.get(rowKey.epoch(number)));
    if (doc?.number !== number) throw damaged(head.block, `the record of epoch ${number} is missing`);
    return readEpochDoc(doc, genesis, genesisHash);
  };
  return { epoch: read(head.epoch), epochBefore: head.epoch > 0 ? read(head.epoch - 1) : undefined };
}
