// Wires that delay and lose: a process of its own, so that its timers do not wait for the nodes or the load. Each argument
// after the first two is the port of a target; it prints one port for each, in their order, and passes on what comes there.
// Keeps: bytes arrive in their order, each the delay after it was sent; a lost packet holds back itself and what follows, as
// TCP does, until it was sent again.
// Arguments: one-way delay in ms, share of packets lost (0..1), target ports. They count from SIGUSR2 on: until then nothing is
// late or lost, so that the nodes behind can be warmed up in less time.

import { connect, createServer, type Socket } from 'node:net';
import { SeededRandom } from '../load/seeded-random.ts';

const HOST = '127.0.0.1';
/** Bytes of a packet's payload on Ethernet. */
const PACKET_BYTES = 1448;
/** A loss is noticed a round trip after the packet was sent, and repaired half a round trip later: two delays more, and the
 *  tail of a burst waits for a timer (RFC 8985) of about half a delay. */
const REPAIR_DELAYS = 2.5;
const RANDOM_STEPS = 1_000_000;
/** Timers tick in whole milliseconds: what is due by then goes with this tick, so that it is early as often as late. */
const HALF_TICK_MS = 0.5;

const [delayText, lossText, ...targets] = process.argv.slice(2);
let delayMs = 0;
let lossShare = 0;
process.on('SIGUSR2', () => {
  delayMs = Number(delayText);
  lossShare = Number(lossText);
});
const random = new SeededRandom(11);

/** Passes everything from one socket to another, late. */
function carry(from: Socket, to: Socket): void {
  const waiting: { dueMs: number; bytes: Uint8Array }[] = [];
  let lastDueMs = 0;
  let isTimed = false;
  const release = (): void => {
    isTimed = false;
    const nowMs = performance.now();
    while (waiting.length > 0 && waiting[0]!.dueMs <= nowMs + HALF_TICK_MS) to.write(waiting.shift()!.bytes);
    wait();
  };
  const wait = (): void => {
    const first = waiting[0];
    if (!first || isTimed) return;
    isTimed = true;
    setTimeout(release, Math.max(0, Math.round(first.dueMs - performance.now() - HALF_TICK_MS)));
  };
  from.on('data', (bytes) => {
    let dueMs = performance.now() + delayMs;
    for (let at = 0; at < bytes.length; at += PACKET_BYTES) {
      while (random.below(RANDOM_STEPS) < lossShare * RANDOM_STEPS) dueMs += REPAIR_DELAYS * delayMs;
    }
    lastDueMs = Math.max(lastDueMs, dueMs);
    waiting.push({ dueMs: lastDueMs, bytes });
    wait();
  });
  for (const event of ['error', 'close']) {
    from.on(event, () => {
      from.destroy();
      to.destroy();
    });
  }
}

const ports: number[] = [];
for (const target of targets) {
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: Number(target), host: HOST, noDelay: true });
    carry(near, far);
    carry(far, near);
  });
  await new Promise<void>((done) => server.listen(0, HOST, done));
  ports.push((server.address() as { port: number }).port);
}
console.log(`ports ${ports.join(' ')}`);
