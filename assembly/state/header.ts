// The first leaves of the state: configuration, clock, cursors, counters, totals, pools.
// Keeps: whatever is not a row of a table is here, so the hashed range is the whole state.
// Rules are elsewhere; this file only defines the layout.

import {
  CONFIG_CAPACITIES,
  CONFIG_PARAMS,
  CONFIG_TESTNET,
  PARAM_ALLOW_UNSIGNED,
  PARAM_COUNT,
  PARAM_DAY_SECS,
  PARAM_LEGACY_OPEN_COORDINATION,
  POOL_COUNT,
} from '../abi';
import { root } from './root';

// The first bytes repeat the configuration given to core_init:
//   0 u32 ABI version   4 u32 flags   8 16 x u32 capacities   72 u64 launch time   80 params
//   then u32 length of the chain id, u32 zero, chain id[64]: CONFIG_BYTES in all
// 448 Header, 1408 pools (POOL_COUNT x u64), to HEADER_BYTES.
export const HEADER_BYTES: u32 = 1536;
export const CONFIG_FLAGS: usize = 4;
export const CONFIG_CHAIN_BYTES: usize = CONFIG_PARAMS + 8 * PARAM_COUNT;
export const CONFIG_CHAIN: usize = CONFIG_CHAIN_BYTES + 8;
export const MAX_CHAIN_BYTES: u32 = 64;
export const CONFIG_BYTES: u32 = <u32>CONFIG_CHAIN + MAX_CHAIN_BYTES;
const HEADER: usize = 448;
const POOLS: usize = 1408;

// Capacities in the order of the configuration.
export const AGENTS: u32 = 0;
export const ITEMS: u32 = 1;
export const VOTES: u32 = 2;
export const TXIDS: u32 = 3;
export const KEYS: u32 = 4;
export const RECORDS: u32 = 5;
export const VALIDATORS: u32 = 6;
export const CATEGORIES: u32 = 7;
export const TASKS: u32 = 8;
export const BARS: u32 = 9;
export const CAPABILITIES: u32 = 10;
export const CALIBRATIONS: u32 = 11;
export const CHALLENGES: u32 = 12;
export const JOBS: u32 = 13;
export const PAIRS: u32 = 14;
export const CANARIES: u32 = 15;
export const CAPACITY_COUNT: u32 = 16;

// Phase of the core: which records it accepts next.
export const PHASE_GENESIS: u32 = 0;
/** Between blocks: the only phase in which a snapshot may be taken. */
export const PHASE_IDLE: u32 = 1;
/** A block is open, without a vertex so far. */
export const PHASE_BLOCK: u32 = 2;
/** A vertex has begun and due deadlines are being fired. */
export const PHASE_OPENING: u32 = 3;
export const PHASE_VERTEX: u32 = 4;

// protocol 1.4: before the clock of the chain starts, the time is second 1, so that 0 can mean "never".
export const BEFORE_LAUNCH_SECS: u64 = 1;

@unmanaged
export class Header {
  timeMs: u64;
  /** Consensus second at which the chain starts; 0 until it is known. */
  launchSecs: u64;
  order: u64;
  seq: u64;
  block: u64;
  blockHash0: u64;
  blockHash1: u64;
  blockHash2: u64;
  blockHash3: u64;

  phase: u32;
  /** Number of entries of the open vertex, and how many of them were executed. */
  entryCount: u32;
  nextIndex: u32;
  /** Index of the next system event of the open vertex. */
  nextEventIndex: u32;
  deadlinesFired: u32;
  genesisEmitted: u32;
  bootstrapOver: u32;
  /** Seats whose exclusion is to be emitted with the next vertex (validators/exclusion.ts). */
  exclusionsPending: u32;

  agentCount: u32;
  /** Number of registrations that got a grant: it determines the next one. */
  grantCount: u32;
  validatorCount: u32;
  seatCount: u32;
  categoryCount: u32;
  keysUsed: u32;
  keysFree: u32;
  keysLive: u32;
  recordCount: u32;
  /** Oldest row of the TxID ring, the number of TxIDs in it, and of its rows. */
  seenFirst: u32;
  seenCount: u32;
  seenRows: u32;

  itemsUsed: u32;
  itemsFree: u32;
  itemsLive: u32;
  votesUsed: u32;
  votesFree: u32;
  votesLive: u32;
  /** Item rows reserved for submissions and disputes of unfinished tasks. */
  itemsReserved: u32;

  tasksUsed: u32;
  tasksFree: u32;
  tasksLive: u32;
  barsUsed: u32;
  barsFree: u32;
  barsLive: u32;
  calibrationCount: u32;
  /** Capabilities of the router: rows that come and go. */
  capabilitiesUsed: u32;
  capabilitiesFree: u32;
  capabilitiesLive: u32;
  /** Seats whose resumption is to be emitted with the next vertex (validators/seat-resumption.ts). */
  resumptionsPending: u32;

  /** Number of the newest bucket of recognised value. */
  generatedBucket: u64;
  /** Sum of all balances, stakes, escrows and pools, maintained by every movement. */
  supply: u64;
  totalStaked: u64;
  totalEscrowed: u64;
  baseFees: u64;
  assuranceFees: u64;
  generated: u64;

  /** Number of the newest bucket of assured budgets, and the sum and maximum of the 30 days. */
  assuredBucket: u64;
  assuredVolume: u64;
  assuredLargest: u64;
  /** Number of a day, and the panel seats given out on it. */
  seatsDay: u64;
  seatsToday: u64;
  /** For each replay reserve the second at which the treasury refills it, 0 = none pending. */
  refill0: u64;
  refill1: u64;
  refill2: u64;
  refill3: u64;
  refill4: u64;

  challengesUsed: u32;
  challengesFree: u32;
  challengesLive: u32;
  jobsUsed: u32;
  jobsFree: u32;
  jobsLive: u32;
  pairCount: u32;
  /** 1: an operator's stake changed in this block (validators/stake-watch.ts). */
  stakesMoved: u32;
  /** Rewards of pending replay jobs, micro-units: part of totalEscrowed. */
  replayEscrow: u64;
  /** required_stake at the last comparison with the stakes. */
  requiredSeen: u64;
  /** Day (T / day_secs) for which clusters were built. */
  clusterDay: u64;
  /** Assured submissions and canaries committed so far; the canary rate limits the second by the first. */
  assuredSubmissions: u64;
  canariesCommitted: u64;

  /** Of the newest resumptions: their epoch, and whether a third of the weight had resumed in it. */
  resumedEpoch: u64;
  resumedMayLose: u32;
  /** 1: the open block may lose writes. */
  losesWrites: u32;
  /** Order and second of the newest block that may have lost writes, 0 = none. */
  lostWritesOrder: u64;
  lostWritesSecs: u64;
  /** Consensus time without what it skipped while nothing was ordered (validators/silence.ts). */
  awakeMs: u64;
  /** Number of the running epoch, and T and awakeMs at its beginning. */
  epoch: u32;
  /** Seats whose change of ordering weight is to be emitted with the next vertex (validators/silence.ts). */
  seatWeightsPending: u32;
  epochOpenedMs: u64;
  epochOpenedAwakeMs: u64;

  /** Seat of the open vertex. */
  vertexSeat: u32;
  /** The applicants that became active on `joinedDay`, the number of a day (validators/joining.ts). */
  joinedToday: u32;
  joinedDay: u64;
  /** Day for which held weights were moved on (validators/weight.ts). */
  weightDay: u64;

  /** Row that the next event decided without a drawn applicant takes (settlement/late-votes.ts). */
  lateNext: u32;
  lateSpare: u32;

  /** Due runs of contracts in order: task row + 1 of the first and the last, their number (tasks/due-runs.ts). */
  dueHead: u32;
  dueTail: u32;
  dueCount: u32;
  /** Fuel of the runs that the open block has ended. */
  blockFuel: u32;

  /** Revision of the rules that apply (validators/revisions.ts). */
  revision: u32;
}

// Checked by the compiler: parameters and fields may grow up to what follows them, not into it.
if (<usize>CONFIG_BYTES > HEADER) ERROR('the configuration reaches into Header');
if (HEADER + offsetof<Header>() > POOLS) ERROR('Header reaches into the pools');
if (POOLS + 8 * POOL_COUNT > <usize>HEADER_BYTES) ERROR('the pools reach beyond HEADER_BYTES');

export function header(): Header {
  return changetype<Header>(root().base + HEADER);
}

export function capacity(table: u32): u32 {
  return load<u32>(root().base + <usize>CONFIG_CAPACITIES + ((<usize>table) << 2));
}

/** Network parameter PARAM_* (protocol 1.9). */
export function param(number: u32): u64 {
  return load<u64>(root().base + <usize>CONFIG_PARAMS + ((<usize>number) << 3));
}

export function daySecs(): u64 {
  return param(PARAM_DAY_SECS);
}

export function isTestnet(): bool {
  return (load<u32>(root().base + CONFIG_FLAGS) & CONFIG_TESTNET) != 0;
}

export function allowsUnsigned(): bool {
  return param(PARAM_ALLOW_UNSIGNED) != 0;
}

/** protocol 5.6: coordination writes without proof. */
export function hasOpenCoordination(): bool {
  return param(PARAM_LEGACY_OPEN_COORDINATION) != 0;
}

export function chainId(): usize {
  return root().base + CONFIG_CHAIN;
}

export function chainIdBytes(): u32 {
  return load<u32>(root().base + CONFIG_CHAIN_BYTES);
}

/** Address of the balance of pool POOL_*. */
export function poolAddress(pool: u32): usize {
  return root().base + POOLS + ((<usize>pool) << 3);
}

export function blockHash(): usize {
  return changetype<usize>(header()) + offsetof<Header>('blockHash0');
}

/** Consensus time of the last block in whole seconds, never below BEFORE_LAUNCH_SECS. */
export function nowSecs(): u64 {
  return max<u64>(header().timeMs / 1000, BEFORE_LAUNCH_SECS);
}
