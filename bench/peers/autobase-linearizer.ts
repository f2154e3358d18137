// Orders a DAG file with the linearizer of autobase; reports the time that took and when each vertex became final.
// Usage: node autobase-linearizer.js <folder with autobase in node_modules> <dag file> <answer file> <runs>
// Prints the seconds of each run, one per line; files as in bench/dag-file.ts.
// Keeps: every seat is an indexer, vertices are in memory already, and nothing is stored: only the ordering is timed.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { decodeDag, encodeWords, type FileVertex } from '../dag-file.ts';

/** A vertex in the form of the linearizer. */
interface LinearNode {
  writer: SeatWriter;
  length: number;
  clear(): void;
}
interface Head {
  key: Uint8Array;
  length: number;
}
interface Linearizer {
  addHead(node: LinearNode): void;
  update(): { indexed: LinearNode[] } | null;
}
interface LinearizerClass {
  new (indexers: SeatWriter[], options: { heads: Head[]; writers: Map<string, SeatWriter> }): Linearizer;
  createNode(
    writer: SeatWriter,
    length: number,
    value: unknown,
    heads: Head[],
    batch: number,
    dependencies: Set<LinearNode>,
    optimistic: boolean,
  ): LinearNode;
}

/** A seat as a writer of the linearizer: nodes above `offset` that are not indexed yet. */
class SeatWriter {
  readonly core: { key: Buffer };
  readonly isActiveIndexer = true;
  readonly isRemoved = false;
  readonly nodes: { offset: number; all: LinearNode[] } = { offset: 0, all: [] };

  constructor(seat: number) {
    const key = Buffer.alloc(32);
    key.writeUInt32BE(seat + 1);
    this.core = { key };
  }
  get length(): number {
    return this.nodes.all.length;
  }
  get indexed(): number {
    return this.nodes.offset;
  }
  get(at: number): LinearNode | null {
    return at >= this.nodes.offset ? (this.nodes.all[at] ?? null) : null;
  }
  shift(): void {
    this.nodes.all[this.nodes.offset++]!.clear();
  }
}

function order(Linear: LinearizerClass, seats: number, vertices: readonly FileVertex[]): number[] {
  const writers = Array.from({ length: seats }, (_, seat) => new SeatWriter(seat));
  const linearizer = new Linear(writers, { heads: [], writers: new Map() });
  const finalAt = new Array<number>(vertices.length).fill(-1);
  const places = writers.map(() => [] as number[]);
  for (const [place, { creator, parents }] of vertices.entries()) {
    const writer = writers[creator]!;
    const heads: Head[] = [];
    const dependencies = new Set<LinearNode>();
    for (const at of parents) {
      const parent = vertices[at]!;
      const of = writers[parent.creator]!;
      const node = of.get(parent.seq - 1);
      // Indexed nodes are no longer dependencies.
      if (!node) continue;
      dependencies.add(node);
      heads.push({ key: of.core.key, length: parent.seq });
    }
    const node = Linear.createNode(writer, writer.length + 1, '', heads, 1, dependencies, false);
    writer.nodes.all.push(node);
    places[creator]!.push(place);
    linearizer.addHead(node);
    for (const { writer: of, length } of linearizer.update()?.indexed ?? []) {
      finalAt[places[writers.indexOf(of)]![length - 1]!] = place;
      of.shift();
    }
  }
  return finalAt;
}

const [folder = '', dagFile = '', answerFile = '', runs = '1'] = process.argv.slice(2);
const load = createRequire(join(folder, 'package.json'));
const Linear = load('autobase/lib/linearizer.js') as LinearizerClass;
const { seats, vertices } = decodeDag(readFileSync(dagFile));
let finalAt: number[] = [];
for (let i = 0; i < Number(runs); i++) {
  const startedMs = performance.now();
  finalAt = order(Linear, seats, vertices);
  console.log((performance.now() - startedMs) / 1000);
}
writeFileSync(answerFile, encodeWords(finalAt));
