// core_init: reads the configuration, lays out the arenas, creates the pools of genesis.
// Keeps: memory grows once, here; every address follows from the capacities; nothing is allocated after.
// Hashed range first (header, tables), then the derived structures, then the buffers.

import {
  ABI_VERSION,
  CONFIG_CAPACITIES,
  CONFIG_LAUNCH,
  CONFIG_PARAMS,
  CONFIG_TESTNET,
  INIT_BAD_CONFIG,
  INIT_BAD_VERSION,
  INIT_NO_MEMORY,
  INIT_OK,
  LEAF_BYTES,
  PARAM_CLAIM_STAKE,
  PARAM_COUNT,
  PARAM_DAY_SECS,
} from '../abi';
import { KEY_ROW_BYTES } from '../access/keys';
import { SEEN_ROW_BYTES } from '../access/seen-index';
import { CANARY_ROW_BYTES } from '../cases/canaries';
import { CHALLENGE_ROW_BYTES } from '../cases/challenges';
import { JOB_ROW_BYTES } from '../cases/jobs';
import { STANDING_ROW_BYTES } from '../credit/standing';
import { WORKER_ROW_BYTES } from '../credit/workers';
import { AGENT_ROW_BYTES } from '../ledger/agents';
import { fillPools } from '../ledger/genesis-pools';
import { clearTouched } from '../ledger/touched';
import { slotCount } from '../lib/key-index';
import { addFixedCategories, CATEGORY_ROW_BYTES, FIXED_CATEGORIES } from '../reputation/categories';
import { rollGenerated } from '../reputation/generated';
import { RECORD_ROW_BYTES } from '../reputation/records';
import { routerIndexBytes, routerStateBytes } from '../router/header';
import { MAX_ROUTED_TASKS } from '../router/open-tree';
import { ITEM_ROW_BYTES } from '../settlement/items';
import { LATE_ROW_BYTES, LATE_ROWS } from '../settlement/late-votes';
import { VOTE_ROW_BYTES } from '../settlement/votes';
import { MAX_BUCKETS } from '../state/buckets';
import {
  AGENTS,
  BARS,
  CALIBRATIONS,
  CANARIES,
  CAPABILITIES,
  CAPACITY_COUNT,
  CATEGORIES,
  CHALLENGES,
  CONFIG_BYTES,
  CONFIG_CHAIN,
  CONFIG_CHAIN_BYTES,
  CONFIG_FLAGS,
  HEADER_BYTES,
  header,
  ITEMS,
  JOBS,
  KEYS,
  MAX_CHAIN_BYTES,
  nowSecs,
  PAIRS,
  RECORDS,
  TASKS,
  TXIDS,
  VALIDATORS,
  VOTES,
} from '../state/header';
import { keptBytes, keptNumberBytes, keptSlots } from '../state/kept-leaves';
import { GROUP_SHIFT, markHeader } from '../state/marks';
import { IN_BYTES, inputAddress, isReady, OUT_BYTES, Root, root } from '../state/root';
import { RESERVE_COUNT } from '../state/timers';
import { nodeCount, prepareTree } from '../state/tree';
import { BAR_ROW_BYTES } from '../tasks/bars';
import { TASK_ROW_BYTES } from '../tasks/rows';
import { rollAssured } from '../validators/assured-window';
import { CALIBRATION_ROW_BYTES } from '../validators/calibration';
import { PAIR_ROW_BYTES } from '../validators/pairs';
import { SEAT_ROW_BYTES } from '../validators/seats';
import { VALIDATOR_ROW_BYTES } from '../validators/validators';
import { attachTables } from './attach';
import { defaultCapacity } from './default-capacities';

const MAX_PAGES: u64 = 32768;
const PAGE_SHIFT: u64 = 16;
// No table may be so large that the size of its index overflows; memory is exhausted long before.
const MAX_ROWS: u32 = 1 << 26;
// The ends of a parent and twenty disputed subtasks, each with a vote of every validator, fit the out buffer.
const MAX_VALIDATORS: u32 = 10000;
const MAX_CATEGORIES: u32 = 65535;
// The router refers to a task's leaves with 28 bits.
const MAX_TASKS: u32 = 12200000;
const MAX_PARAM: u64 = 9007199254740991;
const MAX_DAY_SECS: u64 = 4294967295;
const MAX_LAUNCH_SECS: u64 = 281474976710;

// The configuration as stored in the header; kept for comparison with an import.
const CONFIG: usize = memory.data(CONFIG_BYTES, 8);
const IN_CHAIN_BYTES: usize = CONFIG_PARAMS + 8 * PARAM_COUNT;
const IN_CHAIN: usize = IN_CHAIN_BYTES + 4;

@unmanaged
class Cursor {
  at: u64;
}
const CURSOR: usize = memory.data(8, 8);

function rowsOf(table: u32): u32 {
  return load<u32>(CONFIG + <usize>CONFIG_CAPACITIES + ((<usize>table) << 2));
}

function readCapacities(from: usize): bool {
  for (let table: u32 = 0; table < CAPACITY_COUNT; table++) {
    const asked = load<u32>(from + <usize>CONFIG_CAPACITIES + ((<usize>table) << 2));
    const rows = asked == 0 ? defaultCapacity(table) : asked;
    if (rows > MAX_ROWS) return false;
    store<u32>(CONFIG + <usize>CONFIG_CAPACITIES + ((<usize>table) << 2), rows);
  }
  if (rowsOf(TASKS) > MAX_TASKS) return false;
  return (
    rowsOf(VALIDATORS) <= MAX_VALIDATORS &&
    rowsOf(TASKS) <= MAX_ROUTED_TASKS &&
    rowsOf(CATEGORIES) <= MAX_CATEGORIES &&
    rowsOf(CATEGORIES) >= FIXED_CATEGORIES
  );
}

function readParams(from: usize): bool {
  for (let i: usize = 0; i < <usize>PARAM_COUNT; i++) {
    const value = load<u64>(from + CONFIG_PARAMS + (i << 3));
    if (value > MAX_PARAM) return false;
    store<u64>(CONFIG + <usize>CONFIG_PARAMS + (i << 3), value);
  }
  const daySecs = load<u64>(CONFIG + <usize>CONFIG_PARAMS + (PARAM_DAY_SECS << 3));
  if (daySecs < 1 || daySecs > MAX_DAY_SECS) return false;
  return load<u64>(CONFIG + <usize>CONFIG_PARAMS + (PARAM_CLAIM_STAKE << 3)) >= 1;
}

// Reads the configuration record of abi.ts into CONFIG; false when it is malformed.
function readConfig(from: usize, bytes: u32): bool {
  memory.fill(CONFIG, 0, CONFIG_BYTES);
  const chainBytes = load<u32>(from + IN_CHAIN_BYTES);
  if (chainBytes == 0 || chainBytes > MAX_CHAIN_BYTES || bytes < <u32>IN_CHAIN + chainBytes) return false;
  const flags = load<u32>(from + CONFIG_FLAGS);
  const launchSecs = load<u64>(from + <usize>CONFIG_LAUNCH);
  if ((flags & ~CONFIG_TESTNET) != 0 || launchSecs > MAX_LAUNCH_SECS) return false;
  store<u32>(CONFIG, ABI_VERSION);
  store<u32>(CONFIG + CONFIG_FLAGS, flags);
  store<u64>(CONFIG + <usize>CONFIG_LAUNCH, launchSecs);
  store<u32>(CONFIG + CONFIG_CHAIN_BYTES, chainBytes);
  memory.copy(CONFIG + CONFIG_CHAIN, from + IN_CHAIN, chainBytes);
  return readCapacities(from) && readParams(from);
}

// Reserves space at the cursor; addresses above the memory limit are detected before they are used.
function take(bytes: u64, align: u64): usize {
  const cursor = changetype<Cursor>(CURSOR);
  const at = (cursor.at + align - 1) & ~(align - 1);
  cursor.at = at + bytes;
  return <usize>at;
}

function takeTable(table: u32, rowBytes: u32): usize {
  return take(<u64>rowsOf(table) * rowBytes, LEAF_BYTES);
}

function takeSlots(table: u32): usize {
  return take((<u64>slotCount(rowsOf(table))) << 3, 64);
}

function placeState(r: Root): void {
  take(HEADER_BYTES, LEAF_BYTES);
  r.generated = take((<u64>MAX_BUCKETS) << 3, LEAF_BYTES);
  r.categories = takeTable(CATEGORIES, CATEGORY_ROW_BYTES);
  r.seats = takeTable(VALIDATORS, SEAT_ROW_BYTES);
  r.validators = takeTable(VALIDATORS, VALIDATOR_ROW_BYTES);
  r.calibrations = takeTable(CALIBRATIONS, CALIBRATION_ROW_BYTES);
  r.assured = take((<u64>MAX_BUCKETS) << 4, LEAF_BYTES);
  r.keys = takeTable(KEYS, KEY_ROW_BYTES);
  r.records = take((<u64>rowsOf(AGENTS) + rowsOf(RECORDS)) * RECORD_ROW_BYTES, LEAF_BYTES);
  r.seen = takeTable(TXIDS, SEEN_ROW_BYTES);
  r.votes = takeTable(VOTES, VOTE_ROW_BYTES);
  r.late = take(<u64>LATE_ROWS * LATE_ROW_BYTES, LEAF_BYTES);
  r.items = takeTable(ITEMS, ITEM_ROW_BYTES);
  r.agents = takeTable(AGENTS, AGENT_ROW_BYTES);
  r.workers = takeTable(AGENTS, WORKER_ROW_BYTES);
  r.standings = takeTable(AGENTS, STANDING_ROW_BYTES);
  r.bars = takeTable(BARS, BAR_ROW_BYTES);
  r.tasks = takeTable(TASKS, TASK_ROW_BYTES);
  r.challenges = takeTable(CHALLENGES, CHALLENGE_ROW_BYTES);
  r.jobs = takeTable(JOBS, JOB_ROW_BYTES);
  r.pairs = takeTable(PAIRS, PAIR_ROW_BYTES);
  r.canaries = takeTable(CANARIES, CANARY_ROW_BYTES);
  r.router = take(routerStateBytes(rowsOf(CAPABILITIES)), LEAF_BYTES);
}

function placeDerived(r: Root): void {
  r.nodes = take((<u64>nodeCount(r.leafCount)) << 5, 64);
  r.changedNodes = take((<u64>r.leafCount) << 2, 64);
  r.keptSlots = keptSlots(r.leafCount);
  r.keptLeaves = take(keptBytes(r.leafCount), 64);
  r.keptNumbers = take(keptNumberBytes(r.leafCount), 64);
  r.marks = take(r.leafCount, 64);
  r.markGroups = take((r.leafCount >> GROUP_SHIFT) + 1, 64);
  r.agentSlots = takeSlots(AGENTS);
  r.publicKeySlots = takeSlots(AGENTS);
  r.itemSlots = takeSlots(ITEMS);
  r.seenSlots = takeSlots(TXIDS);
  r.keySlots = takeSlots(KEYS);
  r.categorySlots = takeSlots(CATEGORIES);
  r.calibrationSlots = takeSlots(CALIBRATIONS);
  r.taskSlots = takeSlots(TASKS);
  r.challengeSlots = takeSlots(CHALLENGES);
  r.jobSlots = takeSlots(JOBS);
  r.pairSlots = takeSlots(PAIRS);
  const cases = <u64>rowsOf(CHALLENGES) + rowsOf(JOBS);
  const timers =
    <u64>rowsOf(ITEMS) + rowsOf(TASKS) + cases + rowsOf(VALIDATORS) + RESERVE_COUNT + rowsOf(KEYS);
  r.heapEntries = take(timers << 4, 64);
  r.heapPositions = take(timers << 2, 64);
  r.validatorOrder = take((<u64>rowsOf(VALIDATORS)) << 2, 64);
  r.drawWeights = take((<u64>rowsOf(VALIDATORS)) << 3, 64);
  r.leftOut = take(rowsOf(VALIDATORS), 64);
  r.clusterSeats = take((<u64>rowsOf(VALIDATORS)) << 2, 64);
  r.clusterLinks = take((<u64>rowsOf(VALIDATORS)) << 2, 64);
  r.touchStamps = take((<u64>rowsOf(AGENTS)) << 2, 64);
  r.touchList = take((<u64>rowsOf(AGENTS)) << 2, 64);
  r.taskStamps = take((<u64>rowsOf(TASKS)) << 2, 64);
  r.taskList = take((<u64>rowsOf(TASKS)) << 2, 64);
  r.challengeStamps = take((<u64>rowsOf(CHALLENGES)) << 2, 64);
  r.challengeList = take((<u64>rowsOf(CHALLENGES)) << 2, 64);
  r.jobStamps = take((<u64>rowsOf(JOBS)) << 2, 64);
  r.jobList = take((<u64>rowsOf(JOBS)) << 2, 64);
  r.routerIndex = take(
    routerIndexBytes(rowsOf(AGENTS), rowsOf(CAPABILITIES), rowsOf(CATEGORIES), rowsOf(TASKS)),
    64,
  );
  r.input = take(IN_BYTES, 64);
  r.output = take(OUT_BYTES, 64);
}

// Lays everything out behind the current end of memory, and grows it. False when it does not fit.
function placeAll(): bool {
  const r = root();
  const cursor = changetype<Cursor>(CURSOR);
  const start = (<u64>memory.size()) << PAGE_SHIFT;
  cursor.at = start;
  placeState(r);
  const leaves = (cursor.at - start + LEAF_BYTES - 1) / LEAF_BYTES;
  if (cursor.at > MAX_PAGES << PAGE_SHIFT) return false;
  r.leafCount = <u32>leaves;
  cursor.at = start + leaves * LEAF_BYTES;
  placeDerived(r);
  const pages = (cursor.at + 65535) >> PAGE_SHIFT;
  if (pages > MAX_PAGES) return false;
  if (memory.grow(<i32>(pages - memory.size())) < 0) return false;
  r.base = <usize>start;
  return true;
}

/** core_init: INIT_OK, or a reason. Only once per instance; a failure leaves it unchanged. */
export function initialize(bytes: u32): i32 {
  const from = inputAddress();
  if (isReady() || bytes < <u32>IN_CHAIN) return INIT_BAD_CONFIG;
  if (load<u32>(from) != <u32>ABI_VERSION) return INIT_BAD_VERSION;
  if (!readConfig(from, bytes)) return INIT_BAD_CONFIG;
  if (!placeAll()) return INIT_NO_MEMORY;

  memory.copy(root().base, CONFIG, CONFIG_BYTES);
  const h = header();
  h.launchSecs = load<u64>(CONFIG + <usize>CONFIG_LAUNCH);
  h.timeMs = h.launchSecs * 1000;
  h.epochOpenedMs = h.timeMs;
  prepareTree();
  attachTables();
  addFixedCategories();
  fillPools();
  rollGenerated(nowSecs());
  rollAssured(nowSecs());
  clearTouched();
  markHeader();
  return INIT_OK;
}

/** True when the header repeats the configuration that core_init took: an import must not change it. */
export function hasSameConfig(): bool {
  return memory.compare(root().base, CONFIG, CONFIG_BYTES) == 0;
}
