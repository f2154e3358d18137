// The running epoch's DAG on a node: what finds no place in it, and which vertices brought nothing.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { EpochDag, type InsertedVertex } from '../../../host/ordering/dag.ts';
import { genesisEpoch } from '../../../host/ordering/epoch.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { MAX_INCARNATION, nextSeq } from '../../../host/wire/seq.ts';
import { builtPath } from '../../../tools/load/built.ts';
import { FIRST, type Made, manifestOf, Weaver } from '../net/dag-fixture.ts';
import { genesisOf } from '../one-node/harness.ts';

const module = new WebAssembly.Module(readFileSync(builtPath('consensus.wasm')));
/** Places for witnesses that a round has (consensus 5.2). */
const PLACES = 255 * 64;

it('a round that is full of witnesses of a few seats has room for those of the others', () => {
  const keys = [1, 2, 3, 4, 5].map((n) => keyPairFromSeed(new Uint8Array(32).fill(n)));
  const epoch = genesisEpoch(genesisOf({ manifest: manifestOf(keys) }));
  const dag = new EpochDag(module, epoch, 0);
  let made = 0;
  const first = (creator: number, incarnation: number): InsertedVertex => {
    const id = new Uint8Array(32);
    new DataView(id.buffer).setUint32(0, ++made);
    const fields = { creator, seq: nextSeq(0, incarnation), lamport: 1, timeMs: 1, work: false, parents: [] };
    const vertex = { id, header: fields, entries: [] } as unknown as InsertedVertex['vertex'];
    return { vertex, bytes: id, packed: undefined };
  };
  const results: string[] = [];
  for (const creator of [1, 2, 3, 4])
    for (let incarnation = 1; incarnation <= MAX_INCARNATION; incarnation++)
      results.push(dag.insert(first(creator, incarnation)));
  const fitting = PLACES - 1;
  expect(new Set(results.slice(0, fitting))).toEqual(new Set(['inserted']));
  expect(results.length).toBeGreaterThan(fitting);
  expect(new Set(results.slice(fitting))).toEqual(new Set(['left_out']));
  expect([dag.vertexCount, dag.insert(first(0, 0)), dag.insert(first(0, 1))]).toEqual([
    fitting,
    'inserted',
    'left_out',
  ]);
  expect(dag.maxRound).toBe(1);
});

it('of the vertices of a block those are idle that have no entries and bring no witness', () => {
  const dag = new EpochDag(module, FIRST, 0);
  const weaver = new Weaver();
  const idle = new Set<string>();
  const insert = ({ vertex, bytes, id }: Made, mayBeIdle = false): void => {
    expect(dag.insert({ vertex, bytes, packed: undefined })).toBe('inserted');
    // Its self-parent may have completed a quorum: then it is a witness of the next round.
    const isWitness = mayBeIdle && dag.roundOf(vertex.id)! > dag.roundOf(vertex.header.parents[0]!)!;
    if (mayBeIdle && !isWitness) idle.add(id);
  };
  for (let round = 1; round <= 12; round++) {
    for (const seat of [0, 1, 2, 3]) insert(weaver.make(seat));
    if (round % 4 > 0) continue;
    // Over its own last one; then with an entry; then with the witness of seat 3, which it had not; then with nothing new again.
    insert(weaver.make(2, [], false), true);
    insert(weaver.make(2, [new Uint8Array(10)], false));
    insert(weaver.make(2));
    insert(weaver.make(2), true);
  }
  const found: string[] = [];
  const ordered = new Set<string>();
  for (let block = dag.nextBlock(); block; block = dag.nextBlock()) {
    for (const { inserted, isIdle } of block.vertices) {
      const key = toHex(inserted.vertex.id);
      ordered.add(key);
      if (isIdle) found.push(key);
    }
  }
  expect(found.length).toBeGreaterThan(2);
  expect(found.sort()).toEqual([...idle].filter((key) => ordered.has(key)).sort());
});
