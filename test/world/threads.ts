// Worker threads of a simulated machine: the work is done here, and its result comes a millisecond later by the machine's clock.

import { openImplementation } from '../../host/crypto/implementation.ts';
import { unpackJobs } from '../../host/crypto/job-codec.ts';
import runProgram from '../../host/programs/worker.ts';
import type { Clock } from '../../host/world/clock.ts';
import { systemProgram } from '../../host/world/system/files.ts';
import { randomBytes } from '../../host/world/system/random.ts';
import type { Threads } from '../../host/world/threads.ts';

// What a batch is verified with cannot change its verdicts, so these bytes need not come from the seed.
export const verifyMany = openImplementation('wasm', { program: systemProgram, randomBytes });
const WORK_MS = 1;

export const threadsOf = (clock: Pick<Clock, 'setTimer'>): Threads => ({
  memory: async () => [],
  open({ file }) {
    const work = file.endsWith('programs/worker.js')
      ? runProgram
      : (bytes: Uint8Array) => verifyMany(unpackJobs(bytes));
    return {
      run: (bytes) => new Promise((done) => clock.setTimer(() => done(work(bytes)), WORK_MS)),
      close: async () => {},
    };
  },
});
