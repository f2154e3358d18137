// A picture of an id: the same id has the same picture everywhere, and two ids rarely look alike.
// Keeps: it is a help for the eye only; what counts is the id beside it.

import { cellsOf, SIDE } from '../text/identicon-cells.ts';

export function Identicon({ id }: { id: string }) {
  const { colour, rows } = cellsOf(id);
  return (
    <svg class="identicon" viewBox={`0 0 ${SIDE} ${SIDE}`} shape-rendering="crispEdges" aria-hidden="true">
      {rows.flatMap((row, y) =>
        row.flatMap((isSet, x) =>
          isSet ? [<rect key={`${x} ${y}`} class={`c${colour}`} x={x} y={y} width="1" height="1" />] : [],
        ),
      )}
    </svg>
  );
}
