// Which validators judged an event of a task together, and alike: counted in the table of pairs when it closes.
// Keeps: each event counts once for each pair, however it was closed, votes in probation included (protocol 6.9).

import { countPair } from '../validators/pairs';
import { Item } from './items';
import { agrees, Vote, voteAt, voterOf } from './votes';

/** Maximum of votes of one event that form pairs, the earliest ones: the cost of closing is quadratic in it. */
export const MAX_JUDGES: u32 = 128;

/** Counts every pair of the first MAX_JUDGES voters on an item that closes. */
export function noteJudges(item: Item, isStructured: bool): void {
  let earlier: u32 = 0;
  for (let link = item.voteHead; link != 0 && earlier < MAX_JUDGES; link = voteAt(link - 1).next) {
    noteJudge(item, voteAt(link - 1), earlier, isStructured);
    earlier++;
  }
}

// Counts a vote together with each earlier one.
function noteJudge(item: Item, vote: Vote, earlier: u32, isStructured: bool): void {
  let link = item.voteHead;
  for (let i: u32 = 0; i < earlier; i++) {
    const other = voteAt(link - 1);
    countPair(voterOf(other), voterOf(vote), isStructured, agrees(other.share, vote.share));
    link = other.next;
  }
}
