// Snapshots: which pages changed, importing pages, and rebuilding derived structures. The host reads and writes the pages themselves.
// Keeps: the latest version of every page ever exported is the state; only a fresh core accepts an import,
// after which it equals the exporting one, state hash included.

import {
  IMPORT_BAD_LEAF,
  IMPORT_BAD_SUPPLY,
  IMPORT_BAD_TABLE,
  IMPORT_OTHER_CONFIG,
  LEAF_BYTES,
  LEAF_HASH_BYTES,
  PAGE_LEAVES,
} from '../abi';
import { changedChallenges } from '../cases/challenges';
import { changedJobs } from '../cases/jobs';
import { setOutputBytes } from '../io/output';
import { SUPPLY } from '../ledger/money';
import { clearTouched } from '../ledger/touched';
import { isZero } from '../lib/bytes';
import { clearChanged } from '../state/changed-rows';
import { header, PHASE_GENESIS } from '../state/header';
import { clearMark, MARK_SNAPSHOT, markBytes, nextMarked } from '../state/marks';
import { IN_BYTES, inputAddress, isReady, OUT_BYTES, root } from '../state/root';
import { adoptHashes } from '../state/tree';
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

function pageEnd(page: u32): u32 {
  return min<u32>((page + 1) * PAGE_LEAVES, root().leafCount);
}

/** core_dirty: how many page numbers were written to the out buffer, at most `limit`; 0 = none left. */
export function takeDirty(limit: u32): i32 {
  if (!isReady()) return 0;
  const room = min<u32>(limit, OUT_BYTES >> 2);
  let count: u32 = 0;
  let leaf = nextMarked(0, MARK_SNAPSHOT);
  while (leaf >= 0 && count < room) {
    const page = <u32>leaf / PAGE_LEAVES;
    store<u32>(root().output + ((<usize>count) << 2), page);
    for (let i = <u32>leaf; i < pageEnd(page); i++) clearMark(i, MARK_SNAPSHOT);
    leaf = nextMarked(pageEnd(page), MARK_SNAPSHOT);
    count++;
  }
  setOutputBytes(count << 2);
  return <i32>count;
}

// A core that was only initialised, or one in the middle of an import.
function mayImport(): bool {
  const running = changetype<Import>(IMPORT).isRunning != 0;
  return isReady() && (running || (header().phase == PHASE_GENESIS && header().agentCount == 0));
}

// What core_init wrote is not of the snapshot: a page that is missing there is zero.
function beginImport(): void {
  for (let leaf = nextMarked(0, MARK_SNAPSHOT); leaf >= 0; leaf = nextMarked(<u32>leaf + 1, MARK_SNAPSHOT)) {
    memory.fill(leafAt(<u32>leaf), 0, LEAF_BYTES);
    memory.fill(root().nodes + <usize>leaf * LEAF_HASH_BYTES, 0, LEAF_HASH_BYTES);
    markBytes(leafAt(<u32>leaf), LEAF_BYTES);
  }
  changetype<Import>(IMPORT).isRunning = 1;
}

/** core_import: takes over pages that are in the state, by their numbers in the in buffer; 0 or IMPORT_*. After a failure, discard the instance. */
export function importPages(count: u32): i32 {
  if (!mayImport()) return IMPORT_BAD_TABLE;
  if (count > IN_BYTES >> 2) return IMPORT_BAD_LEAF;
  if (changetype<Import>(IMPORT).isRunning == 0) beginImport();
  for (let i: u32 = 0; i < count; i++) {
    const page = load<u32>(inputAddress() + ((<usize>i) << 2));
    if (page > (root().leafCount - 1) / PAGE_LEAVES) return IMPORT_BAD_LEAF;
    for (let leaf = page * PAGE_LEAVES; leaf < pageEnd(page); leaf++) {
      if (!isZero(leafAt(leaf), LEAF_BYTES)) markBytes(leafAt(leaf), LEAF_BYTES);
    }
  }
  return 0;
}

// The host has these leaves already: only the state hash does not.
function clearSnapshotMarks(): void {
  for (let leaf = nextMarked(0, MARK_SNAPSHOT); leaf >= 0; leaf = nextMarked(<u32>leaf + 1, MARK_SNAPSHOT)) {
    clearMark(<u32>leaf, MARK_SNAPSHOT);
  }
}

/** core_import_end: checks the import and rebuilds the derived structures; 0 or IMPORT_*. `isHashed`: the hashes of all leaves are in the tree. */
export function endImport(isHashed: bool): i32 {
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
  if (isHashed) adoptHashes();
  changetype<Import>(IMPORT).isRunning = 0;
  return 0;
}
