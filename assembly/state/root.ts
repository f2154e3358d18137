// The memory map: base addresses of arenas, derived structures and buffers.
// Keeps: every address follows from the configuration alone; core_init writes them once.
// Holds no state: this block is outside the hashed range and the same after an import.

import { OUT_BUFFER_BYTES } from '../abi';

const ROOT: usize = memory.data(512, 16);
const INPUT_BEFORE_INIT: usize = memory.data(4096, 16);
const INPUT_BEFORE_INIT_BYTES: u32 = 4096;

export const IN_BYTES: u32 = 4194304;
export const OUT_BYTES: u32 = OUT_BUFFER_BYTES;

@unmanaged
export class Root {
  /** Start of the hashed range, where the header is. 0 before core_init. */
  base: usize;
  leafCount: u32;

  agents: usize;
  items: usize;
  votes: usize;
  late: usize;
  seen: usize;
  keys: usize;
  records: usize;
  validators: usize;
  seats: usize;
  categories: usize;
  generated: usize;
  calibrations: usize;
  assured: usize;
  tasks: usize;
  bars: usize;
  workers: usize;
  standings: usize;
  challenges: usize;
  jobs: usize;
  pairs: usize;
  canaries: usize;
  /** The router's part of the state, and its derived structures (router/header.ts). */
  router: usize;
  routerIndex: usize;

  /** Merkle nodes of all levels, 32 bytes each, leaves first. */
  nodes: usize;
  /** Numbers of changed nodes while the state hash is updated. */
  changedNodes: usize;
  /** Leaves as the last state hash has them, the number + 1 of each, and how many slots there are (kept-leaves.ts). */
  keptLeaves: usize;
  keptNumbers: usize;
  keptSlots: u32;
  /** A byte of marks for each leaf, and one for each group of 256 leaves. */
  marks: usize;
  markGroups: usize;

  agentSlots: usize;
  publicKeySlots: usize;
  itemSlots: usize;
  seenSlots: usize;
  keySlots: usize;
  categorySlots: usize;
  calibrationSlots: usize;
  taskSlots: usize;
  challengeSlots: usize;
  jobSlots: usize;
  pairSlots: usize;
  heapEntries: usize;
  heapPositions: usize;
  /** Validator indexes (u32) in order of their ids. */
  validatorOrder: usize;
  /** Weights (u64) of the candidates of one draw, in that order. */
  drawWeights: usize;
  /** Scratch of one draw, by validator index: a byte that marks excluded ones, and the seats (u32) of each cluster. */
  leftOut: usize;
  clusterSeats: usize;
  /** Scratch of the daily rebuild of clusters: u32 for each validator. */
  clusterLinks: usize;
  /** For each agent the block count of its last change (u32), and the list of agents changed since. */
  touchStamps: usize;
  touchList: usize;
  /** The same for tasks. */
  taskStamps: usize;
  taskList: usize;
  /** The same for challenges and replay jobs. */
  challengeStamps: usize;
  challengeList: usize;
  jobStamps: usize;
  jobList: usize;

  input: usize;
  output: usize;
}

export function root(): Root {
  return changetype<Root>(ROOT);
}

/** True once core_init has laid the arenas out. */
export function isReady(): bool {
  return root().base != 0;
}

export function inputAddress(): usize {
  return isReady() ? root().input : INPUT_BEFORE_INIT;
}

export function inputBytes(): u32 {
  return isReady() ? IN_BYTES : INPUT_BEFORE_INIT_BYTES;
}
