// The end of a replay job: its reward, the task's recognised value, and the challenges that a mismatch opens
// (protocol 7.5, 7.6).
// Keeps: the reward leaves escrow exactly once; a value held for the replay is recognised or denied. Emits
// replay_closed, then challenge_opened for each validator that voted for completion.

import {
  ACTION_OPEN_CHALLENGE,
  ACTION_SLASH,
  EVENT_CHALLENGE_OPENED,
  EVENT_REPLAY_CLOSED,
  GENERATION_HELD,
  JOB_COMPLETED,
  JOB_FAILED,
  OFFENSE_FRAUDULENT_APPROVAL,
  OUT_CHALLENGE_OPENED_BYTES,
  OUT_CHALLENGE_OPENED_DEADLINE,
  OUT_REPLAY_CLOSED_ACTION,
  OUT_REPLAY_CLOSED_BYTES,
  OUT_REPLAY_CLOSED_MISMATCHES,
  OUT_REPLAY_CLOSED_OUTCOME,
  OUT_REPLAY_CLOSED_PAID,
  OUT_REPLAY_CLOSED_RETURNED,
  OUT_REPLAY_CLOSED_SEVERITY_BP,
  OUT_REPLAY_CLOSED_STATUS,
  REPLAY_COMPLETE,
  REPLAY_DISPUTED,
} from '../abi';
import { hasChallengeRow } from '../cases/challenges';
import { executorOf, Job, jobIdOf, jobRow, touchJob } from '../cases/jobs';
import { beginJobEvent, eventIdOf } from '../io/system-event';
import { Account, balanceOf, move, poolOf, replayEscrow } from '../ledger/money';
import { isApproval, voteAt, voterOf } from '../settlement/votes';
import { stopTimer, TIMER_JOB, timerOf } from '../state/timers';
import { denyValue, recognizeValue } from '../tasks/recognition';
import { beginReplayEvent } from '../tasks/replays';
import { closeCase } from '../tasks/retention';
import { deliveryOf, panelMember, Task, taskAt } from '../tasks/rows';
import { approvedOnPanel, hasApproved } from '../tasks/verifiers';
import { operatorOf, validatorAt } from '../validators/validators';
import { addToTask, isChallenged } from './challenge-chain';
import { writeChallengeHead } from './images';
import { Verdict } from './replay-verdict';

// Row, timer and reward; the caller closes the case.
function settleRow(job: Job, status: u32, rewardTo: Account, nowSecs: u64): void {
  stopTimer(timerOf(TIMER_JOB, jobRow(job)));
  move(replayEscrow(), rewardTo, job.reward);
  job.status = status;
  job.closedSecs = nowSecs;
  touchJob(job);
}

function emitReplayClosed(job: Job, paid: u64, returned: u64): void {
  const record = beginReplayEvent(EVENT_REPLAY_CLOSED, 'replay_closed', job, OUT_REPLAY_CLOSED_BYTES);
  store<u32>(record, job.status, OUT_REPLAY_CLOSED_STATUS);
  store<u32>(record, job.outcome, OUT_REPLAY_CLOSED_OUTCOME);
  store<u32>(record, job.action, OUT_REPLAY_CLOSED_ACTION);
  store<u32>(record, job.severityBp, OUT_REPLAY_CLOSED_SEVERITY_BP);
  store<u32>(record, job.mismatches, OUT_REPLAY_CLOSED_MISMATCHES);
  store<u64>(record, paid, OUT_REPLAY_CLOSED_PAID);
  store<u64>(record, returned, OUT_REPLAY_CLOSED_RETURNED);
}

// A challenge opened by the protocol has the executor as challenger and no bond.
function openProtocol(task: Task, job: Job, target: u32, nowSecs: u64): void {
  if (!hasChallengeRow() || isChallenged(task, target, OFFENSE_FRAUDULENT_APPROVAL)) return;
  const challenger = validatorAt(executorOf(job)).agent;
  const record = beginJobEvent(
    EVENT_CHALLENGE_OPENED,
    'challenge_opened',
    jobIdOf(job),
    OUT_CHALLENGE_OPENED_BYTES,
  );
  const offense = OFFENSE_FRAUDULENT_APPROVAL;
  const challenge = addToTask(task, eventIdOf(record), challenger, target, offense, 0, nowSecs);
  challenge.isProtocol = 1;
  writeChallengeHead(record, challenge);
  store<u64>(record, challenge.deadlineSecs, OUT_CHALLENGE_OPENED_DEADLINE);
}

// Everybody who voted for completion, the panel first, each once.
function challengeVerifiers(task: Task, job: Job, nowSecs: u64): void {
  const delivery = deliveryOf(task);
  for (let position: u32 = 0; position < delivery.panelCount; position++) {
    if (hasApproved(task, position)) openProtocol(task, job, panelMember(delivery, position), nowSecs);
  }
  for (let link = task.voteHead; link != 0; link = voteAt(link - 1).next) {
    const vote = voteAt(link - 1);
    if (!isApproval(vote) || approvedOnPanel(task, voterOf(vote))) continue;
    openProtocol(task, job, voterOf(vote), nowSecs);
  }
}

// A value that a successful challenge has denied in the meantime stays denied.
function endClean(task: Task, nowSecs: u64): void {
  task.replay = <u8>REPLAY_COMPLETE;
  if (task.generation == GENERATION_HELD) recognizeValue(task, nowSecs);
}

/** Closes a job with the verdict of its executor, who is paid. The caller has checked that caseStepBytes fit. */
export function completeJob(job: Job, verdict: Verdict, nowSecs: u64): void {
  const task = taskAt(job.task - 1);
  settleRow(job, JOB_COMPLETED, balanceOf(operatorOf(validatorAt(executorOf(job)))), nowSecs);
  job.outcome = verdict.outcome;
  job.action = verdict.action;
  job.severityBp = verdict.severityBp;
  job.mismatches = verdict.mismatches;
  const isDisputed = job.action == ACTION_OPEN_CHALLENGE || job.action == ACTION_SLASH;
  if (isDisputed) {
    task.replay = <u8>REPLAY_DISPUTED;
    denyValue(task);
  } else {
    endClean(task, nowSecs);
  }
  emitReplayClosed(job, job.reward, 0);
  if (isDisputed) challengeVerifiers(task, job, nowSecs);
  closeCase(task);
}

/** Closes a job that nobody executed: the reward goes to the replay reserve, the task's value is recognised. */
export function failJob(job: Job, nowSecs: u64): void {
  const task = taskAt(job.task - 1);
  settleRow(job, JOB_FAILED, poolOf(job.reserve), nowSecs);
  endClean(task, nowSecs);
  emitReplayClosed(job, 0, job.reward);
  closeCase(task);
}
