// DAGs drawn as text, for directed cases: a line a vertex, its name first, then its other parents.
//
//   a1          seat a, seq 1, no parents
//   b2 a1 c1    seat b, seq 2: self-parent b1, further parents a1 and c1
//   a2' b1      a fork: another vertex of seat a with seq 2, self-parent a1
//   a3'<a2' c1  self-parent named, where it is not the plain one
//   a1^2<a3 b3  seat a resumes from a3: number 1 of incarnation 2; without `<a3`, with no self-parent
//   a2^2 c4     number 2 of incarnation 2: self-parent a1^2
//
// Keeps: a name stands for one vertex; parents must have been drawn before.

import { readFileSync } from 'node:fs';
import {
  Consensus,
  type DagVertex,
  type EpochConfig,
  type OrderedBlock,
} from '../../../host/core/consensus.ts';
import { compareBytes, toHex, utf8 } from '../../../host/wire/bytes.ts';
import { sha256 } from '../../../host/wire/hash.ts';
import { firstSeqOf } from '../../../host/wire/seq.ts';
import { builtPath } from '../../../tools/load/built.ts';
import { leaderSeed, leadersOf } from '../../model/consensus/election.ts';
import { Oracle } from '../../model/consensus/oracle.ts';

export const module = new WebAssembly.Module(readFileSync(builtPath('consensus.wasm')));

export const idOf = (name: string): Uint8Array => sha256(utf8(`drawn ${name}`));

const seatsNamed = (names: string): number[] => [...names].map((name) => name.charCodeAt(0) - 97);

/**
 * An epoch of seats a, b, c, ... in which the first rounds are led by the seats named: a word for each round, with a letter for
 * each slot; or one word for rounds of one slot each.
 */
export function epochLedBy(
  leaders: string | readonly string[],
  weights: readonly bigint[],
  minParticipants = 1,
): EpochConfig {
  const wanted = [...leaders].map(seatsNamed);
  const count = Math.max(1, ...wanted.map((round) => round.length));
  for (let i = 0; ; i++) {
    const epochId = sha256(utf8(`epoch ${i}`));
    const seed = leaderSeed(epochId);
    const fits = wanted.every((round, at) =>
      leadersOf(seed, weights, at + 1, round.length).every((seat, place) => seat === round[place]),
    );
    if (!fits) continue;
    const seats = weights.map((weight) => ({ key: new Uint8Array(32), weight }));
    return { seats, minParticipants, leaders: count, epochId, previousTimeMs: 1_000_000, maxVertices: 4096 };
  }
}

export const EQUAL_4: readonly bigint[] = [10n, 10n, 10n, 10n];

/** Vertices from drawn lines; clocks are 2,000,000 + 1,000 * lamport + 10 * seat ms unless `timeOf` says otherwise. */
export class Drawing {
  readonly byName = new Map<string, DagVertex>();
  readonly names = new Map<string, string>();

  constructor(private readonly timeOf?: (name: string, lamport: number) => number | undefined) {}

  add(line: string): DagVertex {
    const [head, ...others] = line.trim().split(/\s+/) as [string, ...string[]];
    const [name, selfName] = head.split('<') as [string, string | undefined];
    const match = /^([a-z])(\d+)(\^\d+)?('*)$/.exec(name);
    if (!match) throw new Error(`not a vertex: ${line}`);
    const creator = match[1]!.charCodeAt(0) - 97;
    const [, seat, number, incarnation = ''] = match;
    const seq = firstSeqOf(Number(incarnation.slice(1))) + Number(number) - 1;
    const plain = Number(number) > 1 ? `${seat}${Number(number) - 1}${incarnation}` : undefined;
    const selfParent = selfName ?? plain;
    const self = selfParent === undefined ? undefined : this.get(selfParent);
    const parents = others.map((other) => this.get(other));
    const lamport = 1 + Math.max(0, ...[...parents, ...(self ? [self] : [])].map((parent) => parent.lamport));
    const timeMs = this.timeOf?.(name, lamport) ?? 2_000_000 + 1000 * lamport + 10 * creator;
    const ids = parents.map((parent) => parent.id).sort(compareBytes);
    const vertex = {
      id: idOf(name),
      creator,
      seq,
      lamport,
      timeMs: Math.max(timeMs, self?.timeMs ?? 0),
      work: false,
      parents: self ? [self.id, ...ids] : ids,
    };
    this.byName.set(name, vertex);
    this.names.set(toHex(vertex.id), name);
    return vertex;
  }

  get(name: string): DagVertex {
    const vertex = this.byName.get(name);
    if (!vertex) throw new Error(`${name} is not drawn yet`);
    return vertex;
  }

  name(id: Uint8Array): string {
    return this.names.get(toHex(id)) ?? toHex(id);
  }
}

/** Rounds `from` to `to` in which each seat takes all of the round below: `a3 b2 c2 d2` and so on. */
export function denseRounds(seats: string, from: number, to: number): string[] {
  const lines: string[] = [];
  for (let seq = from; seq <= to; seq++) {
    for (const seat of seats) {
      const others =
        seq === 1 ? [] : [...seats].filter((other) => other !== seat).map((other) => `${other}${seq - 1}`);
      lines.push([`${seat}${seq}`, ...others].join(' '));
    }
  }
  return lines;
}

/** The core beside the oracle: each line goes into both, and whatever is asked must be answered alike. */
export class Pair {
  readonly core: Consensus;
  readonly oracle: Oracle;
  readonly drawing: Drawing;
  readonly blocks: OrderedBlock[] = [];

  constructor(config: EpochConfig, timeOf?: (name: string, lamport: number) => number | undefined) {
    this.core = Consensus.create(module, config);
    this.oracle = new Oracle(config);
    this.drawing = new Drawing(timeOf);
  }

  /** Inserts lines and takes every block; leaders of the new blocks by name. */
  add(...lines: string[]): string[] {
    const leaders: string[] = [];
    for (const line of lines) {
      const vertex = this.drawing.add(line);
      const [ours] = this.core.insert([vertex]);
      const [theirs] = this.oracle.insert([vertex]);
      if (ours !== theirs) throw new Error(`${line}: core ${ours}, oracle ${theirs}`);
      if (ours !== 'inserted') throw new Error(`${line}: ${ours} ${this.core.lastFault()}`);
      leaders.push(...this.take());
    }
    return leaders;
  }

  private take(): string[] {
    const leaders: string[] = [];
    for (;;) {
      const ours = this.core.nextBlock();
      const theirs = this.oracle.nextBlock();
      if (blockText(ours) !== blockText(theirs)) {
        throw new Error(`core ${blockText(ours)}\noracle ${blockText(theirs)}`);
      }
      if (!ours) return leaders;
      this.blocks.push(ours);
      leaders.push(this.drawing.name(ours.leader));
    }
  }

  /** Status of the slot at this place of a vertex's round. */
  slot(name: string, place = 0): string | undefined {
    const explained = this.core.explain(idOf(name));
    return explained && this.core.slotStatus(explained.round, place);
  }

  round(name: string): number | undefined {
    return this.core.explain(idOf(name))?.round;
  }

  /** Names of a block's vertices in order, void ones in brackets. */
  order(block: number): string[] {
    return this.blocks[block]!.vertices.map((v) =>
      v.isVoid ? `(${this.drawing.name(v.id)})` : this.drawing.name(v.id),
    );
  }
}

export function blockText(block: OrderedBlock | undefined): string {
  if (!block) return 'none';
  const vertices = block.vertices.map((v) => `${toHex(v.id)},${v.creator},${v.isVoid}`);
  const evidence = block.evidence.map((e) => `${e.creator},${e.seq},${toHex(e.effective)},${toHex(e.void)}`);
  return JSON.stringify([toHex(block.leader), block.leaderRound, block.timeMs, vertices, evidence]);
}
