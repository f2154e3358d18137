// The name that somebody who misspelt one most likely meant.
// Keeps: proposes only what is close, since a wrong proposal is worse than none.

/** Share of a name's characters that may be wrong. */
const MAX_WRONG_SHARE = 1 / 3;

/** Insertions, deletions, replacements and swaps of neighbours that lead from one text to the other. */
function distance(from: string, to: string): number {
  let [last, row]: number[][] = [[], Array.from({ length: to.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      next[j] = Math.min(row![j]! + 1, next[j - 1]! + 1, row![j - 1]! + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (isSwapped) next[j] = Math.min(next[j]!, last![j - 2]! + 1);
    }
    [last, row] = [row, next];
  }
  return row![to.length]!;
}

/** The closest of `names`; the first of several. Undefined if none is close. */
export function nearestName(text: string, names: Iterable<string>): string | undefined {
  let found: string | undefined;
  let least = Math.max(1, Math.floor(text.length * MAX_WRONG_SHARE)) + 1;
  for (const name of names) {
    const wrong = distance(text.toLowerCase(), name.toLowerCase());
    if (wrong < least) [found, least] = [name, wrong];
  }
  return found;
}

/** `; did you mean x?`, or nothing. */
export function didYouMean(text: string, names: Iterable<string>, shown = (name: string) => name): string {
  const name = nearestName(text, names);
  return name === undefined ? '' : `; did you mean ${shown(name)}?`;
}
