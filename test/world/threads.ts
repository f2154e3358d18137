// Threads of a simulated machine: the work is done here. The result of a job comes a millisecond later by the machine's clock, and
// what a room says in a turn of its own.

import { unpackJobs } from '../../host/crypto/job-codec.ts';
import runProgram from '../../host/programs/worker.ts';
import type { Clock } from '../../host/world/clock.ts';
import type { HttpDriver, HttpService } from '../../host/world/http.ts';
import type { Threads } from '../../host/world/threads.ts';
import { loopRooms, verifyMany } from '../host/ingress/loop-room.ts';

const WORK_MS = 1;

/** `serve`: as of the machine's world. */
export const threadsOf = (
  clock: Pick<Clock, 'setTimer' | 'soon' | 'monotonicMs'>,
  serve: (service: HttpService) => Promise<HttpDriver>,
): Threads => ({
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
  // The one program of rooms is that of a thread that takes requests in.
  ...loopRooms(clock, serve),
});
