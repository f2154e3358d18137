// What follows from the order: the ordering says it, whoever executes, replays or audits implements it.
// Keeps: calls come in the total order; a block's end comes before the next block.

import type { TxOutcome } from '../core/outcomes.ts';
import type { BlockEnd, BlockInput } from './block.ts';
import type { InsertedVertex, PlacedVertex } from './dag.ts';
import type { Epoch } from './epoch.ts';

/** Executes and stores what the ordering emits. */
export interface Ledger {
  /** Is this block executed; not if the state was loaded from a later snapshot. */
  executes(block: number): boolean;
  /** A vertex was inserted, at this position of its epoch. */
  onInserted(epoch: number, position: number, inserted: InsertedVertex): void;
  /**
   * Executes a block, in order; returns the outcomes of its transactions. A promise if it waits for another thread: nothing
   * else of the ledger is called until it resolves.
   */
  execute(block: BlockInput): readonly TxOutcome[] | Promise<readonly TxOutcome[]>;
  /**
   * The block that was executed last seals its epoch: what follows from that for the state, from which the next seat table
   * is read.
   */
  closeEpoch(): void;
  /** The block's end, once it is known whether it seals the epoch. */
  endBlock(block: BlockInput, end: BlockEnd): void;
  /** After a seal: the epoch that begins, and the vertices of the sealed one that were never ordered. */
  openEpoch(epoch: Epoch, dead: readonly PlacedVertex[]): void;
}
