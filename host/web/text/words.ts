// API names as words, and ids shortened for reading.

/** `902313e1…cd913`; short names stay whole. */
export function shortId(id: string): string {
  return id.length > 20 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}

/** `task_posted` -> `Task posted`. */
export function words(name: string): string {
  const text = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_:]/g, ' ')
    .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Basis points: `5123` -> `51.23 %`. */
export function formatBp(bp: number): string {
  const text = `${Math.floor(bp / 100)}.${String(bp % 100).padStart(2, '0')}`;
  return `${text.replace(/\.?0+$/, '')} %`;
}

/** A ratio 0..1 as a percentage. */
export const formatRatio = (ratio: number): string => formatBp(Math.round(ratio * 10_000));

export const plural = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many);
