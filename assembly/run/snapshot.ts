// Snapshots: exporting changed leaves, importing leaves, and rebuilding derived structures.
// Keeps: the latest version of every leaf ever exported is the state; only a fresh core accepts an import,
// after which it equals the exporting one, state hash included.

import {
  IMPORT_BAD_LEAF,
  IMPORT_BAD_SUPPLY,
  IMPORT_BAD_TABLE,
  IMPORT_OTHER_CONFIG,
  LEAF_BYTES,
  LEAF_RECORD,
} from '../abi';
import { changedChallenges } from '../cases/challenges';
import { changedJobs } from '../cases/jobs';
import { setOutputBytes } from '../io/output';
import { SUPPLY } from '../ledger/money';
import { clearTouched } from '../ledger/touched';
import { clearChanged } from '../state/changed-rows';
import { header, PHASE_GENESIS } from '../state/header';
import { clearMark, MARK_SNAPSHOT, markBytes, nextMarked } from '../state/marks';
import { IN_BYTES, inputAddress, isReady, OUT_BYTES, root } from '../state/root';
import { changedTasks } from '../tasks/rows';
import { rebuildTables } from './attach';
import { fullSupply, isSaneState } from './audit';
import { hasSameConfig } from './layout';

@unmanaged
class Import {
  isRunning: u32;
}
const IMPORT: usize = memory.data(8, 8);

function leafAt(leaf: u32): usize {
  return root().base + <usize>leaf * LEAF_BYTES;
}

/** core_dirty: how many leaves were written to the out buffer, at most `limit`; 0 = none left. */
export function takeDirty(limit: u32): i32 {
  if (!isReady()) return 0;
  const room = min<u32>(limit, OUT_BYTES / LEAF_RECORD);
  let at = root().output;
  let count: u32 = 0;
  let leaf = nextMarked(0, MARK_SNAPSHOT);
  for (; leaf >= 0 && count < room; leaf = nextMarked(<u32>leaf + 1, MARK_SNAPSHOT)) {
    store<u32>(at, <u32>leaf);
    store<u32>(at, 0, 4);
    memory.copy(at + 8, leafAt(<u32>leaf), LEAF_BYTES);
    clearMark(<u32>leaf, MARK_SNAPSHOT);
    at += LEAF_RECORD;
    count++;
  }
  setOutputBytes(count * LEAF_RECORD);
  return <i32>count;
}

// A core that was only initialised, or one in the middle of an import.
function mayImport(): bool {
  const running = changetype<Import>(IMPORT).isRunning != 0;
  return isReady() && (running || (header().phase == PHASE_GENESIS && header().agentCount == 0));
}

/** core_import: reads leaves from the in buffer; 0 or IMPORT_*. After a failure, discard the instance. */
export function importLeaves(count: u32): i32 {
  if (!mayImport()) return IMPORT_BAD_TABLE;
  if (count > IN_BYTES / LEAF_RECORD) return IMPORT_BAD_LEAF;
  changetype<Import>(IMPORT).isRunning = 1;
  let at = inputAddress();
  for (let i: u32 = 0; i < count; i++) {
    const leaf = load<u32>(at);
    if (leaf >= root().leafCount) return IMPORT_BAD_LEAF;
    memory.copy(leafAt(leaf), at + 8, LEAF_BYTES);
    markBytes(leafAt(leaf), LEAF_BYTES);
    at += LEAF_RECORD;
  }
  return 0;
}

// The host has these leaves already: only the state hash does not.
function clearSnapshotMarks(): void {
  for (let leaf = nextMarked(0, MARK_SNAPSHOT); leaf >= 0; leaf = nextMarked(<u32>leaf + 1, MARK_SNAPSHOT)) {
    clearMark(<u32>leaf, MARK_SNAPSHOT);
  }
}

/** core_import_end: checks the import and rebuilds the derived structures; 0 or IMPORT_*. */
export function endImport(): i32 {
  if (changetype<Import>(IMPORT).isRunning == 0) return IMPORT_BAD_TABLE;
  if (!hasSameConfig()) return IMPORT_OTHER_CONFIG;
  if (!isSaneState()) return IMPORT_BAD_TABLE;
  if (fullSupply() != SUPPLY || header().supply != SUPPLY) return IMPORT_BAD_SUPPLY;

  rebuildTables();
  clearTouched();
  clearChanged(changedTasks());
  clearChanged(changedChallenges());
  clearChanged(changedJobs());
  clearSnapshotMarks();
  changetype<Import>(IMPORT).isRunning = 0;
  return 0;
}
