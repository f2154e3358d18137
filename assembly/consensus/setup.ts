// consensus_init: opens an epoch. Reads the configuration, refuses one that cannot work, lays out the memory.
// Keeps: an epoch opens only with 0 < W <= 10^15 and enough seats with weight (consensus 5.9, 5.10), otherwise a named
// code is returned; opening another epoch on the same instance forgets the previous one; memory never shrinks.

import { dag, openArena, reserve, take, takeCleared } from '../dag/arena';
import { openSeats, seatBytes, weightedSeats, weightSum } from '../dag/seats';
import { ENTRY_BYTES } from '../dag/sort';
import { openIndex, ROW_BYTES } from '../dag/vertices';
import { slotCount } from '../lib/key-index';
import {
  ABI_VERSION,
  BUFFER_BYTES,
  CONFIG_EPOCH_ID,
  CONFIG_LEADERS,
  CONFIG_PARTICIPANTS,
  CONFIG_SEATS,
  CONFIG_TIME,
  CONFIG_VERTICES,
  CONFIG_WEIGHTS,
  INIT_BAD_CONFIG,
  INIT_BAD_VERSION,
  INIT_NO_MEMORY,
  INIT_NO_WEIGHT,
  INIT_OK,
  INIT_TOO_FEW_PARTICIPANTS,
  INIT_WEIGHT_TOO_LARGE,
  MAX_PARENTS,
  MAX_SEATS,
  MAX_VERTICES,
} from './abi';
import { clearEpoch, epoch } from './epoch';
import { leadingSeats, openSchedule, scheduleBytes } from './leaders';

const MAX_TIME_MS: u64 = 281474976710655;
const MAX_BYTES: u64 = 1 << 30;

export function inputAddress(): usize {
  return (__heap_base + 63) & ~63;
}

// A byte for each seat, behind the weights.
function lateOf(weights: usize, seats: u32): usize {
  return weights + ((<usize>seats) << 3);
}

function hasWeight(from: usize, seats: u32): bool {
  for (let i: usize = 0; i < <usize>seats; i++) if (load<u64>(from + (i << 3)) != 0) return true;
  return false;
}

function configFault(from: usize, length: u32): i32 {
  if (length < <u32>CONFIG_WEIGHTS) return INIT_BAD_CONFIG;
  if (load<u32>(from) != <u32>ABI_VERSION) return INIT_BAD_VERSION;
  const seats = load<u32>(from, CONFIG_SEATS);
  const participants = load<u32>(from, CONFIG_PARTICIPANTS);
  const vertices = load<u32>(from, CONFIG_VERTICES);
  if (seats == 0 || seats > <u32>MAX_SEATS || length != <u32>CONFIG_WEIGHTS + 9 * seats)
    return INIT_BAD_CONFIG;
  if (participants == 0 || vertices == 0 || vertices > <u32>MAX_VERTICES) return INIT_BAD_CONFIG;
  if (load<u64>(from, CONFIG_TIME) > MAX_TIME_MS) return INIT_BAD_CONFIG;
  const weights = from + CONFIG_WEIGHTS;
  const leaders = load<u32>(from, CONFIG_LEADERS);
  if (leaders == 0) return INIT_BAD_CONFIG;
  if (!hasWeight(weights, seats)) return INIT_NO_WEIGHT;
  // Each leader of a round is another seat, with weight, and not late.
  if (leaders > leadingSeats(weights, lateOf(weights, seats), seats)) return INIT_BAD_CONFIG;
  if (weightSum(weights, seats) == 0) return INIT_WEIGHT_TOO_LARGE;
  return weightedSeats(weights, seats) < participants ? INIT_TOO_FEW_PARTICIPANTS : INIT_OK;
}

// Entries to sort: all vertices, or the clocks of all seats.
function entryRoom(vertices: u32, seats: u32): usize {
  return <usize>max(vertices, seats) + 2;
}

function reserveTables(vertices: u32, seats: u32): bool {
  const rows = (<u64>vertices + 2) * ROW_BYTES + ((<u64>slotCount(vertices)) << 3);
  const work = <u64>entryRoom(vertices, seats) * (2 * ENTRY_BYTES) + (<u64>vertices + 2) * 8;
  const bytes = rows + work + seatBytes(seats) + scheduleBytes(seats) + <u64>seats * 28 + 256;
  return bytes < MAX_BYTES && reserve(<usize>bytes);
}

// Memory for the table of rounds, and for all vertices without forks and with all parents: growing later would renew
// the host's views and, in JavaScript engines, trigger a collection. Pages cost nothing until they are touched.
function reserveHeap(vertices: u32): bool {
  const d = dag();
  const rounds = (<u64>d.maxRounds + 1) << 2;
  const each =
    24 * <u64>d.creatorWords + 4 * <u64>d.maxParents + 16 + (44 + 16 * epoch().leaderCount) / d.seatCount;
  if (rounds >= MAX_BYTES || !reserve(<usize>rounds)) return false;
  const all = rounds + each * vertices;
  // The epoch may still fit into less; growing is tried again when it does not.
  if (all < MAX_BYTES) reserve(<usize>all);
  return true;
}

function placeTables(vertices: u32, seats: u32): void {
  const d = dag();
  const e = epoch();
  d.rows = take((<usize>vertices + 2) * ROW_BYTES);
  d.slots = take((<usize>slotCount(vertices)) << 3);
  e.entries = take(entryRoom(vertices, seats) * ENTRY_BYTES);
  e.spare = take(entryRoom(vertices, seats) * ENTRY_BYTES);
  e.stack = take((<usize>vertices + 2) << 3);
  e.heads = takeCleared((<usize>seats) << 2);
  e.proven = takeCleared(<usize>seats);
  e.firsts = takeCleared((<usize>seats) << 2);
  e.evidence = take((<usize>seats) << 3);
}

/** INIT_OK, or the reason why this epoch cannot open. */
export function openEpoch(length: u32): i32 {
  const from = inputAddress();
  const fault = configFault(from, length);
  if (fault != INIT_OK) return fault;
  const seats = load<u32>(from, CONFIG_SEATS);
  const vertices = load<u32>(from, CONFIG_VERTICES);
  clearEpoch();
  openArena(from + 2 * BUFFER_BYTES);
  if (!reserveTables(vertices, seats)) return INIT_NO_MEMORY;

  const d = dag();
  const e = epoch();
  d.maxVertices = vertices;
  d.seatCount = seats;
  d.creatorWords = (seats + 63) >> 6;
  d.maxWords = d.creatorWords;
  d.minParticipants = load<u32>(from, CONFIG_PARTICIPANTS);
  d.maxParents = min<u32>(seats, MAX_PARENTS);
  placeTables(vertices, seats);
  openIndex();
  openSeats(from + CONFIG_WEIGHTS, e.entries);
  const late = lateOf(from + CONFIG_WEIGHTS, seats);
  openSchedule(from + CONFIG_EPOCH_ID, load<u32>(from, CONFIG_LEADERS), late);
  d.maxRounds = vertices / d.minSeats + 2;
  if (!reserveHeap(vertices)) return INIT_NO_MEMORY;
  d.rounds = take((<usize>d.maxRounds + 1) << 2);
  e.timeMs = load<u64>(from, CONFIG_TIME);
  e.undecided = 1;
  e.next = 1;
  e.heapStart = d.cursor;
  e.input = from;
  e.output = from + BUFFER_BYTES;
  return INIT_OK;
}
