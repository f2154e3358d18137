// What an audit has shown of an answer, from the strongest to the weakest. One table for exit codes, reports and the page.
// Keeps: nothing is called checked or proven that was not; whoever adds up several results takes the weakest.

/** What a result rests on. */
export const SHOWN = {
  /** Computed here from signed vertices, from the first one on. */
  checked: 'computed here from the first vertex on',
  /** Covered by the signatures of a quorum, not computed here. */
  proven: 'signed by a quorum',
  /** Computed from, or equal to, something that this node alone says. */
  as_the_node_says: 'as the node says: nothing else confirms it',
  /** No comparison at one order was possible. That accuses nobody. */
  not_comparable: 'not comparable',
  /** The node contradicts itself, the signatures or the rules. Damaged data looks the same. */
  lie: 'the node contradicts what was computed or signed',
} as const;

export type Shown = keyof typeof SHOWN;

const ORDER = Object.keys(SHOWN) as Shown[];

/** The weakest of some results; `checked` of none. */
export const weakest = (all: readonly Shown[]): Shown =>
  all.reduce((worst, one) => (ORDER.indexOf(one) > ORDER.indexOf(worst) ? one : worst), 'checked');
