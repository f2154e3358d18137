// When a seat may make vertices after a start (consensus 5.12): an intact store, a lost one, an old copy; networks that bear
// a fault, such that bear none, and words that nothing confirms.

import { expect, it } from 'vitest';
import type { Epoch } from '../../../host/ordering/epoch.ts';
import { OBSERVER } from '../../../host/ordering/ordering.ts';
import { VertexGate } from '../../../host/ordering/vertex-gate.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { EPOCH_LIMITS } from '../../../host/wire/block.ts';
import { FakeClock, settle } from '../one-node/harness.ts';

interface World {
  store: MemoryStore;
  clock: FakeClock;
  /** Where the node stands. */
  at: { epoch: number; own: number };
  weights: bigint[];
  minParticipants: number;
  seat: number;
}

const world = (weights: bigint[], over: Partial<World> = {}): World => ({
  store: new MemoryStore(),
  clock: new FakeClock(),
  at: { epoch: 0, own: 0 },
  weights,
  minParticipants: Math.min(3, weights.length),
  seat: 0,
  ...over,
});

const epochOf = ({ at, weights, minParticipants }: World): Epoch => ({
  number: at.epoch,
  id: new Uint8Array(32),
  digest: new Uint8Array(32),
  seats: weights.map((weight, i) => ({ key: new Uint8Array(32).fill(i + 1), weight })),
  minParticipants,
  maxParents: weights.length,
  limits: EPOCH_LIMITS,
  sealBlock: new Uint8Array(32),
  firstBlock: 1,
  firstOrder: 1,
  previousTimeMs: 0,
  excluded: [],
});

interface Started {
  gate: VertexGate;
  opened: () => number;
}

/** As a node starts: opened from the store, looked at once. */
async function start(w: World, isNewKey = false): Promise<Started> {
  let count = 0;
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const gate = await VertexGate.open({
    store: w.store,
    clock: w.clock,
    log: log as never,
    seat: w.seat,
    standing: () => ({ epoch: epochOf(w), own: w.at.own }),
    isNewKey,
    onOpen: () => {
      count += 1;
    },
  });
  gate.look();
  return { gate, opened: () => count };
}

const EQUAL = [1n, 1n, 1n, 1n];

/** A store that has seen a first start with a new key. */
async function used(weights: bigint[]): Promise<World> {
  const w = world(weights);
  (await start(w, true)).gate.stop();
  return w;
}

it('a key that has signed nothing goes ahead, and only then', async () => {
  const w = world(EQUAL);
  expect((await start(w, true)).gate.isOpen).toBe(true);
  expect((await start(w, true)).gate.isOpen).toBe(false);
  expect((await start(world(EQUAL))).gate.isOpen).toBe(false);
});

it('an intact store goes on once a quorum with it has spoken, and refuses no writes meanwhile', async () => {
  const w = await used(EQUAL);
  w.at = { epoch: 3, own: 7 };
  const { gate, opened } = await start(w);
  gate.told(1, { epoch: 3, own: 7 });
  expect([gate.isOpen, gate.held]).toEqual([false, undefined]);
  gate.told(2, { epoch: 2, own: 40 });
  expect([gate.isOpen, opened()]).toEqual([true, 1]);
});

it('with few to ask it goes on two seconds after the first answer, and never before one', async () => {
  const w = await used(EQUAL);
  const { gate } = await start(w);
  await w.clock.advance(60_000);
  expect(gate.isOpen).toBe(false);
  gate.told(2, { epoch: 0, own: 0 });
  await w.clock.advance(1_900);
  expect(gate.isOpen).toBe(false);
  await w.clock.advance(600);
  expect(gate.isOpen).toBe(true);
});

it('a seat that is a quorum alone has nobody to ask', async () => {
  const w = world([1n], { minParticipants: 1 });
  expect((await start(w)).gate.isOpen).toBe(true);
  const heavy = world([10n, 1n], { minParticipants: 1 });
  expect((await start(heavy)).gate.isOpen).toBe(true);
  const observer = world(EQUAL, { seat: OBSERVER });
  expect((await start(observer)).gate.held).toBeUndefined();
});

it('an old copy waits for what others hold of it, and then for the second seal', async () => {
  const w = await used(EQUAL);
  w.at = { epoch: 1, own: 5 };
  const { gate } = await start(w);
  gate.told(1, { epoch: 1, own: 5 });
  gate.told(2, { epoch: 1, own: 6 });
  expect([gate.isOpen, gate.held]).toEqual([false, undefined]);
  // The sixth comes from a peer.
  w.at.own = 6;
  await gate.foreign();
  expect(gate.held).toContain('asks the others');
  gate.told(3, { epoch: 1, own: 6 });
  await settle();
  expect(gate.held).toContain('before epoch 3');
  w.at = { epoch: 2, own: 0 };
  gate.look();
  expect(gate.isOpen).toBe(false);
  w.at = { epoch: 3, own: 0 };
  gate.look();
  expect([gate.isOpen, gate.held]).toEqual([true, undefined]);
});

it('a lost store asks a quorum of others, counts from the highest epoch that it told, and remembers', async () => {
  const w = world(EQUAL);
  let { gate } = await start(w);
  gate.told(1, { epoch: 4, own: 9 });
  gate.told(2, { epoch: 5, own: 0 });
  gate.told(3, { epoch: 4, own: 9 });
  await w.clock.advance(3_600_000);
  expect(gate.held).toContain('asks the others');
  // Replay has come to where the others are; own vertices that it brings are no news.
  await gate.foreign();
  w.at = { epoch: 5, own: 0 };
  gate.look();
  await settle();
  expect(gate.held).toContain('before epoch 7');
  gate.stop();
  // A restart changes nothing.
  ({ gate } = await start(w));
  for (const seat of [1, 2, 3]) gate.told(seat, { epoch: 6, own: 0 });
  w.at = { epoch: 6, own: 0 };
  gate.look();
  await settle();
  expect(gate.held).toContain('before epoch 7');
  w.at = { epoch: 7, own: 0 };
  gate.look();
  expect(gate.isOpen).toBe(true);
});

it('two of the three others are no quorum, and its own word does not count', async () => {
  const w = world(EQUAL);
  const { gate } = await start(w);
  gate.told(1, { epoch: 0, own: 0 });
  gate.told(2, { epoch: 0, own: 0 });
  await w.clock.advance(600_000);
  expect(gate.held).toContain('asks the others');
  gate.told(0, { epoch: 0, own: 0 });
  await w.clock.advance(1_000);
  expect(gate.held).toContain('asks the others');
});

it.each([2, 3])(
  'with %i equal seats it goes on from the highest own vertex when all others spoke',
  async (n) => {
    const w = world(Array<bigint>(n).fill(1n));
    const { gate } = await start(w);
    for (let seat = 1; seat < n - 1; seat++) gate.told(seat, { epoch: 2, own: 3 });
    w.at = { epoch: 2, own: 3 };
    await w.clock.advance(600_000);
    expect(gate.isOpen).toBe(false);
    gate.told(n - 1, { epoch: 2, own: 4 });
    await w.clock.advance(1_000);
    expect(gate.isOpen).toBe(false);
    w.at.own = 4;
    gate.look();
    await settle();
    expect(gate.isOpen).toBe(true);
  },
);

it('what less than a third says and nothing confirms is not waited for without end', async () => {
  const w = await used(EQUAL);
  const { gate } = await start(w);
  gate.told(1, { epoch: 1000, own: 1 });
  gate.told(2, { epoch: 0, own: 0 });
  gate.told(3, { epoch: 0, own: 0 });
  await w.clock.advance(59_000);
  expect(gate.isOpen).toBe(false);
  await w.clock.advance(2_000);
  expect(gate.isOpen).toBe(true);
  // Two of four are more than that.
  const other = await used(EQUAL);
  const second = (await start(other)).gate;
  for (const seat of [1, 2]) second.told(seat, { epoch: 9, own: 0 });
  second.told(3, { epoch: 0, own: 0 });
  await other.clock.advance(3_600_000);
  expect(second.isOpen).toBe(false);
});

it('a liar does not move the second seal of a lost store beyond what replay confirms', async () => {
  const w = world(EQUAL);
  const { gate } = await start(w);
  gate.told(1, { epoch: 1000, own: 0 });
  gate.told(2, { epoch: 2, own: 0 });
  gate.told(3, { epoch: 1, own: 0 });
  w.at = { epoch: 2, own: 0 };
  await w.clock.advance(61_000);
  expect(gate.held).toContain('before epoch 4');
});
