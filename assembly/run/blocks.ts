// Blocks and vertices: the clock, deadlines, and the end of a block.
// Keeps: T never goes back; deadlines fire with the first vertex of a block, before its entries
// (protocol 1.3, 1.4); at the end of each block the sum over all accounts is the supply.

import {
  IN_BLOCK_HASH,
  IN_BLOCK_INDEX,
  IN_BLOCK_TIME_MS,
  IN_RUN_PASSED,
  IN_RUN_SCORE_BP,
  IN_VERTEX_ENTRIES,
  IN_VERTEX_ORDER,
  IN_VERTEX_REVISION,
  IN_VERTEX_SEAT,
  OUT_TOUCHED,
  OUT_TOUCHED_AGENTS,
  OUT_TOUCHED_COUNT,
  VALIDATOR_ACTIVE,
} from '../abi';
import { expireTxids } from '../access/seen';
import { releaseCases, writeChangedCases } from '../assurance/block-end';
import { appendRecord, BAD, DONE, FULL, hasRoom, roomLeft } from '../io/output';
import { SUPPLY } from '../ledger/money';
import { clearTouched, takeTouched, touchedLeft } from '../ledger/touched';
import { copy32 } from '../lib/bytes';
import { rollGenerated } from '../reputation/generated';
import {
  blockHash,
  daySecs,
  header,
  nowSecs,
  PHASE_BLOCK,
  PHASE_IDLE,
  PHASE_OPENING,
  PHASE_VERTEX,
} from '../state/header';
import { releaseTasks, writeChangedTasks } from '../tasks/block-end';
import { endRun, isDueRun } from '../tasks/contract-runs';
import { taskStepBytes } from '../tasks/deadlines';
import { dueRun } from '../tasks/due-runs';
import { rollAssured } from '../validators/assured-window';
import { rollClusters } from '../validators/clusters';
import { emitExclusions } from '../validators/exclusion';
import { noteRevision } from '../validators/revisions';
import { emitResumptions, keepLostWrites } from '../validators/seat-resumption';
import { seatValidator } from '../validators/seats';
import { emitSeatWeights, noteHeard, passTime } from '../validators/silence';
import { watchStakes } from '../validators/stake-watch';
import { countStatus, noteDuty, validatorAt } from '../validators/validators';
import { rollWeights } from '../validators/weight';
import { emitGenesisOnce, GENESIS_EVENT_BYTES } from './genesis';
import { launchAt } from './launch';
import { continueRouting, NOTIFY_ROUTER_BYTES, notifyRouter } from './routing';
import { fireTimers } from './timers';

const MAX_BP: u32 = 10000;
const MAX_TIME_MS: u64 = 281474976710655;
const TOUCHED_HEAD: u32 = OUT_TOUCHED_AGENTS;
// protocol 6.12: bootstrap ends for good at the first block at which both conditions hold.
const BOOTSTRAP_DAYS: u64 = 90;
const BOOTSTRAP_VALIDATORS: u32 = 20;

function endBootstrap(secs: u64): void {
  const h = header();
  if (h.bootstrapOver != 0 || h.launchSecs == 0) return;
  if (secs < h.launchSecs + BOOTSTRAP_DAYS * daySecs()) return;
  if (countStatus(VALIDATOR_ACTIVE) >= BOOTSTRAP_VALIDATORS) h.bootstrapOver = 1;
}

/** OP_BLOCK: sets the clock and expires what depends on it, except for the deadlines of events. */
export function openBlock(record: usize): i32 {
  const h = header();
  const timeMs = load<u64>(record, IN_BLOCK_TIME_MS);
  if (h.phase != PHASE_IDLE || timeMs < h.timeMs || timeMs > MAX_TIME_MS) return BAD;

  h.phase = PHASE_BLOCK;
  passTime(timeMs);
  h.timeMs = timeMs;
  h.block = load<u64>(record, IN_BLOCK_INDEX);
  copy32(blockHash(), record + IN_BLOCK_HASH);
  h.deadlinesFired = 0;
  h.blockFuel = 0;
  const secs = nowSecs();
  if (h.launchSecs == 0 && timeMs >= 1000) launchAt(secs);
  expireTxids(secs);
  rollGenerated(secs);
  rollAssured(secs);
  rollClusters(secs);
  rollWeights(secs);
  endBootstrap(secs);
  return DONE;
}

function beginVertex(record: usize): i32 {
  const h = header();
  const order = load<u64>(record, IN_VERTEX_ORDER);
  const isBetween = h.phase == PHASE_BLOCK || (h.phase == PHASE_VERTEX && h.nextIndex == h.entryCount);
  if (!isBetween || order <= h.order) return BAD;

  h.phase = PHASE_OPENING;
  h.order = order;
  h.entryCount = <u32>load<u16>(record, IN_VERTEX_ENTRIES);
  h.nextIndex = 0;
  h.nextEventIndex = h.entryCount;
  h.vertexSeat = load<u32>(record, IN_VERTEX_SEAT);
  noteRevision(h.vertexSeat, load<u16>(record, IN_VERTEX_REVISION));
  const validator = seatValidator(h.vertexSeat);
  if (validator >= 0) noteDuty(validatorAt(<u32>validator), nowSecs());
  return DONE;
}

/**
 * OP_VERTEX. FULL when the events of due deadlines do not all fit: the host drains the out buffer and passes
 * the same record again, and firing continues where it stopped.
 */
export function openVertex(record: usize): i32 {
  const h = header();
  if (h.phase != PHASE_OPENING) {
    if (beginVertex(record) != DONE) return BAD;
  } else if (load<u64>(record, IN_VERTEX_ORDER) != h.order) {
    return BAD;
  }
  if (!hasRoom(GENESIS_EVENT_BYTES)) return FULL;
  // seq 1 is the genesis event, so it precedes anything else that gets a seq (protocol 2.1).
  if (h.launchSecs != 0 || h.entryCount != 0) emitGenesisOnce();
  if (h.genesisEmitted != 0 && !(emitExclusions() && emitResumptions() && emitSeatWeights())) return FULL;
  // After the events of the seal, so that a seat that was removed there and is heard here is reported in this order.
  noteHeard(load<u32>(record, IN_VERTEX_SEAT));
  if (h.genesisEmitted != 0 && !emitSeatWeights()) return FULL;
  if (h.deadlinesFired == 0) {
    if (!fireTimers(nowSecs())) return FULL;
    h.deadlinesFired = 1;
  }
  if (!continueRouting()) return FULL;
  h.phase = PHASE_VERTEX;
  return DONE;
}

// Writes the changed agents, in as many records as needed. False when the out buffer is full.
function writeTouched(): bool {
  while (touchedLeft() > 0) {
    if (roomLeft() < TOUCHED_HEAD + 4) return false;
    const count = min<u32>(touchedLeft(), (roomLeft() - TOUCHED_HEAD) >> 2);
    const record = appendRecord(OUT_TOUCHED, 0, (TOUCHED_HEAD + count * 4 + 7) & ~7);
    store<u32>(record, count, OUT_TOUCHED_COUNT);
    takeTouched(record + TOUCHED_HEAD, count);
  }
  return true;
}

function isWhole(): bool {
  const h = header();
  return h.phase == PHASE_BLOCK || (h.phase == PHASE_VERTEX && h.nextIndex == h.entryCount);
}

/** OP_RUN_END. FULL as for OP_VERTEX, while its events might not fit. */
export function closeRun(record: usize): i32 {
  if (header().phase != PHASE_VERTEX || !isWhole() || !isDueRun(record)) return BAD;
  if (load<u32>(record, IN_RUN_PASSED) > 1 || load<u32>(record, IN_RUN_SCORE_BP) > MAX_BP) return BAD;
  if (!hasRoom(taskStepBytes() + NOTIFY_ROUTER_BYTES)) return FULL;
  endRun(record, nowSecs());
  notifyRouter();
  return DONE;
}

/** OP_BLOCK_END. FULL as for OP_VERTEX, while changed tasks, cases or agents are still to be written. */
export function closeBlock(): i32 {
  const h = header();
  if (!isWhole() || (h.phase == PHASE_VERTEX && dueRun() >= 0)) return BAD;
  watchStakes(nowSecs());
  if (!writeChangedTasks() || !writeChangedCases() || !writeTouched()) return FULL;
  assert(h.supply == SUPPLY, 'the accounts do not sum to the supply');

  keepLostWrites();
  releaseCases();
  releaseTasks();
  clearTouched();
  h.phase = PHASE_IDLE;
  return DONE;
}
