// A room on the thread of the test: the same frames and the same turns of the loop, without a thread.

import { ClientIp } from '../../../host/api/client-ip.ts';
import { openImplementation } from '../../../host/crypto/implementation.ts';
import { openIngress } from '../../../host/ingress/ingress.ts';
import type { ThreadPlan } from '../../../host/ingress/ingress-driver.ts';
import type { HttpDriver, HttpService } from '../../../host/world/http.ts';
import { systemClock } from '../../../host/world/system/clock.ts';
import { systemProgram } from '../../../host/world/system/files.ts';
import type { DriverClock } from '../../../host/world/system/http/driver-rules.ts';
import { randomBytes } from '../../../host/world/system/random.ts';
import type { Room, RoomPlan } from '../../../host/world/threads.ts';

export const verifyMany = openImplementation('wasm', { program: systemProgram, randomBytes });

/** Rooms whose driver is made by `serve`; every packet takes a turn of the loop. */
export const loopRooms = (serve: (service: HttpService, clock: DriverClock) => Promise<HttpDriver>) => ({
  room({ data, onBytes, onEnd }: RoomPlan): Room {
    const { facts, trustedProxies } = data as ThreadPlan;
    const program = openIngress({
      facts,
      verifyMany,
      clock: systemClock,
      clientIp: new ClientIp(trustedProxies),
      serve: (service) => serve(service, systemClock),
      post: (packet) => systemClock.soon(() => onBytes(packet)),
    });
    program.catch(onEnd);
    return {
      post: (packet) =>
        systemClock.soon(
          () => void program.then((take) => take(packet)).catch((error: Error) => onEnd(error)),
        ),
      close: async () => {},
    };
  },
});
