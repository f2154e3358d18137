// When a seat may sign vertices after a start (consensus 5.12): with an intact store, a lost one, an old copy, with and
// without a last-signed record; in networks that tolerate a fault or none; with peers whose claims nothing confirms; and
// when it resumes in a new incarnation, because the others are no quorum without it.

import { describe, expect, it } from 'vitest';
import type { Epoch } from '../../../host/ordering/epoch.ts';
import { OBSERVER } from '../../../host/ordering/ordering.ts';
import { SignedRecord, type SignedVertex } from '../../../host/ordering/signed-record.ts';
import { readGate, writeGate } from '../../../host/ordering/stored-gate.ts';
import { VertexGate } from '../../../host/ordering/vertex-gate.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { EPOCH_LIMITS } from '../../../host/wire/block.ts';
import { firstSeqOf, incarnationOf } from '../../../host/wire/seq.ts';
import { Disk, filesOf } from '../../world/disk.ts';
import { FakeClock, settle } from '../one-node/harness.ts';

interface World {
  store: MemoryStore;
  clock: FakeClock;
  /** Running epoch of the node, and its newest own seq there. */
  at: { epoch: number; own: number };
  weights: bigint[];
  minParticipants: number;
  seat: number;
  /** The record on a disk of its own. */
  disk: Disk;
  hasRecord: boolean;
  /** Ids of own vertices that are stored. */
  ids: Set<string>;
  /** What was started: incarnation, and until which epoch. */
  started: [number, number][];
  /** What the log has at level info. */
  said: string[];
}

const world = (weights: bigint[], over: Partial<World> = {}): World => ({
  store: new MemoryStore(),
  clock: new FakeClock(),
  at: { epoch: 0, own: 0 },
  weights,
  minParticipants: Math.min(3, weights.length),
  seat: 0,
  disk: new Disk(),
  hasRecord: false,
  ids: new Set(),
  started: [],
  said: [],
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
});

interface Started {
  gate: VertexGate;
  /** How often it opened or shut. */
  changes: () => number;
  /** Another seat reports. */
  claim(seat: number, epoch: number, seq: number, isOpen?: boolean): void;
}

const OWNER = { genesisHash: 'aa', key: 'bb' };
const NO_POWER = { synced: () => Promise.resolve(), powerFailed() {} };

/** As a node starts: opened from the store, checked once. */
async function start(w: World, isNewKey = false): Promise<Started> {
  let count = 0;
  const log = { debug() {}, info: (_: object, text: string) => w.said.push(text), warn() {}, error() {} };
  const files = filesOf(w.disk, NO_POWER);
  const gate = await VertexGate.open({
    store: w.store,
    clock: w.clock,
    log: log as never,
    seat: w.seat,
    progress: () => ({ epoch: epochOf(w), seq: w.at.own }),
    hasVertex: (id) => w.ids.has(id),
    record: w.hasRecord ? SignedRecord.open(files, '/record', OWNER) : undefined,
    isNewKey,
    randomByte: () => 7,
    startIncarnation: (incarnation, until) => w.started.push([incarnation, until]),
    onChange: () => {
      count += 1;
    },
  });
  gate.recheck();
  await settle();
  const claim: Started['claim'] = (seat, epoch, seq, isOpen = true) =>
    gate.onPeerClaim(seat, { epoch, seq, isOpen });
  return { gate, changes: () => count, claim };
}

const EQUAL = [1n, 1n, 1n, 1n];
const SEVEN = Array<bigint>(7).fill(1n);

/** A store that has seen a first start with a new key. */
async function used(weights: bigint[]): Promise<World> {
  const w = world(weights);
  (await start(w, true)).gate.stop();
  return w;
}

describe('an intact store', () => {
  it('a key that has signed nothing as far as is known here needs no seal, but the word of the others', async () => {
    const fresh = await start(world(EQUAL), true);
    expect([fresh.gate.isOpen, fresh.gate.closedReason]).toEqual([false, undefined]);
    for (const seat of [1, 2, 3]) fresh.claim(seat, 0, 0);
    expect(fresh.gate.isOpen).toBe(true);
    // A copy of the whole directory, from before its first start: the mark is in it.
    const copy = await start(world(EQUAL), true);
    for (const seat of [1, 2, 3]) copy.claim(seat, 0, seat === 3 ? 5 : 0);
    expect(copy.gate.isOpen).toBe(false);
    await copy.gate.onUnknownOwnVertex(5);
    expect(copy.gate.closedReason).toMatch(/may have lost vertices/);
    // Without the mark the store was lost.
    expect((await start(world(EQUAL))).gate.closedReason).toMatch(/may have lost vertices/);
  });

  it('opens once all others have reported, and takes writes meanwhile', async () => {
    const w = await used(EQUAL);
    w.at = { epoch: 3, own: 7 };
    const { gate, changes, claim } = await start(w);
    claim(1, 3, 7);
    claim(2, 2, 40);
    expect([gate.isOpen, gate.closedReason]).toEqual([false, undefined]);
    // The third may be the only one that has a vertex which is missing here.
    claim(3, 3, 7);
    expect([gate.isOpen, changes()]).toEqual([true, 1]);
  });

  it('a quorum of others is not enough: whoever is missing from it may alone have a lost vertex', async () => {
    const w = await used(SEVEN);
    const { gate, claim } = await start(w);
    for (const seat of [1, 2, 3, 4, 5]) claim(seat, 0, 0);
    await w.clock.advance(1_500);
    claim(6, 0, 3);
    await w.clock.advance(10_000);
    expect(gate.isOpen).toBe(false);
  });

  it('without all of them it opens once a quorum and two seconds are there, and never before a claim', async () => {
    const w = await used(EQUAL);
    const { gate, claim } = await start(w);
    await w.clock.advance(60_000);
    expect(gate.isOpen).toBe(false);
    claim(2, 0, 0);
    claim(3, 0, 0);
    await w.clock.advance(1_900);
    expect(gate.isOpen).toBe(false);
    await w.clock.advance(600);
    expect(gate.isOpen).toBe(true);
    expect(w.said).toEqual([]);
  });

  it('a few are waited for longer: all of them may be old copies, as this one', async () => {
    const w = await used(EQUAL);
    w.at = { epoch: 1, own: 5 };
    const { gate, claim } = await start(w);
    claim(2, 1, 5);
    await w.clock.advance(10_000);
    expect(gate.isOpen).toBe(false);
    // The first that was not restored.
    claim(3, 1, 9);
    await w.clock.advance(10_000);
    expect(gate.isOpen).toBe(false);
    // Not for ever: where seats are linked to few others, no quorum ever reports.
    const sparse = await used(EQUAL);
    const second = await start(sparse);
    second.claim(2, 0, 0);
    await sparse.clock.advance(59_000);
    expect(second.gate.isOpen).toBe(false);
    await sparse.clock.advance(2_000);
    expect(second.gate.isOpen).toBe(true);
  });

  it('a seat that is a quorum alone waits for nobody', async () => {
    const w = world([1n], { minParticipants: 1 });
    expect((await start(w)).gate.isOpen).toBe(true);
    const heavy = world([10n, 1n], { minParticipants: 1 });
    expect((await start(heavy)).gate.isOpen).toBe(true);
    const observer = world(EQUAL, { seat: OBSERVER });
    expect((await start(observer)).gate.closedReason).toBeUndefined();
  });

  it('unconfirmed claims of less than a third are waited for one minute only', async () => {
    const w = await used(EQUAL);
    const { gate, claim } = await start(w);
    claim(1, 1000, 1);
    claim(2, 0, 0);
    claim(3, 0, 0);
    await w.clock.advance(59_000);
    expect(gate.isOpen).toBe(false);
    await w.clock.advance(2_000);
    expect(gate.isOpen).toBe(true);
    // Two of four are more than that.
    const other = await used(EQUAL);
    const second = await start(other);
    for (const seat of [1, 2]) second.claim(seat, 9, 0);
    second.claim(3, 0, 0);
    await other.clock.advance(3_600_000);
    expect(second.gate.isOpen).toBe(false);
  });

  it('where fewer than a quorum of others have reported, for ten minutes: they may be old copies too', async () => {
    const w = await used(EQUAL);
    w.at = { epoch: 1, own: 5 };
    const { gate, claim } = await start(w);
    // Which of the two is the old copy?
    claim(1, 40, 9);
    claim(2, 1, 5);
    await w.clock.advance(599_000);
    expect(gate.isOpen).toBe(false);
    // The third decides, as soon as it is here.
    claim(3, 1, 5);
    expect(gate.isOpen).toBe(true);
    const sparse = await used(SEVEN);
    const second = await start(sparse);
    for (const seat of [1, 2, 3]) second.claim(seat, 0, seat === 3 ? 9 : 0);
    await sparse.clock.advance(599_000);
    expect(second.gate.isOpen).toBe(false);
    await sparse.clock.advance(2_000);
    expect(second.gate.isOpen).toBe(true);
  });

  it('what a seat reports late is waited for as long, once', async () => {
    const w = await used(EQUAL);
    w.at = { epoch: 1, own: 5 };
    const { gate, claim } = await start(w);
    // It was restored, or behind, and has caught up since.
    claim(2, 1, 5);
    await w.clock.advance(59_000);
    claim(2, 1, 9);
    await w.clock.advance(590_000);
    expect(gate.isOpen).toBe(false);
    // A liar that raises it gains nothing.
    claim(2, 2, 99);
    await w.clock.advance(9_000);
    expect(gate.isOpen).toBe(false);
    await w.clock.advance(2_000);
    expect(gate.isOpen).toBe(true);
  });
});

describe('a seat that may have lost vertices, while the others can sign without it', () => {
  it('an old copy waits for its vertices that others have, and then for the second seal', async () => {
    const w = await used(EQUAL);
    w.at = { epoch: 1, own: 5 };
    const { gate, claim } = await start(w);
    claim(1, 1, 5);
    claim(2, 1, 6);
    expect([gate.isOpen, gate.closedReason]).toEqual([false, undefined]);
    // The sixth comes from a peer.
    w.at.own = 6;
    await gate.onUnknownOwnVertex(6);
    expect(gate.closedReason).toContain(
      'waiting for peers to report them before it signs again (seats 1, 2 have)',
    );
    claim(3, 1, 6);
    await settle();
    expect(gate.closedReason).toContain('before epoch 3');
    w.at = { epoch: 2, own: 0 };
    gate.recheck();
    await settle();
    expect(gate.isOpen).toBe(false);
    w.at = { epoch: 3, own: 0 };
    gate.recheck();
    await settle();
    expect([gate.isOpen, gate.closedReason, w.started]).toEqual([true, undefined, []]);
  });

  it('a lost store waits for the second seal after the highest epoch claimed, across restarts', async () => {
    const w = world(EQUAL);
    let { gate, claim } = await start(w);
    claim(1, 4, 9);
    claim(2, 5, 0);
    claim(3, 4, 9);
    await w.clock.advance(3_600_000);
    expect(gate.closedReason).toContain('waiting for peers to report');
    // Replay has caught up with the others; the own vertices that it brings change nothing.
    await gate.onUnknownOwnVertex(3);
    w.at = { epoch: 5, own: 0 };
    gate.recheck();
    await settle();
    expect(gate.closedReason).toContain('before epoch 7');
    gate.stop();
    // A restart changes nothing.
    ({ gate, claim } = await start(w));
    for (const seat of [1, 2, 3]) claim(seat, 6, 0);
    w.at = { epoch: 6, own: 0 };
    gate.recheck();
    await settle();
    expect(gate.closedReason).toContain('before epoch 7');
    w.at = { epoch: 7, own: 0 };
    gate.recheck();
    await settle();
    expect(gate.isOpen).toBe(true);
    expect(w.said).toEqual(['this seat signs again']);
  });

  it('two of the three others are not a quorum, and its own claim does not count', async () => {
    const w = world(EQUAL);
    const { gate, claim } = await start(w);
    claim(1, 0, 0);
    claim(2, 0, 0);
    await w.clock.advance(600_000);
    expect(gate.closedReason).toContain('waiting for peers to report');
    claim(0, 0, 0);
    await w.clock.advance(10_000);
    expect(gate.closedReason).toContain('waiting for peers to report');
  });

  it('a liar does not move the second seal of a lost store beyond what replay confirms', async () => {
    const w = world(EQUAL);
    const { gate, claim } = await start(w);
    claim(1, 1000, 0);
    claim(2, 2, 0);
    claim(3, 1, 0);
    w.at = { epoch: 2, own: 0 };
    await w.clock.advance(61_000);
    expect(gate.closedReason).toContain('before epoch 4');
  });

  it('a liar alone that says it cannot sign does not make it resume', async () => {
    const w = world(SEVEN);
    const { gate, claim } = await start(w);
    for (const seat of [1, 2, 3, 4, 5]) claim(seat, 0, 0);
    claim(6, 0, 0, false);
    await w.clock.advance(600_000);
    expect(gate.closedReason).toContain('before epoch 2');
    expect(w.started).toEqual([]);
    // The same liar first, and again and again.
    const other = world(SEVEN);
    const second = await start(other);
    for (let i = 0; i < 20; i++) {
      second.claim(6, 0, i, false);
      await other.clock.advance(1000);
    }
    for (const seat of [1, 2, 3, 4, 5]) second.claim(seat, 0, 0);
    await other.clock.advance(600_000);
    expect(other.started).toEqual([]);
  });
});

describe('a seat without which the others cannot sign', () => {
  it.each([2, 3])('with %i equal seats it resumes when all others have reported', async (n) => {
    const w = world(Array<bigint>(n).fill(1n));
    const { gate, claim } = await start(w);
    for (let seat = 1; seat < n - 1; seat++) claim(seat, 2, 3);
    w.at = { epoch: 2, own: 3 };
    await w.clock.advance(600_000);
    expect(gate.isOpen).toBe(false);
    claim(n - 1, 2, 4);
    await w.clock.advance(10_000);
    expect(gate.isOpen).toBe(false);
    w.at.own = 4;
    await w.clock.advance(6_000);
    expect(gate.isOpen).toBe(true);
    // Incarnation 0 is known; the random byte is 7. Nothing it may have lost is beyond epoch 3.
    expect(w.started).toEqual([[8, 3]]);
  });

  it('2 of 4 that are held: the first resumes after some seconds, the second then waits', async () => {
    const [a, b] = [world(EQUAL, { seat: 0 }), world(EQUAL, { seat: 1 })];
    const [first, second] = [await start(a), await start(b)];
    for (const { claim } of [first, second]) for (const seat of [2, 3]) claim(seat, 1, 0);
    for (const w of [a, b]) w.at = { epoch: 1, own: 4 };
    first.claim(1, 1, 4, false);
    second.claim(0, 1, 4, false);
    for (const w of [a, b]) await w.clock.advance(4_000);
    expect([first.gate.isOpen, second.gate.isOpen]).toEqual([false, false]);
    expect(first.gate.closedReason).toContain('resumes in a new incarnation');
    for (const w of [a, b]) await w.clock.advance(2_000);
    expect([first.gate.isOpen, second.gate.isOpen]).toEqual([true, false]);
    expect(a.started).toEqual([[8, 2]]);
    second.claim(0, 1, 4, true);
    await settle();
    expect(second.gate.closedReason).toContain('before epoch 3');
  });

  it('the finding must hold: a seat that opens meanwhile ends it', async () => {
    const w = world(EQUAL);
    const { gate, claim } = await start(w);
    for (const seat of [1, 2]) claim(seat, 0, 0);
    // A node that starts reports that it may not sign yet.
    claim(3, 0, 0, false);
    await w.clock.advance(3_000);
    claim(3, 0, 0, true);
    await w.clock.advance(60_000);
    expect([w.started, gate.closedReason?.includes('before epoch 2')]).toEqual([[], true]);
  });

  it('a seat that waits resumes when the others stop being a quorum, and its wait survives a restart', async () => {
    const w = world(EQUAL);
    let { gate, claim } = await start(w);
    for (const seat of [1, 2, 3]) claim(seat, 0, 0);
    await settle();
    expect(gate.closedReason).toContain('before epoch 2');
    gate.stop();
    ({ gate, claim } = await start(w));
    expect(gate.closedReason).toContain('before epoch 2');
    for (const seat of [1, 2]) claim(seat, 0, 0);
    claim(3, 0, 0, false);
    await w.clock.advance(6_000);
    expect([gate.isOpen, w.started]).toEqual([true, [[8, 1]]]);
  });

  it('a link that was lost for a minute is as good as a seat that may not sign; a short one is not', async () => {
    const w = world(EQUAL);
    const { gate, claim } = await start(w);
    for (const seat of [1, 2, 3]) claim(seat, 0, 0);
    await settle();
    gate.onPeerGone(3);
    await w.clock.advance(40_000);
    claim(3, 0, 0);
    await w.clock.advance(40_000);
    expect(gate.isOpen).toBe(false);
    gate.onPeerGone(3);
    await w.clock.advance(70_000);
    expect(gate.isOpen).toBe(true);
  });

  it('resumes above every incarnation that is stored here, and again after a restart in the same epoch', async () => {
    const w = world(EQUAL);
    w.at = { epoch: 1, own: firstSeqOf(3) + 5 };
    let { gate, claim } = await start(w);
    for (const seat of [1, 2, 3]) claim(seat, 1, 0, false);
    await w.clock.advance(8_000);
    expect(w.started).toEqual([[3 + 1 + 7, 2]]);
    expect(gate.isOpen).toBe(true);
    gate.stop();
    // Nothing was signed yet: the store has the old vertices only.
    ({ gate, claim } = await start(w));
    expect(w.started).toEqual([
      [11, 2],
      [11, 2],
    ]);
    // What was lost before may arrive late; a vertex of this very incarnation may not.
    await gate.onUnknownOwnVertex(firstSeqOf(3) + 6);
    expect(gate.closedReason).toBeUndefined();
    await gate.onUnknownOwnVertex(firstSeqOf(11));
    expect(gate.closedReason).toContain('may have lost');
  });

  it('without an incarnation left it waits for the second seal', async () => {
    const w = world(EQUAL);
    w.at = { epoch: 0, own: firstSeqOf(4095) };
    const { gate, claim } = await start(w);
    for (const seat of [1, 2, 3]) claim(seat, 0, 0, false);
    await w.clock.advance(60_000);
    expect([w.started, gate.closedReason?.includes('before epoch 2')]).toEqual([[], true]);
  });
});

describe('a decision of the operator', () => {
  it('stands for the quorum that never answers, not for the answer of anybody', async () => {
    const w = world(EQUAL);
    let { gate, claim } = await start(w);
    for (const seat of [1, 2]) claim(seat, 0, 4);
    w.at = { epoch: 0, own: 4 };
    await w.clock.advance(600_000);
    expect(gate.isOpen).toBe(false);
    gate.stop();
    expect(readGate(w.store)).toEqual({
      until: null,
      claims: [1, 2].map((seat) => ({ seat, epoch: 0, seq: 4, isOpen: true })),
    });
    await writeGate(w.store, { ...readGate(w.store)!, isForced: true });
    ({ gate, claim } = await start(w));
    await w.clock.advance(600_000);
    expect(gate.closedReason).toContain('Its operator decided that it resumes');
    expect(gate.isOpen).toBe(false);
    claim(1, 0, 4);
    await w.clock.advance(6_000);
    expect([gate.isOpen, w.started]).toEqual([true, [[8, 1]]]);
    // It counts once.
    expect(readGate(w.store)).toEqual({ until: 0, resumed: { incarnation: 8, until: 1 } });
  });

  it('does not overrule what the others report', async () => {
    const w = world(EQUAL);
    await writeGate(w.store, { until: null, isForced: true });
    const { gate, claim } = await start(w);
    for (const seat of [1, 2, 3]) claim(seat, 0, 0);
    await w.clock.advance(60_000);
    expect([w.started, gate.closedReason?.includes('before epoch 2')]).toEqual([[], true]);
  });
});

describe('a last-signed record', () => {
  const vertex = (epoch: number, seq: number): SignedVertex => ({ epoch, seq, id: `id${epoch}.${seq}` });

  /** A seat whose record names a vertex, and whose store has those own vertices. */
  async function recorded(
    signed: SignedVertex,
    at: World['at'],
    stored: readonly SignedVertex[],
  ): Promise<World> {
    const w = await used(EQUAL);
    Object.assign(w, { hasRecord: true, at, ids: new Set(stored.map(({ id }) => id)) });
    await SignedRecord.open(filesOf(w.disk, NO_POWER), '/record', OWNER).write(signed);
    return w;
  }

  it('that names what is stored opens at once; so does one of a sealed epoch', async () => {
    const w = await recorded(vertex(2, 5), { epoch: 2, own: 5 }, [vertex(2, 5)]);
    expect((await start(w)).gate.isOpen).toBe(true);
    const sealed = await recorded(vertex(1, 90), { epoch: 2, own: 0 }, []);
    expect((await start(sealed)).gate.isOpen).toBe(true);
  });

  it('opens also what an older copy of the store remembers as held', async () => {
    const w = await recorded(vertex(2, 5), { epoch: 2, own: 5 }, [vertex(2, 5)]);
    await writeGate(w.store, { until: null });
    expect((await start(w)).gate.isOpen).toBe(true);
    expect(readGate(w.store)).toEqual({ until: 0 });
  });

  it('behind the store, or beside it, tells nothing: claims are waited for', async () => {
    const behind = await recorded(vertex(2, 5), { epoch: 2, own: 6 }, [vertex(2, 5)]);
    const beside = await recorded(vertex(2, 5), { epoch: 2, own: 5 }, [{ ...vertex(2, 5), id: 'other' }]);
    const older = await recorded(vertex(1, 5), { epoch: 2, own: 3 }, [vertex(1, 5)]);
    for (const w of [behind, beside, older]) {
      const { gate } = await start(w);
      expect([gate.isOpen, gate.closedReason]).toEqual([false, undefined]);
    }
  });

  it('ahead of the store shuts the gate at the start; the vertex opens it as soon as it is here', async () => {
    const w = await recorded(vertex(2, 5), { epoch: 2, own: 3 }, [vertex(2, 3)]);
    const { gate } = await start(w);
    expect(gate.closedReason).toContain('vertex 5 of epoch 2, signed here, is missing');
    for (const seq of [4, 5]) {
      w.at.own = seq;
      w.ids.add(`id2.${seq}`);
      await gate.onUnknownOwnVertex(seq);
      gate.recheck();
      await settle();
      expect(gate.isOpen).toBe(seq === 5);
    }
    expect([readGate(w.store), w.started]).toEqual([{ until: 0 }, []]);
  });

  it('ahead of the store: nothing signed lies beyond its epoch, so the first seal is enough', async () => {
    const w = await recorded(vertex(2, 5), { epoch: 2, own: 3 }, [vertex(2, 3)]);
    const { gate, claim } = await start(w);
    for (const seat of [1, 2, 3]) claim(seat, 2, 3);
    await settle();
    expect(gate.closedReason).toContain('before epoch 3');
    w.at = { epoch: 3, own: 0 };
    gate.recheck();
    await settle();
    expect(gate.isOpen).toBe(true);
  });

  it('ahead of the store, the others no quorum: resumes in the very next incarnation, for its epoch only', async () => {
    const w = await recorded(vertex(2, firstSeqOf(6) + 4), { epoch: 2, own: 3 }, [vertex(2, 3)]);
    const { gate, claim } = await start(w);
    for (const seat of [1, 2]) claim(seat, 2, 3);
    claim(3, 2, 3, false);
    await w.clock.advance(8_000);
    expect([gate.isOpen, w.started]).toEqual([true, [[7, 2]]]);
    expect(incarnationOf(firstSeqOf(7))).toBe(7);
  });

  it('a seat alone resumes at once, but not under a number that it used', async () => {
    const w = await recorded(vertex(0, 9), { epoch: 0, own: 3 }, [vertex(0, 3)]);
    Object.assign(w, { weights: [1n], minParticipants: 1 });
    const { gate } = await start(w);
    expect([gate.isOpen, w.started]).toEqual([true, [[1, 0]]]);
  });

  it('is written for each vertex that is signed', async () => {
    const w = world(EQUAL, { hasRecord: true });
    const { gate } = await start(w, true);
    expect(w.disk.files.exists('/record')).toBe(false);
    await gate.onSigned(vertex(0, 1));
    await gate.onSigned(vertex(0, 2));
    expect(SignedRecord.open(filesOf(w.disk, NO_POWER), '/record', OWNER).newest).toEqual(vertex(0, 2));
  });

  it('without the setting nothing is written', async () => {
    const w = world(EQUAL);
    const { gate } = await start(w, true);
    await gate.onSigned(vertex(0, 1));
    expect(w.disk.files.exists('/record')).toBe(false);
  });
});
