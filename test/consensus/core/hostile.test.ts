// P14: whatever bytes come in, the core answers with codes, keeps its memory bounded and is not disturbed.

import { describe, expect, test } from 'vitest';
import * as abi from '../../../assembly/consensus/abi.ts';
import {
  Consensus,
  type DagVertex,
  type OrderedBlock,
  vertexRecordBytes,
  writeVertexRecord,
} from '../../../host/core/consensus.ts';
import { Oracle } from '../../model/consensus/oracle.ts';
import { Dice, randomDag, randomShape } from '../../model/consensus/random-dag.ts';
import { blockText, Drawing, EQUAL_4, epochLedBy, module } from './drawn-dag.ts';

function record(vertex: DagVertex): Uint8Array {
  const bytes = new Uint8Array(vertexRecordBytes(vertex));
  writeVertexRecord(bytes, new DataView(bytes.buffer), 0, vertex);
  return bytes;
}

function takeAll(core: { nextBlock(): OrderedBlock | undefined }): string[] {
  const blocks: string[] = [];
  for (let block = core.nextBlock(); block; block = core.nextBlock()) blocks.push(blockText(block));
  return blocks;
}

describe('P14: hostile bytes', () => {
  test('random bytes are refused whole or answered one by one', () => {
    const dice = new Dice(1);
    const core = Consensus.create(module, { ...epochLedBy('', EQUAL_4), maxVertices: 256 });
    const before = core.memoryBytes;
    for (let i = 0; i < 2000; i++) {
      const bytes = dice.bytes(dice.below(400));
      try {
        core.insertRecords(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
    expect(core.memoryBytes).toBe(before);
    expect(core.nextBlock()).toBeUndefined();
  });

  test('changed records between good ones: never a trap, and good vertices keep their order', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const dice = new Dice(seed);
      const dag = randomDag(seed, { ...randomShape(dice, 6, 80), forkers: 0 });
      const disturbed = Consensus.create(module, { ...dag.config, maxVertices: 2048 });
      const results = new Set<number>();
      for (const vertex of dag.vertices) {
        // Under an id of its own, so that it does not stand in for the good one.
        const bad = record(vertex);
        bad.set(dice.bytes(32), abi.VERTEX_ID);
        bad[dice.pick([0, 1, 4, 5, 8, 16, 21, 22, 23, dice.below(abi.VERTEX_ID)])] = dice.below(256);
        try {
          for (const code of disturbed.insertRecords(bad)) results.add(code);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
        const code = disturbed.insertRecords(record(vertex))[0]!;
        expect(code).toBe(abi.INSERTED);
        takeAll(disturbed);
      }
      expect(results.size).toBeGreaterThan(1);
      for (const vertex of dag.vertices) expect(disturbed.explain(vertex.id)).toBeDefined();
    }
  });

  test.each([
    ['creator', { creator: 4 }],
    ['seq', { seq: 0 }],
    ['time', { timeMs: 2 ** 48 }],
    ['time', { timeMs: 0 }],
    ['self_parent', { seq: 3 }],
    ['self_parent', { seq: 1 }],
    ['lamport', { lamport: 7 }],
  ] as const)('a vertex with a wrong %s is invalid by that name', (fault, change) => {
    const drawing = new Drawing();
    const core = Consensus.create(module, epochLedBy('', EQUAL_4));
    core.insert(['a1', 'b1', 'c1', 'd1'].map((line) => drawing.add(line)));
    expect(core.insert([{ ...drawing.add('a2 b1'), ...change }])).toEqual(['invalid']);
    expect(core.lastFault()).toBe(fault);
    expect(core.insert([drawing.get('a2')])).toEqual(['inserted']);
    expect(core.insert([drawing.get('a2')])).toEqual(['known']);
  });

  test('two parents of one creator, too many parents and a stranger as self-parent are invalid', () => {
    const drawing = new Drawing();
    const core = Consensus.create(module, epochLedBy('', EQUAL_4));
    const insert = (line: string): string => core.insert([drawing.add(line)])[0]!;
    for (const line of ['a1', 'b1', 'c1', 'd1', 'b2 c1', "b1'"]) expect(insert(line)).toBe('inserted');
    expect(insert("a2 b1 b1'")).toBe('invalid');
    expect(core.lastFault()).toBe('same_creator');
    const tooMany = {
      ...drawing.add('a2 b2 c1'),
      parents: ['a1', 'b2', 'c1', 'd1', 'b1'].map((n) => drawing.get(n).id),
    };
    expect(core.insert([tooMany])).toEqual(['invalid']);
    expect(core.lastFault()).toBe('parent_count');
    expect(insert('a2<b1 c1')).toBe('invalid');
    expect(core.lastFault()).toBe('self_parent');
    expect(core.insert([{ ...drawing.add('a2 b1'), parents: [new Uint8Array(32)] }])).toEqual([
      'missing_parent',
    ]);
  });

  test('a full arena says so, keeps what it has, and takes nothing more', () => {
    const core = Consensus.create(module, { ...epochLedBy('a', [1n]), maxVertices: 10 });
    const drawing = new Drawing();
    const results = Array.from({ length: 12 }, (_, i) => core.insert([drawing.add(`a${i + 1}`)])[0]);
    expect(results.slice(0, 10)).toEqual(new Array(10).fill('inserted'));
    expect(results[10]).toBe('full');
    expect(takeAll(core)).toHaveLength(10);
    expect(core.preview(0, [drawing.get('a10').id], 1).round).toBe(11);
  });
});

describe('P14: floods of forks', () => {
  test.each([
    ['few seats, many branches', 7, 40, 1500],
    ['bits that pass a word', 62, 3, 1000],
  ] as const)(
    'more witnesses in a round than a mask word holds, %s: the order of the oracle',
    (_, seats, branches, count) => {
      for (const seed of [3]) {
        const shape = {
          ...randomShape(new Dice(seed), seats, count),
          weights: 'equal',
          forkers: 8,
          branches,
        } as const;
        const dag = randomDag(seed, {
          ...shape,
          minParticipants: 1,
          maxParents: 32,
          partitionEvery: 0,
          stalePercent: 0,
        });
        const core = Consensus.create(module, dag.config);
        const oracle = new Oracle(dag.config);
        core.insert(dag.vertices);
        oracle.insert(dag.vertices);
        expect(core.figures().stride).toBeGreaterThan(1);
        const blocks = takeAll(core);
        expect(blocks).toEqual(takeAll(oracle));
        expect(blocks.length).toBeGreaterThan(0);
        for (const vertex of dag.vertices) expect(core.explain(vertex.id)).toEqual(oracle.explain(vertex.id));
      }
    },
  );
});
