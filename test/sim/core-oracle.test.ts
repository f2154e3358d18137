// P1 and P5 of consensus 8.1: the core gives what the definitions give, whatever the order of delivery.
// VWS_DAGS sets how many random DAGs are compared: 80 by default, 2,000 in the nightly run.

import { describe, expect, test } from 'vitest';
import type { DagVertex } from '../../host/core/consensus.ts';
import { firstSeqOf, isResumption } from '../../host/wire/seq.ts';
import {
  Dice,
  dagVertexId,
  type RandomDag,
  randomDag,
  randomShape,
  shuffledOrder,
  sortParents,
} from '../model/consensus/random-dag.ts';
import { coreEngine, type Engine, oracleEngine } from './engine.ts';
import { blocksOf, drain, explainAll } from './outcome.ts';

const DAGS = Number(process.env.VWS_DAGS ?? 80);
/** A long run gets the time that it takes. */
const MOST_MS = Math.max(600_000, DAGS * 200);
const core = coreEngine();
const oracle = oracleEngine();

function dagOf(seed: number): RandomDag {
  const seats = 1 + (seed % 12);
  return randomDag(seed, randomShape(new Dice(seed), seats, 50 + 8 * seats));
}

/** Parent sets a seat could choose: its own newest vertex and some of the others'. */
function previews(engine: Engine, dag: RandomDag, known: readonly DagVertex[], seed: number): string[] {
  const dice = new Dice(seed);
  const lines: string[] = [];
  const newest = new Map<number, DagVertex>();
  for (const vertex of known) newest.set(vertex.creator, vertex);
  for (let creator = 0; creator < dag.config.seats.length; creator++) {
    const own = newest.get(creator);
    const most = Math.min(dag.config.seats.length, 32) - (own ? 1 : 0);
    const others = [...newest.values()]
      .filter((v) => v.creator !== creator && dice.chance(60))
      .slice(0, most);
    const parents = sortParents(
      own?.id,
      others.map((other) => other.id),
    );
    if (parents.length === 0 && known.length > 0) continue;
    const preview = engine.preview(creator, parents, 1_800_000_050_000);
    lines.push(JSON.stringify({ ...preview, newWitnessCreators: [...preview.newWitnessCreators].sort() }));
  }
  return lines;
}

describe('P5: core equals oracle', () => {
  test(
    `on ${DAGS} random DAGs with forks and seats that resume, N from 1 to 12, at several points of each`,
    () => {
      let blocks = 0;
      let resumptions = 0;
      for (let seed = 1; seed <= DAGS; seed++) {
        const dag = dagOf(seed);
        resumptions += dag.vertices.filter(({ seq }) => isResumption(seq)).length;
        const config = { ...dag.config, maxVertices: 2000 };
        const [a, b] = [core.create(config), oracle.create(config)];
        const dice = new Dice(seed);
        for (let at = 0; at < dag.vertices.length; ) {
          const end = Math.min(dag.vertices.length, at + dice.between(20, 90));
          const part = dag.vertices.slice(at, end);
          const known = dag.vertices.slice(0, end);
          at = end;
          expect(a.insert(part), `seed ${seed}`).toEqual(b.insert(part));
          if (dice.chance(60)) {
            const taken = drain(b);
            expect(drain(a), `seed ${seed}`).toEqual(taken);
            blocks += taken.length;
          }
          expect(explainAll(a, known), `seed ${seed}`).toEqual(explainAll(b, known));
          expect(previews(a, dag, known, seed), `seed ${seed}`).toEqual(previews(b, dag, known, seed));
        }
      }
      expect(blocks).toBeGreaterThan(DAGS);
      expect(resumptions).toBeGreaterThan(DAGS);
    },
    MOST_MS,
  );

  test('after every single vertex', () => {
    for (let seed = 1000; seed < 1012; seed++) {
      const seats = 1 + (seed % 5);
      const dag = randomDag(seed, randomShape(new Dice(seed), seats, 70));
      const [a, b] = [core.create(dag.config), oracle.create(dag.config)];
      dag.vertices.forEach((vertex, i) => {
        expect(a.insert([vertex])).toEqual(b.insert([vertex]));
        expect(drain(a), `seed ${seed}`).toEqual(drain(b));
        const known = dag.vertices.slice(0, i + 1);
        expect(explainAll(a, known), `seed ${seed}, vertex ${i}`).toEqual(explainAll(b, known));
      });
    }
  });

  test('where the masks of a round need a second word: with more than 64 seats, or by forks', () => {
    for (const [seed, seats] of [
      [9001, 63],
      [9002, 65],
    ] as const) {
      const shape = { ...randomShape(new Dice(seed), seats, 7 * seats), stalePercent: 5, maxParents: 16 };
      const dag = randomDag(seed, { ...shape, forkers: 6, branches: 3, resumers: 2 });
      const [a, b] = [core.create(dag.config), oracle.create(dag.config)];
      expect(a.insert(dag.vertices), `seed ${seed}`).toEqual(b.insert(dag.vertices));
      const blocks = drain(b);
      expect(blocks.length, `seed ${seed}`).toBeGreaterThan(0);
      expect(drain(a), `seed ${seed}`).toEqual(blocks);
      expect(explainAll(a, dag.vertices), `seed ${seed}`).toEqual(explainAll(b, dag.vertices));
      expect(a.maxRound()).toBeGreaterThan(4);
    }
  });

  test('vertices that break a rule of 5.1 get the same answer and change nothing', () => {
    for (let seed = 2000; seed < 2040; seed++) {
      const dag = dagOf(seed);
      const [a, b] = [core.create(dag.config), oracle.create(dag.config)];
      const dice = new Dice(seed);
      for (const vertex of dag.vertices) {
        const broken = spoil(dice, dag, vertex);
        expect(a.insert([broken]), `seed ${seed}`).toEqual(b.insert([broken]));
        expect(a.insert([vertex])).toEqual(b.insert([vertex]));
      }
      expect(drain(a), `seed ${seed}`).toEqual(drain(b));
    }
  });
});

/** The vertex with one thing changed, under an id of its own. */
function spoil(dice: Dice, dag: RandomDag, vertex: DagVertex): DagVertex {
  const fields = { ...vertex, parents: [...vertex.parents] };
  const kind = dice.below(12);
  if (kind === 0) fields.lamport += dice.pick([-1, 1, 7]);
  if (kind === 1) fields.seq += 1;
  if (kind === 2) fields.creator = (vertex.creator + 1) % (dag.config.seats.length + 1);
  if (kind === 3) fields.timeMs = dice.pick([0, 2 ** 48, 2 ** 48 + 5]);
  if (kind === 4 && fields.parents.length > 0) fields.parents.push(fields.parents[0]!);
  if (kind === 5 && fields.parents.length > 1) fields.parents.reverse();
  if (kind === 6) fields.parents.push(dice.bytes(32));
  if (kind === 7) fields.parents.pop();
  // Numbers of other incarnations: in the middle, the first, the one that no incarnation has, and one further.
  if (kind === 8) fields.seq += 2 ** 20;
  if (kind === 9) fields.seq = firstSeqOf(dice.below(3));
  if (kind === 10) fields.seq = dice.pick([0, 2 ** 20, 2 ** 21, 2 ** 32 - 1]);
  if (kind === 11) fields.seq = (fields.seq + 2 ** 32 - 2 ** 20) % 2 ** 32;
  return { ...fields, id: dagVertexId(dag.config.epochId, fields, 1_000_000 + dice.u32()) };
}

describe('P1: any order of delivery gives one order', () => {
  test('1,000 shuffles of one DAG', () => {
    const dag = randomDag(77, {
      seats: 7,
      vertices: 250,
      weights: 'random',
      minParticipants: 2,
      forkers: 2,
      branches: 3,
      resumers: 1,
      stalePercent: 10,
      partitionEvery: 40,
      maxParents: 7,
    });
    const config = { ...dag.config, maxVertices: 1000 };
    const expected = blocksOf(core, config, dag.vertices);
    expect(expected.length).toBeGreaterThan(4);
    const dice = new Dice(78);
    for (let i = 0; i < 1000; i++) {
      const order = shuffledOrder(dice, dag.vertices);
      expect(blocksOf(core, config, order, i % 2 === 0), `shuffle ${i}`).toEqual(expected);
    }
  });

  test('3 orders of each random DAG: rounds, slots, blocks and times', () => {
    for (let seed = 3000; seed < 3150; seed++) {
      const dag = dagOf(seed);
      const dice = new Dice(seed);
      const outcomes = [dag.vertices, ...[1, 2].map(() => shuffledOrder(dice, dag.vertices))].map((order) => {
        const engine = core.create(dag.config);
        engine.insert(order);
        return [...drain(engine), ...explainAll(engine, dag.vertices)];
      });
      expect(outcomes[1], `seed ${seed}`).toEqual(outcomes[0]);
      expect(outcomes[2], `seed ${seed}`).toEqual(outcomes[0]);
    }
  });

  test('equal vertices and blocks taken give equal snapshots, and a restored engine goes on alike', () => {
    for (let seed = 4000; seed < 4060; seed++) {
      const dag = dagOf(seed);
      const dice = new Dice(seed);
      const cut = dice.between(1, dag.vertices.length - 1);
      const [head, tail] = [dag.vertices.slice(0, cut), dag.vertices.slice(cut)];
      const [a, b] = [core.create(dag.config), core.create(dag.config)];
      a.insert(head);
      b.insert(shuffledOrder(dice, head));
      expect(drain(a)).toEqual(drain(b));
      const image = a.snapshot();
      expect(Buffer.compare(image, b.snapshot()), `seed ${seed}`).toBe(0);
      const c = core.restore(image);
      for (const engine of [a, c]) engine.insert(tail);
      expect(drain(c), `seed ${seed}`).toEqual(drain(a));
    }
  });
});
