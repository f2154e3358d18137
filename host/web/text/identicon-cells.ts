// The cells of the picture of an id: they follow from its letters alone.

export const SIDE = 5;
const COLOURS = 5;

/** 32 bits of a text, FNV-1a from a start of its own. */
function hashOf(text: string, start: number): number {
  let hash = start;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return (hash ^ (hash >>> 15)) >>> 0;
}

export interface Cells {
  /** 0..4: colours of the page. */
  colour: number;
  /** Rows of a square that is the same from left and right. */
  rows: boolean[][];
}

export function cellsOf(id: string): Cells {
  const text = id.toLowerCase();
  const [shape, tint] = [hashOf(text, 0x811c9dc5), hashOf(text, 0x2f0b4471)];
  const half = Math.ceil(SIDE / 2);
  const rows = Array.from({ length: SIDE }, (_, y) =>
    Array.from({ length: SIDE }, (_, x) => {
      const column = x < half ? x : SIDE - 1 - x;
      return ((shape >>> (y * half + column)) & 1) === 1;
    }),
  );
  return { colour: tint % COLOURS, rows };
}
