// Derived structures of all tables: set up once, rebuilt from the rows after an import.
// Keeps: they follow from the rows alone, so two cores with equal rows behave alike.

import { attachKeys, KEY_ROW_BYTES, rebuildKeys, rebuildKeyTimers } from '../access/keys';
import { rebuildSeenIndex } from '../access/seen-index';
import { attachChallenges, CHALLENGE_ROW_BYTES, rebuildChallenges } from '../cases/challenges';
import { attachJobs, JOB_ROW_BYTES, rebuildJobs } from '../cases/jobs';
import { attachAgents, rebuildAgentIndex } from '../ledger/agents';
import { ID_CHALLENGE, ID_HEX_8, ID_HEX_16, ID_HEX_32, ID_NONE, ID_TEXT } from '../lib/deadline-heap';
import { attachCategories, rebuildCategoryIndex } from '../reputation/categories';
import { attachRouter, rebuildRouter } from '../router/attach';
import { attachItems, ITEM_ROW_BYTES, rebuildItemIndex } from '../settlement/items';
import { attachChanged } from '../state/changed-rows';
import { root } from '../state/root';
import {
  addTimers,
  beginTimers,
  clearTimers,
  TIMER_CHALLENGE,
  TIMER_ITEM,
  TIMER_JOB,
  TIMER_KEY,
  TIMER_RESERVE,
  TIMER_TASK,
  TIMER_VALIDATOR,
} from '../state/timers';
import { rebuildRefills } from '../tasks/reserves';
import { attachTasks, changedTasks, rebuildTaskIndex, TASK_ROW_BYTES } from '../tasks/rows';
import { rebuildTaskTimers } from '../tasks/status';
import { attachCalibrations, rebuildCalibrationIndex } from '../validators/calibration';
import { attachPairs, rebuildPairIndex } from '../validators/pairs';
import { rebuildValidatorTimers } from '../validators/timers';
import { ID_AT, rebuildValidatorOrder, VALIDATOR_ROW_BYTES, Validator } from '../validators/validators';

function attachTimers(): void {
  const r = root();
  const idBytes = <u32>offsetof<Validator>('idBytes');
  beginTimers();
  addTimers(TIMER_ITEM, r.items, ITEM_ROW_BYTES, ID_HEX_32);
  addTimers(TIMER_TASK, r.tasks, TASK_ROW_BYTES, ID_HEX_16);
  addTimers(TIMER_JOB, r.jobs, JOB_ROW_BYTES, ID_HEX_32);
  addTimers(TIMER_CHALLENGE, r.challenges, CHALLENGE_ROW_BYTES, ID_CHALLENGE);
  addTimers(TIMER_VALIDATOR, r.validators, VALIDATOR_ROW_BYTES, ID_TEXT, <u32>ID_AT, idBytes);
  addTimers(TIMER_RESERVE, 0, 0, ID_NONE);
  addTimers(TIMER_KEY, r.keys, KEY_ROW_BYTES, ID_HEX_8);
}

export function attachTables(): void {
  attachRouter();
  attachAgents();
  attachTimers();
  attachItems();
  attachTasks();
  attachChanged(changedTasks(), root().taskStamps, root().taskList);
  attachChallenges();
  attachJobs();
  attachPairs();
  attachCalibrations();
  attachKeys();
  attachCategories();
  rebuildSeenIndex();
}

/** Timers of all tables, from the rows. */
export function rebuildTimers(): void {
  clearTimers();
  rebuildItemIndex();
  rebuildTaskTimers();
  rebuildJobs();
  rebuildChallenges();
  rebuildValidatorTimers();
  rebuildRefills();
  rebuildKeyTimers();
}

export function rebuildTables(): void {
  rebuildAgentIndex();
  rebuildTaskIndex();
  rebuildTimers();
  rebuildCalibrationIndex();
  rebuildPairIndex();
  rebuildSeenIndex();
  rebuildKeys();
  rebuildCategoryIndex();
  rebuildValidatorOrder();
  rebuildRouter();
}
