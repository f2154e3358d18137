// What runs on a thread that takes requests in: a driver, and the service as it is seen from there.

import type { ClientIp } from '../api/client-ip.ts';
import type { VerifyMany } from '../crypto/verifier.ts';
import type { Clock } from '../world/clock.ts';
import { type HttpDriver, type HttpService, SHARINGS } from '../world/http.ts';
import { TO_NODE, TO_THREAD } from './frames.ts';
import type { PacketReader } from './packet.ts';
import { RemoteService } from './remote-service.ts';
import type { ServiceFacts } from './service-facts.ts';

export interface IngressParts {
  facts: ServiceFacts;
  clock: Pick<Clock, 'soon' | 'monotonicMs'>;
  clientIp: ClientIp;
  verifyMany: VerifyMany;
  /** Makes the driver; `onFallback` as for `World.serve`. */
  serve(service: HttpService, onFallback: (reason: string) => void): Promise<HttpDriver>;
  post(packet: Uint8Array<ArrayBuffer>): void;
}

/** Resolves with what takes the packets of the node. Errors: those of `serve`. */
export async function openIngress(parts: IngressParts): Promise<(packet: Uint8Array) => void> {
  const { clientIp, clock, facts, post, serve, verifyMany } = parts;
  let fallback = '';
  const failed = (error: unknown): void => {
    const { message = String(error), code = '' } = error as { message?: string; code?: string };
    service.tell(TO_NODE.failed).text(message).text(code);
  };
  const listen = async (frame: PacketReader): Promise<void> => {
    const host = frame.text();
    const port = frame.u32();
    const sharing = SHARINGS[frame.u8()]!;
    const bound = await driver.listen(host, port, sharing);
    service.tell(TO_NODE.listening).u32(bound).text(driver.name).text(fallback);
  };
  const stop = async (graceMs: number): Promise<void> => {
    await driver.close(graceMs);
    service.tell(TO_NODE.stopped);
  };
  const service = new RemoteService({
    ...{ facts, clock, verifyMany, post },
    addressOf: (request) => clientIp.of(request),
    isProxy: (address) => clientIp.isTrusted(address),
    onControl: (kind, frame) => {
      if (kind === TO_THREAD.listen) void listen(frame).catch(failed);
      else void stop(frame.u32()).catch(failed);
    },
  });
  const driver = await serve(service, (reason) => {
    fallback = reason;
  });
  return (packet) => service.take(packet);
}
