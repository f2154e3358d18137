// When peers get this node's head.

import { beforeEach, expect, it } from 'vitest';
import { Broadcast } from '../../../host/net/broadcast.ts';
import { decodeMessage, type HeadMessage } from '../../../host/net/messages.ts';
import { Peer } from '../../../host/net/peer.ts';
import type { Ordering } from '../../../host/ordering/ordering.ts';
import type { Link } from '../../../host/world/transport.ts';
import { HandClock } from '../api/stream-fakes.ts';

let clock: HandClock;
let head: { block: number; order: number; timeMs: number };
let told: number[];
let isWritable: boolean;
let broadcast: Broadcast;
let peer: Peer;

const linkOf = (isDialed: boolean): Link =>
  ({
    peerKey: new Uint8Array(32),
    isDialed,
    traffic: { sent: 0, received: 0 },
    get isWritable() {
      return isWritable;
    },
    send: (bytes: Uint8Array) => told.push((decodeMessage(bytes) as HeadMessage).order),
  }) as unknown as Link;

function executed(order: number): void {
  Object.assign(head, { block: order, order });
  broadcast.headChanged();
}

beforeEach(() => {
  clock = new HandClock();
  head = { block: 1, order: 1, timeMs: 0 };
  told = [];
  isWritable = true;
  peer = new Peer(linkOf(true), clock as never);
  broadcast = new Broadcast({
    clock: clock as never,
    ordering: { head, epoch: { number: 0 }, dag: { vertexCount: 1, newestSeqs: [] } } as unknown as Ordering,
    signed: () => 0,
    isOpen: () => true,
    from: () => ({ epoch: 0, order: 1, seq: 1 }),
    peers: () => [peer],
  });
});

it('a head goes to all every quarter of a second at most, and at once to who asks for a newer one', () => {
  executed(1);
  clock.advance(250);
  broadcast.tell(peer);
  expect(told).toEqual([1]);
  executed(2);
  clock.advance(10);
  expect(told).toEqual([1]);
  broadcast.tell(peer);
  expect(told).toEqual([1, 2]);
  clock.advance(240);
  expect(told).toEqual([1, 2]);
});

it('what a full or lost link has swallowed is told again to who asks', () => {
  isWritable = false;
  executed(1);
  clock.advance(250);
  expect(told).toEqual([]);
  isWritable = true;
  broadcast.tell(peer);
  broadcast.tell(peer);
  expect(told).toEqual([1]);
  peer.join(linkOf(false));
  peer.leave(peer.link);
  broadcast.tell(peer);
  expect(told).toEqual([1, 1]);
});
