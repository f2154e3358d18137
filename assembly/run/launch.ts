// The start of the chain's clock, when the manifest gives no launch time: the first T above 0.
// Keeps: whatever was dated before it (genesis, and blocks at T = 0) is dated to it, so that no age,
// deadline or cooldown ever counts from 1970. Runs once; costs the rows that exist at that moment.

import { KEY_ROW_BYTES, keyAt } from '../access/keys';
import { dateSeen } from '../access/seen';
import { agentAt, touchAgent } from '../ledger/agents';
import { RECORD_ROW_BYTES, recordAt } from '../reputation/records';
import { itemAt, itemRowsUsed, markItem } from '../settlement/items';
import { VOTE_ROW_BYTES, voteAt, voteRowsUsed } from '../settlement/votes';
import { BEFORE_LAUNCH_SECS, header } from '../state/header';
import { markBytes } from '../state/marks';
import { taskAt, taskRowsUsed } from '../tasks/rows';
import { shiftTimes } from '../tasks/status';
import { dateWorker, workerOf } from '../tasks/workers';
import { markValidator, validatorAt } from '../validators/validators';
import { rebuildTimers } from './attach';

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
    touchAgent(agent);
  }
}

function dateValidators(): void {
  for (let i: u32 = 0; i < header().validatorCount; i++) {
    const validator = validatorAt(i);
    validator.registeredAtSecs = dated(validator.registeredAtSecs);
    validator.lastDutySecs = dated(validator.lastDutySecs);
    markValidator(validator);
  }
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

function dateRows(): void {
  for (let row: u32 = 0; row < header().recordCount; row++) {
    const record = recordAt(row);
    record.lastActiveSecs = dated(record.lastActiveSecs);
    markBytes(changetype<usize>(record), RECORD_ROW_BYTES);
  }
  for (let row: u32 = 0; row < header().keyCount; row++) {
    const key = keyAt(row);
    key.createdSecs = dated(key.createdSecs);
    key.revokedSecs = dated(key.revokedSecs);
    markBytes(changetype<usize>(key), KEY_ROW_BYTES);
  }
  for (let row: u32 = 0; row < voteRowsUsed(); row++) {
    const vote = voteAt(row);
    vote.castSecs = dated(vote.castSecs);
    markBytes(changetype<usize>(vote), VOTE_ROW_BYTES);
  }
}

/** Starts the clock at a second of consensus time. */
export function launchAt(secs: u64): void {
  header().launchSecs = secs;
  dateAgents();
  dateValidators();
  dateItems();
  dateTasks();
  rebuildTimers();
  dateRows();
  dateSeen(BEFORE_LAUNCH_SECS, secs);
}
