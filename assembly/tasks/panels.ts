// Who judges a contested dispute: a panel of announced judges, then all of them, or where too few are announced all
// validators (protocol 15.8).
// Keeps: parties and those who judged the submission are never drawn; whoever was to vote and did not is no judge any more.
// Votes of the panel count among those of all judges.

import { PARAM_DISPUTE_DEADLINE_SECS } from '../abi';
import { assignedOf, eventIdOfItem, Item, markItem, PANEL_NONE, PANEL_SEATS } from '../settlement/items';
import { ASSIGNED_NAMES } from '../settlement/opening';
import { counts, isBarred, isDrawn, isParty } from '../settlement/quorum';
import { hasVoted } from '../settlement/votes';
import { header, param } from '../state/header';
import { drawNames, drawPanel } from '../validators/assignment';
import { excludeNobody, excludeValidator } from '../validators/candidates';
import { hasEnoughJudges, isJudge, missPanel } from '../validators/judges';
import { validatorAt } from '../validators/validators';
import { paidJudges } from './bonds';
import { coverOfTask } from './lanes';
import { deliveryOf, judgingOf, Task, touchTask } from './rows';

// Validators that were noted as silent, and how many: as many as there can be (run/layout.ts).
const SILENT: usize = memory.data(20000, 8);
const SILENT_COUNT: usize = memory.data(8, 8);

// Leaves in the next draw only those who may judge the dispute, or of them those who announced a judge.
function limitDraw(item: Item, isOfJudges: bool): void {
  excludeNobody();
  for (let i: u32 = 0; i < header().validatorCount; i++) {
    const isKeptOut = isParty(item, validatorAt(i).agent) || isBarred(item, i);
    if (isKeptOut || (isOfJudges && !isJudge(i))) excludeValidator(i);
  }
}

/** Until when votes on a dispute are committed, or revealed; the caller starts the timer. */
export function setVoteTime(task: Task, item: Item, untilSecs: u64): void {
  deliveryOf(task).disputeDeadlineSecs = untilSecs;
  item.deadlineSecs = untilSecs;
  markItem(item);
  touchTask(task);
}

/** The votes on a dispute begin, with their commitments. */
export function beginTime(task: Task, item: Item, nowSecs: u64): void {
  setVoteTime(task, item, nowSecs + param(PARAM_DISPUTE_DEADLINE_SECS));
}

/** Draws those who judge a dispute that is contested now; where too few are announced, names among all. */
export function seatJudges(task: Task, item: Item, nowSecs: u64): void {
  limitDraw(item, true);
  const cover = coverOfTask(task);
  if (hasEnoughJudges(task.category, nowSecs, cover)) {
    const size = <u32>paidJudges(task.budget);
    const drawn = drawPanel(eventIdOfItem(item), task.category, size, assignedOf(item), nowSecs, cover);
    item.panel = PANEL_SEATS;
    item.assignedCount = <u16>drawn;
    judgingOf(task).panels = 1;
    return;
  }
  limitDraw(item, false);
  const drawn = drawNames(eventIdOfItem(item), task.category, ASSIGNED_NAMES, assignedOf(item));
  item.assignedCount = <u16>drawn;
}

// True when the validator (index) was to vote on the dispute.
function isAwaited(item: Item, index: u32): bool {
  return item.panel == PANEL_SEATS ? isDrawn(item, index) : counts(item, index);
}

/**
 * The time of those who were to judge is over: whoever neither committed nor voted is noted for `missSilent`. Nobody is where
 * all validators may.
 */
export function noteSilent(item: Item): void {
  let count: u32 = 0;
  if (item.panel != PANEL_NONE) {
    for (let i: u32 = 0; i < header().validatorCount; i++) {
      if (!isAwaited(item, i) || hasVoted(item, i)) continue;
      store<u16>(SILENT + ((<usize>count) << 1), <u16>i);
      count++;
    }
  }
  store<u32>(SILENT_COUNT, count);
}

/** Those that were noted last have missed their vote. */
export function missSilent(category: u32): void {
  const count = load<u32>(SILENT_COUNT);
  for (let at: u32 = 0; at < count; at++) missPanel(<u32>load<u16>(SILENT + ((<usize>at) << 1)), category);
  store<u32>(SILENT_COUNT, 0);
}
