// The picture of the DAG: every vertex has its own place, time runs to the right, arrow keys reach every vertex.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Vertex } from '../../../host/client/index.ts';
import { layoutOf, neighbour } from '../../../host/web/dag/layout.ts';

const vertexOf = (hash: string, author: string, round: number, more: Partial<Vertex> = {}): Vertex => ({
  hash,
  author,
  round,
  epoch: 0,
  parents: [],
  tx_ids: [],
  tx_count: 0,
  seq: round,
  timestamp: 0,
  signature: '',
  ...more,
});

//   a:  a1 -- a2 (leader) -- a3 (open)
//         \  /            /
//   b:  b1 -- b2 --------
const SMALL = [
  vertexOf('a1', 'a', 1, { order: 1 }),
  vertexOf('b1', 'b', 1, { order: 2 }),
  vertexOf('a2', 'a', 2, { order: 3, parents: ['a1', 'b1'], is_leader: true }),
  vertexOf('b2', 'b', 2, { parents: ['a1', 'b1'] }),
  vertexOf('a3', 'a', 3, { parents: ['a2', 'b2'] }),
];

it('rows are seats, columns are rounds, lines lead to the visible parents', () => {
  const { columns, places, edges } = layoutOf(SMALL, ['a', 'b']);
  expect(columns.map(({ round }) => round)).toEqual([1, 2, 3]);
  const shown = places.map(({ vertex, row, isFinal, isLeader }) => [vertex.hash, row, isFinal, isLeader]);
  expect(shown).toEqual([
    ['a1', 0, true, false],
    ['b1', 1, true, false],
    ['a2', 0, true, true],
    ['b2', 1, false, false],
    ['a3', 0, false, false],
  ]);
  expect(edges.length).toBe(6);
  expect(edges.filter(({ isOwn }) => isOwn).length).toBe(3);
  expect(layoutOf(SMALL.slice(2), ['a', 'b']).edges.length).toBe(2);
});

it('the rounds of a new epoch are to the right of the old ones', () => {
  const next = vertexOf('n', 'a', 1, { epoch: 1 });
  const { columns, places } = layoutOf([next, ...SMALL], ['a', 'b']);
  expect(columns.map(({ epoch, round }) => `${epoch}/${round}`)).toEqual(['0/1', '0/2', '0/3', '1/1']);
  expect(places.at(-1)?.vertex.hash).toBe('n');
});

it('authors without a seat get their own rows, and an empty DAG is a picture too', () => {
  expect(layoutOf([vertexOf('x', 'stranger', 1)], ['a']).places[0]?.row).toBe(1);
  expect(layoutOf([], [])).toMatchObject({ places: [], edges: [], columns: [] });
});

const DAG = fc
  .array(fc.record({ author: fc.integer({ min: 0, max: 4 }), climb: fc.boolean(), isFinal: fc.boolean() }), {
    minLength: 1,
    maxLength: 60,
  })
  .map((steps) => {
    const heads = new Map<number, Vertex>();
    let round = 1;
    return steps.map(({ author, climb, isFinal }, i) => {
      if (climb) round += 1;
      const parents = [...heads.values()].map(({ hash }) => hash);
      const vertex = vertexOf(`v${i}`, `seat ${author}`, round, {
        parents,
        timestamp: i,
        ...(isFinal ? { order: i + 1 } : {}),
      });
      heads.set(author, vertex);
      return vertex;
    });
  });

it('on any DAG no two vertices share a place', () => {
  fc.assert(
    fc.property(DAG, fc.boolean(), (vertices, isCompact) => {
      const { places, width, height } = layoutOf(vertices, ['seat 0', 'seat 1'], isCompact);
      expect(places.length).toBe(vertices.length);
      expect(new Set(places.map(({ x, y }) => `${x}/${y}`)).size).toBe(vertices.length);
      for (const { x, y } of places) expect(x > 0 && x < width && y > 0 && y < height).toBe(true);
    }),
  );
});

it('arrow keys reach every row from every row, and stay inside', () => {
  fc.assert(
    fc.property(DAG, (vertices) => {
      const { places } = layoutOf(vertices, []);
      const rows = new Set(places.map(({ row }) => row));
      let at = places[0]!;
      for (let i = 0; i < rows.size; i++) at = neighbour(places, at, 'ArrowUp');
      const seen = new Set([at.row]);
      for (let i = 0; i < rows.size; i++) {
        at = neighbour(places, at, 'ArrowDown');
        seen.add(at.row);
      }
      expect(seen).toEqual(rows);
      expect(neighbour(places, at, 'ArrowDown')).toBe(at);
      const first = neighbour(places, at, 'Home');
      expect(neighbour(places, first, 'ArrowLeft')).toBe(first);
      const last = neighbour(places, at, 'End');
      expect(neighbour(places, last, 'ArrowRight')).toBe(last);
    }),
  );
});
