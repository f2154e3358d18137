// Real sockets: a link exists once both ends have proven their keys, and strangers cost little (pitfall D7).

import { connect, createServer, type Socket } from 'node:net';
import SecretStream from '@hyperswarm/secret-stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type KeyPair, keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { systemClock } from '../../../host/world/system/clock.ts';
import { curveProduct } from '../../../host/world/system/link-curve.ts';
import { SecretTransport } from '../../../host/world/system/secret-transport.ts';
import type { Link } from '../../../host/world/transport.ts';
import { FakeClock } from '../one-node/harness.ts';

const HOST = '127.0.0.1';
const [SERVER, CLIENT] = [1, 2].map((n) => keyPairFromSeed(new Uint8Array(32).fill(n))) as [KeyPair, KeyPair];
const keyOf = (pair: KeyPair) => pair.linkKey();

let clock: FakeClock;
let server: SecretTransport;
let client: SecretTransport;
let port: number;
let links: Link[];
let onLink: () => void;
const sockets: Socket[] = [];

beforeEach(async () => {
  clock = new FakeClock();
  links = [];
  onLink = () => {};
  server = new SecretTransport(keyOf(SERVER), clock);
  server.onLink = (link) => {
    links.push(link);
    onLink();
  };
  client = new SecretTransport(keyOf(CLIENT), systemClock);
  port = await server.listen(HOST, 0);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await client.close();
  await server.close();
});

/** Both ends of a fresh link, and what each received. */
async function linked() {
  const arrived = new Promise<void>((done) => {
    onLink = done;
  });
  const near = await client.dial(HOST, port);
  await arrived;
  const far = links.at(-1)!;
  const ends = [near, far].map((link) => {
    const end = { link, got: [] as Uint8Array[], closed: undefined as string | undefined, changed: () => {} };
    link.open({
      onMessage(message) {
        end.got.push(message);
        end.changed();
      },
      onClose(reason) {
        end.closed = reason;
        end.changed();
      },
    });
    return end;
  });
  return ends as [(typeof ends)[0], (typeof ends)[0]];
}

const until = (end: { changed: () => void }, holds: () => boolean): Promise<void> =>
  new Promise((done) => {
    end.changed = () => {
      if (holds()) done();
    };
    end.changed();
  });

/** A socket that never ends its handshake. `from`: its source address, one of this machine. */
function stranger(bytes?: Uint8Array, from = HOST) {
  const socket = connect({ host: HOST, port, localAddress: from });
  sockets.push(socket);
  socket.on('error', () => {});
  socket.resume();
  if (bytes) socket.write(bytes);
  const ended = new Promise<void>((done) => socket.on('close', () => done()));
  const answered = new Promise<void>((done) => socket.once('data', () => done()));
  return { socket, ended, answered };
}

it('a key whose secret is in another process proves itself on links all the same', async () => {
  const held = (pair: KeyPair) => ({
    publicKey: pair.publicKey,
    secretKey: new Uint8Array(64),
    dh: (point: Uint8Array) => curveProduct(point, keyOf(pair)),
  });
  await client.close();
  client = new SecretTransport(held(CLIENT), systemClock);
  const [near, far] = await linked();
  expect([near.link.peerKey, far.link.peerKey].map(toHex)).toEqual([
    SERVER.publicKeyHex,
    CLIENT.publicKeyHex,
  ]);
  // Without the product there is no proof.
  await client.close();
  client = new SecretTransport({ ...held(CLIENT), dh: () => new Uint8Array(32).fill(9) }, systemClock);
  const before = links.length;
  const unproven = await client.dial(HOST, port);
  await new Promise<void>((done) => unproven.open({ onMessage() {}, onClose: () => done() }));
  expect(links).toHaveLength(before);
});

/** Links of a fresh key that says it speaks for CLIENT; `sign`: the proof. */
const speaking = (sign: (message: Uint8Array) => Uint8Array) => ({
  ...keyPairFromSeed(new Uint8Array(32).fill(3)).linkKey(),
  identity: { publicKey: CLIENT.publicKey, sign },
});

it('a key that only signs is who the other end sees, whichever end dials', async () => {
  await client.close();
  const messages: Uint8Array[] = [];
  const sign = (message: Uint8Array): Uint8Array => {
    messages.push(message);
    return CLIENT.sign(message);
  };
  client = new SecretTransport(speaking(sign), systemClock);
  const [near, far] = await linked();
  expect([near.link.peerKey, far.link.peerKey].map(toHex)).toEqual([
    SERVER.publicKeyHex,
    CLIENT.publicKeyHex,
  ]);
  near.link.send(Buffer.from('both ways'));
  await until(far, () => far.got.length === 1);

  const back = new SecretTransport(keyOf(SERVER), systemClock);
  const accepted = new Promise<Link>((done) => {
    client.onLink = done;
  });
  const dialed = await back.dial(HOST, await client.listen(HOST, 0));
  expect([toHex(dialed.peerKey), toHex((await accepted).peerKey)]).toEqual([
    CLIENT.publicKeyHex,
    SERVER.publicKeyHex,
  ]);
  await back.close();
  // A proof is of one handshake: what was drawn for it is in what is signed.
  expect(messages.map((message) => Buffer.from(message.subarray(0, 8)).toString())).toEqual([
    'VWS-LINK',
    'VWS-LINK',
  ]);
  expect(messages[0]).not.toEqual(messages[1]);
});

it.each<[string, (good: Uint8Array, message: Uint8Array) => Uint8Array]>([
  ['of another key', (_, message) => SERVER.sign(message)],
  [
    'of an earlier handshake',
    (_, message) => CLIENT.sign(message.map((byte, i) => (i === 20 ? byte ^ 1 : byte))),
  ],
  [
    'for another key of links',
    (_, message) => CLIENT.sign(message.map((byte, i) => (i === 50 ? byte ^ 1 : byte))),
  ],
  ['that is cut', (good) => good.subarray(0, 63)],
])('a proof %s makes no link', async (_, proof) => {
  await client.close();
  client = new SecretTransport(
    speaking((message) => proof(CLIENT.sign(message), message)),
    systemClock,
  );
  const unproven = await client.dial(HOST, port);
  await new Promise<void>((done) => unproven.open({ onMessage() {}, onClose: () => done() }));
  expect(links).toEqual([]);
});

it('each end knows the key of the other, and messages keep their borders', async () => {
  const [near, far] = await linked();
  expect([toHex(near.link.peerKey), toHex(far.link.peerKey)]).toEqual([
    SERVER.publicKeyHex,
    CLIENT.publicKeyHex,
  ]);
  expect([near.link.isDialed, far.link.isDialed]).toEqual([true, false]);
  const messages = [0, 1, 1000, 70_000, 4 * 1024 * 1024].map((length) => new Uint8Array(length).fill(length));
  for (const message of messages.slice(1)) near.link.send(message);
  await until(far, () => far.got.length === 4);
  expect(far.got.map(({ length }) => length)).toEqual([1, 1000, 70_000, 4 * 1024 * 1024]);
  expect(far.got.every((message) => message.every((byte) => byte === message.length % 256))).toBe(true);
  expect(far.link.traffic.received).toBeGreaterThan(4 * 1024 * 1024);
});

it('a message is not a Buffer: a part of it does not keep the rest in memory', async () => {
  const [near, far] = await linked();
  near.link.send(new Uint8Array(1000));
  await until(far, () => far.got.length === 1);
  expect(Buffer.isBuffer(far.got[0])).toBe(false);
  expect(far.got[0]!.slice(0, 10).buffer.byteLength).toBe(10);
});

it('the last message arrives before the end, and nothing after it', async () => {
  const [near, far] = await linked();
  far.link.send(Buffer.from('goodbye'));
  far.link.close('sent away');
  near.link.send(Buffer.from('too late'));
  await until(near, () => near.closed !== undefined);
  expect(near.got.map((message) => Buffer.from(message).toString())).toEqual(['goodbye']);
  expect([far.closed, far.got]).toEqual(['sent away', []]);
  near.link.close('again');
  far.link.send(Buffer.from('nobody listens'));
  expect(near.link.isWritable || far.link.isWritable).toBe(false);
});

it('a peer that does not read fills its link', async () => {
  const [near, far] = await linked();
  const message = new Uint8Array(1024 * 1024);
  // As fast as it goes: the other end has had no turn to read.
  let sent = 0;
  for (; near.link.isWritable && sent < 200; sent++) near.link.send(message);
  expect(sent).toBeLessThan(100);
  await until(far, () => far.got.length === sent);
  await new Promise((done) => setTimeout(done, 50));
  expect(near.link.isWritable).toBe(true);
});

it('a frame that is too long ends the link, and no other', async () => {
  const [good] = await linked();
  const [near, far] = await linked();
  near.link.send(new Uint8Array(4 * 1024 * 1024 + 1));
  await until(far, () => far.closed !== undefined);
  expect(far.got).toEqual([]);
  expect(good.closed).toBeUndefined();
});

it.each<[string, Uint8Array]>([
  ['a frame of 16 MiB', Uint8Array.of(0xff, 0xff, 0xff)],
  ['more than a handshake needs', Uint8Array.of(1, 4, 0)],
  ['another protocol', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
])('%s from a stranger ends its socket', async (_, bytes) => {
  await stranger(bytes).ended;
  expect(links).toEqual([]);
  expect((await linked())[0].closed).toBeUndefined();
});

/** The first frame of a handshake, all that a stranger needs to send without knowing anything. */
const FIRST_FRAME = Buffer.concat([Uint8Array.of(32, 0, 0), CLIENT.publicKey]);

it.each<[string, number, Uint8Array | undefined]>([
  ['sends nothing', 3000, undefined],
  ['sends less than a frame', 3000, FIRST_FRAME.subarray(0, 20)],
  ['sends its first frame only', 10_000, FIRST_FRAME],
])('a stranger who %s is cut after %d ms', async (_, cutMs, bytes) => {
  const { socket, ended, answered } = stranger(bytes);
  await new Promise((done) => socket.once('connect', done));
  // The server answers the first frame, and by then has read it.
  if (bytes === FIRST_FRAME) await answered;
  // Until the server has taken the socket.
  await linked();
  await clock.advance(cutMs - 1);
  expect(socket.destroyed).toBe(false);
  await clock.advance(1);
  await ended;
});

const connected = (all: readonly { socket: Socket }[]): Promise<unknown> =>
  Promise.all(all.map(({ socket }) => new Promise((done) => socket.once('connect', done))));

const onLinux = it.runIf(process.platform === 'linux');
/** All of them hold on, each from one of `addresses`. */
const crowd = async (addresses: number, ofEach: number, bytes?: Uint8Array) => {
  const all = Array.from({ length: addresses * ofEach }, (_, i) =>
    stranger(bytes, `127.0.0.${2 + (i % addresses)}`),
  );
  await connected(all);
  return all;
};

it('a silent crowd on the address of a seat does not keep it out', async () => {
  await connected(Array.from({ length: 30 }, () => stranger()));
  await linked();
  expect(links).toHaveLength(1);
});

// Elsewhere a machine has one address of its own only.
onLinux('six addresses with 14 silent sockets each do not keep a seat out', async () => {
  const silent = await crowd(6, 14);
  await linked();
  expect(links).toHaveLength(1);
  await clock.advance(3000);
  await Promise.all(silent.map(({ ended }) => ended));
});

onLinux('strangers who begin their handshakes do not take the places of a known address', async () => {
  const all = await crowd(6, 14, FIRST_FRAME);
  await Promise.all(all.map(({ answered, ended }) => Promise.race([answered, ended])));
  await expect(client.dial(HOST, port)).rejects.toThrow();
  server.isKnown = (address) => address === HOST;
  await linked();
  expect(links).toHaveLength(1);
});

it('links that are refused and not closed by the other end give way to newcomers, and are as few as handshakes', async () => {
  const refused: Link[] = [];
  server.onLink = (link) => {
    refused.push(link);
    link.close('key has no seat');
  };
  const { publicKey, secretKey } = keyOf(CLIENT);
  const keyPair = { publicKey: Buffer.from(publicKey), secretKey: Buffer.from(secretKey) };
  for (let n = 1; n <= 60; n++) {
    const socket = connect({ host: HOST, port, allowHalfOpen: true });
    sockets.push(socket);
    const stream = new SecretStream(true, socket, { keyPair });
    stream.on('error', () => {});
    // It proves its key, and reads nothing after it.
    stream.once('connect', () => socket.pause());
    while (refused.length < n) await new Promise(setImmediate);
  }
  const open = refused.filter((link) => !(link as unknown as { socket: Socket }).socket.destroyed);
  expect([refused.length, open.length]).toEqual([60, 16]);
  server.onLink = (link) => {
    links.push(link);
    onLink();
  };
  const [near, far] = await linked();
  near.link.send(new Uint8Array(1000));
  await until(far, () => far.got.length === 1);
});

it('an address without a listener, or without a proven key, is an error', async () => {
  const mute = createServer((socket) => {
    socket.on('error', () => {});
    socket.resume().end('hello');
  });
  await new Promise<void>((done) => mute.listen(0, HOST, done));
  const { port: muteAt } = mute.address() as { port: number };
  await expect(client.dial(HOST, muteAt)).rejects.toThrow();
  await new Promise((done) => mute.close(done));
  await expect(client.dial(HOST, muteAt)).rejects.toThrow(/ECONNREFUSED/);
});

it('closing the transport ends its links and its port', async () => {
  const [near] = await linked();
  await server.close();
  await until(near, () => near.closed !== undefined);
  await expect(client.dial(HOST, port)).rejects.toThrow();
  server = new SecretTransport(keyOf(SERVER), clock);
});
