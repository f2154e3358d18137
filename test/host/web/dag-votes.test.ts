// The votes that the page shows are those that the core counts: on random DAGs with forks, a leader that the page finds
// certified by a quorum is one that the core commits, and what the core commits otherwise follows from an anchor.

import { expect, it } from 'vitest';
import type { Vertex } from '../../../host/client/index.ts';
import { forksOf, isQuorum, pathDown, type Seating, votesFor } from '../../../host/web/dag/votes.ts';
import { whyOf } from '../../../host/web/dag/why.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { Dice, randomDag, randomShape } from '../../model/consensus/random-dag.ts';
import { coreEngine } from '../../sim/engine.ts';

const DAGS = 24;

function worldOf(seed: number) {
  const seats = 1 + (seed % 9);
  const dag = randomDag(seed, randomShape(new Dice(seed), seats, 60 + 8 * seats));
  const engine = coreEngine().create({ ...dag.config, maxVertices: 2000 });
  engine.insert(dag.vertices);
  const leaders = new Set<string>();
  for (let block = engine.nextBlock(); block; block = engine.nextBlock()) leaders.add(toHex(block.leader));
  const vertices = dag.vertices.flatMap((v): Vertex[] => {
    const explained = engine.explain(v.id);
    if (!explained) return [];
    return [
      {
        ...{ hash: toHex(v.id), author: `seat ${v.creator}`, parents: v.parents.map(toHex), seq: v.seq },
        ...{ epoch: 0, round: explained.round, tx_ids: [], tx_count: 0, timestamp: 0, signature: '' },
        ...(explained.isOrdered ? { order: 1, block: explained.block } : {}),
      } as Vertex,
    ];
  });
  const weights = dag.config.seats.map(({ weight }) => weight);
  const seating: Seating = {
    weightOf: (author) => weights[Number(author.slice(5))] ?? 0n,
    total: weights.reduce((sum, weight) => sum + weight, 0n),
    minParticipants: dag.config.minParticipants,
  };
  return { engine, leaders, vertices, seating };
}

it('agree with the core on random DAGs with forks', () => {
  const counts = { direct: 0, indirect: 0, forks: 0 };
  for (let seed = 1; seed <= DAGS; seed++) {
    const { engine, leaders, vertices, seating } = worldOf(seed);
    counts.forks += forksOf(vertices).length;
    for (const vertex of vertices) {
      const votes = votesFor(vertices, vertex.hash, seating)!;
      const isDirect = votes.near.isQuorum || votes.far.isQuorum;
      const place = engine.leadersOf(vertex.round).findIndex((seat) => `seat ${seat}` === vertex.author);
      const leads = place >= 0;
      // Whoever does not lead the round has no votes, however many refer to it.
      if (leads && isDirect) {
        expect(engine.slotStatus(vertex.round, place), `seed ${seed}: ${vertex.hash}`).toBe('commit');
      }
      if (!leaders.has(vertex.hash)) continue;
      expect(leads).toBe(true);
      if (isDirect) counts.direct++;
      else counts.indirect++;
    }
  }
  // Nearly all that the core committed is certified by a quorum of what is shown; the rest follows from an anchor.
  expect(counts.direct).toBeGreaterThan(100);
  expect(counts.indirect).toBeLessThan(counts.direct / 10);
  expect(counts.forks).toBeGreaterThan(10);
});

//   a:  a1 -- a2 -- a3        all of weight 1, a1 leads
//         \  /  \  /
//   b:  b1 -- b2 -- b3
const small = (): Vertex[] => {
  const make = (hash: string, author: string, round: number, parents: string[], more: Partial<Vertex> = {}) =>
    ({ hash, author, round, parents, epoch: 0, seq: round, tx_count: 0, timestamp: 0, ...more }) as Vertex;
  const final = { order: 1, block: 1 };
  return [
    make('a1', 'a', 1, [], { ...final, is_leader: true }),
    make('b1', 'b', 1, []),
    make('a2', 'a', 2, ['a1', 'b1']),
    make('b2', 'b', 2, ['b1', 'a1']),
    make('a3', 'a', 3, ['a2', 'b2']),
    make('b3', 'b', 3, ['b2', 'a2']),
  ];
};
const EQUAL: Seating = { weightOf: () => 1n, total: 2n, minParticipants: 1 };

it('says step by step why a leader is final, each with its vertices', () => {
  const q = { vertices: small(), seating: EQUAL, nameOf: (author: string) => `seat ${author}` };
  const why = whyOf(q, 'a1')!;
  expect(why.steps.map(({ name }) => name)).toEqual(['Leader', 'Votes', 'Certificates', 'Decision', 'Order']);
  expect(why.steps[1]!.text).toContain('round 2 of seat a and seat b (100 % of the weight)');
  expect([...why.steps[2]!.marks]).toEqual([
    ['a1', 'leader'],
    ['a2', 'vote'],
    ['b2', 'vote'],
    ['a3', 'certificate'],
    ['b3', 'certificate'],
  ]);
  expect(whyOf(q, 'b1')!.answer).toContain('not final yet');
  expect(whyOf(q, 'nowhere')).toBeUndefined();
});

it('claims nothing of what it is not shown', () => {
  const vertices = small().filter(({ round }) => round < 3);
  const q = { vertices, seating: EQUAL, nameOf: String };
  expect(whyOf(q, 'a1')!.steps.map(({ name }) => name)).toEqual(['Leader', 'Decision', 'Order']);
  expect(whyOf(q, 'a1')!.steps[1]!.text).toContain('not in this section');
  // A leader at the edge of the section has its votes, though nothing below it is shown.
  expect(votesFor(small().slice(2), 'a2', EQUAL)!.near.voters).toEqual(['a3', 'b3']);
  // What votes for it is counted only where its own vertex before is known.
  expect(votesFor(small().slice(2), 'a2', EQUAL)!.near.certifiers).toEqual([]);
});

it('a quorum is 66.7 % of the weight and enough seats; a seat counts once', () => {
  const seating: Seating = { weightOf: (a) => (a === 'x' ? 667n : 111n), total: 1000n, minParticipants: 1 };
  expect(isQuorum(seating, ['x'])).toBe(true);
  expect(isQuorum({ ...seating, minParticipants: 2 }, ['x', 'x'])).toBe(false);
  expect(isQuorum(seating, ['a', 'b', 'c', 'a'])).toBe(false);
});

it('finds forks by seat and number, and paths by reference', () => {
  const vertices = small();
  expect(forksOf(vertices)).toEqual([]);
  const twin = { ...vertices[2]!, hash: 'a2x' };
  expect(forksOf([...vertices, twin]).map((fork) => fork.map(({ hash }) => hash))).toEqual([['a2', 'a2x']]);
  expect(pathDown(vertices, 'a3', 'b1')).toEqual(['a3', 'a2', 'b1']);
  expect(pathDown(vertices, 'a1', 'b3')).toEqual([]);
});
