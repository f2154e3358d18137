// Who is let in, who stays out, and that no peer pays for another (protocol 12.8; pitfalls D7, A13).

import { describe, expect, it } from 'vitest';
import { type KeyPair, keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { helloOf } from '../../../host/net/hello.ts';
import { encodeMessage, type Message } from '../../../host/net/messages.ts';
import type { Peer } from '../../../host/net/peer.ts';
import { PeerBook, type PeerBookOptions } from '../../../host/net/peer-book.ts';
import { FakeClock, genesisOf, settle } from '../one-node/harness.ts';
import { MemoryLink, Remote } from './memory-transport.ts';

const genesis = genesisOf();
const key = (n: number): KeyPair => {
  const seed = new Uint8Array(32).fill(7);
  seed[0] = n & 0xff;
  seed[1] = n >> 8;
  return keyPairFromSeed(seed);
};
const OWN = key(0);
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const HELLO = helloOf(genesis, false);

/** A book in which the keys 1 to `seats` have seats. */
function makeBook(o: Partial<PeerBookOptions> & { seats?: number } = {}) {
  const clock = new FakeClock();
  const seats = Array.from({ length: o.seats ?? 60 }, (_, i) => key(i + 1).publicKeyHex);
  const greeted: Peer[] = [];
  const gone: Peer[] = [];
  const thinned: Peer[] = [];
  const messages: [string, Message['type']][] = [];
  const book = new PeerBook({
    clock,
    log: quiet as never,
    genesis,
    isObserver: false,
    observers: [],
    seatOf: (publicKey) => {
      const seat = seats.indexOf(Buffer.from(publicKey).toString('hex'));
      return seat < 0 ? undefined : seat;
    },
    isInManifest: () => false,
    onPeer: (peer) => greeted.push(peer),
    onGone: (peer) => gone.push(peer),
    onLinkLost: (peer) => thinned.push(peer),
    onMessage: (peer, message) => messages.push([peer.key, message.type]),
    ...o,
  });
  /** A link to a key; dialed by this node, or by the other end. */
  const connect = (who: KeyPair, isDialed = false): { far: Remote; near: MemoryLink } => {
    const [a, b] = isDialed
      ? MemoryLink.pair(OWN.publicKey, who.publicKey)
      : MemoryLink.pair(who.publicKey, OWN.publicKey);
    const [near, far] = isDialed ? [a, b] : [b, a];
    book.welcome(near);
    return { far: new Remote(far), near };
  };
  const join = async (who: KeyPair, isDialed = false) => {
    const ends = connect(who, isDialed);
    ends.far.say(HELLO);
    await settle();
    return ends;
  };
  return { book, clock, greeted, gone, thinned, messages, connect, join };
}

it.each([
  ['after', [HELLO]],
  ['before', []],
])('a goodbye %s the hello is the last thing that is heard, and written down, of a link', async (_, said) => {
  const lines: unknown[] = [];
  const log = {
    ...quiet,
    info: (line: object) => lines.push(line),
    warn: (line: object) => lines.push(line),
  };
  const net = makeBook({ log: log as never });
  const { far, near } = net.connect(key(1));
  far.say(...said);
  await settle();
  lines.length = 0;
  far.say(...Array.from({ length: 100 }, () => ({ type: 'bye' as const, reason: 'x' })));
  await settle();
  expect(lines.filter((line) => (line as { reason?: string }).reason === 'x')).toHaveLength(1);
  expect([near.closedFor, net.book.size, net.book.counts.bans]).toEqual(['the peer said goodbye', 0, 0]);
});

/** So many keys that nobody has paid for, each with so many points. */
function flood(book: PeerBook, count: number, points: number): void {
  for (let i = 0; i < count; i++) book.reportFault(i.toString(16).padStart(64, '0'), points, 'a flood');
}

describe('a flood of new keys', () => {
  const SEAT = key(1).publicKeyHex;
  // Strangers and known addresses begin 40 handshakes a second each, and 400 more at once (protocol 12.8).
  const IN_TEN_MINUTES = 2 * (400 + 40 * 600);

  it.each([
    ['a seat', key(1), []],
    ['an observer by name', key(500), [key(500).publicKeyHex, '*']],
    ['a key of its own kind', key(501), ['*']],
  ])('does not lift the ban of %s', async (_, who, observers) => {
    const net = makeBook({ observers, seats: 1 });
    net.book.reportFault(who.publicKeyHex, 100, 'a fault');
    flood(net.book, IN_TEN_MINUTES, 100);
    expect((await net.join(who)).far.bye).toBe('banned for a while');
    await net.clock.advance(10 * 60_000);
    expect((await net.join(who)).far.bye).toBeUndefined();
  });

  it('does not clear the faults of a seat', async () => {
    const net = makeBook({ observers: ['*'], seats: 1 });
    net.book.reportFault(SEAT, 75, 'a fault');
    flood(net.book, IN_TEN_MINUTES, 50);
    net.book.reportFault(SEAT, 25, 'a fault');
    expect((await net.join(key(1))).far.bye).toBe('banned for a while');
  });
});

describe('greeting', () => {
  it('sends its hello and accepts peers of the same network', async () => {
    const net = makeBook();
    const { far } = await net.join(key(1));
    expect(far.all('hello')).toEqual([HELLO]);
    expect(net.greeted.map((peer) => [peer.key, peer.seat, peer.isReady])).toEqual([
      [key(1).publicKeyHex, 0, true],
    ]);
    // Its latency is measured at once.
    expect(far.all('ping')).toHaveLength(1);
    far.say({
      type: 'head',
      epoch: 0,
      vertexCount: 0,
      block: 0,
      order: 0,
      signed: 0,
      isOpen: true,
      from: { epoch: 0, order: 1, seq: 1 },
      seqs: [],
    });
    await settle();
    expect(net.messages).toEqual([[key(1).publicKeyHex, 'head']]);
  });

  it.each<[string, Partial<typeof HELLO> | Record<string, unknown>, RegExp]>([
    ['protocol', { protocol: '99' }, /^protocol 99, not /],
    ['chain', { chainId: 'vws-mainnet-1' }, /^chain vws-mainnet-1, not vws-testnet-1$/],
    ['genesis', { genesisHash: new Uint8Array(32) }, /^another genesis: manifest or network parameters/],
    [
      'core',
      { core: new Uint8Array(32) },
      /^another core\.wasm for revision \d+: 000000000000, not [0-9a-f]{12}$/,
    ],
    ['consensus', { consensus: new Uint8Array(32) }, /^another consensus\.wasm for revision /],
  ])('another %s is refused by name, and may come again when it is mended', async (_, change, reason) => {
    const net = makeBook();
    const { far, near } = net.connect(key(1));
    far.say({ ...HELLO, ...change } as Message);
    await settle();
    expect(far.bye).toMatch(reason);
    expect(near.closedFor).toMatch(reason);
    expect([net.book.size, net.greeted.length, net.book.counts.bans]).toEqual([0, 0, 0]);
    await net.join(key(1));
    expect(net.book.size).toBe(1);
  });

  it('a key without a seat is refused, unless it is an allowed observer or this node dialed it', async () => {
    const [stranger, friend] = [key(500), key(501)];
    const net = makeBook({ observers: [friend.publicKeyHex] });
    const { far } = await net.join(stranger);
    expect(far.bye).toBe('key has no seat and is not in SERVICE_OBSERVERS');
    expect(far.all('hello')).toEqual([]);
    await net.join(friend);
    expect(net.greeted.map(({ key: k, seat }) => [k, seat])).toEqual([[friend.publicKeyHex, undefined]]);
    await net.join(stranger, true);
    expect(net.book.size).toBe(2);
    const open = makeBook({ observers: ['*'] });
    await open.join(stranger);
    expect(open.book.size).toBe(1);
  });

  it.each<[string, (Message | Uint8Array)[]]>([
    ['anything before the hello', [{ type: 'ping', nonce: 1 }, HELLO]],
    ['a second hello', [HELLO, HELLO, { type: 'ping', nonce: 1 }]],
    ['a malformed message', [HELLO, Uint8Array.of(99, 1, 2), { type: 'ping', nonce: 1 }]],
    ['an unknown type', [Uint8Array.of(0), HELLO]],
  ])('%s ends the link and bans the key', async (_, said) => {
    const net = makeBook();
    const { far } = net.connect(key(1));
    far.say(...said);
    await settle();
    expect(net.book.size).toBe(0);
    expect(net.book.counts.bans).toBe(1);
    expect(net.messages).toEqual([]);
    const again = await net.join(key(1));
    expect(again.far.bye).toBe('banned for a while');
    expect(net.book.counts.bans).toBe(1);
    // Nobody else pays for it.
    await net.join(key(2));
    expect(net.book.size).toBe(1);
    await net.clock.advance(10 * 60_000);
    await net.join(key(1));
    expect(net.book.get(key(1).publicKeyHex)).toBeDefined();
  });

  it('messages in flight when a link was closed are ignored: no peer without a link', async () => {
    const net = makeBook();
    const { near } = net.connect(key(1));
    near.deliverAfterClose(Uint8Array.of(99));
    expect(near.closedFor).toBe('malformed message');
    near.deliverAfterClose(encodeMessage(HELLO));
    near.deliverAfterClose(Uint8Array.of(99));
    near.deliverAfterClose(encodeMessage({ type: 'want', ids: [new Uint8Array(32)] }));
    expect([net.book.size, net.messages, net.book.counts.bans]).toEqual([0, [], 1]);
  });
});

describe('the links of a key', () => {
  const hex = key(1).publicKeyHex;
  const URGENT = encodeMessage({ type: 'vertices', epoch: 0, vertices: [new Uint8Array(8000)] });
  const vertices = (far: Remote): number => far.all('vertices').length;
  /** A peer with a link that it dialed and one that this node dialed. */
  const twice = async () => {
    const net = makeBook();
    const [first, second] = [await net.join(key(1)), await net.join(key(1), true)];
    return { ...net, first, second, peer: net.book.get(hex)! };
  };

  it('a rival claim keeps the first link up', async () => {
    const net = makeBook();
    const first = await net.join(key(1));
    const rival = await net.join(key(1));
    expect(rival.far.bye).toBe('this key is connected already');
    expect(first.near.closedFor).toBeUndefined();
    expect([net.book.size, net.gone.length, net.book.counts.bans]).toEqual([1, 0, 0]);
    expect(net.book.get(hex)!.link).toBe(first.near);
  });

  it('are two where each node dialed one, and no more', async () => {
    const { book, first, second, join, greeted } = await twice();
    expect([first.near.closedFor, second.near.closedFor, book.size, greeted.length]).toEqual([
      undefined,
      undefined,
      1,
      1,
    ]);
    for (const isDialed of [true, false]) {
      expect((await join(key(1), isDialed)).far.bye).toBe('this key is connected already');
    }
    expect(book.get(hex)!.isDialed).toBe(true);
  });

  it.each([true, false])('two that dial each other keep both (%s)', async (first) => {
    // Two books that know each other.
    const keys = [key(1), key(2)] as const;
    const books = keys.map(() => makeBook().book) as [PeerBook, PeerBook];
    const links = [0, 1].map((dialer) =>
      MemoryLink.pair(keys[dialer as 0 | 1].publicKey, keys[(1 - dialer) as 0 | 1].publicKey),
    );
    for (const dialer of first ? [0, 1] : [1, 0]) {
      books[dialer as 0 | 1].welcome(links[dialer]![0]);
      books[(1 - dialer) as 0 | 1].welcome(links[dialer]![1]);
    }
    await settle();
    await settle();
    expect(books.map(({ size }) => size)).toEqual([1, 1]);
    for (const { closedFor } of links.flat()) expect(closedFor).toBeUndefined();
  });

  it('carry what is urgent and short twice, everything else once', async () => {
    const { first, second, peer } = await twice();
    peer.sendEncoded(URGENT, true);
    await settle();
    expect([first, second].map(({ far }) => vertices(far))).toEqual([1, 1]);
    peer.sendEncoded(URGENT, false);
    peer.sendEncoded(encodeMessage({ type: 'vertices', epoch: 0, vertices: [new Uint8Array(9000)] }), true);
    await settle();
    expect([first, second].map(({ far }) => vertices(far))).toEqual([3, 1]);
  });

  it('stand in for each other: the peer is gone with the last', async () => {
    const { book, first, second, peer, gone, thinned, messages, join } = await twice();
    second.far.say({ type: 'ping', nonce: 1 });
    await settle();
    expect(messages.at(-1)).toEqual([hex, 'ping']);
    const before = peer.traffic;
    first.far.link.close('its wire is cut');
    await settle();
    expect([gone.length, thinned, book.get(hex)!.link]).toEqual([0, [peer], second.near]);
    expect(peer.traffic).toEqual(before);
    // What was still under way on the closed one is ignored, and a new one may take its place.
    first.near.deliverAfterClose(Uint8Array.of(99));
    const third = await join(key(1));
    expect([third.near.closedFor, book.counts.bans]).toEqual([undefined, 0]);
    for (const { far } of [second, third]) far.link.close('gone');
    await settle();
    expect([gone.length, thinned.length, book.size]).toEqual([1, 2, 0]);
  });

  it('end together when the peer breaks a rule, whichever it came on', async () => {
    const { book, first, second } = await twice();
    second.far.say(Uint8Array.of(99));
    await settle();
    expect([first.near.closedFor, second.near.closedFor, book.size]).toEqual([
      'malformed message',
      'malformed message',
      0,
    ]);
  });

  it('change places when the first brings nothing of what comes on both, long before it is closed', async () => {
    const { book, first, second, peer, clock, thinned } = await twice();
    const PING: Message = { type: 'ping', nonce: 1 };
    const PONG: Message = { type: 'pong', nonce: 0, wallMs: 0, usedMs: 0 };
    const LONG = encodeMessage({ type: 'vertices', epoch: 0, vertices: [new Uint8Array(9000)] });
    const says = async ({ far }: typeof first, message: Message | Uint8Array): Promise<void> => {
      far.say(message);
      await settle();
    };
    // The other node may send everything else on what is the second here.
    for (const message of [PONG, LONG, PONG]) {
      await says(second, message);
      await clock.advance(3000);
    }
    // A little late is not dead.
    await says(second, PING);
    await clock.advance(1900);
    await says(second, URGENT);
    await says(first, URGENT);
    await clock.advance(1900);
    await says(second, PING);
    // Nor is what brings a long message, part by part.
    for (let part = 0; part < 5; part++) {
      await clock.advance(1000);
      first.near.traffic.received += 1000;
      await says(second, PING);
    }
    expect([peer.link === first.near, thinned.length]).toEqual([true, 0]);
    await clock.advance(2000);
    await says(second, URGENT);
    expect([peer.link === second.near, thinned.length, book.size]).toEqual([true, 1, 1]);
    const carried = [first, second].map(({ near }) => near.sent.length);
    peer.send(PONG);
    peer.sendEncoded(LONG, true);
    expect([first, second].map(({ near }, i) => near.sent.length - carried[i]!)).toEqual([0, 2]);
    // It comes to life again, and is the second now.
    await says(first, PING);
    await says(second, PING);
    expect([peer.link === second.near, first.near.closedFor, thinned.length]).toEqual([true, undefined, 1]);
  });

  it('are watched each: a silent one is closed while the other speaks', async () => {
    const { book, first, second, clock } = await twice();
    for (let i = 0; i < 8; i++) {
      await clock.advance(10_000);
      second.far.say({ type: 'pong', nonce: 0, wallMs: 0, usedMs: 0 });
      await settle();
    }
    expect(first.near.closedFor).toBe('nothing received for 35 s');
    expect(book.get(hex)!.link).toBe(second.near);
    expect(second.far.all('ping').length).toBeGreaterThan(1);
  });
});

describe('room', () => {
  it('50 peers, then no more until one leaves', async () => {
    const net = makeBook();
    const ends = await Promise.all(Array.from({ length: 50 }, (_, i) => net.join(key(i + 1))));
    expect(net.book.size).toBe(50);
    const { far } = await net.join(key(51));
    expect(far.bye).toBe('this node has 50 peers already');
    ends[0]!.far.link.close('leaves');
    await settle();
    expect(net.gone.map((peer) => peer.key)).toEqual([key(1).publicKeyHex]);
    await net.join(key(51));
    expect(net.book.size).toBe(50);
  });

  it('observers leave room for seats', async () => {
    const net = makeBook({ observers: ['*'] });
    for (let i = 0; i < 25; i++) await net.join(key(600 + i));
    const { far } = await net.join(key(700));
    expect(far.bye).toBe('this node has 25 observers already');
    for (let i = 0; i < 25; i++) await net.join(key(i + 1));
    expect(net.book.size).toBe(50);
  });

  it('one key without a hello takes four connections, for ten seconds', async () => {
    const net = makeBook();
    const silent = Array.from({ length: 60 }, () => net.connect(key(1)));
    await settle();
    expect(silent.filter(({ near }) => near.closedFor === undefined)).toHaveLength(4);
    expect(silent[4]!.far.bye).toBe('too many unauthenticated connections for this key');
    await net.join(key(2));
    expect(net.book.size).toBe(1);
    await net.clock.advance(10_000);
    expect(silent[0]!.near.closedFor).toBe('no hello received');
    await net.join(key(1));
    expect(net.book.size).toBe(2);
  });
});

describe('faults', () => {
  it('add up over links of one key until it is banned', async () => {
    const net = makeBook();
    const { publicKeyHex } = key(1);
    const first = await net.join(key(1));
    net.book.reportFault(publicKeyHex, 50, 'a vertex has a bad signature');
    expect(first.near.closedFor).toBeUndefined();
    first.far.link.close('tries again');
    await settle();
    const second = await net.join(key(1));
    const other = await net.join(key(2));
    net.book.reportFault(publicKeyHex, 50, 'a vertex has a bad signature');
    expect(second.near.closedFor).toBe('a vertex has a bad signature');
    expect(net.book.counts).toEqual({ faults: 2, bans: 1 });
    expect((await net.join(key(1))).far.bye).toBe('banned for a while');
    expect(other.near.closedFor).toBeUndefined();
  });

  it('count after the link is gone, and refuse a key before its hello', async () => {
    const net = makeBook();
    const { publicKeyHex } = key(1);
    const { far, near } = net.connect(key(1));
    for (let i = 0; i < 2; i++) net.book.reportFault(publicKeyHex, 50, 'a checkpoint has a bad signature');
    far.say(HELLO);
    await settle();
    expect([near.closedFor, net.book.size]).toEqual(['banned for a while', 0]);
  });

  it('one point is forgiven a minute', async () => {
    const net = makeBook();
    const { near } = await net.join(key(1));
    for (let i = 0; i < 5; i++) {
      net.book.reportFault(key(1).publicKeyHex, 25, 'a vertex is invalid');
      // Heard of all the time, so that the silence is not what ends it.
      for (let n = 0; n < 100; n++) {
        await net.clock.advance(15_000);
        near.other.send(encodeMessage({ type: 'pong', nonce: 0, wallMs: 0, usedMs: 0 }));
        await settle();
      }
    }
    expect(near.closedFor).toBeUndefined();
  });
});

describe('a peer', () => {
  it('that is silent for 35 s is disconnected; any message keeps it', async () => {
    const net = makeBook();
    const [lively, silent] = [await net.join(key(1)), await net.join(key(2))];
    for (let i = 0; i < 8; i++) {
      await net.clock.advance(10_000);
      lively.far.say({ type: 'pong', nonce: 0, wallMs: 0, usedMs: 0 });
      await settle();
    }
    expect(lively.near.closedFor).toBeUndefined();
    expect(silent.near.closedFor).toBe('nothing received for 35 s');
    expect(net.book.size).toBe(1);
    expect(silent.far.all('ping').length).toBeGreaterThan(1);
  });

  it('gets no new credit by a new link', async () => {
    const { book, join } = makeBook();
    const hex = key(1).publicKeyHex;
    const { far } = await join(key(1));
    expect(book.get(hex)!.affords(2000)).toBe(true);
    while (book.get(hex)!.spendsUnasked());
    far.link.close('gone');
    await settle();
    await join(key(1));
    expect([book.get(hex)!.affords(1), book.get(hex)!.spendsUnasked()]).toEqual([false, false]);
  });

  it('has its latency measured by its answers', async () => {
    const net = makeBook();
    const { far } = await net.join(key(1));
    const peer = net.book.get(key(1).publicKeyHex)!;
    const { nonce } = far.all('ping')[0]!;
    net.clock.ms += 40;
    peer.pong(nonce + 1);
    expect(peer.latencyMs).toBeUndefined();
    peer.pong(nonce);
    expect(peer.latencyMs).toBe(40);
  });

  it('is measured by older answers too, where pings follow each other faster than it can answer', async () => {
    const net = makeBook();
    await net.join(key(1));
    const peer = net.book.get(key(1).publicKeyHex)!;
    for (let i = 0; i < 1000; i++) {
      peer.measure();
      net.clock.ms += 20;
      // Nonce 1 was the ping of the hello.
      const answered = i < 9 ? undefined : peer.pong(i - 7);
      expect([answered?.isNewest, peer.latencyMs]).toEqual(i < 9 ? [undefined, undefined] : [false, 200]);
    }
    expect(peer.pong(1001)?.isNewest).toBe(true);
    expect(peer.pong(1001)).toBeUndefined();
  });

  it('that does not read gets nothing more, and no answers', async () => {
    const net = makeBook();
    const { near } = await net.join(key(1));
    const peer = net.book.get(key(1).publicKeyHex)!;
    const sent = near.sent.length;
    near.isWritable = false;
    for (let i = 0; i < 1000; i++) peer.send({ type: 'pong', nonce: i, wallMs: 0, usedMs: 0 });
    expect([near.sent.length, peer.affords(1)]).toEqual([sent, false]);
    near.isWritable = true;
    let answers = 0;
    while (peer.affords(50)) answers += 1;
    expect(answers).toBe(40);
    net.clock.ms += 1000;
    expect([peer.affords(950), peer.affords(51)]).toEqual([true, false]);
    peer.owes(1050);
    net.clock.ms += 1000;
    expect(peer.affords(1)).toBe(false);
    net.clock.ms += 1;
    expect(peer.affords(1)).toBe(true);
  });

  it('gets a bye when the node stops, and nobody is accepted after that', async () => {
    const net = makeBook();
    const { far } = await net.join(key(1));
    const waiting = net.connect(key(2));
    net.book.stop();
    await settle();
    expect([far.bye, waiting.far.bye]).toEqual(['the node is stopping', 'the node is stopping']);
    expect((await net.join(key(3))).far.bye).toBe('the node is stopping');
    expect(net.book.size).toBe(0);
  });
});
