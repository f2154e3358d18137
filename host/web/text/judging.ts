// How far the judges of a contested dispute are, in words.
// Keeps: of a panel it is known how many it has; where all announced judges or all validators may vote it is not.

import type { Task } from '../../client/index.ts';

type Judged = Pick<Task, 'dispute_judges' | 'dispute_panels'>;

/** How far the judges of a dispute are: "2 of 5 have committed a vote", then how many have shown theirs. */
export function judgingOf({ dispute_judges: judges = [], dispute_panels: panels }: Judged): string {
  if (judges.length === 0) return 'Judges decide: nobody has committed a vote';
  const committed = judges.filter(({ vote }) => vote !== 'none').length;
  const revealed = judges.filter(({ vote }) => vote === 'revealed').length;
  const of = panels === 1 ? `${committed} of ${judges.length}` : `${committed} so far`;
  const have = committed === 1 ? 'has' : 'have';
  return `Judges decide: ${of} ${have} committed a vote${revealed > 0 ? `, ${revealed} of them revealed` : ''}`;
}
