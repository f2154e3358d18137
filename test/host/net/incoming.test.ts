// What a node does with vertices that a peer sends: unasked ones only of peers from which they may come, answers only to what was
// asked. Each costs a check of its signatures.

import { beforeEach, expect, it } from 'vitest';
import { Incoming, type IncomingOptions } from '../../../host/net/incoming.ts';
import type { Message } from '../../../host/net/messages.ts';
import type { Peer } from '../../../host/net/peer.ts';

const VERTEX = Uint8Array.of(1);
const PUSHED: Message = { type: 'vertices', epoch: 0, vertices: [VERTEX] };
const SYNCED: Message = { type: 'synced', epoch: 0, cursor: 1, isEnd: false, vertices: [VERTEX] };
const seat = { key: 'seat', seat: 1 } as Peer;
const observer = { key: 'observer', seat: undefined } as Peer;

/** For each offered vertex: its sender, and whether only a wanted one is accepted. */
let offered: [string, boolean | undefined][];
let asked: Peer | undefined;
beforeEach(() => {
  offered = [];
  asked = undefined;
});

const incoming = (isObserver: boolean): Incoming =>
  new Incoming({
    isObserver,
    inbox: { offer: (_, from, isWantedOnly) => offered.push([from, isWantedOnly]) > 0 },
    catchUp: { isBehind: false, isAnswer: (peer) => peer === asked, onAnswer() {}, headsChanged() {} },
  } as Partial<IncomingOptions> as IncomingOptions);

it('a seat takes what is sent unasked from seats, and from others only what it wants', () => {
  const node = incoming(false);
  node.take(seat, PUSHED);
  node.take(observer, PUSHED);
  expect(offered).toEqual([
    ['seat', false],
    ['observer', true],
  ]);
});

it('an observer takes it from observers too, which pass it on', () => {
  incoming(true).take(observer, PUSHED);
  expect(offered).toEqual([['observer', false]]);
});

it('an answer that nobody waits for is not looked at', () => {
  const node = incoming(false);
  for (const peer of [seat, observer]) node.take(peer, SYNCED);
  expect(offered).toEqual([]);
  asked = observer;
  node.take(observer, SYNCED);
  expect(offered).toEqual([['observer', false]]);
});
