// Networks of whole nodes in one process: what one makes is on all, what is missing is asked for, a bad signature inside a
// good vertex has one outcome everywhere (protocol 12.8; pitfalls D1, D6, D7).

import { afterEach, describe, expect, it } from 'vitest';
import * as abi from '../../../assembly/abi.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { helloOf } from '../../../host/net/hello.ts';
import { decodeMessage, encodeMessage, type Message } from '../../../host/net/messages.ts';
import { signedHeight } from '../../../host/ordering/checkpoints.ts';
import { genesisEpoch } from '../../../host/ordering/epoch.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { encodeCheckpoint } from '../../../host/wire/block.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { type Entry, encodeEntry, openEntry } from '../../../host/wire/entry.ts';
import { settle, signedEntry } from '../one-node/harness.ts';
import { KEYS, type Made, spoiled, weave } from './dag-fixture.ts';
import { MemoryLink, Remote } from './memory-transport.ts';
import { type NetNode, replayedRoot, rootOf, TestNetwork } from './net-node.ts';

let net: TestNetwork;
afterEach(() => net.close());

const agent = (n: number) => keyPairFromSeed(new Uint8Array(32).fill(9).fill(n, 0, 8));

async function startAll(keys = KEYS): Promise<NetNode[]> {
  net = new TestNetwork(keys);
  for (const seat of keys.keys()) await net.start(seat);
  await net.until(() => net.nodes.every((node) => node.network.seats.length === keys.length - 1));
  return net.nodes;
}

/** Puts entries into a vertex of a node, whatever they are. */
function pack(node: NetNode, ...entries: (Entry | Uint8Array)[]): void {
  const bytes = entries.map((entry) => (entry instanceof Uint8Array ? entry : encodeEntry(entry)));
  node.ordering.offer(bytes.map((one) => ({ bytes: one, input: undefined })));
  node.sequencer.gateOpened();
}

const register = (n: number, body: Record<string, unknown> = {}): Entry =>
  signedEntry(net.clock, agent(n), '/v1/agents', body);
const registered = ({ events }: NetNode): (string | undefined)[] =>
  events.filter(({ event_type }) => event_type === 'registration').map(({ agent_id }) => agent_id as string);
const isOn = (n: number) => (node: NetNode) => registered(node).includes(agent(n).publicKeyHex);
/** The signature of a request, made by somebody else. */
function forged(entry: Entry): Entry {
  if (entry.scheme !== 'tx_v1') throw new Error('only of signed requests');
  const signature = entry.signature.slice();
  signature[0]! ^= 1;
  return { ...entry, signature };
}
/** The stored events in order, as ids. */
const logOf = ({ store, executor }: NetNode): string[] =>
  Array.from({ length: executor.head.seq }, (_, i) => toHex(store.get(rowKey.event(i + 1))!));

/** All have executed the same and nothing is under way. */
async function untilEqual(): Promise<void> {
  await net.until(() => new Set(net.nodes.map(({ executor }) => executor.head.seq)).size === 1);
  await net.until(() => new Set(net.nodes.map(({ executor }) => executor.head.blockHash)).size === 1);
  expect(new Set(net.nodes.map(rootOf)).size).toBe(1);
  for (const node of net.nodes) {
    expect(logOf(node)).toEqual(logOf(net.nodes[0]!));
    expect(node.failures).toEqual([]);
    expect(node.network.counts).toMatchObject({ faults: 0, bans: 0 });
  }
}

describe('four seats', () => {
  it('have every write of each, and one state; checkpoint signatures reach a quorum', async () => {
    const nodes = await startAll();
    for (const [i, node] of nodes.entries()) pack(node, register(i));
    await net.until(() => nodes.every((node) => registered(node).length === 4));
    for (let n = 4; n < 30; n++) {
      pack(nodes[n % 4]!, register(n));
      await net.clock.advance(100);
    }
    await net.until(() => nodes.every((node) => registered(node).length === 30));
    await untilEqual();
    const { peers, figures } = nodes[0]!.network;
    expect(peers.map(({ seat }) => seat).sort()).toEqual([1, 2, 3]);
    expect(figures.vertices).toBeGreaterThan(0);
    expect(figures.ordersBehind).toBe(0);
    const none = { bytes: 0, held: 0, dropped: 0 };
    expect(nodes[0]!.network.junk).toEqual([0, 1, 2, 3].map((seat) => ({ seat, ...none })));
  });

  it('send their vertices on both links of a peer, so that neither holds them back', async () => {
    const nodes = await startAll();
    const [first, second] = nodes as [NetNode, NetNode];
    const toSecond = (): MemoryLink[] =>
      first.transport.links.filter(
        ({ peerKey, closedFor }) => closedFor === undefined && toHex(peerKey) === second.key.publicKeyHex,
      );
    // It was dialed by the second, which started later.
    const [host, port] = [...net.net.listeners.keys()][1]!.split(':') as [string, string];
    first.transport.onLink(await first.transport.dial(host, Number(port)));
    await settle();
    const both = toSecond();
    expect(both).toHaveLength(2);
    const vertices = (link: MemoryLink): number =>
      link.sent.filter((bytes) => decodeMessage(bytes)?.type === 'vertices').length;
    const before = both.map(vertices);
    pack(first, register(0));
    await net.until(() => registered(second).length === 1);
    for (const [i, link] of both.entries()) expect(vertices(link)).toBeGreaterThan(before[i]!);
  });

  it('what a full link did not carry is fetched', async () => {
    const nodes = await startAll();
    const [first, , , last] = nodes as [NetNode, NetNode, NetNode, NetNode];
    // The last one receives nothing for a while.
    const links = nodes.slice(0, 3).flatMap(({ transport }) => transport.links);
    const toLast = links.filter(({ peerKey }) => toHex(peerKey) === last.key.publicKeyHex);
    for (const link of toLast) link.isWritable = false;
    for (let n = 0; n < 8; n++) {
      pack(first, register(n));
      await net.clock.advance(200);
    }
    expect([registered(first).length, registered(last).length]).toEqual([8, 0]);
    for (const link of toLast) link.isWritable = true;
    await net.until(() => registered(last).length === 8);
    expect(last.network.figures.requests).toBeGreaterThan(0);
    await untilEqual();
  });

  it('checkpoint signatures reach a seat that is linked to one other only', async () => {
    const nodes = await startAll();
    const [first, second, third, last] = nodes as [NetNode, NetNode, NetNode, NetNode];
    const torn = [second, third].map(({ key }) => key.publicKeyHex);
    for (const { transport } of [second, third]) {
      for (const link of transport.links)
        if (toHex(link.peerKey) === last.key.publicKeyHex) link.isWritable = false;
    }
    for (const link of last.transport.links) if (torn.includes(toHex(link.peerKey))) link.isWritable = false;
    for (let n = 0; signedHeight(first.store) < 2; n++) {
      pack(nodes[n % 4]!, register(n));
      await net.clock.advance(100);
    }
    // Sooner than a silent link is closed, whose successor would bring them.
    await net.until(() => signedHeight(last.store) >= 2, 5000);
    await untilEqual();
  });

  it('a late seat and one that was away catch up; an observer follows and gets everything', async () => {
    net = new TestNetwork(KEYS);
    const watcher = keyPairFromSeed(new Uint8Array(32).fill(77));
    for (const seat of [0, 1, 2]) await net.start(seat, { observers: [watcher.publicKeyHex] });
    const [first, , third] = net.nodes as [NetNode, NetNode, NetNode];
    await net.until(() => first.network.seats.length === 2);
    for (let n = 0; n < 10; n++) {
      pack(first, register(n));
      await net.clock.advance(200);
    }
    const late = await net.start(3, { observers: [watcher.publicKeyHex] });
    await net.until(() => isOn(9)(late));
    await third.stop();
    pack(late, register(10));
    await net.until(() => isOn(10)(first));
    await net.start(2, { store: third.store, observers: [watcher.publicKeyHex] });
    const observer = await net.start(-1, { key: watcher });
    pack(first, register(11));
    await net.until(() => net.nodes.every((node) => node.executor.head.seq === first.executor.head.seq));
    await untilEqual();
    expect(observer.ordering.dag.own).toBeUndefined();
    expect(observer.network.seats.sort()).toEqual([0, 1, 2, 3]);
  });

  it('a second link of the same key changes nothing; a liar is disconnected and the others continue', async () => {
    const nodes = await startAll();
    const [first, second] = nodes as [NetNode, NetNode];
    const link = (n: number): Remote => {
      const [near, far] = MemoryLink.pair(KEYS[n]!.publicKey, first.key.publicKey);
      first.transport.onLink(far);
      const remote = new Remote(near);
      remote.say(helloOf(net.genesis, false));
      return remote;
    };
    await net.clock.advance(5000);
    const rival = link(3);
    await settle();
    expect(rival.bye).toBe('this key is connected already');
    expect(first.network.seats.sort()).toEqual([1, 2, 3]);
    await nodes[3]!.stop();
    await net.clock.advance(100);
    const liar = link(3);
    await settle();
    liar.say({ type: 'sync', epoch: 0, cursor: 0, seqs: [] });
    await settle();
    const real = liar.all('synced')[0]!.vertices[0]!;
    const copy = (at: number): Uint8Array => spoiled(real, at);
    liar.say(
      encodeMessage({ type: 'vertices', epoch: 0, vertices: [copy(16)] }),
      encodeMessage({ type: 'vertices', epoch: 0, vertices: [copy(17)] }),
    );
    await net.clock.advance(100);
    expect(liar.bye).toBe('a vertex has a bad signature');
    expect(first.network.counts).toMatchObject({ faults: 2, bans: 1 });
    pack(second, register(1));
    await net.until(() => isOn(1)(first));
    expect(second.network.counts.faults).toBe(0);
  });

  it('a key that was rotated away speaks for no seat, whether it was connected before or comes back', async () => {
    const nodes = await startAll();
    const [first] = nodes as [NetNode];
    const path = '/v1/validators/v4/rotate';
    const body = { new_public_key: agent(4).publicKeyHex };
    pack(first, signedEntry(net.clock, KEYS[3]!, path, body));
    for (let n = 10; first.ordering.epoch.number === 0; n++) {
      expect(first.network.seats.sort()).toEqual([1, 2, 3]);
      pack(nodes[n % 3]!, register(n));
      await net.clock.advance(300);
    }
    await net.until(() => first.ordering.epoch.number === 1 && first.network.peers.length === 3);
    await net.clock.advance(1000);
    expect(toHex(first.ordering.epoch.seats[3]!.key)).toBe(body.new_public_key);
    expect([first.network.peers.length, first.network.seats.sort()]).toEqual([3, [1, 2]]);
    // It may connect again, to learn of the rotation.
    await nodes[3]!.stop();
    await net.clock.advance(100);
    const [near, far] = MemoryLink.pair(KEYS[3]!.publicKey, first.key.publicKey);
    first.transport.onLink(far);
    new Remote(near).say(helloOf(net.genesis, false));
    await settle();
    expect([first.network.peers.length, first.network.seats.sort()]).toEqual([3, [1, 2]]);
  });

  it('questions beyond every bound are answered or not, and harm nobody', async () => {
    const [first] = (await startAll()) as [NetNode];
    const [near, far] = MemoryLink.pair(agent(1).publicKey, first.key.publicKey);
    await net.nodes[3]!.stop();
    const [a, b] = MemoryLink.pair(KEYS[3]!.publicKey, first.key.publicKey);
    first.transport.onLink(far);
    expect(near.other.closedFor).toBe('key has no seat and is not in SERVICE_OBSERVERS');
    first.transport.onLink(b);
    const remote = new Remote(a);
    remote.say(helloOf(net.genesis, false));
    await settle();
    const most = 0xffff_ffff;
    for (const epoch of [0, 1, most]) {
      for (const cursor of [0, 1, most - 1, most]) remote.say({ type: 'sync', epoch, cursor, seqs: [most] });
      remote.say({ type: 'seals', from: epoch }, { type: 'fetch', epoch, after: new Uint8Array(40) });
    }
    remote.say({ type: 'want', ids: [new Uint8Array(32)] });
    await settle();
    expect(remote.all('synced').every(({ isEnd, vertices }) => isEnd && vertices.length === 0)).toBe(true);
    expect(remote.all('synced')).toHaveLength(4);
    expect(remote.all('sealed')).toHaveLength(3);
    expect(remote.all('fetched').map(({ part }) => part)).toEqual(['gone', 'gone', 'gone']);
    expect(remote.bye).toBeUndefined();
    // So much and no more, until time passes.
    for (let n = 0; n < 4000; n++) remote.say({ type: 'ping', nonce: n });
    await settle();
    expect(remote.all('pong').length).toBeGreaterThan(1000);
    expect(remote.all('pong').length).toBeLessThanOrEqual(2000);
    await net.clock.advance(2000);
    for (let n = 0; n < 400; n++) remote.say({ type: 'seals', from: 0 });
    await settle();
    expect(remote.all('sealed').length).toBeLessThan(210);
    // A head out of the air makes nobody believe to be behind.
    remote.say({
      type: 'head',
      epoch: most,
      vertexCount: most,
      block: 2 ** 50,
      order: 2 ** 50,
      signed: 0,
      isOpen: true,
      from: { epoch: 0, order: 1, seq: 1 },
      seqs: [most, most],
    });
    await settle();
    expect(first.network.isBehind).toBe(false);
  });
});

describe('what a peer says unasked', () => {
  /** The first seat of four, another one that the test plays, and what the first one did about its messages. */
  async function floodedNode() {
    net = new TestNetwork(KEYS);
    const done = { heads: 0, reads: 0 };
    const key = rowKey.checkpoint(9999);
    class Counted extends MemoryStore {
      override get(row: Uint8Array) {
        if (Buffer.compare(row, key) === 0) done.reads += 1;
        return super.get(row);
      }
    }
    const node = await net.start(0, {
      store: new Counted(),
      onHead: (seat) => (done.heads += Number(seat === 3)),
    });
    const [near, far] = MemoryLink.pair(KEYS[3]!.publicKey, node.key.publicKey);
    node.transport.onLink(far);
    const remote = new Remote(near);
    remote.say(helloOf(net.genesis, false));
    await settle();
    return { node, remote, done };
  }

  const HEAD: Message = {
    type: 'head',
    epoch: 0,
    vertexCount: 1,
    block: 0,
    order: 0,
    signed: 0,
    isOpen: true,
    from: { epoch: 0, order: 1, seq: 1 },
    seqs: [1],
  };
  const word = (): Message => ({
    type: 'checkpoint',
    seat: 3,
    signature: new Uint8Array(64),
    statement: encodeCheckpoint({
      height: 9999,
      order: 1,
      blockIndex: 1,
      timeMs: 1,
      epochId: genesisEpoch(net.genesis).id,
      blockHash: new Uint8Array(32),
      stateRoot: new Uint8Array(32),
      manifestDigest: new Uint8Array(32),
    }),
  });

  it('a ping that comes on both links is answered once', async () => {
    const { remote } = await floodedNode();
    const pongs = (): number[] => remote.all('pong').map(({ nonce }) => nonce);
    for (const nonce of [7, 7, 8, 8]) remote.say({ type: 'ping', nonce });
    await settle();
    expect(pongs()).toEqual([7, 8]);
  });

  it.each(['heads', 'reads'] as const)('makes as much work as its credit allows: %s', async (what) => {
    const { node, remote, done } = await floodedNode();
    const message = what === 'heads' ? HEAD : word();
    for (let n = 0; n < 4000; n++) remote.say(message);
    await settle();
    expect(done[what]).toBeGreaterThan(1000);
    expect(done[what]).toBeLessThanOrEqual(2000);
    const before = done[what];
    await net.clock.advance(100);
    for (let n = 0; n < 4000; n++) remote.say(message);
    await settle();
    expect(done[what] - before).toBeGreaterThanOrEqual(90);
    expect(done[what] - before).toBeLessThanOrEqual(110);
    expect(node.network.counts).toMatchObject({ faults: 0, bans: 0 });
    expect(remote.bye).toBeUndefined();
  });

  it('is heard although it is in debt for its questions', async () => {
    const { remote, done } = await floodedNode();
    for (let n = 0; n < 4000; n++) remote.say({ type: 'want', ids: [new Uint8Array(32)] });
    remote.say(HEAD);
    await settle();
    expect(done.heads).toBe(1);
  });
});

/** The fourth seat, played by the test: signs valid vertices with any content. */
class FourthSeat {
  readonly #remotes: Remote[];
  readonly #epoch = genesisEpoch(net.genesis);
  #last: Made | undefined;
  #before: Made | undefined;

  constructor(nodes: readonly NetNode[]) {
    this.#remotes = nodes.map(({ transport, key }) => {
      const [near, far] = MemoryLink.pair(KEYS[3]!.publicKey, key.publicKey);
      transport.onLink(far);
      const remote = new Remote(near);
      remote.say(helloOf(net.genesis, false));
      return remote;
    });
  }

  pack(...entries: (Entry | Uint8Array)[]): void {
    const bytes = entries.map((entry) => (entry instanceof Uint8Array ? entry : encodeEntry(entry)));
    this.#before = this.#last;
    this.#last = weave(this.#epoch, KEYS[3]!, 3, this.#last, [], bytes, net.clock.nowMs());
    for (const remote of this.#remotes) {
      remote.say({ type: 'vertices', epoch: 0, vertices: [this.#last.bytes] });
    }
  }

  /** So many vertices from number 1 on, each on the one before, for one node alone. */
  branch(to: number, count: number): void {
    const made: Made[] = [];
    while (made.length < count)
      made.push(weave(this.#epoch, KEYS[3]!, 3, made.at(-1), [], [], net.clock.nowMs() + 7));
    const vertices = made.map(({ bytes }) => bytes);
    this.#remotes[to]!.say({ type: 'vertices', epoch: 0, vertices });
  }

  /** Another vertex with the number of the last one, for one node alone; `later`: of each another one. */
  fork(to: number, later = 1): Made {
    const twin = weave(this.#epoch, KEYS[3]!, 3, this.#before, [], [], net.clock.nowMs() + later);
    this.#remotes[to]!.say({ type: 'vertices', epoch: 0, vertices: [twin.bytes] });
    return twin;
  }
}

/** Three honest nodes, who are a quorum, and the fourth seat. */
async function startThree(): Promise<[NetNode[], FourthSeat]> {
  net = new TestNetwork(KEYS);
  for (const seat of [0, 1, 2]) await net.start(seat);
  const seat = new FourthSeat(net.nodes);
  // Nothing runs before the chain has a time: the first block of all has none (consensus 5.8).
  const hasTime = ({ ids, network }: NetNode): boolean =>
    network.seats.length === 3 && ids.state.header().timeMs > 0;
  await net.until(() => net.nodes.every(hasTime));
  return [net.nodes, seat];
}

describe('a seat that forks', () => {
  it('is excluded by all, though only one has seen both vertices and nobody builds on the second', async () => {
    const [nodes, fourth] = await startThree();
    fourth.pack(register(1));
    await net.until(() => nodes.every(isOn(1)));
    const second = fourth.fork(2);
    const isOut = ({ ids }: NetNode): boolean => ids.state.seats()[3]!.status === abi.VALIDATOR_EXCLUDED;
    await net.until(() => nodes.every(isOut));
    await untilEqual();
    const holders = nodes.map(({ ordering }) => ordering.dag.roundOf(second.vertex.id) !== undefined);
    expect(holders).toEqual([false, false, true]);
    for (const { events } of nodes) {
      const told = events.filter(({ event_type }) => event_type === 'validator_status');
      expect(told.map(({ payload }) => payload.reason)).toEqual(['equivocation']);
    }
    for (const node of nodes) {
      // The nodes go on meanwhile.
      const root = rootOf(node);
      expect(await replayedRoot(net, node, false)).toBe(root);
    }
  });
});

describe('a long branch that only one honest seat has', () => {
  it('prevents nobody from building on that seat once both branches are known', async () => {
    const [nodes, fourth] = await startThree();
    const third = nodes[2]!;
    const [own, liar] = [third.key.publicKeyHex, KEYS[3]!.publicKeyHex];
    const apart = nodes.flatMap(({ transport, key }) =>
      transport.links.filter(({ peerKey }) => {
        const ends = [key.publicKeyHex, toHex(peerKey)];
        return ends.includes(own) && !ends.includes(liar);
      }),
    );
    for (const link of apart) link.isWritable = false;
    fourth.branch(2, 60);
    await net.clock.advance(2000);
    fourth.fork(0);
    fourth.fork(1);
    await net.clock.advance(2000);
    expect(nodes.map(({ ordering }) => ordering.dag.newestSeqs[3])).toEqual([1, 1, 60]);
    for (const link of apart) link.isWritable = true;
    pack(nodes[0]!, register(1));
    // Without the third there is no quorum.
    await net.until(() => nodes.every(isOn(1)));
    await untilEqual();
  });
});

describe('a flood of forks', () => {
  it('fills no DAG and stops nobody', async () => {
    const [nodes, fourth] = await startThree();
    for (let i = 0; i < 400; i++) for (const to of nodes.keys()) fourth.fork(to, 400 * to + i);
    await net.clock.advance(1000);
    pack(nodes[0]!, register(1));
    await net.until(() => nodes.every(isOn(1)));
    await untilEqual();
    for (const { ordering } of nodes) expect(ordering.dag.forkLoads[3]!.count).toBeLessThanOrEqual(256);
  });
});

describe('signatures of requests inside good vertices', () => {
  const eventOf = ({ store }: NetNode, entry: Entry): unknown =>
    store.get(rowKey.eventSeq(openEntry(entry).id));

  async function checkReplays(): Promise<void> {
    for (const node of net.nodes) {
      for (const useSnapshot of [true, false]) {
        const root = rootOf(node);
        expect(await replayedRoot(net, node, useSnapshot)).toBe(root);
      }
    }
  }

  it('a forged one is refused by every node alike, its neighbours are not, after restarts too', async () => {
    const [nodes, fourth] = await startThree();
    const bad = forged(register(3));
    fourth.pack(register(1), bad, Buffer.from('no request'), register(2));
    await net.until(() => nodes.every(isOn(2)));
    await untilEqual();
    for (const node of nodes) {
      expect(registered(node)).toEqual([agent(1).publicKeyHex, agent(2).publicKeyHex]);
      expect(eventOf(node, bad)).toBeUndefined();
    }
    // Beyond a snapshot, so that both ways of a restart are taken.
    for (let n = 4; n < 24; n++) {
      fourth.pack(register(n), forged(register(100 + n)));
      pack(nodes[n % 3]!, register(200 + n));
      await net.clock.advance(200);
    }
    await net.until(() => nodes.every((node) => isOn(23)(node) && isOn(223)(node)));
    await untilEqual();
    expect(registered(nodes[0]!)).toHaveLength(42);
    await checkReplays();
    const second = nodes[1]!;
    const root = rootOf(second);
    await second.stop();
    const back = await net.start(1, { store: second.store });
    expect(rootOf(back)).toBe(root);
    await net.until(() => back.network.seats.length === 2);
    pack(back, register(50));
    await net.until(() => net.nodes.every(isOn(50)));
    expect(new Set(net.nodes.map(rootOf)).size).toBe(1);
  });

  it('by a name that was registered earlier in the same block are good, by another key they are not', async () => {
    const [nodes, fourth] = await startThree();
    const stake = (n: number, amount: number): Entry =>
      signedEntry(net.clock, agent(n), '/v1/stake', { amount }, { actor: 'alice' });
    const staked = (node: NetNode): number[] =>
      node.events
        .filter((e) => e.event_type === 'stake')
        .map((e) => Number((e as { amount?: number }).amount));
    const named = { agent_id: 'alice', initial_stake: 1_000_000 };
    fourth.pack(register(1, named), stake(1, 5), stake(2, 7));
    await net.until(() => nodes.every((node) => node.executor.head.seq >= 2));
    await net.until(() => nodes.every((node) => node.events.some((e) => e.event_type === 'registration')));
    await untilEqual();
    const first = staked(nodes[0]!);
    // Judged by the facts before its block, in which nobody had the name: nothing, and on every node.
    expect(first).toEqual([]);
    for (const node of nodes) expect(staked(node)).toEqual(first);
    // Known to all by now: only its own key signs for the name.
    fourth.pack(stake(1, 9), stake(2, 11));
    await net.until(() => nodes.every((node) => staked(node).includes(9)));
    await untilEqual();
    for (const node of nodes) expect(staked(node)).toEqual([...first, 9]);
    await checkReplays();
  });
});
