// Epochs on a whole node (consensus 5.11): seals inside batches, dropped vertices that are packed again, weights and
// keys at the boundary, exclusion. The limits are small ones, given as parameters of the epoch.

import { describe, expect, it } from 'vitest';
import * as abi from '../../../assembly/abi.ts';
import type { SeatState } from '../../../host/core/state.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import {
  type Epoch,
  EpochRun,
  genesisEpoch,
  isQuorumAlone,
  readEpochDoc,
} from '../../../host/ordering/epoch.ts';
import { isChange, seatsNow } from '../../../host/ordering/seats.ts';
import type { EventDoc } from '../../../host/store/documents.ts';
import { eventOf, eventsAt } from '../../../host/store/events.ts';
import { EPOCH_LIMITS, type EpochLimits } from '../../../host/wire/block.ts';
import { equalBytes, toHex } from '../../../host/wire/bytes.ts';
import { decodeEntry, encodeEntry, openEntry } from '../../../host/wire/entry.ts';
import { decodeEquivocation, encodeEquivocation } from '../../../host/wire/equivocation.ts';
import {
  decodeVertex,
  encodeVertex,
  makeVertex,
  type Vertex,
  vertexSigningBytes,
} from '../../../host/wire/vertex.ts';
import {
  genesisOf,
  openParts,
  order,
  type Parts,
  restoreAt,
  SEAT_KEY,
  seedOf,
  send,
  signedEntry,
} from '../one-node/harness.ts';
import { blocksOf, checkpointsOf, epochRow, verticesOf } from '../one-node/log.ts';
import { absentKey, heavyManifest } from '../one-node/manifests.ts';

const TOKEN = 1_000_000;
const NEVER: EpochLimits = { earlyBlocks: 1e9, blocks: 1e9, vertices: 10_000, timeMs: 1e9 };
/** A third of the slots is led by seats that are not there. */
const ABSENT = { manifest: heavyManifest(10, 0.67), params: { min_participants: '1' } };
const rootOf = (p: Parts): string => toHex(p.ids.state.core.stateHash());
const agentOf = (n: number) => {
  const seed = seedOf(60);
  seed[0] = n;
  return keyPairFromSeed(seed);
};

/** Every executed event, out of the log. */
const eventsOf = (p: Parts): EventDoc[] =>
  eventsAt(
    p.store,
    Array.from({ length: p.executor.head.seq }, (_, i) => i + 1),
  ).map((event) => event!);

/** Epochs as the log has them: the blocks of each, with the record of the next after its seal. */
function checkEpochs(p: Parts): number {
  const blocks = blocksOf(p.store);
  const { head } = p.executor;
  for (let n = 1; n <= head.epoch; n++) {
    const doc = epochRow(p.store, n)!;
    const seal = blocks[doc.first_block - 2]!;
    expect(doc).toMatchObject({
      number: n,
      seal_block: toHex(seal.hash),
      first_order: seal.header.order + 1,
      previous_time_ms: seal.header.timeMs,
    });
    const first = blocks[doc.first_block - 1];
    if (first) {
      expect(toHex(first.header.epochId)).not.toBe(toHex(seal.header.epochId));
      // A leader of round 1 does not move the time; slots of absent leaders are skipped.
      if (p.ordering.epoch.seats.length === 1) expect(first.header.leaderRound).toBe(1);
      if (first.header.leaderRound === 1) expect(first.header.timeMs).toBe(seal.header.timeMs);
    }
    // Every seal has a checkpoint, which contains the table of the next epoch.
    expect(checkpointsOf(p.store).filter((c) => c.block_index === doc.first_block - 1)).toHaveLength(1);
  }
  expect(checkpointsOf(p.store).map((c) => c.height)).toEqual(checkpointsOf(p.store).map((_, i) => i + 1));
  return head.epoch;
}

/** How many dead vertices of sealed epochs carried payload. */
function deadPayloads(p: Parts): number {
  let count = 0;
  for (let n = 0; n < p.executor.head.epoch; n++) {
    for (const { vertex, place } of verticesOf(p.store, n)) {
      expect(place).toBeDefined();
      if (place!.order === undefined && vertex.entries.length > 0) count += 1;
    }
  }
  return count;
}

describe('seals with one seat', () => {
  it.each([
    ['one seat', {}],
    ['a quorum alone among absent seats', ABSENT],
  ])(
    'every write is final in its own batch, wherever in it the seal falls, and runs once: %s',
    async (_, net) => {
      for (let blocks = 5; blocks <= 9; blocks++) {
        const p = await openParts({ ...net, limits: { ...NEVER, blocks } });
        const taken = [];
        for (let n = 0; n < 20; n++) {
          taken.push(await send(p, agentOf(n), '/v1/agents'));
          p.clock.ms += 300;
        }
        expect(taken.every(Array.isArray)).toBe(true);
        expect(p.events.filter((e) => e.event_type === 'registration').length).toBe(20);
        expect(checkEpochs(p)).toBeGreaterThan(1);
        for (let n = 0; n < p.executor.head.epoch; n++) {
          const first = n === 0 ? 1 : epochRow(p.store, n)!.first_block;
          expect(epochRow(p.store, n + 1)!.first_block - first).toBe(blocks);
        }
        const root = rootOf(p);
        expect((await restoreAt(p.store, false, { ...net, limits: { ...NEVER, blocks } })).root).toBe(root);
      }
    },
  );

  it('by ordered vertices', async () => {
    const p = await openParts({ limits: { ...NEVER, vertices: 20 } });
    for (let n = 0; n < 60; n++) await send(p, agentOf(n), '/v1/agents');
    expect(checkEpochs(p)).toBe(3);
    expect(epochRow(p.store, 1)!.first_order).toBe(21);
  });

  it('by time, but not before the first block that may seal early', async () => {
    const limits = { ...NEVER, earlyBlocks: 30, timeMs: 10_000 };
    const p = await openParts({ limits });
    for (let n = 0; n < 20; n++) await send(p, agentOf(n), '/v1/agents');
    p.clock.ms += 60_000;
    await send(p, agentOf(20), '/v1/agents');
    expect(p.executor.head.epoch).toBe(0);
    for (let n = 21; n < 33; n++) await send(p, agentOf(n), '/v1/agents');
    expect(epochRow(p.store, 1)!.first_block).toBe(31);
    // The next one counts its time from the seal.
    for (let n = 33; n < 80; n++) await send(p, agentOf(n), '/v1/agents');
    expect(p.executor.head.epoch).toBe(1);
    checkEpochs(p);
  });

  it('by as many rounds where several leaders make a block each', async () => {
    const { epoch } = (await openParts()).ordering;
    const seats = Array.from({ length: 4 }, (_, i) => ({ key: new Uint8Array(32).fill(i), weight: 5n }));
    const limits = { ...NEVER, earlyBlocks: 3, blocks: 5 };
    const blocksUntil = (isChangeWaiting: boolean): number => {
      const run = new EpochRun({ ...epoch, seats, minParticipants: 3, limits });
      for (let blocks = 1; ; blocks++) {
        run.add(1, 1);
        if (run.isSealDue(1, () => isChangeWaiting)) return blocks;
      }
    };
    expect([blocksUntil(true), blocksUntil(false)]).toEqual([3 * 3, 3 * 5]);
  });

  it('an idle node seals, too, and its time continues', async () => {
    const p = await openParts({ limits: { ...NEVER, blocks: 4 } });
    await p.clock.advance(180_000);
    expect(checkEpochs(p)).toBeGreaterThan(8);
    expect(p.clock.ms - p.executor.head.timeMs).toBeLessThan(5000);
  });

  it('the limits are part of the seat digest, and those of every network are in the vectors', () => {
    expect(EPOCH_LIMITS).toEqual({ earlyBlocks: 64, blocks: 4096, vertices: 262_144, timeMs: 600_000 });
  });
});

describe('a quorum alone among absent seats', () => {
  const net = ABSENT;

  it('payload above the slot of an absent leader dies with a seal below it, and is packed again', async () => {
    // Two of them do not fit one vertex, so that some wait for the slot below while others are made.
    const large = Array.from({ length: 40 }, (_, i) => new Uint8Array(1_600_000).fill(i));
    const p = await openParts({ ...net, limits: { ...NEVER, blocks: 7 } });
    const done = await order(p, large);
    expect(deadPayloads(p)).toBeGreaterThan(0);
    expect(done.map(({ packed }) => packed.bytes[0]!).sort((a, b) => a - b)).toEqual(large.map((_, i) => i));
    const placed = [...Array(p.executor.head.epoch + 1).keys()].flatMap((n) => verticesOf(p.store, n));
    expect(placed.filter(({ vertex, place }) => vertex.entries.length > 0 && place?.order)).toHaveLength(
      large.length,
    );
  });

  it('skips the slots of absent leaders: every write is final in its own batch', async () => {
    const p = await openParts(net);
    expect(isQuorumAlone(p.ordering.epoch, 0)).toBe(true);
    const made: number[] = [];
    for (let n = 0; n < 60; n++) {
      const before = p.ordering.dag.vertexCount;
      expect(await send(p, agentOf(n), '/v1/agents')).toBeInstanceOf(Array);
      made.push(p.ordering.dag.vertexCount - before);
    }
    expect([Math.min(...made), Math.max(...made) > 3]).toEqual([1, true]);
    const rounds = blocksOf(p.store).map(({ header }) => header.leaderRound);
    expect(rounds.at(-1)! - rounds.length).toBeGreaterThan(10);
    for (const useSnapshot of [true, false]) {
      expect((await restoreAt(p.store, useSnapshot, net)).root).toBe(rootOf(p));
    }
  });

  it('absent seats are late from the first seal on: they lead no slot any more, also after a restart', async () => {
    const p = await openParts({ ...net, limits: { ...NEVER, blocks: 20 } });
    const lateOf = (at: Epoch): number[] => at.seats.flatMap(({ isLate }, seat) => (isLate ? [seat] : []));
    const others = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    expect(lateOf(p.ordering.epoch)).toEqual([]);
    for (let n = 0; p.ordering.epoch.number < 2; n++) await send(p, agentOf(n), '/v1/agents');
    expect(lateOf(p.ordering.epoch)).toEqual(others);
    expect(epochRow(p.store, 2)!.seats.map(({ late }) => late)).toEqual([
      undefined,
      ...others.map(() => true),
    ]);
    const genesis = genesisOf(net);
    const stored = readEpochDoc(
      epochRow(p.store, 2)!,
      genesisEpoch(genesis, p.ordering.epoch.limits),
      genesis.hash,
    );
    expect(stored).toEqual(p.ordering.epoch);
    // So each round leads to a block.
    for (let n = 100; n < 110; n++) await send(p, agentOf(n), '/v1/agents');
    const rounds = blocksOf(p.store)
      .filter(({ header }) => equalBytes(header.epochId, p.ordering.epoch.id))
      .map(({ header }) => header.leaderRound);
    expect(rounds).toEqual(rounds.map((_, i) => i + 1));
    expect(rounds.length).toBeGreaterThan(9);
    for (const useSnapshot of [true, false]) {
      const again = await restoreAt(p.store, useSnapshot, { ...net, limits: { ...NEVER, blocks: 20 } });
      expect(again.root).toBe(rootOf(p));
    }
  });

  it('a seat that loses its weight waits for the seal, which comes early, and not before', async () => {
    const limits = { ...NEVER, earlyBlocks: 64 };
    const p = await openParts({ ...net, limits });
    const seat = absentKey(4);
    expect(p.ordering.epoch.seats[4]!.weight).toBeGreaterThan(0n);
    const staked = p.ids.state.agent(p.ids.find(seat.publicKey)!.index)!.staked;
    expect(await send(p, seat, '/v1/unstake', { amount: staked })).toBeInstanceOf(Array);
    expect([p.ordering.isChangeWaiting, p.ordering.epoch.number]).toEqual([true, 0]);
    // Nobody writes: the change itself keeps the network awake until it is done (consensus 5.13 d).
    await p.clock.advance(80_000);
    expect(p.ordering.epoch.number).toBe(1);
    expect(epochRow(p.store, 1)!.first_block).toBe(65);
    expect(p.ordering.epoch.seats[4]!.weight).toBe(0n);
    expect(p.ordering.isChangeWaiting).toBe(false);
    expect(p.ordering.epoch.seats[0]!.weight).toBe(BigInt(p.ids.state.validator(0)!.voteWeight));
  });

  it('weights that only grow wait for an ordinary seal', async () => {
    const limits = { ...NEVER, earlyBlocks: 64, blocks: 100 };
    const p = await openParts({ ...net, limits });
    const before = p.ordering.epoch.seats[0]!.weight;
    await send(p, SEAT_KEY, '/v1/stake', { amount: 1000 * TOKEN });
    for (let n = 0; n < 120 && p.ordering.epoch.number === 0; n++) {
      expect([p.ordering.isChangeWaiting, p.ordering.epoch.seats[0]!.weight]).toEqual([false, before]);
      await send(p, agentOf(n), '/v1/agents');
    }
    expect(epochRow(p.store, 1)!.first_block).toBe(101);
    expect(p.ordering.epoch.seats[0]!.weight).toBe(before + 500n * 1_000_000n);
  });
});

describe('seats of the next epoch', () => {
  const excludedSeat = (seat: SeatState): SeatState => ({
    ...seat,
    status: abi.VALIDATOR_EXCLUDED,
    weight: 0n,
  });

  it('fall back to the running weights when too few would have any, and to none at all', async () => {
    const p = await openParts({ manifest: heavyManifest(3, 0.7), params: { min_participants: '1' } });
    const { state } = p.ids;
    const epoch = { ...p.ordering.epoch, minParticipants: 3 };
    const weightsOf = (table: typeof epoch.seats | undefined) => table?.map(({ weight }) => weight);
    const second = { seats: () => state.seats().map((seat, i) => (i === 1 ? excludedSeat(seat) : seat)) };
    expect(weightsOf(seatsNow(state, epoch))).toEqual(weightsOf(epoch.seats));
    expect(seatsNow(second, epoch)).toBeUndefined();
    expect(isChange(epoch, seatsNow(second, epoch))).toBe(true);
    const two = { ...epoch, minParticipants: 2 };
    expect(seatsNow(second, two)!.map(({ weight }) => weight > 0n)).toEqual([true, false, true]);
    // All other seats leave: fewer than two would remain, so the weights stay.
    for (const seat of [1, 2]) {
      const staked = state.agent(p.ids.find(absentKey(seat).publicKey)!.index)!.staked;
      await send(p, absentKey(seat), '/v1/unstake', { amount: staked });
    }
    expect(seatsNow(state, two)!.map(({ weight }) => weight)).toEqual(two.seats.map(({ weight }) => weight));
  });
});

describe('vertices of other seats', () => {
  const net = {
    manifest: heavyManifest(6, 0.7),
    params: { min_participants: '1' },
    limits: { ...NEVER, earlyBlocks: 64 },
  };

  function vertexOf(
    p: Parts,
    seat: number,
    parents: Vertex[],
    entries: Uint8Array[],
    timeMs: number,
  ): Vertex {
    const { id, maxParents } = p.ordering.epoch;
    const header = {
      work: true,
      creator: seat,
      seq: 1,
      lamport: 1 + Math.max(0, ...parents.map((v) => v.header.lamport)),
      timeMs,
      epochId: id,
      parents: parents.map((v) => v.id),
    };
    return makeVertex(header, entries, (m) => absentKey(seat).sign(m), maxParents);
  }
  const admit = (p: Parts, v: Vertex): string => p.ordering.admit(v, encodeVertex(v));

  it('are admitted the same way, and their entries are executed in their order', async () => {
    const p = await openParts(net);
    const agent = agentOf(1);
    const entry = encodeEntry(signedEntry(p.clock, agent, '/v1/agents', {}));
    const vertex = vertexOf(p, 2, [], [entry], p.clock.ms);
    expect([admit(p, vertex), admit(p, vertex)]).toEqual(['inserted', 'known']);
    p.ordering.drain();
    expect(p.ids.find(agent.publicKey)).toBeUndefined();
    // Its work keeps this seat awake until it is final.
    expect(await order(p, [])).toEqual([]);
    expect(p.ids.find(agent.publicKey)).toBeDefined();
    const event = eventOf(p.store, openEntry(decodeEntry(entry)!).id);
    expect(event).toMatchObject({ vertex_hash: toHex(vertex.id) });
    const foreign = { ...vertex, header: { ...vertex.header, epochId: new Uint8Array(32) } };
    expect(p.ordering.admit(foreign, encodeVertex(vertex))).toBe('other_epoch');
  });

  it('an equivocation: one branch counts, the block contains the evidence, the seat has no weight from the next epoch on', async () => {
    const p = await openParts(net);
    const [a, b, c] = [agentOf(1), agentOf(2), agentOf(3)];
    const entryOf = (key: typeof a) => encodeEntry(signedEntry(p.clock, key, '/v1/agents', {}));
    const one = vertexOf(p, 3, [], [entryOf(a)], p.clock.ms);
    const other = vertexOf(p, 3, [], [entryOf(b)], p.clock.ms + 1);
    expect(admit(p, one)).toBe('inserted');
    await order(p, []);
    expect(p.ids.find(a.publicKey)).toBeDefined();
    // Another seat saw only the second branch and built on it, so it is ordered, and void.
    expect([admit(p, other), admit(p, vertexOf(p, 4, [other], [entryOf(c)], p.clock.ms + 2))]).toEqual([
      'inserted',
      'inserted',
    ]);
    await order(p, []);
    expect([p.ids.find(b.publicKey), p.ids.find(c.publicKey) !== undefined]).toEqual([undefined, true]);
    const proofs = blocksOf(p.store).flatMap(({ header }) => header.evidence);
    expect(proofs.map((e) => [e.creator, e.seq, toHex(e.effective), toHex(e.void)])).toEqual([
      [3, 1, toHex(one.id), toHex(other.id)],
    ]);
    expect([p.ordering.epoch.seats[3]!.weight > 0n, p.ordering.isChangeWaiting]).toEqual([true, true]);
    // Its validator is excluded at once and permanently, with one event; it keeps its stake (protocol 7.4, 12.8).
    const told = eventsOf(p).filter((e) => e.event_type === 'validator_status');
    const reason = 'equivocation';
    expect(told.map((e) => e.payload)).toEqual([{ validator_id: 'v4', status: 'excluded', reason }]);
    const validator = p.ids.state.validator(3)!;
    expect([validator.status, validator.voteWeight, validator.slashes]).toEqual([4, 0, 0]);
    expect(validator.staked).toBe(25_000 * TOKEN);
    expect(await send(p, absentKey(3), '/v1/validators/v4/resume')).toBe('permanently_excluded');
    await p.clock.advance(60_000);
    expect(p.ordering.epoch.number).toBe(1);
    expect(p.ordering.epoch.seats[3]!.weight).toBe(0n);
    // A restart knows it, too, from the order alone.
    const again = await openParts({ ...net, store: p.store, clock: p.clock });
    expect([again.ordering.epoch.seats[3]!.weight, again.ordering.isChangeWaiting]).toEqual([0n, false]);
    expect(await restoreAt(p.store, false, net)).toEqual(await restoreAt(p.store, true, net));
  });

  /** Two vertices of a seat with one number. */
  function forkOf(p: Parts, seat: number): [Uint8Array, Uint8Array] {
    const [one, other] = [0, 1].map((n) => vertexOf(p, seat, [], [], p.clock.ms + n));
    return [encodeVertex(one!), encodeVertex(other!)];
  }
  const statusOf = (p: Parts, seat: number): number => p.ids.state.validator(seat)!.status;

  it('an equivocation on which nobody builds: this seat packs the proof, once, and the other seat is excluded', async () => {
    const p = await openParts({ ...net, snapshotOrders: 40 });
    for (const bytes of forkOf(p, 3)) expect(admit(p, decodeVertex(bytes)!)).toBe('inserted');
    await send(p, agentOf(1), '/v1/agents');
    expect(statusOf(p, 3)).toBe(abi.VALIDATOR_EXCLUDED);
    expect(blocksOf(p.store).flatMap(({ header }) => header.evidence)).toEqual([]);
    const told = eventsOf(p).filter((e) => e.event_type === 'validator_status');
    const reason = 'equivocation';
    expect(told.map((e) => e.payload)).toEqual([{ validator_id: 'v4', status: 'excluded', reason }]);
    expect(p.ids.state.validator(3)!.staked).toBe(25_000 * TOKEN);
    await send(p, agentOf(2), '/v1/agents');
    // Beyond a snapshot, so that both ways of a restart are taken.
    for (let n = 3; n < 12; n++) await send(p, agentOf(n), '/v1/agents');
    await p.clock.advance(60_000);
    expect([p.ordering.epoch.number, p.ordering.epoch.seats[3]!.weight]).toEqual([1, 0n]);
    const proofs = verticesOf(p.store, 0).flatMap(({ vertex }) =>
      vertex.entries.filter((entry) => decodeEquivocation(entry)),
    );
    expect(proofs).toHaveLength(1);
    const ends = await Promise.all([false, true].map((useSnapshot) => restoreAt(p.store, useSnapshot, net)));
    expect(ends.map(({ root }) => root)).toEqual([rootOf(p), rootOf(p)]);
  });

  it('a fork that was seen before a restart is proven after it', async () => {
    const p = await openParts(net);
    for (const bytes of forkOf(p, 3)) expect(admit(p, decodeVertex(bytes)!)).toBe('inserted');
    await p.executor.commit(true);
    const again = await openParts({ ...net, store: p.store, clock: p.clock });
    await send(again, agentOf(1), '/v1/agents');
    expect(statusOf(again, 3)).toBe(abi.VALIDATOR_EXCLUDED);
  });

  it('a proof counts in the epoch of its vertices and in the next, and no later', async () => {
    const p = await openParts({ ...net, limits: { ...NEVER, blocks: 20 } });
    const [first, second, third] = [3, 4, 5].map((seat) => encodeEquivocation(...forkOf(p, seat)));
    await order(p, [first!]);
    expect([p.ordering.epoch.number, statusOf(p, 3)]).toEqual([0, abi.VALIDATOR_EXCLUDED]);
    for (let n = 0; p.ordering.epoch.number < 1; n++) await send(p, agentOf(100 + n), '/v1/agents');
    // A restart knows the keys of the epoch before from its log.
    const again = await openParts({
      ...net,
      limits: { ...NEVER, blocks: 20 },
      store: p.store,
      clock: p.clock,
    });
    await order(again, [second!]);
    expect([again.ordering.epoch.number, statusOf(again, 4)]).toEqual([1, abi.VALIDATOR_EXCLUDED]);
    for (let n = 0; again.ordering.epoch.number < 2; n++) await send(again, agentOf(200 + n), '/v1/agents');
    await order(again, [third!]);
    expect([again.ordering.epoch.number, statusOf(again, 5)]).toEqual([2, abi.VALIDATOR_ACTIVE]);
    // What the state excludes has no weight in any later epoch, though no list of it is carried along.
    expect(again.ordering.epoch.seats.map(({ weight }) => weight > 0n)).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
    ]);
  });

  it('an invalid proof excludes nobody: a signature of another key, a seat that does not exist', async () => {
    const p = await openParts(net);
    const [one, other] = forkOf(p, 3);
    const forged = other.slice();
    forged.set(absentKey(4).sign(vertexSigningBytes(decodeVertex(other)!.id)), 96);
    const stranger = forkOf(p, 9);
    await order(p, [encodeEquivocation(one, forged), encodeEquivocation(...stranger)]);
    expect(p.ids.state.seats().every(({ status }) => status === abi.VALIDATOR_ACTIVE)).toBe(true);
    expect(eventsOf(p).filter((e) => e.event_type === 'validator_status')).toEqual([]);
    // Of one vertex only the first against a seat is looked at; the good one counts in the next.
    await order(p, [encodeEquivocation(one, forged), encodeEquivocation(one, other)]);
    expect(statusOf(p, 3)).toBe(abi.VALIDATOR_ACTIVE);
    await order(p, [encodeEquivocation(one, other)]);
    expect(statusOf(p, 3)).toBe(abi.VALIDATOR_EXCLUDED);
    // Without weight it has none in a table that falls back to the running one either.
    const five = { ...p.ordering.epoch, minParticipants: 5 };
    expect(seatsNow(p.ids.state, five)!.map(({ weight }) => weight > 0n)[3]).toBe(false);
    const six = { ...p.ordering.epoch, minParticipants: 6 };
    expect(seatsNow(p.ids.state, six)).toBeUndefined();
  });
});
