// Checkpoints: a statement of the state root that the seats sign, at the first block end after every 100 ordered vertices
// and at every seal (consensus 5.12, 5.17, 5.18): over the core's state and the documents. Both parts are incremental, so
// one costs only what changed since the last.

import type { State } from '../core/state.ts';
import type { CheckpointDoc, Totals } from '../store/documents.ts';
import { rowKey } from '../store/prefixes.ts';
import { readJson, type WriteSet } from '../store/write-set.ts';
import { checkpointHash, checkpointSigningBytes, encodeCheckpoint } from '../wire/block.ts';
import { equalBytes, toHex } from '../wire/bytes.ts';
import { stateRootOf } from '../wire/document-proof.ts';
import type { Store } from '../world/store.ts';
import type { BlockEnd, BlockInput } from './block.ts';
import { isQuorumAlone } from './epoch.ts';
import type { Head } from './head.ts';

/** Ordered vertices between two checkpoints (protocol 3.10). */
const CHECKPOINT_ORDERS = 100;

/** How this node signs. */
export interface CheckpointSigner {
  seat: number;
  validatorId: string;
  publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}

export class Checkpoints {
  constructor(
    private readonly state: State,
    private readonly totals: Totals,
    private readonly signer: CheckpointSigner,
  ) {}

  /** Adds a checkpoint to the batch when the order passes a multiple of 100, and at a seal; returns it. */
  atBlockEnd(
    set: WriteSet,
    block: BlockInput,
    orderBefore: number,
    head: Head,
    end: BlockEnd & { documents(): Uint8Array },
  ): CheckpointDoc | undefined {
    const passed = Math.floor(head.order / CHECKPOINT_ORDERS) > Math.floor(orderBefore / CHECKPOINT_ORDERS);
    if (!passed && !end.isSeal) return undefined;
    const height = this.totals.checkpoints + 1;
    const coreRoot = this.state.core.stateHash();
    const stateRoot = stateRootOf(coreRoot, end.documents());
    const statement = encodeCheckpoint({
      height,
      order: head.order,
      blockIndex: block.index,
      timeMs: block.timeMs,
      epochId: end.epoch.id,
      blockHash: block.hash,
      stateRoot,
      manifestDigest: end.digestAfter,
    });
    const doc: CheckpointDoc = {
      height,
      order: head.order,
      consensus_time: Math.floor(block.timeMs / 1000),
      state_root: toHex(stateRoot),
      manifest_digest: toHex(end.digestAfter),
      block_index: block.index,
      block_hash: toHex(block.hash),
      statement: toHex(statement),
      signatures: this.#signatures(statement, end),
      core_root: toHex(coreRoot),
    };
    set.putJson(rowKey.checkpoint(height), doc);
    this.totals.checkpoints = height;
    // For a seat that is a quorum alone, its signature is enough.
    if (doc.signatures.length > 0 && isQuorumAlone(end.epoch, this.signer.seat)) {
      set.putJson(rowKey.meta('signed'), { height });
    }
    return doc;
  }

  /** This node's signature, if its key is that of a seat with weight in the block's epoch. */
  #signatures(statement: Uint8Array, { epoch }: BlockEnd): CheckpointDoc['signatures'] {
    const { seat, validatorId, publicKey, sign } = this.signer;
    const row = epoch.seats[seat];
    if (!row || row.weight === 0n || !equalBytes(row.key, publicKey)) return [];
    const signature = toHex(sign(checkpointSigningBytes(checkpointHash(statement))));
    return [{ validator_id: validatorId, public_key: toHex(publicKey), signature }];
  }
}

/** Height of the newest checkpoint that a quorum has signed, 0 = none. */
export const signedHeight = (store: Pick<Store, 'get'>): number =>
  readJson<{ height: number }>(store.get(rowKey.meta('signed')))?.height ?? 0;

/** Order of the newest checkpoint that a quorum has signed, 0 = none. */
export const signedOrder = (store: Pick<Store, 'get'>): number =>
  readJson<CheckpointDoc>(store.get(rowKey.checkpoint(signedHeight(store))))?.order ?? 0;
