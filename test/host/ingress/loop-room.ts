// A room without a thread: the same frames in turns of a clock, real or simulated.

import { ClientIp } from '../../../host/api/client-ip.ts';
import { openImplementation } from '../../../host/crypto/implementation.ts';
import { openIngress } from '../../../host/ingress/ingress.ts';
import type { ThreadPlan } from '../../../host/ingress/ingress-driver.ts';
import type { Clock } from '../../../host/world/clock.ts';
import type { HttpDriver, HttpService } from '../../../host/world/http.ts';
import { systemProgram } from '../../../host/world/system/files.ts';
import { randomBytes } from '../../../host/world/system/random.ts';
import type { Room, RoomPlan } from '../../../host/world/threads.ts';

// What a batch is verified with cannot change its verdicts, so in a simulation these bytes need not come from the seed.
export const verifyMany = openImplementation('wasm', { program: systemProgram, randomBytes });

/** Rooms that take requests in, with drivers made by `serve`; every packet takes a turn of the clock. */
export const loopRooms = (
  clock: Pick<Clock, 'soon' | 'monotonicMs'>,
  serve: (service: HttpService) => Promise<HttpDriver>,
) => ({
  room({ data, onBytes, onEnd }: RoomPlan): Room {
    const { facts, trustedProxies } = data as ThreadPlan;
    const program = openIngress({
      ...{ facts, clock, serve, verifyMany },
      clientIp: new ClientIp(trustedProxies),
      post: (packet) => clock.soon(() => onBytes(packet)),
    });
    program.catch(onEnd);
    return {
      post: (packet) => clock.soon(() => void program.then((take) => take(packet)).catch(onEnd)),
      hold() {},
      close: async () => {},
    };
  },
});
