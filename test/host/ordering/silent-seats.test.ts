// Seats that are gone on a whole node (consensus 5.11): a heavy seat orders alone, all others are absent. What the core
// decides at a seal is in the next table, in events and in a log that is read again.

import { describe, expect, it } from 'vitest';
import type { EventDoc } from '../../../host/store/documents.ts';
import { eventsAt } from '../../../host/store/events.ts';
import type { EpochLimits } from '../../../host/wire/block.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { encodeVertex, makeVertex } from '../../../host/wire/vertex.ts';
import { openParts, order, type Parts, restoreAt, START_MS } from '../one-node/harness.ts';
import { epochRow } from '../one-node/log.ts';
import { absentKey, heavyManifest } from '../one-node/manifests.ts';

const NEVER: EpochLimits = { earlyBlocks: 1e9, blocks: 1e9, vertices: 10_000, timeMs: 1e9 };
const rootOf = (p: Parts): string => toHex(p.ids.state.core.stateHash());

/** Every executed event, out of the log. */
const eventsOf = (p: Parts): EventDoc[] =>
  eventsAt(
    p.store,
    Array.from({ length: p.executor.head.seq }, (_, i) => i + 1),
  ).map((event) => event!);

describe('silent seats', () => {
  const net = {
    manifest: heavyManifest(10, 0.67),
    params: { min_participants: '1', silence_epochs: '2', silence_secs: '60' },
    limits: { ...NEVER, earlyBlocks: 8, blocks: 100, timeMs: 60_000 },
  };
  const weighing = ({ ordering }: Parts): number[] =>
    ordering.epoch.seats.flatMap(({ weight }, seat) => (weight > 0n ? [seat] : []));
  const changesOf = (p: Parts): unknown[] =>
    eventsOf(p).flatMap(({ event_type, payload }) => (event_type === 'seat_weight' ? [payload] : []));

  it('lose their weight at a seal, the lower number first, until four seats are left; a log gives the same', async () => {
    const p = await openParts({ ...net, snapshotOrders: 40 });
    await p.clock.advance(125_000);
    expect(weighing(p)).toEqual([0, 7, 8, 9]);
    expect(p.ids.state.seats().map(({ isRemoved }) => isRemoved)).toEqual(
      Array.from({ length: 10 }, (_, seat) => seat > 0 && seat < 7),
    );
    // The heavy seat alone is no more a quorum than before, but no slot is led by the removed ones any more.
    const epoch = epochRow(p.store, p.executor.head.epoch)!;
    expect(epoch.seats.filter(({ weight }) => weight !== '0')).toHaveLength(4);
    const told = changesOf(p);
    expect(told).toHaveLength(6);
    expect(told[0]).toEqual({
      seat: 1,
      validator_id: 'v2',
      change: 'removed',
      epoch: p.ordering.epoch.number,
      silent_from_epoch: 0,
      silent_since: START_MS / 1000,
    });
    // No seal later changes it, and none comes early for it.
    const { number } = p.ordering.epoch;
    await p.clock.advance(130_000);
    expect([p.ordering.epoch.number, weighing(p)]).toEqual([number + 2, [0, 7, 8, 9]]);
    expect(changesOf(p)).toHaveLength(6);
    for (const useSnapshot of [true, false])
      expect((await restoreAt(p.store, useSnapshot, net)).root).toBe(rootOf(p));
  });

  it('have it again from the next epoch on, which comes early, once a vertex of them is ordered', async () => {
    const p = await openParts(net);
    await p.clock.advance(125_000);
    const { id, maxParents, number } = p.ordering.epoch;
    const vertex = makeVertex(
      { work: true, creator: 3, seq: 1, lamport: 1, timeMs: p.clock.ms, epochId: id, parents: [] },
      [],
      (m) => absentKey(3).sign(m),
      maxParents,
    );
    expect(p.ordering.admit(vertex, encodeVertex(vertex))).toBe('inserted');
    await order(p, []);
    expect(changesOf(p).at(-1)).toEqual({ seat: 3, validator_id: 'v4', change: 'heard', epoch: number });
    expect([p.ordering.isChangeWaiting, weighing(p)]).toEqual([true, [0, 7, 8, 9]]);
    await p.clock.advance(20_000);
    // Five weigh now; seat 7, silent as long as the others, is the next to go.
    expect([p.ordering.epoch.number, weighing(p)]).toEqual([number + 1, [0, 3, 8, 9]]);
    expect((await restoreAt(p.store, false, net)).root).toBe(rootOf(p));
  });
});
