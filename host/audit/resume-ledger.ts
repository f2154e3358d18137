// Receives the blocks of a resumed audit. Blocks up to the snapshot are only ordered again, those up to the old head are
// executed but not written again, later ones are new.
// Keeps: the repeated blocks are the ones that were checked before.

import type { State } from '../core/state.ts';
import { applyBlock, applyEpochEnd } from '../execution/apply-block.ts';
import { storedRuns } from '../execution/contract-runs.ts';
import type { Executor } from '../execution/executor.ts';
import type { BlockEnd, BlockInput } from '../ordering/block.ts';
import type { InsertedVertex, PlacedVertex } from '../ordering/dag.ts';
import type { Epoch } from '../ordering/epoch.ts';
import type { Head } from '../ordering/head.ts';
import type { Ledger } from '../ordering/ledger.ts';
import { toHex } from '../wire/bytes.ts';
import { LogFault } from '../wire/log-fault.ts';

export class ResumeLedger implements Ledger {
  /** `from`: head of the snapshot; `to`: head of what was checked and written before. */
  constructor(
    private readonly executor: Executor,
    private readonly state: State,
    private readonly from: Head,
    private readonly to: Head,
  ) {}

  executes(block: number): boolean {
    return block > this.from.block;
  }

  onInserted(epoch: number, position: number, held: InsertedVertex): void {
    this.executor.onInserted(epoch, position, held);
  }

  execute(block: BlockInput): ReturnType<Executor['execute']> {
    const known = [this.from, this.to].find((head) => head.block === block.index);
    if (known && known.blockHash !== toHex(block.hash)) {
      const place = { order: block.vertices.at(-1)!.order };
      throw new LogFault(
        'order',
        `block ${block.index} differs from the one checked before: one of both histories is false`,
        place,
      );
    }
    if (block.index > this.to.block) return this.executor.execute(block);
    if (this.executes(block.index)) applyBlock(this.state, block, storedRuns(this.executor.store), () => {});
    return [];
  }

  // Called only where the seal was executed.
  closeEpoch(): void {
    applyEpochEnd(this.state);
  }

  endBlock(block: BlockInput, end: BlockEnd): void {
    if (block.index > this.to.block) this.executor.endBlock(block, end);
  }

  openEpoch(epoch: Epoch, dead: readonly PlacedVertex[]): void {
    if (epoch.number > this.to.epoch) this.executor.openEpoch(epoch, dead);
  }
}
