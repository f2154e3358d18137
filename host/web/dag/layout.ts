// Where each vertex of the DAG is drawn: a row for each seat, a column for each round.
// Keeps: a pure function of the vertices; a parent is never drawn to the right of its child, since rounds never
// decrease from parent to child and vertices of one seat and round are drawn in their order.

import type { Vertex } from '../../client/index.ts';

export const ROW_HEIGHT = 72;
const TOP = 44;
/** Distance between two vertices of one seat and round. */
export const STEP = 44;
const COLUMN_GAP = 28;
/** Column gap on narrow screens. */
const COMPACT_GAP = 6;
const SIDE = 34;

export interface Place {
  vertex: Vertex;
  x: number;
  y: number;
  row: number;
  isFinal: boolean;
  isLeader: boolean;
}

export interface Column {
  epoch: number;
  round: number;
  x: number;
  /** From its first vertex to its last. */
  width: number;
  /** To the next column. */
  pitch: number;
}

export interface Edge {
  child: Place;
  parent: Place;
  /** To the author's previous vertex. */
  isOwn: boolean;
}

export interface Layout {
  width: number;
  height: number;
  columns: Column[];
  /** From left to right. */
  places: Place[];
  edges: Edge[];
}

const columnOf = ({ epoch, round }: Vertex): string => `${epoch}/${round}`;

/** By consensus order; vertices that have none yet come last, by the author's clock. */
function byOrder(a: Vertex, b: Vertex): number {
  const [x, y] = [a.order ?? Number.POSITIVE_INFINITY, b.order ?? Number.POSITIVE_INFINITY];
  if (x !== y) return x < y ? -1 : 1;
  return a.timestamp - b.timestamp || (a.parents.includes(b.hash) ? 1 : b.parents.includes(a.hash) ? -1 : 0);
}

/** `authors`: consensus keys by row; vertices of other authors get rows below. `step`: between two of one seat and round. */
export function layoutOf(
  vertices: readonly Vertex[],
  authors: readonly string[],
  isCompact = false,
  step = STEP,
): Layout {
  const gap = isCompact ? COMPACT_GAP : COLUMN_GAP;
  const rows = new Map(authors.map((key, i) => [key, i]));
  const cells = new Map<string, Vertex[][]>();
  const rounds = new Map<string, Vertex>();
  for (const vertex of [...vertices].sort(byOrder)) {
    if (!rows.has(vertex.author)) rows.set(vertex.author, rows.size);
    const row = rows.get(vertex.author) as number;
    const column = cells.get(columnOf(vertex)) ?? [];
    column[row] = [...(column[row] ?? []), vertex];
    cells.set(columnOf(vertex), column);
    rounds.set(columnOf(vertex), vertex);
  }
  const inOrder = [...rounds].sort(([, a], [, b]) => a.epoch - b.epoch || a.round - b.round);

  const columns: Column[] = [];
  const places: Place[] = [];
  let x = SIDE;
  for (const [name, { epoch, round }] of inOrder) {
    const column = cells.get(name) as Vertex[][];
    const longest = Math.max(...column.filter(Boolean).map((cell) => cell.length));
    const width = (longest - 1) * step;
    columns.push({ epoch, round, x, width, pitch: step + gap });
    column.forEach((cell, row) => {
      cell.forEach((vertex, i) => {
        places.push({
          vertex,
          row,
          x: x + i * step,
          y: TOP + row * ROW_HEIGHT + ROW_HEIGHT / 2,
          isFinal: vertex.order !== undefined,
          isLeader: vertex.is_leader === true,
        });
      });
    });
    x += width + step + gap;
  }
  places.sort((a, b) => a.x - b.x || a.row - b.row);
  return {
    columns,
    places,
    edges: edgesOf(places),
    width: Math.max(SIDE * 2, x - step - gap + SIDE),
    height: TOP + Math.max(1, rows.size) * ROW_HEIGHT,
  };
}

function edgesOf(places: readonly Place[]): Edge[] {
  const known = new Map(places.map((place) => [place.vertex.hash, place]));
  return places.flatMap((child) =>
    child.vertex.parents.flatMap((hash): Edge[] => {
      const parent = known.get(hash);
      return parent ? [{ child, parent, isOwn: parent.vertex.author === child.vertex.author }] : [];
    }),
  );
}

/** The vertex that an arrow key moves to; the same one if there is none in that direction. */
export function neighbour(places: readonly Place[], from: Place, key: string): Place {
  const inRow = places.filter(({ row }) => row === from.row);
  const at = inRow.indexOf(from);
  if (key === 'ArrowLeft') return inRow[at - 1] ?? from;
  if (key === 'ArrowRight') return inRow[at + 1] ?? from;
  if (key === 'Home') return inRow[0] ?? from;
  if (key === 'End') return inRow.at(-1) ?? from;
  const down = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  const ahead = places.filter(({ row }) => (row - from.row) * down > 0);
  const next = Math.min(...ahead.map(({ row }) => Math.abs(row - from.row)));
  const near = ahead.filter(({ row }) => Math.abs(row - from.row) === next);
  return near.sort((a, b) => Math.abs(a.x - from.x) - Math.abs(b.x - from.x))[0] ?? from;
}
