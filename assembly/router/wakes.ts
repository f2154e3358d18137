// Woken labels: an agent became available under them, so the tasks that wait there must be tried again.
// Keeps: a first-in first-out queue, part of the state; a label is in it once. Its turn goes from the oldest task to
// those that waited when it was woken, and there is another turn if it was woken again in the meantime.
// So the work of each step is bounded, and no agent can block another one's label. Where MAX_WAKES labels wait for their turn,
// a further one has none: whoever keeps the queue full keeps nobody from registering.

import { addRow, attachIndex, clearIndex, findRow, KeyIndex, removeRow } from '../lib/key-index';
import { markBytes } from '../state/marks';
import { giveRow, hasRow, RowStore, takeRow } from '../state/row-store';
import { taskAt } from '../tasks/rows';
import {
  figures,
  MAX_WAKES,
  markFigures,
  numberOf,
  RouterFigures,
  WAKE_ROW_BYTES,
  WAKE_SLOTS,
  wakeBase,
  wakeSlotBase,
} from './header';
import { nextWaiting } from './open-tasks';

const INDEX: usize = memory.data(64, 8);
const KEY: usize = memory.data(8, 8);

@unmanaged
export class Wake {
  /** Key of the label (labels.ts). */
  key: u64;
  /** Number of the last task tried. */
  reached: u64;
  /** Number of the youngest task that belongs to this turn; 0 in a free row. */
  end: u64;
  isWokenAgain: u32;
  /** Next in the queue, row + 1; links free rows as well. */
  next: u32;
}

function rows(): RowStore {
  return changetype<RowStore>(changetype<usize>(figures()) + offsetof<RouterFigures>('wakesUsed'));
}

export function wakeAt(row: u32): Wake {
  return changetype<Wake>(wakeBase() + <usize>row * WAKE_ROW_BYTES);
}

function markWake(wake: Wake): void {
  markBytes(changetype<usize>(wake), WAKE_ROW_BYTES);
}

function index(): KeyIndex {
  return changetype<KeyIndex>(INDEX);
}

function findWake(key: u64): i32 {
  store<u64>(KEY, key);
  return findRow(index(), KEY);
}

export function attachWakes(): void {
  attachIndex(index(), wakeSlotBase(), WAKE_SLOTS, wakeBase(), WAKE_ROW_BYTES, 0, 8);
}

export function rebuildWakes(): void {
  clearIndex(index());
  for (let row: u32 = 0; row < rows().used; row++) if (wakeAt(row).end != 0) addRow(index(), row);
}

export function hasWakes(): bool {
  return figures().wakeHead != 0;
}

function append(row: u32): void {
  const f = figures();
  wakeAt(row).next = 0;
  if (f.wakeHead == 0) {
    f.wakeHead = row + 1;
  } else {
    wakeAt(f.wakeTail - 1).next = row + 1;
    markWake(wakeAt(f.wakeTail - 1));
  }
  f.wakeTail = row + 1;
  markWake(wakeAt(row));
  markFigures();
}

/** Wakes a label, unless no task waits under it, or too many are awake. */
export function wake(key: u64): void {
  const known = findWake(key);
  if (known >= 0) {
    wakeAt(<u32>known).isWokenAgain = 1;
    markWake(wakeAt(<u32>known));
    return;
  }
  if (!hasRow(rows(), MAX_WAKES) || nextWaiting(key, 0) < 0) return;
  const row = takeRow(rows(), wakeBase(), WAKE_ROW_BYTES, <u32>offsetof<Wake>('next'));
  const fresh = wakeAt(row);
  fresh.key = key;
  fresh.end = figures().number;
  addRow(index(), row);
  append(row);
}

// The first label has had its turn: it leaves, or moves to the end of the queue when it was woken again.
function endTurn(): void {
  const f = figures();
  const row = f.wakeHead - 1;
  const first = wakeAt(row);
  f.wakeHead = first.next;
  if (f.wakeHead == 0) f.wakeTail = 0;
  markFigures();
  if (first.isWokenAgain == 0) {
    removeRow(index(), row);
    giveRow(rows(), wakeBase(), WAKE_ROW_BYTES, <u32>offsetof<Wake>('next'), row);
    return;
  }
  first.isWokenAgain = 0;
  first.reached = 0;
  first.end = f.number;
  append(row);
}

/** Row of the next task to be tried; -1 when this step only ended the turn of a label. Only while hasWakes. */
export function nextWoken(): i32 {
  const first = wakeAt(figures().wakeHead - 1);
  const row = nextWaiting(first.key, first.reached);
  if (row < 0 || numberOf(taskAt(<u32>row)) > first.end) {
    endTurn();
    return -1;
  }
  first.reached = numberOf(taskAt(<u32>row));
  markWake(first);
  return row;
}
