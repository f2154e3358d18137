// A rule that is broken on purpose, and who must notice.

import type { Change } from './changed-text.ts';

export interface Mutant extends Change {
  /** What the rule belongs to. */
  room: string;
  /** What is broken, in words. */
  rule: string;
  /** Files of tests; at least one must fail. */
  tests: readonly string[];
}
