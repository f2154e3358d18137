// The program of a thread that takes requests in, on the real world.

import { ClientIp } from '../api/client-ip.ts';
import { openImplementation } from '../crypto/implementation.ts';
import { useNativeHash } from '../crypto/native-hash.ts';
import { systemClock } from '../world/system/clock.ts';
import { systemProgram } from '../world/system/files.ts';
import { createDriver } from '../world/system/http/driver.ts';
import { MAX_CONNECTIONS } from '../world/system/http/driver-rules.ts';
import { randomBytes } from '../world/system/random.ts';
import type { RoomProgram } from '../world/threads.ts';
import { openIngress } from './ingress.ts';
import type { ThreadPlan } from './ingress-driver.ts';

const open: RoomProgram<ThreadPlan> = ({ facts, driver, verifier, trustedProxies, threads }, post) => {
  useNativeHash();
  const maxConnections = Math.ceil(MAX_CONNECTIONS / threads);
  return openIngress({
    ...{ facts, post },
    clock: systemClock,
    clientIp: new ClientIp(trustedProxies),
    verifyMany: openImplementation(verifier, { program: systemProgram, randomBytes }),
    serve: (service, onFallback) =>
      createDriver(service, driver, { clock: systemClock, onFallback, maxConnections }),
  });
};

export default open;
