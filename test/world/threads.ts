// Threads of a simulated machine: the work is done here. The result of a job comes a millisecond later by the machine's clock, and
// what a room says in a turn of its own.

import { ClientIp } from '../../host/api/client-ip.ts';
import { openImplementation } from '../../host/crypto/implementation.ts';
import { unpackJobs } from '../../host/crypto/job-codec.ts';
import { openIngress } from '../../host/ingress/ingress.ts';
import type { ThreadPlan } from '../../host/ingress/ingress-driver.ts';
import runProgram from '../../host/programs/worker.ts';
import type { Clock } from '../../host/world/clock.ts';
import type { HttpDriver, HttpService } from '../../host/world/http.ts';
import { systemProgram } from '../../host/world/system/files.ts';
import { randomBytes } from '../../host/world/system/random.ts';
import type { Threads } from '../../host/world/threads.ts';

// What a batch is verified with cannot change its verdicts, so these bytes need not come from the seed.
export const verifyMany = openImplementation('wasm', { program: systemProgram, randomBytes });
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
  room({ data, onBytes, onEnd }) {
    const { facts } = data as ThreadPlan;
    const program = openIngress({
      ...{ facts, clock, serve, verifyMany },
      clientIp: new ClientIp([]),
      post: (packet) => clock.soon(() => onBytes(packet)),
    });
    program.catch(onEnd);
    return {
      post: (packet) => clock.soon(() => void program.then((take) => take(packet)).catch(onEnd)),
      close: async () => {},
    };
  },
});
