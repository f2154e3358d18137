// The start of the chain's clock, when the manifest gives no launch time: the first T above 0.
// Keeps: everything dated before it (genesis, and blocks at T = 0) gets its date, so that no age, deadline or
// cooldown counts from 1970. Runs once, in O(rows that exist then).

import { KEY_ROW_BYTES, keyAt } from '../access/keys';
import { dateSeen } from '../access/seen';
import { dateCanaries } from '../cases/canaries';
import { challengeAt, challengeRowsUsed, touchChallenge } from '../cases/challenges';
import { jobAt, jobRowsUsed, touchJob } from '../cases/jobs';
import { dateStanding } from '../credit/standing';
import { dateWorker, workerOf } from '../credit/workers';
import { agentAt, touchAgent } from '../ledger/agents';
import { RECORD_ROW_BYTES, recordAt } from '../reputation/records';
import { itemAt, itemRowsUsed, markItem } from '../settlement/items';
import { COMMITMENT, VOTE_ROW_BYTES, voteAt, voteRowsUsed } from '../settlement/votes';
import { AGENTS, BEFORE_LAUNCH_SECS, capacity, header } from '../state/header';
import { markBytes } from '../state/marks';
import { shiftRefills } from '../tasks/reserves';
import { taskAt, taskRowsUsed } from '../tasks/rows';
import { shiftTimes } from '../tasks/status';
import { CALIBRATION_ROW_BYTES, calibrationAt } from '../validators/calibration';
import { markValidator, validatorAt } from '../validators/validators';
import { rebuildTimers } from './attach';

// A deadline set before the start.
function shifted(secs: u64): u64 {
  return secs == 0 ? 0 : secs + header().launchSecs - BEFORE_LAUNCH_SECS;
}

function dated(stampSecs: u64): u64 {
  return stampSecs == BEFORE_LAUNCH_SECS ? header().launchSecs : stampSecs;
}

function dateAgents(): void {
  for (let i: u32 = 0; i < header().agentCount; i++) {
    const agent = agentAt(i);
    agent.firstSeenSecs = <u32>min<u64>(dated(agent.firstSeenSecs), u32.MAX_VALUE);
    agent.lastActiveSecs = dated(agent.lastActiveSecs);
    agent.stakedSinceSecs = dated(agent.stakedSinceSecs);
    agent.faucetAtSecs = dated(agent.faucetAtSecs);
    dateStanding(i, BEFORE_LAUNCH_SECS, header().launchSecs);
    touchAgent(agent);
  }
}

function dateValidators(): void {
  for (let i: u32 = 0; i < header().validatorCount; i++) {
    const validator = validatorAt(i);
    validator.registeredAtSecs = dated(validator.registeredAtSecs);
    validator.lastDutySecs = dated(validator.lastDutySecs);
    validator.suspendedSecs = dated(validator.suspendedSecs);
    validator.suspendedUntilSecs = shifted(validator.suspendedUntilSecs);
    validator.belowSinceSecs = dated(validator.belowSinceSecs);
    validator.activatedSecs = dated(validator.activatedSecs);
    validator.probationSecs = dated(validator.probationSecs);
    validator.nextKeySecs = shifted(validator.nextKeySecs);
    validator.nextRecoverySecs = shifted(validator.nextRecoverySecs);
    markValidator(validator);
  }
}

function dateCalibrations(): void {
  for (let row: u32 = 0; row < header().calibrationCount; row++) {
    const calibration = calibrationAt(row);
    calibration.suspendedUntilSecs = shifted(calibration.suspendedUntilSecs);
    markBytes(changetype<usize>(calibration), CALIBRATION_ROW_BYTES);
  }
}

// Replay jobs, challenges, canaries.
function dateCases(): void {
  for (let row: u32 = 0; row < jobRowsUsed(); row++) {
    const job = jobAt(row);
    if (job.status == 0) continue;
    job.createdSecs = dated(job.createdSecs);
    job.deadlineSecs = shifted(job.deadlineSecs);
    job.closedSecs = dated(job.closedSecs);
    touchJob(job);
  }
  for (let row: u32 = 0; row < challengeRowsUsed(); row++) {
    const challenge = challengeAt(row);
    if (challenge.status == 0) continue;
    challenge.createdSecs = dated(challenge.createdSecs);
    challenge.deadlineSecs = shifted(challenge.deadlineSecs);
    challenge.resolvedSecs = dated(challenge.resolvedSecs);
    touchChallenge(challenge);
  }
  dateCanaries(BEFORE_LAUNCH_SECS, header().launchSecs);
}

function dateItems(): void {
  for (let row: u32 = 0; row < itemRowsUsed(); row++) {
    const item = itemAt(row);
    if (item.kind == 0 || item.createdSecs != BEFORE_LAUNCH_SECS) continue;
    item.deadlineSecs += header().launchSecs - item.createdSecs;
    item.createdSecs = header().launchSecs;
    markItem(item);
  }
}

function dateTasks(): void {
  const shiftSecs = header().launchSecs - BEFORE_LAUNCH_SECS;
  for (let row: u32 = 0; row < taskRowsUsed(); row++) {
    if (taskAt(row).status != 0) shiftTimes(taskAt(row), shiftSecs);
  }
  for (let i: u32 = 0; i < header().agentCount; i++) {
    dateWorker(workerOf(i), BEFORE_LAUNCH_SECS, header().launchSecs);
  }
}

function dateRecord(row: u32): void {
  const record = recordAt(row);
  record.lastActiveSecs = dated(record.lastActiveSecs);
  markBytes(changetype<usize>(record), RECORD_ROW_BYTES);
}

function dateRows(): void {
  for (let agent: u32 = 0; agent < header().agentCount; agent++) dateRecord(agent);
  for (let i: u32 = 0; i < header().recordCount; i++) dateRecord(capacity(AGENTS) + i);
  for (let row: u32 = 0; row < header().keysUsed; row++) {
    const key = keyAt(row);
    key.createdSecs = dated(key.createdSecs);
    markBytes(changetype<usize>(key), KEY_ROW_BYTES);
  }
  for (let row: u32 = 0; row < voteRowsUsed(); row++) {
    const vote = voteAt(row);
    if (vote.share == COMMITMENT) continue;
    vote.castSecs = dated(vote.castSecs);
    markBytes(changetype<usize>(vote), VOTE_ROW_BYTES);
  }
}

/** Starts the clock at a second of consensus time. */
export function launchAt(secs: u64): void {
  header().launchSecs = secs;
  dateAgents();
  dateValidators();
  dateCalibrations();
  dateCases();
  dateItems();
  dateTasks();
  shiftRefills(secs - BEFORE_LAUNCH_SECS);
  rebuildTimers();
  dateRows();
  dateSeen(BEFORE_LAUNCH_SECS, secs);
}
