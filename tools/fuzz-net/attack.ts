// One attack over a real link: greets or not, sends what it must not, and waits until the node closes the link.
// Keeps: a node that keeps a link open for long after a malformed frame is a fault.

import { connect } from 'node:net';
import { helloOf } from '../../host/net/hello.ts';
import { decodeMessage, encodeMessage, type Message } from '../../host/net/messages.ts';
import type { Genesis } from '../../host/wire/genesis.ts';
import { pause } from '../../host/world/clock.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { SecretTransport } from '../../host/world/system/secret-transport.ts';
import type { Link } from '../../host/world/transport.ts';
import type { SeededRandom } from '../load/seeded-random.ts';
import type { Frames, Liar } from './frames.ts';

const HOST = '127.0.0.1';
const CLOSED_MS = 20_000;
const HELD_MS = 500;
const LET_IN_MS = 30_000;
const DIAL_AGAIN_MS = 300;
const SYNC_MS = 10_000;

export interface Target {
  port: number;
  genesis: Genesis;
}

/**
 * Tries again for a while: a network that begins many handshakes has to wait for its share of them (protocol 12.8), and all of
 * this comes from one address. Errors: still not let in after that.
 */
async function dial({ port }: Target, { key }: Liar): Promise<Link> {
  const transport = new SecretTransport(key.linkKey(), systemClock);
  const endMs = systemClock.monotonicMs() + LET_IN_MS;
  for (;;) {
    try {
      return await transport.dial(HOST, port);
    } catch (error) {
      if (systemClock.monotonicMs() > endMs) throw error;
      await pause(systemClock, DIAL_AGAIN_MS);
    }
  }
}

/** The outcome of one link. */
export interface Attack {
  sent: number;
  end: 'cut off' | 'outlived' | 'not let in';
  /** The reason that the node gave for ending it, if any. */
  bye: string | undefined;
}

/** Sends `odd` allowed frames and then malformed ones until the node hangs up. Never throws. */
export async function attack(
  target: Target,
  liar: Liar,
  frames: Frames,
  random: SeededRandom,
  odd: number,
): Promise<Attack> {
  const done: Attack = { sent: 0, end: 'not let in', bye: undefined };
  let link: Link;
  try {
    link = await dial(target, liar);
  } catch {
    return done;
  }
  return new Promise((resolve) => {
    const finish = (end: Attack['end']): void => {
      cancel();
      resolve({ ...done, end });
      // The link reports its own end too, which comes too late.
      link.close('done');
    };
    const cancel = systemClock.setTimer(() => finish('outlived'), CLOSED_MS);
    const say = (frame: Uint8Array): void => {
      link.send(frame);
      done.sent += 1;
    };
    // Nothing is sent before the node's hello: large frames of strangers end a link without a penalty.
    const speak = (): void => {
      // Sometimes the hello does not come first, or comes twice; without a seat it is that of another network.
      const opening = liar.seat === undefined ? random.below(20) : random.between(1, 20);
      if (opening === 0)
        say(encodeMessage({ ...helloOf(target.genesis, false), chainId: 'vws-elsewhere-1' } as Message));
      else if (opening === 1) say(frames.odd(liar));
      else say(encodeMessage(helloOf(target.genesis, false)));
      if (opening === 3) say(encodeMessage(helloOf(target.genesis, false)));
      // A goodbye ends the link before anything else is read; one with a seat would not be banned then.
      if (opening === 4 && liar.seat === undefined)
        say(encodeMessage({ type: 'bye', reason: 'for no reason' }));
      for (let i = 0; i < odd; i++) say(frames.odd(liar));
      for (let i = random.between(1, 3); i > 0; i--) say(frames.broken());
    };
    link.open({
      onMessage(bytes) {
        const message = decodeMessage(bytes);
        if (message?.type === 'bye') done.bye = message.reason;
        else if (message?.type === 'hello') speak();
      },
      onClose: () => finish('cut off'),
    });
  });
}

/** Bytes on a socket from a peer that proves no key. Resolves when it is over. Never throws. */
export function knock({ port }: Target, random: SeededRandom): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: HOST, port });
    const cancel = systemClock.setTimer(() => socket.destroy(), HELD_MS);
    socket.on('error', () => {});
    socket.on('close', () => {
      cancel();
      resolve();
    });
    socket.on('connect', () => {
      switch (random.below(5)) {
        case 0:
          socket.write(random.bytes(random.between(1, 5000)));
          break;
        case 1:
          // A frame of 16 MiB, as much of it as is accepted.
          socket.write(Uint8Array.of(0xff, 0xff, 0xff));
          socket.write(random.bytes(100_000));
          break;
        case 2:
          socket.end('GET / HTTP/1.1\r\nHost: node\r\n\r\n');
          break;
        case 3:
          // The first step of an invalid handshake.
          socket.write(Buffer.concat([Uint8Array.of(32, 0, 0), random.bytes(32)]));
          break;
        default:
          socket.destroy();
      }
      socket.resume();
    });
  });
}

/** The vertices of the first epoch, as a correct seat gets them. Errors: not within 10 s. */
export async function readVertices(target: Target, reader: Liar): Promise<Uint8Array[]> {
  const link = await dial(target, reader);
  const vertices: Uint8Array[] = [];
  return new Promise((resolve, reject) => {
    const end = (finish: () => void): void => {
      cancel();
      finish();
      link.close('read');
    };
    const cancel = systemClock.setTimer(
      () => end(() => reject(new Error('the node sent no vertices'))),
      SYNC_MS,
    );
    const ask = (cursor: number): void =>
      link.send(encodeMessage({ type: 'sync', epoch: 0, cursor, seqs: [] }));
    link.open({
      onMessage(bytes) {
        const message = decodeMessage(bytes);
        if (message?.type === 'hello') {
          link.send(encodeMessage(helloOf(target.genesis, false)));
          ask(0);
        }
        if (message?.type !== 'synced') return;
        vertices.push(...message.vertices.map((vertex) => vertex.slice()));
        if (message.isEnd) end(() => resolve(vertices));
        else ask(message.cursor);
      },
      onClose: (reason) => end(() => reject(new Error(reason))),
    });
  });
}
