// Any number of vertices through one engine, epoch after epoch: a seal after a given number of ordered vertices, then a
// new instance, as in a node (consensus 5.11, 5.12). Shows that memory depends on the size of an epoch alone.
// Keeps: consensus time continues over seals; each vertex of an epoch is ordered at most once; the old instance is
// dropped at the seal, and nothing of it is kept.

import { Consensus } from '../host/core/consensus.ts';
import { configOf } from './consensus-core.ts';
import { DagSource } from './dag-source.ts';
import { takeVertices } from './dag-work.ts';

const BATCH = 256;
/** Vertices between two reports. */
const REPORT_EVERY = 1_000_000;

interface SoakPlan {
  seats: number;
  parents: number;
  /** Total number of vertices to order. */
  vertices: number;
  /** Ordered vertices after which an epoch seals, E_max. */
  epochVertices: number;
  seed: number;
}

interface SoakReport {
  epochs: number;
  /** Vertices inserted, and those of them that were ordered; the rest was dropped at a seal. */
  fed: number;
  ordered: number;
  /** Memory of the largest instance, bytes. */
  instanceBytes: number;
  /** Maximum of vertices in one instance. */
  mostHeld: number;
}

interface EpochEnd {
  ordered: number;
  fed: number;
  timeMs: number;
  memoryBytes: number;
}

/** Runs one epoch until it has ordered its vertices. Throws if time goes back or a vertex is refused. */
function runEpoch(module: WebAssembly.Module, plan: SoakPlan, epoch: number, openedMs: number): EpochEnd {
  const { seats, parents, epochVertices } = plan;
  const core = Consensus.create(module, configOf(seats, 2 * epochVertices, openedMs));
  const shape = { seats, parents, intervalMs: 100, forkers: 0, forkPercent: 0, seed: plan.seed + epoch };
  const source = new DagSource(openedMs > 0 ? { ...shape, startMs: openedMs } : shape);
  let [ordered, fed, timeMs] = [0, 0, openedMs];
  while (ordered < epochVertices) {
    const results = core.insert([...takeVertices(source, BATCH)]);
    fed += BATCH;
    const refused = results.find((result) => result !== 'inserted');
    if (refused) throw new Error(`epoch ${epoch}: ${refused} after ${fed} vertices`);
    // Blocks after the seal do not exist, even if their slots are decided.
    for (let block = core.nextBlock(); block; block = core.nextBlock()) {
      if (block.timeMs < timeMs)
        throw new Error(`epoch ${epoch}: time went back at round ${block.leaderRound}`);
      timeMs = block.timeMs;
      ordered += block.vertexCount;
      if (ordered >= epochVertices) break;
    }
  }
  if (core.figures().ordered !== ordered) throw new Error(`epoch ${epoch}: a vertex was ordered twice`);
  return { ordered, fed, timeMs, memoryBytes: core.memoryBytes };
}

/** Orders the planned number of vertices. `each` is called after each million. */
export function soak(
  module: WebAssembly.Module,
  plan: SoakPlan,
  each: (soFar: SoakReport) => void = () => {},
): SoakReport {
  const report = { epochs: 0, fed: 0, ordered: 0, instanceBytes: 0, mostHeld: 0 };
  let timeMs = 0;
  while (report.ordered < plan.vertices) {
    const millions = Math.floor(report.ordered / REPORT_EVERY);
    const end = runEpoch(module, plan, report.epochs, timeMs);
    timeMs = end.timeMs;
    report.epochs += 1;
    report.fed += end.fed;
    report.ordered += end.ordered;
    report.instanceBytes = Math.max(report.instanceBytes, end.memoryBytes);
    report.mostHeld = Math.max(report.mostHeld, end.fed);
    if (Math.floor(report.ordered / REPORT_EVERY) > millions) each(report);
  }
  return report;
}
