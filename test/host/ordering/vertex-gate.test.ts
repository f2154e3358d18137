// When a seat may sign vertices after a start (consensus 5.12): with an intact store, a lost one, an old copy; in networks
// that tolerate a fault or none; with peers whose claims nothing confirms.

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
  /** Running epoch of the node, and its newest own sequence number there. */
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

/** As a node starts: opened from the store, checked once. */
async function start(w: World, isNewKey = false): Promise<Started> {
  let count = 0;
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const gate = await VertexGate.open({
    store: w.store,
    clock: w.clock,
    log: log as never,
    seat: w.seat,
    progress: () => ({ epoch: epochOf(w), seq: w.at.own }),
    isNewKey,
    onOpen: () => {
      count += 1;
    },
  });
  gate.recheck();
  return { gate, opened: () => count };
}

const EQUAL = [1n, 1n, 1n, 1n];

/** A store that has seen a first start with a new key. */
async function used(weights: bigint[]): Promise<World> {
  const w = world(weights);
  (await start(w, true)).gate.stop();
  return w;
}

it('a key that has signed nothing may sign at once, and only then', async () => {
  const w = world(EQUAL);
  expect((await start(w, true)).gate.isOpen).toBe(true);
  expect((await start(w, true)).gate.isOpen).toBe(false);
  expect((await start(world(EQUAL))).gate.isOpen).toBe(false);
});

it('an intact store opens once a quorum, itself included, has reported, and takes writes meanwhile', async () => {
  const w = await used(EQUAL);
  w.at = { epoch: 3, own: 7 };
  const { gate, opened } = await start(w);
  gate.onPeerClaim(1, { epoch: 3, seq: 7 });
  expect([gate.isOpen, gate.closedReason]).toEqual([false, undefined]);
  gate.onPeerClaim(2, { epoch: 2, seq: 40 });
  expect([gate.isOpen, opened()]).toEqual([true, 1]);
});

it('without a quorum it opens two seconds after the first claim, and never before one', async () => {
  const w = await used(EQUAL);
  const { gate } = await start(w);
  await w.clock.advance(60_000);
  expect(gate.isOpen).toBe(false);
  gate.onPeerClaim(2, { epoch: 0, seq: 0 });
  await w.clock.advance(1_900);
  expect(gate.isOpen).toBe(false);
  await w.clock.advance(600);
  expect(gate.isOpen).toBe(true);
});

it('a seat that is a quorum alone waits for nobody', async () => {
  const w = world([1n], { minParticipants: 1 });
  expect((await start(w)).gate.isOpen).toBe(true);
  const heavy = world([10n, 1n], { minParticipants: 1 });
  expect((await start(heavy)).gate.isOpen).toBe(true);
  const observer = world(EQUAL, { seat: OBSERVER });
  expect((await start(observer)).gate.closedReason).toBeUndefined();
});

it('an old copy waits for its vertices that others have, and then for the second seal', async () => {
  const w = await used(EQUAL);
  w.at = { epoch: 1, own: 5 };
  const { gate } = await start(w);
  gate.onPeerClaim(1, { epoch: 1, seq: 5 });
  gate.onPeerClaim(2, { epoch: 1, seq: 6 });
  expect([gate.isOpen, gate.closedReason]).toEqual([false, undefined]);
  // The sixth comes from a peer.
  w.at.own = 6;
  await gate.onUnknownOwnVertex();
  expect(gate.closedReason).toContain('waiting for peers to report');
  gate.onPeerClaim(3, { epoch: 1, seq: 6 });
  await settle();
  expect(gate.closedReason).toContain('before epoch 3');
  w.at = { epoch: 2, own: 0 };
  gate.recheck();
  expect(gate.isOpen).toBe(false);
  w.at = { epoch: 3, own: 0 };
  gate.recheck();
  expect([gate.isOpen, gate.closedReason]).toEqual([true, undefined]);
});

it('a lost store waits for the second seal after the highest epoch claimed by a quorum, across restarts', async () => {
  const w = world(EQUAL);
  let { gate } = await start(w);
  gate.onPeerClaim(1, { epoch: 4, seq: 9 });
  gate.onPeerClaim(2, { epoch: 5, seq: 0 });
  gate.onPeerClaim(3, { epoch: 4, seq: 9 });
  await w.clock.advance(3_600_000);
  expect(gate.closedReason).toContain('waiting for peers to report');
  // Replay has caught up with the others; the own vertices that it brings change nothing.
  await gate.onUnknownOwnVertex();
  w.at = { epoch: 5, own: 0 };
  gate.recheck();
  await settle();
  expect(gate.closedReason).toContain('before epoch 7');
  gate.stop();
  // A restart changes nothing.
  ({ gate } = await start(w));
  for (const seat of [1, 2, 3]) gate.onPeerClaim(seat, { epoch: 6, seq: 0 });
  w.at = { epoch: 6, own: 0 };
  gate.recheck();
  await settle();
  expect(gate.closedReason).toContain('before epoch 7');
  w.at = { epoch: 7, own: 0 };
  gate.recheck();
  expect(gate.isOpen).toBe(true);
});

it('two of the three others are not a quorum, and its own claim does not count', async () => {
  const w = world(EQUAL);
  const { gate } = await start(w);
  gate.onPeerClaim(1, { epoch: 0, seq: 0 });
  gate.onPeerClaim(2, { epoch: 0, seq: 0 });
  await w.clock.advance(600_000);
  expect(gate.closedReason).toContain('waiting for peers to report');
  gate.onPeerClaim(0, { epoch: 0, seq: 0 });
  await w.clock.advance(1_000);
  expect(gate.closedReason).toContain('waiting for peers to report');
});

it.each([2, 3])(
  'with %i equal seats it resumes after its highest vertex when all others have reported',
  async (n) => {
    const w = world(Array<bigint>(n).fill(1n));
    const { gate } = await start(w);
    for (let seat = 1; seat < n - 1; seat++) gate.onPeerClaim(seat, { epoch: 2, seq: 3 });
    w.at = { epoch: 2, own: 3 };
    await w.clock.advance(600_000);
    expect(gate.isOpen).toBe(false);
    gate.onPeerClaim(n - 1, { epoch: 2, seq: 4 });
    await w.clock.advance(1_000);
    expect(gate.isOpen).toBe(false);
    w.at.own = 4;
    gate.recheck();
    await settle();
    expect(gate.isOpen).toBe(true);
  },
);

it('unconfirmed claims of less than a third are waited for one minute only', async () => {
  const w = await used(EQUAL);
  const { gate } = await start(w);
  gate.onPeerClaim(1, { epoch: 1000, seq: 1 });
  gate.onPeerClaim(2, { epoch: 0, seq: 0 });
  gate.onPeerClaim(3, { epoch: 0, seq: 0 });
  await w.clock.advance(59_000);
  expect(gate.isOpen).toBe(false);
  await w.clock.advance(2_000);
  expect(gate.isOpen).toBe(true);
  // Two of four are more than that.
  const other = await used(EQUAL);
  const second = (await start(other)).gate;
  for (const seat of [1, 2]) second.onPeerClaim(seat, { epoch: 9, seq: 0 });
  second.onPeerClaim(3, { epoch: 0, seq: 0 });
  await other.clock.advance(3_600_000);
  expect(second.isOpen).toBe(false);
});

it('a liar does not move the second seal of a lost store beyond what replay confirms', async () => {
  const w = world(EQUAL);
  const { gate } = await start(w);
  gate.onPeerClaim(1, { epoch: 1000, seq: 0 });
  gate.onPeerClaim(2, { epoch: 2, seq: 0 });
  gate.onPeerClaim(3, { epoch: 1, seq: 0 });
  w.at = { epoch: 2, own: 0 };
  await w.clock.advance(61_000);
  expect(gate.closedReason).toContain('before epoch 4');
});
