// When peers get this node's head.

import { expect, it } from 'vitest';
import { Broadcast } from '../../../host/net/broadcast.ts';
import { Peer } from '../../../host/net/peer.ts';
import type { Ordering } from '../../../host/ordering/ordering.ts';
import { HandClock } from '../api/stream-fakes.ts';
import { settle } from '../one-node/harness.ts';
import { MemoryLink, Remote } from './memory-transport.ts';

const KEY = new Uint8Array(32);
/** A link of the peer, dialed by either node. */
function linkOf(isDialed: boolean): { near: MemoryLink; far: Remote } {
  const [dialer, listener] = MemoryLink.pair(KEY, KEY);
  const [near, far] = isDialed ? [dialer, listener] : [listener, dialer];
  return { near, far: new Remote(far) };
}

/** A node with one peer, which has two links. */
function begin() {
  const clock = new HandClock();
  const head = { block: 1, order: 1, timeMs: 0 };
  const links = [linkOf(true), linkOf(false)] as const;
  const peer = new Peer(links[0].near, clock as never);
  peer.join(links[1].near);
  const broadcast = new Broadcast({
    clock: clock as never,
    ordering: { head, epoch: { number: 0 }, dag: { vertexCount: 1, newestSeqs: [] } } as unknown as Ordering,
    signed: () => 0,
    isOpen: () => true,
    from: () => ({ epoch: 0, order: 1, seq: 1 }),
    peers: () => [peer],
  });
  /** Orders of the heads that came by each link. */
  const told = async (): Promise<number[][]> => {
    await settle();
    return links.map(({ far }) => far.all('head').map(({ order }) => order));
  };
  return { clock, head, links, peer, broadcast, told };
}

it('a head goes to all every quarter of a second at most, and at once to who asks for a newer one', async () => {
  const { clock, head, peer, broadcast, told } = begin();
  broadcast.headChanged();
  clock.advance(250);
  expect(await told()).toEqual([[1], []]);
  Object.assign(head, { block: 2, order: 2 });
  broadcast.headChanged();
  clock.advance(10);
  expect(await told()).toEqual([[1], []]);
  broadcast.tell(peer);
  expect(await told()).toEqual([[1, 2], []]);
  clock.advance(240);
  expect(await told()).toEqual([[1, 2, 2], []]);
  broadcast.headChanged();
  clock.advance(250);
  expect(await told()).toEqual([[1, 2, 2], []]);
});

it('a peer that asks gets a head again that may be lost with the link it went by', async () => {
  const { clock, links, peer, broadcast, told } = begin();
  broadcast.headChanged();
  clock.advance(250);
  peer.leave(links[0].near);
  broadcast.tell(peer);
  expect((await told())[1]).toEqual([1]);
});

it('and one that its link was too full for', async () => {
  const { clock, links, peer, broadcast, told } = begin();
  links[0].near.isWritable = false;
  broadcast.headChanged();
  clock.advance(250);
  links[0].near.isWritable = true;
  broadcast.tell(peer);
  expect(await told()).toEqual([[1], []]);
});
