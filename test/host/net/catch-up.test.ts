// How a node that is behind asks: whom, from where on, when again; and that liars and silent peers hold nobody up.

import { beforeEach, describe, expect, it } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { CatchUp, type LocalProgress } from '../../../host/net/catch-up.ts';
import type { HeadMessage, Message } from '../../../host/net/messages.ts';
import { Peer } from '../../../host/net/peer.ts';
import { includesHonest } from '../../../host/ordering/epoch.ts';
import { FakeClock, settle } from '../one-node/harness.ts';
import { FIRST } from './dag-fixture.ts';
import { MemoryLink, Remote } from './memory-transport.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const keyOf = (n: number): Uint8Array => keyPairFromSeed(new Uint8Array(32).fill(n)).publicKey;

let clock: FakeClock;
let standing: LocalProgress;
let inbox: { underWay: number; hasRoom: boolean; hasWaiting: boolean; recheckHeld(): void };
let peers: Peer[];
/** So many keys without a seat have connected. */
let strangers = 0;
let errors: unknown[];
let catchUp: CatchUp;

beforeEach(() => {
  clock = new FakeClock();
  standing = { epoch: 0, block: 0, order: 0, newest: [0, 0, 0, 0] };
  inbox = { underWay: 0, hasRoom: true, hasWaiting: false, recheckHeld() {} };
  peers = [];
  errors = [];
  catchUp = new CatchUp({
    clock,
    log: { ...quiet, error: (fields: unknown) => errors.push(fields) } as never,
    inbox: inbox as never,
    progress: () => standing,
    includesHonest: (seats) => includesHonest(FIRST, seats),
    peers: () => peers,
  });
  return () => catchUp.stop();
});

const WHOLE = { epoch: 0, order: 1, seq: 1 };

const headOf = (block: number, seqs: number[] = [block, 0, 0, 0], epoch = 0, from = WHOLE): HeadMessage => {
  return {
    type: 'head',
    epoch,
    vertexCount: block,
    block,
    order: 4 * block,
    signed: 0,
    isOpen: true,
    from,
    seqs,
  };
};

/** A connected peer with a head. */
function addPeer(seat: number | undefined, head: HeadMessage): { peer: Peer; far: Remote } {
  // Seats were dialed; whoever has no seat came by itself.
  const own = keyOf(100);
  const [a, b] =
    seat === undefined ? MemoryLink.pair(keyOf(110 + strangers++), own) : MemoryLink.pair(own, keyOf(seat));
  const [near, other] = seat === undefined ? [b, a] : [a, b];
  const peer = new Peer(near, clock);
  peer.stop();
  Object.assign(peer, { seat, isReady: true, head });
  peers.push(peer);
  catchUp.headsChanged();
  return { peer, far: new Remote(other) };
}

type Synced = Extract<Message, { type: 'synced' }>;
const answer = (o: Partial<Synced> & { count?: number }): Synced => ({
  type: 'synced',
  epoch: 0,
  cursor: 0,
  isEnd: false,
  vertices: Array.from({ length: o.count ?? 0 }, () => new Uint8Array(1)),
  ...o,
});
const lose = (peer: Peer): void => {
  peers = peers.filter((other) => other !== peer);
  catchUp.peerLost(peer);
};
const cursorsOf = ({ far }: { far: Remote }): number[] => far.all('sync').map(({ cursor }) => cursor);

describe('questions', () => {
  it('a few missing vertices are waited for; many blocks are requested at once', async () => {
    const near = addPeer(1, headOf(10));
    await clock.advance(400);
    expect(cursorsOf(near)).toEqual([]);
    await clock.advance(200);
    expect(near.far.all('sync')).toEqual([{ type: 'sync', epoch: 0, cursor: 0, seqs: [0, 0, 0, 0] }]);
    lose(near.peer);
    const far = addPeer(1, headOf(51));
    await clock.advance(100);
    expect(cursorsOf(far)).toEqual([0]);
  });

  it('a seat that the epoch does not have brings nobody further', async () => {
    const liar = addPeer(1, headOf(10, [0, 0, 0, 0, 9]));
    await clock.advance(2000);
    expect(cursorsOf(liar)).toEqual([]);
  });

  it('one that may be lost with a link of the peer is asked anew', async () => {
    const ahead = addPeer(1, headOf(1000));
    await clock.advance(100);
    catchUp.onAnswer(ahead.peer, answer({ cursor: 200, count: 200 }), 200);
    await settle();
    catchUp.linkLost(ahead.peer);
    await clock.advance(100);
    expect(cursorsOf(ahead)).toEqual([0, 200, 200]);
    // What was asked of another peer is not lost.
    catchUp.linkLost(addPeer(2, headOf(1000)).peer);
    await clock.advance(100);
    expect(cursorsOf(ahead)).toEqual([0, 200, 200]);
  });

  it('peers that have no more are not asked', async () => {
    standing = { epoch: 1, block: 100, order: 400, newest: [9, 9, 0, 0] };
    const same = addPeer(1, headOf(100, [9, 8, 0, 0], 1));
    const old = addPeer(2, headOf(99, [50, 50, 0, 0], 0));
    await clock.advance(5000);
    expect([cursorsOf(same), cursorsOf(old)]).toEqual([[], []]);
  });

  it('the next part is asked for while the last one is checked, up to the bounds of the inbox', async () => {
    const ahead = addPeer(1, headOf(1000));
    await clock.advance(100);
    catchUp.onAnswer(ahead.peer, answer({ cursor: 200, count: 200 }), 200);
    inbox.underWay = 2000;
    catchUp.onAnswer(ahead.peer, answer({ cursor: 400, count: 200 }), 200);
    await clock.advance(1000);
    expect(cursorsOf(ahead)).toEqual([0, 200]);
    inbox.underWay = 100;
    await clock.advance(100);
    expect(cursorsOf(ahead)).toEqual([0, 200, 400]);
    catchUp.onAnswer(ahead.peer, answer({ cursor: 600, count: 200 }), 200);
    inbox.hasRoom = false;
    catchUp.onAnswer(ahead.peer, answer({ cursor: 800, count: 200 }), 200);
    await clock.advance(1000);
    expect(cursorsOf(ahead)).toEqual([0, 200, 400, 600]);
    expect(catchUp.requests).toBe(4);
  });

  it('one answer at a time; those of another epoch or peer are ignored', async () => {
    const [one, two] = [addPeer(1, headOf(1000)), addPeer(2, headOf(1000))];
    await clock.advance(1000);
    expect([cursorsOf(one), cursorsOf(two)]).toEqual([[0], []]);
    catchUp.onAnswer(two.peer, answer({ cursor: 200, count: 200 }), 200);
    catchUp.onAnswer(one.peer, answer({ epoch: 1, cursor: 200, count: 200 }), 200);
    await clock.advance(1000);
    expect([cursorsOf(one), cursorsOf(two)]).toEqual([[0], []]);
  });

  it('after the end it continues there, and from the beginning if nothing came and something is missing', async () => {
    const ahead = addPeer(1, headOf(1000));
    await clock.advance(100);
    catchUp.onAnswer(ahead.peer, answer({ cursor: 150, count: 150, isEnd: true }), 150);
    await clock.advance(100);
    expect(cursorsOf(ahead)).toEqual([0, 150]);
    // A vertex before the cursor was dropped here for want of room: the peer is still ahead by it.
    catchUp.onAnswer(ahead.peer, answer({ cursor: 150, isEnd: true }), 0);
    await clock.advance(100);
    expect(cursorsOf(ahead)).toEqual([0, 150, 0]);
  });

  it('everything is asked for, once, when parents are still missing at the end', async () => {
    const ahead = addPeer(1, headOf(1000));
    standing = { ...standing, newest: [9, 9, 9, 9] };
    const asked = () => ahead.far.all('sync').map(({ cursor, seqs }) => [cursor, seqs.length]);
    await clock.advance(100);
    inbox.hasWaiting = true;
    // It may be that only what this answer brought waits.
    catchUp.onAnswer(ahead.peer, answer({ cursor: 150, count: 150, isEnd: true }), 150);
    await clock.advance(100);
    catchUp.onAnswer(ahead.peer, answer({ cursor: 152, count: 2, isEnd: true }), 2);
    await clock.advance(100);
    expect(asked()).toEqual([
      [0, 4],
      [150, 4],
      [0, 0],
    ]);
    expect(catchUp.isFetchingWhole).toBe(true);
    catchUp.onAnswer(ahead.peer, answer({ cursor: 70, count: 70 }), 70);
    await clock.advance(100);
    catchUp.onAnswer(ahead.peer, answer({ cursor: 160, count: 90, isEnd: true }), 90);
    await clock.advance(100);
    expect(asked().slice(3)).toEqual([
      [70, 0],
      [160, 4],
    ]);
    expect(catchUp.isFetchingWhole).toBe(false);
  });

  it('a new epoch begins at its beginning', async () => {
    const ahead = addPeer(1, headOf(1000, [9, 0, 0, 0], 1));
    await clock.advance(100);
    catchUp.onAnswer(ahead.peer, answer({ cursor: 200, count: 200, isEnd: true }), 200);
    standing = { ...standing, epoch: 1 };
    await clock.advance(100);
    const last = ahead.far.all('sync').at(-1)!;
    expect([last.epoch, last.cursor]).toEqual([1, 0]);
  });
});

describe('peers that do not help', () => {
  it('one that vanishes in the midst of an answer is replaced at once', async () => {
    const [one, two] = [addPeer(1, headOf(1000)), addPeer(2, headOf(1000))];
    await clock.advance(100);
    lose(one.peer);
    await clock.advance(100);
    expect([cursorsOf(one), cursorsOf(two)]).toEqual([[0], [0]]);
    // When it is back, its order is asked for from the beginning: it may be another one.
    lose(two.peer);
    const again = addPeer(1, headOf(1000));
    await clock.advance(100);
    expect(cursorsOf(again)).toEqual([0]);
  });

  it('one that does not answer is dropped after ten seconds, and asked last from then on', async () => {
    const [silent, good] = [addPeer(1, headOf(1000)), addPeer(2, headOf(1000))];
    await clock.advance(10_000);
    expect([cursorsOf(silent), cursorsOf(good)]).toEqual([[0], []]);
    await clock.advance(300);
    for (let i = 1; i < 40; i++) {
      expect(cursorsOf(good)).toHaveLength(i);
      catchUp.onAnswer(good.peer, answer({ cursor: 200 * i, count: 200, isEnd: true }), 200);
      await clock.advance(300);
    }
    expect(cursorsOf(silent)).toEqual([0]);
  });

  it('one that breaks its links before it has answered is asked last, as one that is silent', async () => {
    let liar = addPeer(1, headOf(1000));
    const good = addPeer(2, headOf(1000));
    const asked: number[] = [];
    for (let second = 0; second < 60; second++) {
      await clock.advance(1000);
      const { length } = cursorsOf(good);
      if (length > 0) catchUp.onAnswer(good.peer, answer({ cursor: 200 * length, count: 200 }), 200);
      if (second % 9 !== 8) continue;
      asked.push(cursorsOf(liar).length);
      lose(liar.peer);
      liar = addPeer(1, headOf(1000));
    }
    // Twice nine seconds are more than the ten of one that is silent.
    expect(asked.filter((count) => count > 0)).toHaveLength(2);
  });

  it('strangers with ever new keys have every second turn at most', async () => {
    const good = addPeer(1, headOf(1000));
    let answered = 0;
    // There is always one that nobody has asked yet; it says nothing.
    for (let second = 0; second < 100; second++) {
      if (second % 5 === 0) addPeer(undefined, headOf(1000));
      await clock.advance(1000);
      for (; answered < cursorsOf(good).length; answered++)
        catchUp.onAnswer(good.peer, answer({ cursor: 200 * answered, count: 200, isEnd: true }), 200);
    }
    expect(answered).toBeGreaterThan(5);
  });

  it('one whose links broke is asked as before once it has helped', async () => {
    const [flaky, other] = [addPeer(1, headOf(1000)), addPeer(2, headOf(1000))];
    for (let i = 1; i <= 4; i++) {
      await clock.advance(9000);
      catchUp.onAnswer(flaky.peer, answer({ cursor: 200 * i, count: 200 }), 200);
      catchUp.onAnswer(other.peer, answer({ cursor: 200 * i, count: 200 }), 200);
      catchUp.linkLost(flaky.peer);
      catchUp.linkLost(other.peer);
    }
    await clock.advance(9000);
    expect(Math.min(cursorsOf(flaky).length, cursorsOf(other).length)).toBeGreaterThan(2);
  });

  it('one whose answers go nowhere is put aside', async () => {
    const [liar, good] = [addPeer(1, headOf(1000)), addPeer(2, headOf(1000))];
    await clock.advance(100);
    catchUp.onAnswer(liar.peer, answer({ cursor: 0 }), 0);
    await clock.advance(100);
    expect([cursorsOf(liar), cursorsOf(good)]).toEqual([[0], [0]]);
  });

  it('one that keeps sending known vertices is set aside; known parts of an honest order do not count', async () => {
    const [liar, good] = [addPeer(1, headOf(1000)), addPeer(2, headOf(1000))];
    await clock.advance(100);
    for (let i = 1; i <= 200; i++) catchUp.onAnswer(liar.peer, answer({ cursor: i, count: 200 }), 1);
    expect(cursorsOf(good)).toEqual([]);
    for (let i = 201; i <= 302; i++) catchUp.onAnswer(liar.peer, answer({ cursor: i, count: 200 }), 1);
    await clock.advance(100);
    await settle();
    expect(cursorsOf(good)).toEqual([0]);
  });

  it('one that claims an epoch that did not open gets its turn, and no more', async () => {
    const liar = addPeer(1, headOf(2 ** 40, [2 ** 32 - 1], 2 ** 32 - 1));
    const good = addPeer(2, headOf(1000));
    for (let i = 0; i < 20; i++) {
      await clock.advance(100);
      const end = { isEnd: true, cursor: 0 };
      catchUp.onAnswer(liar.peer, answer(end), 0);
      catchUp.onAnswer(good.peer, answer({ cursor: 200 * i, count: 200, isEnd: true }), 200);
    }
    expect(cursorsOf(good).length).toBeGreaterThan(8);
  });

  /** Lets a peer alone be ahead, and answer for 8 s with what `answerTo` makes; returns how often it was asked. */
  async function askedIn8s(head: HeadMessage, answerTo: (cursor: number) => Synced): Promise<number> {
    const liar = addPeer(1, head);
    let answered = 0;
    for (let ms = 0; ms < 8000; ms += 100) {
      await clock.advance(100);
      // Many answers within one turn of the loop: on a fast link each comes as soon as it is asked for.
      for (; answered < liar.far.all('sync').length && answered < 50_000; await settle()) {
        const { cursor } = liar.far.all('sync')[answered++]!;
        catchUp.onAnswer(liar.peer, answerTo(cursor), 0);
      }
    }
    return liar.far.all('sync').length;
  }

  it('a liar that alone is ahead and answers with nothing is asked a few times, not all the time', async () => {
    const more = await askedIn8s(headOf(1000), (cursor) => answer({ cursor: cursor + 1 }));
    expect(more).toBeLessThanOrEqual(6);
  });

  it('the same if it says each time that there is no more', async () => {
    const ends = await askedIn8s(headOf(1000), () => answer({ cursor: 0, isEnd: true }));
    expect(ends).toBeLessThanOrEqual(6);
  });

  it('the same if it claims that the epoch is sealed, and that this node has all of it', async () => {
    const all = await askedIn8s(headOf(1000, [1, 0, 0, 0], 1), (cursor) => answer({ cursor: cursor + 1000 }));
    expect(all).toBeLessThanOrEqual(6 * 302);
  });

  it('one that alone is ahead is asked again after a rest, and at full speed once it helps', async () => {
    const slow = addPeer(1, headOf(1000));
    await clock.advance(100);
    for (let i = 0; i < 3; i++) {
      catchUp.onAnswer(slow.peer, answer({ cursor: 0, isEnd: true }), 0);
      await clock.advance(2100);
      expect(cursorsOf(slow)).toHaveLength(i + 2);
    }
    for (let i = 1; i <= 5; i++) {
      catchUp.onAnswer(slow.peer, answer({ cursor: 200 * i, count: 200, isEnd: true }), 200);
      await clock.advance(100);
    }
    expect(cursorsOf(slow)).toHaveLength(9);
  });

  it('one that sends a vertex every few seconds has its turn, then another has, and where it stopped it goes on', async () => {
    const [slow, good] = [addPeer(1, headOf(1000)), addPeer(2, headOf(1000))];
    let helped = 0;
    for (let i = 1; i <= 20; i++) {
      await clock.advance(3000);
      const { length } = cursorsOf(good);
      catchUp.onAnswer(slow.peer, answer({ cursor: i, count: 1 }), 1);
      catchUp.onAnswer(good.peer, answer({ cursor: 200 * length, count: 200 }), 200);
      helped = Math.max(helped, length);
    }
    expect(helped).toBeGreaterThan(7);
    expect(cursorsOf(slow).length).toBeGreaterThan(7);
    expect(cursorsOf(good)).toEqual(Array.from({ length: cursorsOf(good).length }, (_, i) => 200 * i));
  });

  it("peers that are ahead without this epoch's vertices are reported to the operator, not asked forever", async () => {
    const joined = addPeer(1, headOf(5000, [1, 0, 0, 0], 3, { epoch: 1, order: 700, seq: 1 }));
    await clock.advance(20_000);
    expect(cursorsOf(joined)).toEqual([]);
    expect(errors).toEqual([{ epoch: 0, peers: [{ key: joined.peer.key, from_order: 700 }] }]);
    const full = addPeer(2, headOf(5000, [1, 0, 0, 0], 3));
    await clock.advance(100);
    expect(cursorsOf(full)).toEqual([0]);
  });
});

describe('being behind', () => {
  it('is what more than a third of the weight reports, not what one peer reports', async () => {
    addPeer(1, headOf(2 ** 50, [1], 2 ** 32 - 1));
    addPeer(2, headOf(10));
    addPeer(3, headOf(12));
    expect([catchUp.isBehind, catchUp.gap]).toEqual([false, { blocks: 12, order: 48 }]);
    addPeer(0, headOf(51));
    expect([catchUp.isBehind, catchUp.gap]).toEqual([true, { blocks: 51, order: 204 }]);
    standing = { ...standing, block: 1 };
    expect(catchUp.isBehind).toBe(false);
  });

  it('of the peers that are there the least counts, where they are too few', () => {
    addPeer(1, headOf(1000));
    expect(catchUp.isBehind).toBe(true);
    const low = addPeer(undefined, headOf(0));
    expect(catchUp.isBehind).toBe(true);
    lose(low.peer);
    lose(peers[0]!);
    expect([catchUp.isBehind, catchUp.gap]).toEqual([false, { blocks: 0, order: 0 }]);
    addPeer(undefined, headOf(1000));
    expect(catchUp.isBehind).toBe(true);
  });

  it('two epochs back is behind, one is not: its seal is on its way', () => {
    addPeer(1, headOf(40, [1], 1));
    addPeer(2, headOf(40, [1], 1));
    expect(catchUp.isBehind).toBe(false);
    for (const peer of peers) peer.head = headOf(40, [1], 2);
    catchUp.headsChanged();
    expect(catchUp.isBehind).toBe(true);
  });
});
