// When peers get this node's head.

import { expect, it } from 'vitest';
import { Broadcast } from '../../../host/net/broadcast.ts';
import { decodeMessage, type HeadMessage } from '../../../host/net/messages.ts';
import type { Peer } from '../../../host/net/peer.ts';
import type { Ordering } from '../../../host/ordering/ordering.ts';
import { HandClock } from '../api/stream-fakes.ts';

it('a head goes to all every quarter of a second at most, and at once to who asks for a newer one', () => {
  const clock = new HandClock();
  const head = { block: 1, order: 1, timeMs: 0 };
  const told: number[] = [];
  const peer = {
    send: (message: HeadMessage) => told.push(message.order),
    sendEncoded: (bytes: Uint8Array) => told.push((decodeMessage(bytes) as HeadMessage).order),
  } as unknown as Peer;
  const broadcast = new Broadcast({
    clock: clock as never,
    ordering: { head, epoch: { number: 0 }, dag: { vertexCount: 1, newestSeqs: [] } } as unknown as Ordering,
    signed: () => 0,
    isOpen: () => true,
    from: () => ({ epoch: 0, order: 1, seq: 1 }),
    peers: () => [peer],
  });
  broadcast.headChanged();
  clock.advance(250);
  broadcast.tell(peer);
  expect(told).toEqual([1]);
  Object.assign(head, { block: 2, order: 2 });
  broadcast.headChanged();
  clock.advance(10);
  expect(told).toEqual([1]);
  broadcast.tell(peer);
  expect(told).toEqual([1, 2]);
  clock.advance(240);
  broadcast.tell(peer);
  expect(told).toEqual([1, 2, 2]);
});
