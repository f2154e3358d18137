// Heights of columns, as parts of the height of a chart.
// Keeps: whatever is not zero is seen, and nothing is higher than the chart.

/** A column of a chart: `to` is its value; with `from` it floats, from one value to another. */
export interface Bar {
  from?: number;
  to: number;
  /** Says what the column is, on hover. */
  title: string;
}

export type Scale = 'linear' | 'log';

/** The smallest power of ten, or twice or five times one, that is not below `value`. */
export function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= value) ?? 10 * power;
}

/** The largest power of ten that is not above `value`. */
const powerBelow = (value: number): number => 10 ** Math.floor(Math.log10(value));

export interface Axis {
  low: number;
  high: number;
}

/** What the height of a chart stands for; undefined without a column. */
export function axisOf(bars: readonly Bar[], scale: Scale): Axis | undefined {
  const values = bars
    .flatMap(({ from, to }) => (from === undefined ? [to] : [from, to]))
    .filter((v) => v > 0);
  if (values.length === 0) return undefined;
  return { low: scale === 'log' ? powerBelow(Math.min(...values)) : 0, high: roundUp(Math.max(...values)) };
}

export function heightOf(value: number, { low, high }: Axis, scale: Scale): number {
  if (value <= 0) return 0;
  const part = scale === 'log' ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.min(1, Math.max(0, part));
}
