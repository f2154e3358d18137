// Runs many seeds on several processes.

import { fork } from 'node:child_process';
import type { PlanOptions } from '../../test/world/plan.ts';
import { builtPath } from '../load/built.ts';
import type { Job, SentOutcome } from './worker.ts';

/** Simulated disks make much young garbage that lives a little: room for it saves a tenth of the CPU time. */
const YOUNG_SPACE = '--max-semi-space-size=64';
/** Seeds that one process runs: WebAssembly memories of finished runs come back late, with the process at the latest. */
const SEEDS_EACH = 40;

/** Runs `count` seeds from `first` on; `each` sees every outcome as it comes. Rejects when a process dies. */
export async function runSeeds(
  first: number,
  count: number,
  processes: number,
  options: PlanOptions,
  each: (outcome: SentOutcome) => void,
): Promise<void> {
  let next = first;
  const end = first + count;
  const batch = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = fork(builtPath('tools/world/worker.js'), { execArgv: ['--expose-gc', YOUNG_SPACE] });
      let left = SEEDS_EACH;
      let isIdle = false;
      const give = (): void => {
        if (next >= end || left === 0) {
          isIdle = true;
          child.kill();
          return;
        }
        left -= 1;
        child.send({ seed: next++, options } satisfies Job);
      };
      child.on('message', (outcome: SentOutcome) => {
        each(outcome);
        give();
      });
      child.on('error', reject);
      child.on('exit', (code) => (isIdle ? resolve() : reject(new Error(`a process ended with ${code}`))));
      give();
    });
  const worker = async (): Promise<void> => {
    while (next < end) await batch();
  };
  await Promise.all(Array.from({ length: processes }, worker));
}
