// Columns over time or over buckets, as plain SVG; the numbers are in the table of the figure.

import { type Axis, axisOf, type Bar, heightOf, type Scale } from './scale.ts';

const WIDTH = 480;
const HEIGHT = 110;
const MIN_SHOWN = 2;

function box(bar: Bar, axis: Axis, scale: Scale): { y: number; height: number } {
  const top = heightOf(bar.to, axis, scale) * HEIGHT;
  const foot = bar.from === undefined ? 0 : heightOf(bar.from, axis, scale) * HEIGHT;
  const height = bar.to > 0 ? Math.max(MIN_SHOWN, top - foot) : 0;
  return { y: Math.min(HEIGHT - foot - height, HEIGHT - height), height };
}

export function Columns(props: {
  bars: readonly Bar[];
  scale?: Scale;
  /** What stands at the left and right end below the columns. */
  ends: readonly [string, string];
  /** What the upper and lower edge stand for. */
  nameOf(value: number): string;
  /** Columns that are a warning. */
  isBad?(index: number): boolean;
}) {
  const { bars, scale = 'linear', ends, nameOf, isBad } = props;
  const axis = axisOf(bars, scale);
  const step = WIDTH / Math.max(1, bars.length);
  const gap = Math.min(2, step / 5);
  return (
    <div class="chart" aria-hidden="true">
      <p class="edge">{axis ? nameOf(axis.high) : '–'}</p>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <line class="mid" x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        {bars.map((bar, i) => {
          // An empty column is only there to be pointed at where it is a warning.
          if (bar.to <= 0 && !isBad?.(i)) return null;
          const { y, height } = axis ? box(bar, axis, scale) : { y: HEIGHT, height: 0 };
          return (
            <g key={i} class={isBad?.(i) ? 'bad' : undefined}>
              <rect class="slot" x={i * step} y="0" width={step} height={HEIGHT} />
              <rect
                class="bar"
                x={i * step + gap}
                y={y}
                width={Math.max(0.5, step - 2 * gap)}
                height={height}
              />
              <title>{bar.title}</title>
            </g>
          );
        })}
        <line class="foot" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
      </svg>
      <p class="spread soft">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </p>
    </div>
  );
}
