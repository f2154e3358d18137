// Checkpoints: at the first block end at or after every 100 ordered vertices, a statement of the state's root that the
// seats sign (CONSENSUS 5.12, 5.17). Costs what changed since the last one, since the root is incremental.

import type { State } from '../core/state.ts';
import type { CheckpointDoc, Totals } from '../store/documents.ts';
import { keyU64 } from '../store/prefixes.ts';
import type { WriteSet } from '../store/write-set.ts';
import { checkpointHash, checkpointSigningBytes, encodeCheckpoint } from '../wire/block.ts';
import { toHex } from '../wire/bytes.ts';
import type { BlockInput } from './block.ts';
import type { Epoch } from './epoch.ts';
import type { Head } from './head.ts';

/** Ordered vertices between two checkpoints (DECISIONS 3.10). */
export const CHECKPOINT_ORDERS = 100;

export class Checkpoints {
  constructor(
    private readonly state: State,
    private readonly epoch: Epoch,
    private readonly totals: Totals,
    private readonly signer: { validatorId: string; publicKey: Uint8Array; sign(m: Uint8Array): Uint8Array },
  ) {}

  /** Adds a checkpoint to the group when a block's order passes a multiple of 100. */
  atBlockEnd(set: WriteSet, block: BlockInput, orderBefore: number, head: Head): void {
    const passed = Math.floor(head.order / CHECKPOINT_ORDERS) > Math.floor(orderBefore / CHECKPOINT_ORDERS);
    if (!passed) return;
    const height = this.totals.checkpoints + 1;
    const stateRoot = this.state.core.stateHash();
    const statement = encodeCheckpoint({
      height,
      order: head.order,
      blockIndex: block.index,
      timeMs: block.timeMs,
      epochId: this.epoch.id,
      blockHash: block.hash,
      stateRoot,
      manifestDigest: this.epoch.digest,
    });
    const signature = this.signer.sign(checkpointSigningBytes(checkpointHash(statement)));
    const doc: CheckpointDoc = {
      height,
      order: head.order,
      consensus_time: Math.floor(block.timeMs / 1000),
      state_root: toHex(stateRoot),
      manifest_digest: toHex(this.epoch.digest),
      block_index: block.index,
      block_hash: toHex(block.hash),
      statement: toHex(statement),
      signatures: [
        {
          validator_id: this.signer.validatorId,
          public_key: toHex(this.signer.publicKey),
          signature: toHex(signature),
        },
      ],
    };
    set.putJson(keyU64('k', height), doc);
    this.totals.checkpoints = height;
  }
}
