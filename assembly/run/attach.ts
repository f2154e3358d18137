// Derived structures of all tables: pointed at their memory once, rebuilt from the rows after an import.
// Keeps: whatever is derived follows from the rows alone, so two cores with equal rows act alike.

import { attachKeys, rebuildKeyIndex } from '../access/keys';
import { attachSeen, rebuildSeenIndex } from '../access/seen';
import { attachAgents, rebuildAgentIndex } from '../ledger/agents';
import { attachCategories, rebuildCategoryIndex } from '../reputation/categories';
import { attachRouter, rebuildRouter } from '../router/attach';
import { attachItems, ITEM_ROW_BYTES, rebuildItemIndex } from '../settlement/items';
import { attachTimers, clearTimers } from '../state/timers';
import { rebuildRefills } from '../tasks/reserves';
import { attachTasks, rebuildTaskIndex, TASK_ROW_BYTES } from '../tasks/rows';
import { rebuildTaskTimers } from '../tasks/status';
import { attachCalibrations, rebuildCalibrationIndex } from '../validators/calibration';
import { rebuildValidatorOrder } from '../validators/validators';

export function attachTables(): void {
  attachRouter();
  attachAgents();
  attachTimers(ITEM_ROW_BYTES, TASK_ROW_BYTES);
  attachItems();
  attachTasks();
  attachCalibrations();
  attachSeen();
  attachKeys();
  attachCategories();
}

/** Timers of all tables, from the rows. */
export function rebuildTimers(): void {
  clearTimers();
  rebuildItemIndex();
  rebuildTaskTimers();
  rebuildRefills();
}

export function rebuildTables(): void {
  rebuildAgentIndex();
  rebuildTaskIndex();
  rebuildTimers();
  rebuildCalibrationIndex();
  rebuildSeenIndex();
  rebuildKeyIndex();
  rebuildCategoryIndex();
  rebuildValidatorOrder();
  rebuildRouter();
}
