// Things that happened at some time, put into spans of equal length for a chart over time.
// Keeps: each thing is in exactly one span, spans without any are there too, and there are never more than MAX_SPANS.

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
/** Lengths that people think in, seconds. */
const LENGTHS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, 28 * DAY] as const;
export const MAX_SPANS = 48;

export interface Span<T> {
  /** Unix seconds of its beginning; it ends where the next begins. */
  from: number;
  of: T[];
}

/** The shortest length, in seconds, in which at most MAX_SPANS spans reach from one time to the other. */
export function spanLength(from: number, to: number): number {
  const need = (length: number): number => Math.floor(to / length) - Math.floor(from / length) + 1;
  const fitting = LENGTHS.find((length) => need(length) <= MAX_SPANS);
  // Longer than three years: as many months as it takes.
  const month = LENGTHS[LENGTHS.length - 1]!;
  return fitting ?? month * Math.ceil((to - from) / month / (MAX_SPANS - 1));
}

/** Spans from the first to the last thing; `ends`, Unix seconds, widens them, so that charts of several lists are alike. */
export function spansOf<T>(
  all: readonly T[],
  timeOf: (one: T) => number,
  ends: readonly number[] = [],
): { length: number; spans: Span<T>[] } {
  const times = [...all.map(timeOf), ...ends];
  if (times.length === 0) return { length: MINUTE, spans: [] };
  const first = times.reduce((a, b) => Math.min(a, b));
  const last = times.reduce((a, b) => Math.max(a, b));
  const length = spanLength(first, last);
  const begin = Math.floor(first / length);
  const spans = Array.from(
    { length: Math.floor(last / length) - begin + 1 },
    (_, i): Span<T> => ({ from: (begin + i) * length, of: [] }),
  );
  for (const one of all) spans[Math.floor(timeOf(one) / length) - begin]!.of.push(one);
  return { length, spans };
}
