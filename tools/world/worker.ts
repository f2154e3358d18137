// A process that runs seeds of the simulated world, one after the other, as it is told to.

import { type PlanOptions, planOf } from '../../test/world/plan.ts';
import { type Outcome, runPlan } from '../../test/world/run.ts';

export interface Job {
  seed: number;
  options: PlanOptions;
}

/** An outcome as it crosses the border of a process. */
export type SentOutcome = Omit<Outcome, 'struck' | 'done' | 'unknown'> & {
  struck: [string, number][];
  done: [string, number][];
  unknown: [string, number][];
  cpuMs: number;
};

/** What a run gives that ended by itself. */
const broken = (seed: number, error: unknown): Outcome => ({
  seed,
  fault: `the run broke off: ${error instanceof Error ? error.stack : String(error)}`,
  struck: new Map(),
  done: new Map(),
  ms: 0,
  steps: 0,
  blocks: 0,
  events: 0,
  epochs: 0,
  healedInMs: 0,
  healedInRounds: 0,
  compared: 0,
  unknown: new Map(),
});

async function run({ seed, options }: Job): Promise<SentOutcome> {
  const before = process.cpuUsage().user;
  const outcome = await runPlan(planOf(seed, options)).catch((error: unknown) => broken(seed, error));
  const { struck, done, unknown, ...rest } = outcome;
  const cpuMs = (process.cpuUsage().user - before) / 1000;
  return {
    ...rest,
    struck: [...struck],
    done: [...done],
    unknown: [...unknown],
    cpuMs,
  };
}

process.on('message', (job: Job) => {
  void run(job).then((outcome) => process.send?.(outcome));
});
