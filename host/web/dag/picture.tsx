// The DAG as a picture: rows are seats, columns are rounds, lines lead from a vertex to its parents.
// Only one vertex at a time can be reached with Tab; the arrow keys move along rows and between them.

import { useEffect, useMemo, useRef } from 'preact/hooks';
import { plural } from '../text/words.ts';
import { type Edge, type Layout, neighbour, type Place, ROW_HEIGHT, STEP } from './layout.ts';
import type { Marks } from './why-panel.tsx';

const RADIUS = 13;
/** Between two vertices, where they are drawn small. */
const SMALL_STEP = 24;
const SMALL_RADIUS = 7;
/** Where the border between final and not final is shown, as a share of the frame's width. */
const BORDER_AT = 0.6;
const KEYS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']);

function nameOf({ vertex, isFinal, isLeader }: Place, seat: string, isFork: boolean): string {
  const count = vertex.tx_count;
  const what = isLeader ? 'Leader' : 'Vertex';
  const place = `${what} of ${seat}, round ${vertex.round}`;
  const state = isFinal ? `final, order ${vertex.order}` : 'not final yet';
  return `${place}, ${state}, ${count} ${plural(count, 'transaction')}${isFork ? ', a fork' : ''}`;
}

export const stepOf = (isSmall: boolean): number => (isSmall ? SMALL_STEP : STEP);

/** Is a line between two vertices of a step. */
const isMarked = ({ child, parent }: Edge, marks: Marks | undefined): boolean =>
  marks?.has(child.vertex.hash) === true && marks.has(parent.vertex.hash);

/** A straight line within a row, a curve to another row. */
function pathOf({ child, parent }: Edge, radius: number): string {
  const [x1, x2] = [child.x - radius, parent.x + radius];
  const bend = Math.max(14, (x1 - x2) / 2);
  return `M${x1} ${child.y}C${x1 - bend} ${child.y} ${x2 + bend} ${parent.y} ${x2} ${parent.y}`;
}

function Dot({ of, isFork, radius }: { of: Place; isFork: boolean; radius: number }) {
  const { x, y, isLeader, isFinal, vertex } = of;
  const count = vertex.tx_count;
  const small = Math.round(radius * 0.7);
  return (
    <g class={`vertex ${isLeader ? 'leader' : ''} ${isFinal ? 'final' : 'open'} ${isFork ? 'fork' : ''}`}>
      {isLeader && <circle class="ring" cx={x} cy={y} r={radius + Math.max(3, radius / 3)} />}
      <circle class="dot" cx={x} cy={y} r={count > 0 || isLeader ? radius : small} />
      {count > 0 && radius === RADIUS && (
        <text x={x} y={y} dy="0.35em" text-anchor="middle">
          {count > 99 ? '99' : count}
        </text>
      )}
    </g>
  );
}

export function DagPicture(props: {
  layout: Layout;
  /** Names of the rows. */
  seats: readonly string[];
  selected: string | undefined;
  onSelect(hash: string): void;
  /** Keeps the newest vertices in view. */
  isFollowing: boolean;
  /** What a step of an explanation is about; everything else is then in the background. */
  marks?: Marks | undefined;
  /** Vertices of forks. */
  forks: ReadonlySet<string>;
  isSmall: boolean;
}) {
  const { layout, seats, selected, onSelect, isFollowing, marks, forks, isSmall } = props;
  const radius = isSmall ? SMALL_RADIUS : RADIUS;
  const frame = useRef<HTMLDivElement>(null);
  const { places, columns, edges, width, height } = layout;
  const known = useMemo(() => new Map(places.map((place) => [place.vertex.hash, place])), [places]);
  const current = (selected && known.get(selected)) || places.at(-1);
  const seatOf = (row: number): string => seats[row] ?? 'another seat';

  // Runs at each new width. Where the end does not fit, the border between final and not final is worth showing most.
  useEffect(() => {
    const { current: box } = frame;
    if (!isFollowing || !box) return;
    const border = places.findLast(({ isLeader }) => isLeader)?.x ?? width;
    box.scrollLeft = Math.min(width - box.clientWidth, border - BORDER_AT * box.clientWidth);
  }, [isFollowing, width]);

  const move = (event: KeyboardEvent): void => {
    if (!KEYS.has(event.key) || !current) return;
    event.preventDefault();
    const next = neighbour(places, current, event.key);
    onSelect(next.vertex.hash);
    frame.current?.querySelector<SVGAElement>(`[data-hash="${next.vertex.hash}"]`)?.focus();
  };

  return (
    <div class={`dag ${marks ? 'explained' : ''}`}>
      <ul class="dag-seats" aria-hidden="true">
        <li class="dag-corner">Round</li>
        {seats.map((seat) => (
          <li key={seat} style={{ height: `${ROW_HEIGHT}px` }}>
            {seat}
          </li>
        ))}
      </ul>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the key handler serves the vertices inside. */}
      <div class="dag-frame" ref={frame} onKeyDown={move}>
        {/* biome-ignore lint/a11y/useSemanticElements: SVG has no fieldset. */}
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="group" aria-label="DAG">
          <g>
            {columns.map(({ epoch, round, x, width: columnWidth, pitch }, i) => (
              <g key={`${epoch}/${round}`}>
                <rect
                  class={i % 2 === 0 ? 'column' : 'column odd'}
                  x={x - pitch / 2}
                  y="0"
                  width={columnWidth + pitch}
                  height={height}
                />
                <text class="round" x={x + columnWidth / 2} y="24" text-anchor="middle">
                  {i === 0 || columns[i - 1]?.epoch !== epoch
                    ? `${epoch} · ${round}`
                    : isSmall && round % 5 !== 0
                      ? ''
                      : round}
                </text>
                {i > 0 && columns[i - 1]?.epoch !== epoch && (
                  <g class="seal-line">
                    <line x1={x - pitch / 2} x2={x - pitch / 2} y1="0" y2={height} />
                    <text x={x - pitch / 2 - 4} y="38" text-anchor="end">
                      seal
                    </text>
                  </g>
                )}
              </g>
            ))}
            {edges.map((edge) => (
              <path
                key={`${edge.child.vertex.hash}${edge.parent.vertex.hash}`}
                class={`edge ${edge.isOwn ? 'own' : ''} ${isMarked(edge, marks) ? 'marked' : ''}`}
                d={pathOf(edge, radius)}
              />
            ))}
          </g>
          {places.map((place) => {
            const { hash } = place.vertex;
            return (
              <a
                key={hash}
                href={`#/vertex/${hash}`}
                data-hash={hash}
                // Lower case, because SVG attributes are case-sensitive.
                class={marks?.get(hash)}
                tabindex={place === current ? 0 : -1}
                aria-label={nameOf(place, seatOf(place.row), forks.has(hash))}
                aria-current={hash === selected ? 'true' : undefined}
                onFocus={() => onSelect(hash)}
                onClick={(event: MouseEvent) => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                  event.preventDefault();
                  onSelect(hash);
                }}
              >
                <Dot of={place} isFork={forks.has(hash)} radius={radius} />
              </a>
            );
          })}
        </svg>
      </div>
    </div>
  );
}
