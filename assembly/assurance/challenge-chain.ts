// The challenges of a task, as a chain in order of opening (protocol 4.7, 7.5).
// Keeps: an open challenge has a timer and is counted by its task and its target; no two challenges that are open,
// succeeded or failed have the same task, target and offense.

import {
  CHALLENGE_OPEN,
  CHALLENGE_PARTIAL,
  CHALLENGE_SUCCEEDED,
  OFFENSE_DISHONEST_REPLAY,
  PARAM_CHALLENGE_TTL_SECS,
} from '../abi';
import {
  addChallenge,
  Challenge,
  challengeAt,
  challengeEventOf,
  challengeRow,
  touchChallenge,
} from '../cases/challenges';
import { writeChallengeId } from '../cases/ids';
import { copy32 } from '../lib/bytes';
import { param } from '../state/header';
import { startTimer, TIMER_CHALLENGE, timerOf } from '../state/timers';
import { openCase } from '../tasks/retention';
import { Task, taskRow } from '../tasks/rows';
import { markValidator, validatorAt } from '../validators/validators';

const ID: usize = memory.data(16, 8);

/** True when this offense of the target (validator index) in the task is being challenged, or a quorum decided it. */
export function isChallenged(task: Task, target: u32, offense: u32): bool {
  for (let link = task.challengeHead; link != 0; link = challengeAt(link - 1).next) {
    const challenge = challengeAt(link - 1);
    if (challenge.status == CHALLENGE_PARTIAL) continue;
    if (challenge.target == target && challenge.offense == offense) return true;
  }
  return false;
}

/** True when a challenge of the task succeeded. */
export function hasSucceeded(task: Task): bool {
  for (let link = task.challengeHead; link != 0; link = challengeAt(link - 1).next) {
    if (challengeAt(link - 1).status == CHALLENGE_SUCCEEDED) return true;
  }
  return false;
}

/** True when a challenge of the target's vote in the task succeeded. */
export function isVoteRefuted(task: Task, target: u32): bool {
  for (let link = task.challengeHead; link != 0; link = challengeAt(link - 1).next) {
    const challenge = challengeAt(link - 1);
    if (challenge.status != CHALLENGE_SUCCEEDED || challenge.target != target) continue;
    if (challenge.offense != OFFENSE_DISHONEST_REPLAY) return true;
  }
  return false;
}

function chain(task: Task, challenge: Challenge): void {
  const link = challengeRow(challenge) + 1;
  if (task.challengeHead == 0) {
    task.challengeHead = link;
    return;
  }
  let last = challengeAt(task.challengeHead - 1);
  while (last.next != 0) last = challengeAt(last.next - 1);
  last.next = link;
  touchChallenge(last);
}

/**
 * Opens a challenge by the event with this id; the caller has checked hasChallengeRow and moved the bond. `challenger` is
 * an agent index, `target` a validator index.
 */
export function addToTask(
  task: Task,
  eventId: usize,
  challenger: u32,
  target: u32,
  offense: u32,
  bond: u64,
  nowSecs: u64,
): Challenge {
  writeChallengeId(ID, eventId);
  const challenge = addChallenge(ID);
  copy32(challengeEventOf(challenge), eventId);
  challenge.status = CHALLENGE_OPEN;
  challenge.offense = offense;
  challenge.challenger = challenger;
  challenge.target = target;
  challenge.task = taskRow(task) + 1;
  challenge.bond = bond;
  challenge.createdSecs = nowSecs;
  challenge.deadlineSecs = nowSecs + param(PARAM_CHALLENGE_TTL_SECS);
  chain(task, challenge);
  startTimer(timerOf(TIMER_CHALLENGE, challengeRow(challenge)), challenge.deadlineSecs);
  validatorAt(target).openChallenges++;
  markValidator(validatorAt(target));
  openCase(task);
  touchChallenge(challenge);
  return challenge;
}
