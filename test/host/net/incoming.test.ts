// What a node does with vertices that a peer sends: unasked ones only of peers from which they may come, answers only to what was
// asked. Each costs a check of its signatures.

import { beforeEach, expect, it } from 'vitest';
import { Incoming, type IncomingOptions } from '../../../host/net/incoming.ts';
import type { HeadMessage, Message } from '../../../host/net/messages.ts';
import type { Peer } from '../../../host/net/peer.ts';

const VERTEX = Uint8Array.of(1);
const PUSHED: Message = { type: 'vertices', epoch: 0, vertices: [VERTEX] };
const SYNCED: Message = { type: 'synced', epoch: 0, cursor: 1, isEnd: false, vertices: [VERTEX] };
const seat = { key: 'seat', seat: 1 } as Peer;
const observer = { key: 'observer', seat: undefined } as Peer;

/** For each offered vertex: its sender, and whether only a wanted one is accepted. */
let offered: [string, boolean | undefined][];
let asked: Peer | undefined;
let faults: [string, number][];
let questions: Message[];
beforeEach(() => {
  offered = [];
  asked = undefined;
  faults = [];
  questions = [];
});

/** In epoch 3, with four seats. */
const incoming = (isObserver: boolean): Incoming =>
  new Incoming({
    isObserver,
    running: () => ({ number: 3, seats: { length: 4 } }),
    book: { reportFault: (key, points) => faults.push([key, points]) },
    requestHandler: { answer: (_, question) => questions.push(question) },
    signatureFetcher: { headsChanged() {} },
    onHead() {},
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

const seqs = (count: number): number[] => new Array<number>(count).fill(1);
const head = (epoch: number, count: number): HeadMessage => ({
  ...{ type: 'head', epoch, vertexCount: 0, block: 0, order: 0, signed: 0, isOpen: true },
  ...{ from: { epoch: 0, order: 1, seq: 1 }, seqs: seqs(count) },
});
const sync = (epoch: number, count: number): Message => ({
  ...{ type: 'sync', epoch, cursor: 0, seqs: seqs(count) },
});

it('numbers of more seats than the running epoch has are a fault, and pass over what names them', () => {
  const peer = { key: 'peer', seat: 1, spendsUnasked: () => true } as unknown as Peer;
  const node = incoming(false);
  node.take(peer, head(3, 5));
  node.take(peer, sync(3, 5));
  expect([peer.head, questions, faults]).toEqual([
    undefined,
    [],
    [
      ['peer', 50],
      ['peer', 50],
    ],
  ]);
  node.take(peer, sync(3, 4));
  node.take(peer, sync(3, 0));
  // How many seats another epoch has is not known here.
  node.take(peer, sync(2, 5));
  node.take(peer, head(4, 5));
  expect(peer.head).toEqual(head(4, 5));
  node.take(peer, head(3, 4));
  expect([peer.head, questions.length, faults.length]).toEqual([head(3, 4), 3, 2]);
});
