// Executes one block in the core: its records in their order, the runs of contracts that the core names, its end.
// Keeps: nothing is written to the disk here; what leaves is copied, since the core's buffer is used again.

import * as commands from '../core/commands.ts';
import type { OutView } from '../core/core.ts';
import { type Outcome, readOutcomes } from '../core/outcomes.ts';
import type { DueRun, State } from '../core/state.ts';
import { type BlockInput, equivocationsIn } from '../ordering/block.ts';
import type { ContractReportDoc } from '../store/task-documents.ts';

function recordsOf(block: BlockInput): Uint8Array[] {
  const records = [commands.block(block.timeMs, block.index, block.hash)];
  // First, so that verdicts of excluded seats in this very block do not count (protocol 7.4, 12.8).
  for (const { seat } of equivocationsIn(block)) records.push(commands.excludeSeat(seat));
  for (const { seat, incarnation, epoch, mayLoseWrites } of block.resumptions) {
    records.push(commands.resumeSeat(seat, incarnation, epoch, mayLoseWrites));
  }
  for (const v of block.vertices) {
    records.push(commands.vertex(v.order, v.seat, v.entries.length, v.revision));
    for (const e of v.entries) records.push(e.command);
  }
  return records;
}

/** Gets each part of a block's outcomes together with the movements of money behind it. */
export type PartListener = (out: OutView, outcomes: readonly Outcome[]) => void;

/**
 * Where the outcomes of due runs come from: from running them, here or on another thread, or from what was stored when they
 * were run.
 */
export type RunSource = (run: DueRun) => ContractReportDoc | Promise<ContractReportDoc>;

/**
 * Executes a block in the core: its entries, then the runs of contracts that the core names, then its end. `onOutcome` gets
 * the outcomes of each part before the next one begins. They are copied, since queries reuse the core's buffer. A promise
 * if a run is one: nothing else may be applied until it resolves.
 */
export function applyBlock(
  state: State,
  block: BlockInput,
  runOf: RunSource,
  onOutcome: (outcome: Outcome) => void,
  onPart: PartListener = () => {},
): Promise<void> | undefined {
  const apply = (records: Uint8Array[]): void => {
    const outcomes: Outcome[] = [];
    state.core.apply(records, (out) => {
      const part = [...readOutcomes(out)];
      onPart(out, part);
      for (const outcome of part) outcomes.push(outcome);
    });
    for (const outcome of outcomes) onOutcome(outcome);
  };
  const endRun = ({ task }: DueRun, { passed, score_bp, check }: ContractReportDoc): void =>
    apply([commands.runEnd(task, passed, score_bp, check)]);
  const endBlock = (): Promise<void> | undefined => {
    for (let due = state.dueRun(); due; due = state.dueRun()) {
      const [run, report] = [due, runOf(due)];
      if (report instanceof Promise) {
        return report.then((one) => {
          endRun(run, one);
          return endBlock();
        });
      }
      endRun(run, report);
    }
    apply([commands.blockEnd()]);
    return undefined;
  };
  apply(recordsOf(block));
  return endBlock();
}

/** After the block that sealed its epoch. */
export function applyEpochEnd(state: State): void {
  state.core.apply([commands.epochEnd()], () => {});
}
