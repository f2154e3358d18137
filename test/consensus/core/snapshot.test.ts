// P12: a run restored from a snapshot at any point continues as if it had never stopped, and all nodes make equal snapshots.

import { describe, expect, test } from 'vitest';
import { Consensus, EpochRefused } from '../../../host/core/consensus.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { closedView, Dice, randomDag, randomShape, shuffledOrder } from '../../model/consensus/random-dag.ts';
import { blockText, module } from './drawn-dag.ts';

function takeAll(core: Consensus): string[] {
  const blocks: string[] = [];
  for (let block = core.nextBlock(); block; block = core.nextBlock()) blocks.push(blockText(block));
  return blocks;
}

describe('P12: snapshot', () => {
  test.each([11, 12, 13, 14, 15, 16])('stopped and restored anywhere: the same order (seed %i)', (seed) => {
    const dice = new Dice(seed);
    const dag = randomDag(seed, randomShape(dice, dice.between(1, 10), 120));
    const steady = Consensus.create(module, dag.config);
    let restarted = Consensus.create(module, dag.config);
    for (const [i, vertex] of dag.vertices.entries()) {
      steady.insert([vertex]);
      restarted.insert([vertex]);
      if (i % 9 === 4) restarted = Consensus.restore(module, restarted.snapshot());
      // Not always to the end: blocks not taken yet must come after the restart.
      if (i % 3 === 0) expect(takeAll(restarted)).toEqual(takeAll(steady));
    }
    expect(takeAll(restarted)).toEqual(takeAll(steady));
    expect(toHex(restarted.snapshot())).toBe(toHex(steady.snapshot()));
  });

  test.each([21, 22, 23, 24])(
    'a snapshot after every single vertex goes on to the same end (seed %i)',
    (seed) => {
      const dice = new Dice(seed);
      const dag = randomDag(seed, randomShape(dice, dice.between(1, 7), 150));
      const steady = Consensus.create(module, dag.config);
      const blocks: string[] = [];
      // How many blocks had been taken at each snapshot: some are final and wait to be taken.
      const snapshots = dag.vertices.map((vertex, i) => {
        steady.insert([vertex]);
        if (i % 5 === 4) blocks.push(...takeAll(steady));
        return { image: steady.snapshot(), taken: blocks.length };
      });
      blocks.push(...takeAll(steady));
      const end = toHex(steady.snapshot());
      expect(blocks.length).toBeGreaterThan(1);
      for (const [i, { image, taken }] of snapshots.entries()) {
        const restored = Consensus.restore(module, image, 1024);
        restored.insert(dag.vertices.slice(i + 1));
        expect(takeAll(restored), `after vertex ${i}`).toEqual(blocks.slice(taken));
        expect(toHex(restored.snapshot())).toBe(end);
      }
    },
  );

  test('equal sets of vertices in any order give equal bytes, another set gives others', () => {
    const dice = new Dice(99);
    const dag = randomDag(99, { ...randomShape(dice, 7, 150), forkers: 2, branches: 3 });
    const snapshots = new Set<string>();
    for (let i = 0; i < 8; i++) {
      const core = Consensus.create(module, { ...dag.config, maxVertices: 1000 + i });
      const order = shuffledOrder(dice, dag.vertices);
      for (let at = 0; at < order.length; at += 10) {
        core.insert(order.slice(at, at + 10));
        takeAll(core);
      }
      snapshots.add(toHex(core.snapshot()));
    }
    expect(snapshots.size).toBe(1);
    const part = Consensus.create(module, dag.config);
    part.insert(closedView(dice, dag.vertices, 1));
    expect(snapshots.has(toHex(part.snapshot()))).toBe(false);
  });

  test('bytes that are no snapshot are refused, never a trap', () => {
    const dag = randomDag(5, randomShape(new Dice(5), 5, 60));
    const core = Consensus.create(module, dag.config);
    core.insert(dag.vertices);
    takeAll(core);
    const good = core.snapshot();
    expect(() => Consensus.restore(module, good.subarray(0, good.length - 1))).toThrow(RangeError);
    expect(() => Consensus.restore(module, new Uint8Array(20))).toThrow(RangeError);
    expect(() => Consensus.restore(module, good, 10)).toThrow(EpochRefused);
    const dice = new Dice(6);
    for (let i = 0; i < 300; i++) {
      const bad = good.slice();
      bad[dice.below(bad.length)]! ^= 1 << dice.below(8);
      try {
        Consensus.restore(module, bad, 4096);
      } catch (error) {
        if (!(error instanceof RangeError) && !(error instanceof EpochRefused)) throw error;
      }
    }
  });
});
