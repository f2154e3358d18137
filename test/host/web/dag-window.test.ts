import { expect, it } from 'vitest';
import { type Vertex, VwsError } from '../../../host/client/index.ts';
import { loadWindow } from '../../../host/web/dag/window.ts';

const vertex = (hash: string, parents: string[], order?: number): Vertex =>
  ({ hash, parents, ...(order === undefined ? {} : { order }) }) as unknown as Vertex;

/** A node with these vertices; `refusal`: how it answers for others. */
const nodeWith = (all: readonly Vertex[], tips: string[], refusal: VwsError) =>
  ({
    dagTips: async () => ({ tips }),
    dagStats: async () => ({ last_order: 2 }),
    vertices: async () => all.filter(({ order }) => order !== undefined),
    vertex: async (hash: string) => {
      const found = all.find((one) => one.hash === hash);
      if (!found) throw refusal;
      return found;
    },
  }) as unknown as Parameters<typeof loadWindow>[0];

const ALL = [
  vertex('a', [], 1),
  vertex('b', ['a'], 2),
  vertex('c', ['b', 'lost']),
  vertex('d', ['c', 'gone']),
];

it('shows what is there when the node lacks a vertex that others refer to, and names it', async () => {
  const absent = new VwsError({ status: 404, code: 'vertex_not_found', message: 'No such vertex' });
  const { vertices, missing } = await loadWindow(nodeWith(ALL, ['d'], absent));
  expect(vertices.map(({ hash }) => hash)).toEqual(['a', 'b', 'c', 'd']);
  expect(missing).toEqual(['gone', 'lost']);
});

it('does not take a node that fails for one that lacks something', async () => {
  const failed = new VwsError({ status: 503, code: 'not_ready', message: 'not ready' });
  await expect(loadWindow(nodeWith(ALL, ['d'], failed))).rejects.toBe(failed);
});
