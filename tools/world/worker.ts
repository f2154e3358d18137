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

async function run({ seed, options }: Job): Promise<SentOutcome> {
  const before = process.cpuUsage().user;
  const plan = planOf(seed, options);
  const { struck, done, unknown, ...rest } = await runPlan(plan);
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
  run(job).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => {
      console.error(`seed ${job.seed}:`, error);
      process.exit(1);
    },
  );
});
