// Who judged an event of a task together, and alike: told to the table of pairs when the event closes.
// Keeps: each event counts once for each pair, however it was closed, probation votes included (DECISIONS 6.9).

import { countPair } from '../validators/pairs';
import { Item } from './items';
import { isApproval, Vote, voteAt, voterOf } from './votes';

/** Votes of one event, in order of voting, that make pairs: the square of it is what a closing may cost. */
export const MOST_JUDGES: u32 = 128;

/** Counts every pair of the first MOST_JUDGES voters on an item that closes. */
export function noteJudges(item: Item, isStructured: bool): void {
  let earlier: u32 = 0;
  for (let link = item.voteHead; link != 0 && earlier < MOST_JUDGES; link = voteAt(link - 1).next) {
    noteJudge(item, voteAt(link - 1), earlier, isStructured);
    earlier++;
  }
}

// Counts a vote with each of those before it.
function noteJudge(item: Item, vote: Vote, earlier: u32, isStructured: bool): void {
  let link = item.voteHead;
  for (let i: u32 = 0; i < earlier; i++) {
    const other = voteAt(link - 1);
    countPair(voterOf(other), voterOf(vote), isStructured, isApproval(other) == isApproval(vote));
    link = other.next;
  }
}
