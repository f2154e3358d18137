// The course of the votes on a contested dispute: they are committed, then revealed, then counted; where a panel was not
// enough, once more with all announced judges (protocol 15.6 to 15.8).
// Keeps: no vote is revealed before the commitments are over, and none is committed after; what is not revealed is a miss and
// counts nowhere; nothing is decided before all that was committed is revealed, or the time for it is over. Votes that count
// for nothing but a probation have a minute after the others: who decides nothing holds nobody up.

import {
  PARAM_DISPUTE_DEADLINE_SECS,
  RESOLUTION_DISPUTE_DEADLINE,
  RESOLUTION_DISPUTE_QUORUM,
  RESULT_COMMIT_COUNT,
  RESULT_COMMIT_DEADLINE,
  RESULT_COMMIT_IS_REVEALING,
  RESULT_COMMIT_JUDGES,
  RESULT_VERIFY_REASON,
  RESULT_VERIFY_STATUS,
  SETTLED_EXPIRED,
  SETTLED_NONE,
  SETTLED_REJECTED,
  SETTLED_VERIFIED,
  VOTE_ADJUSTED,
  VOTE_SETTLED,
} from '../abi';
import { setResult } from '../io/frame';
import { hasSealed, takeSealed } from '../settlement/commitments';
import { Item, PANEL_SEATS } from '../settlement/items';
import {
  askAllJudges,
  countVotes,
  decidedShare,
  needsAllJudges,
  tally,
  UNDECIDED,
} from '../settlement/quorum';
import { removeVotes, voteAt, voterOf } from '../settlement/votes';
import { param } from '../state/header';
import { missPanel } from '../validators/judges';
import { decideDispute, shareWithoutQuorum } from './disputes';
import { beginTime, missSilent, noteSilent, setVoteTime } from './panels';
import { judgingOf, Task } from './rows';
import { rearm } from './status';

/** A day, as the worker has for its answer: revealing takes no thought, but a node may be down. */
const REVEAL_SECS: u64 = 86400;
/** What those whose votes do not count have, from the last reveal on that does. */
const UNCOUNTED_SECS: u64 = 60;

/** Seconds for the reveals: a network with short disputes has no more for them than for the votes. */
export function revealSecs(): u64 {
  return min<u64>(REVEAL_SECS, param(PARAM_DISPUTE_DEADLINE_SECS));
}

// After countVotes.
function beginReveals(task: Task, item: Item, nowSecs: u64): void {
  const secs = tally().sealed != 0 ? revealSecs() : min<u64>(UNCOUNTED_SECS, revealSecs());
  item.isRevealing = 1;
  setVoteTime(task, item, nowSecs + secs);
  rearm(task);
}

// All that counts is revealed; what else was committed is waited for a little longer.
function awaitUncounted(task: Task, item: Item, nowSecs: u64): void {
  setVoteTime(task, item, min<u64>(item.deadlineSecs, nowSecs + UNCOUNTED_SECS));
  rearm(task);
}

// Everybody who may vote on the dispute has committed, or has revealed on its panel; after countVotes.
function isComplete(): bool {
  return tally().participants + tally().sealed >= tally().judges;
}

/** A vote was committed: when everybody who may vote has, the reveals begin. Sets the results of the command. */
export function noteCommitment(task: Task, item: Item, nowSecs: u64): void {
  countVotes(item, nowSecs);
  if (isComplete()) beginReveals(task, item, nowSecs);
  setResult(RESULT_COMMIT_COUNT, item.voteCount);
  setResult(RESULT_COMMIT_JUDGES, tally().judges);
  setResult(RESULT_COMMIT_IS_REVEALING, item.isRevealing);
  setResult(RESULT_COMMIT_DEADLINE, item.deadlineSecs);
}

// What was committed and not revealed is missed, whoever was asked: a choice to be silent after others have spoken is worth
// as much as an echo. Frees the chain.
function missSealed(chain: u32, category: u32): void {
  for (let link = chain; link != 0; link = voteAt(link - 1).next) {
    missPanel(voterOf(voteAt(link - 1)), category);
  }
  removeVotes(chain);
}

// All announced judges are asked, if somebody is left: true. The votes are counted among them all.
function asksMore(task: Task, item: Item, nowSecs: u64): bool {
  askAllJudges(item, nowSecs);
  if (isComplete()) return false;
  judgingOf(task).panels = 2;
  beginTime(task, item, nowSecs);
  rearm(task);
  return true;
}

/** All votes are revealed, or the time for it is over: decides the dispute, or asks all announced judges. SETTLED_*, NONE if so. */
export function endVotes(task: Task, item: Item, nowSecs: u64): u32 {
  const category = task.category;
  countVotes(item, nowSecs);
  let share = decidedShare();
  const isPanel = item.panel == PANEL_SEATS;
  const isNotEnough = needsAllJudges(share);
  if (isPanel || share == UNDECIDED) noteSilent(item);
  const sealed = takeSealed(item);
  if (isPanel) {
    missSilent(category);
    missSealed(sealed, category);
  }
  if (isNotEnough) {
    if (asksMore(task, item, nowSecs)) return SETTLED_NONE;
    share = decidedShare();
  }
  if (share == UNDECIDED) decideDispute(task, shareWithoutQuorum(task), RESOLUTION_DISPUTE_DEADLINE, nowSecs);
  else decideDispute(task, share, RESOLUTION_DISPUTE_QUORUM, nowSecs);
  // After the decision, so that nobody's silence lowers the weight that it takes, or that its event names.
  missSilent(category);
  if (!isPanel) missSealed(sealed, category);
  if (share == UNDECIDED) return SETTLED_EXPIRED;
  return share != 0 ? SETTLED_VERIFIED : SETTLED_REJECTED;
}

/** A vote was revealed, and the votes are counted: the last one ends them. Sets what became of the dispute in the results of the command. */
export function noteReveal(task: Task, item: Item, nowSecs: u64): void {
  if (hasSealed(item)) {
    if (tally().sealed == 0) awaitUncounted(task, item, nowSecs);
    return;
  }
  const reason = endVotes(task, item, nowSecs);
  if (reason == <u32>SETTLED_NONE) return;
  setResult(RESULT_VERIFY_STATUS, judgingOf(task).share != 0 ? VOTE_SETTLED : VOTE_ADJUSTED);
  setResult(RESULT_VERIFY_REASON, reason);
}

/** The time of the votes on a contested dispute is over: of the commitments, or of the reveals. */
export function endVoteTime(task: Task, item: Item, nowSecs: u64): void {
  if (item.isRevealing == 0 && hasSealed(item)) {
    countVotes(item, nowSecs);
    beginReveals(task, item, nowSecs);
  } else endVotes(task, item, nowSecs);
}
