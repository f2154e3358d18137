// Vectors of consensus.wasm: DAGs in lockstep and at random, with forks and stale parents, handed over in pieces.
// Keeps: everything follows from the seeds; after each piece the blocks that it decided are taken.

import * as abi from '../../../assembly/consensus/abi.ts';
import type { DagVertex } from '../../../host/core/consensus.ts';
import { encodeConfig, vertexRecordBytes, writeVertexRecord } from '../../../host/core/consensus-records.ts';
import { concat, unhex } from '../../core/driver.ts';
import { lockstepDag } from '../../model/consensus/lockstep-dag.ts';
import { type DagShape, Dice, type RandomDag, randomDag } from '../../model/consensus/random-dag.ts';
import { Recorder } from './recorder.ts';

const ARENA = 1000;
const RANDOM: DagShape = {
  seats: 7,
  vertices: 180,
  weights: 'equal',
  minParticipants: 3,
  forkers: 2,
  resumers: 1,
  branches: 3,
  stalePercent: 10,
  partitionEvery: 0,
  maxParents: 7,
};
const LOCKSTEP = { seats: 4, rounds: 36, forkers: 0, shunPercent: 10, take: 3, leaders: 4 };
const DAGS: [name: string, dag: RandomDag][] = [
  ['4 seats in lockstep', lockstepDag(1, LOCKSTEP)],
  [
    '7 seats in lockstep, two of them fork',
    lockstepDag(2, { ...LOCKSTEP, seats: 7, rounds: 14, forkers: 2, take: 6 }),
  ],
  ['7 seats at random, two of them fork', randomDag(3, RANDOM)],
  ['10 seats of random weights', randomDag(4, { ...RANDOM, seats: 10, weights: 'random', vertices: 120 })],
];

function recordOf(vertex: DagVertex): Uint8Array {
  const bytes = new Uint8Array(vertexRecordBytes(vertex));
  writeVertexRecord(bytes, new DataView(bytes.buffer), 0, vertex);
  return bytes;
}

// The head that next_block answers with says how much there is of it.
function takeBlocks(out: Recorder): void {
  for (let head = out.ask('next_block'); head !== '0'; head = out.ask('next_block')) {
    const view = new DataView(unhex(head.slice(2)).buffer);
    const taken = (answer: string): number => Number(answer.split(':')[0]);
    const [vertices, evidence] = [
      view.getUint32(abi.BLOCK_VERTICES, true),
      view.getUint32(abi.BLOCK_EVIDENCE, true),
    ];
    for (let from = 0; from < vertices; ) from += taken(out.ask('block_part', from));
    for (let from = 0; from < evidence; ) from += taken(out.ask('evidence_part', from));
  }
}

function epoch(out: Recorder, name: string, { config, vertices }: RandomDag): void {
  const dice = new Dice(vertices.length);
  out.note(name);
  out.ask('new');
  out.ask('init', encodeConfig(config, ARENA));
  for (let from = 0; from < vertices.length; ) {
    const count = dice.between(4, 28);
    const piece = vertices.slice(from, from + count);
    // Now and then one that is known, one whose parents are not, and one with a wrong lamport time.
    if (from > 0 && dice.chance(30)) piece.push(vertices[0]!);
    const later = vertices[from + count + 40];
    if (later && dice.chance(30)) piece.push(later, { ...later, parents: [], seq: 1 });
    out.ask('insert', concat(piece.map(recordOf)));
    takeBlocks(out);
    const last = vertices[Math.min(from + count, vertices.length) - 1]!;
    out.ask('explain', last.id);
    out.ask('preview', recordOf({ ...last, parents: [last.id] }));
    from += count;
  }
  for (const round of [1, 2, 3, 10, 100]) out.ask('leader', round, 0);
  for (const vertex of vertices.filter((_, i) => i % 20 === 0)) out.ask('explain', vertex.id);
  out.ask('explain', new Uint8Array(32));
  out.ask('timely');
  out.ask('insert', recordOf(vertices[0]!).subarray(0, 40));
  out.ask('snapshot_begin');
  while (out.ask('snapshot_part') !== '0');
}

export function consensusVectors(): string {
  const out = new Recorder('consensus.wasm');
  for (const [name, dag] of DAGS) epoch(out, name, dag);
  return out.text();
}
