// The running epoch's DAG on a node: what finds no place in it.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { EpochDag, type InsertedVertex } from '../../../host/ordering/dag.ts';
import { genesisEpoch } from '../../../host/ordering/epoch.ts';
import { MAX_INCARNATION, nextSeq } from '../../../host/wire/seq.ts';
import { builtPath } from '../../../tools/load/built.ts';
import { manifestOf } from '../net/dag-fixture.ts';
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
