// Whether a number that the node shows was computed here.

export type Mark = 'here' | 'says';

/** `own`: as computed here; `doc`: as the node shows it. What neither side has is nobody's number. */
export function markOf(own: object | undefined, doc: object | undefined, name: string): Mark {
  if (!own || !doc || !Object.hasOwn(own, name) || !Object.hasOwn(doc, name)) return 'says';
  const [mine, yours] = [own, doc].map((one) => (one as Record<string, unknown>)[name]);
  return mine !== undefined && mine === yours ? 'here' : 'says';
}
