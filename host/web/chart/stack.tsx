// Parts of a whole: one bar whose pieces are as long as their shares, or a ring; and what each colour is.
// Keeps: pieces are drawn to scale; one that is too small to be seen is in the legend and the table.

import type { Piece } from './piece.ts';

const WIDTH = 1000;
const HEIGHT = 56;

const total = (pieces: readonly Piece[]): number => pieces.reduce((sum, { value }) => sum + value, 0);

export function Legend({ of }: { of: readonly Piece[] }) {
  return (
    <ul class="legend">
      {of.map((piece) => (
        <li key={piece.name}>
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <rect class={`c${piece.colour}`} width="10" height="10" rx="2" />
          </svg>
          <span>
            {piece.name} <span class="soft">{piece.shown}</span>
            {piece.mark && <span class="mark"> {piece.mark}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

export function Stack({ of }: { of: readonly Piece[] }) {
  const all = total(of);
  let x = 0;
  return (
    <>
      <svg class="stack" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {of.map((piece) => {
          const width = all === 0 ? 0 : (piece.value / all) * WIDTH;
          const at = x;
          x += width;
          return (
            <rect key={piece.name} class={`c${piece.colour}`} x={at} width={width} height={HEIGHT}>
              <title>{`${piece.name}: ${piece.shown}`}</title>
            </rect>
          );
        })}
      </svg>
      <Legend of={of} />
    </>
  );
}

const SIZE = 200;
const RADIUS = 80;
const ROUND = 2 * Math.PI * RADIUS;

/** `words`: two short lines in the middle. */
export function Ring({ of, words }: { of: readonly Piece[]; words: readonly [string, string] }) {
  const all = total(of);
  let done = 0;
  return (
    <div class="ring-row">
      <svg class="ring" viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true">
        <g transform={`rotate(-90 ${SIZE / 2} ${SIZE / 2})`}>
          {all === 0 && <circle class="none" cx={SIZE / 2} cy={SIZE / 2} r={RADIUS} />}
          {of.map((piece) => {
            const length = all === 0 ? 0 : (piece.value / all) * ROUND;
            const at = done;
            done += length;
            const gap = of.length > 1 ? Math.min(2, length / 3) : 0;
            return (
              <circle
                key={piece.name}
                class={`c${piece.colour}`}
                cx={SIZE / 2}
                cy={SIZE / 2}
                r={RADIUS}
                stroke-dasharray={`${length - gap} ${ROUND}`}
                stroke-dashoffset={-at}
              >
                <title>{`${piece.name}: ${piece.shown}`}</title>
              </circle>
            );
          })}
        </g>
        <text class="big" x={SIZE / 2} y={SIZE / 2} text-anchor="middle">
          {words[0]}
        </text>
        <text x={SIZE / 2} y={SIZE / 2 + 22} text-anchor="middle">
          {words[1]}
        </text>
      </svg>
      <Legend of={of} />
    </div>
  );
}
