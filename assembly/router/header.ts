// The router's part of the state: counters, the queue of woken labels, and the addresses of its tables.
// Keeps: one hashed block (figures, capabilities, woken labels) and one derived block, laid out from the
// capacities alone. Rules are elsewhere; this file only defines the layout.

import { zeroWords } from '../lib/bytes';
import { AGENTS, CAPABILITIES, CATEGORIES, capacity, TASKS } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';
import { TASK_ROW_BYTES, Task } from '../tasks/rows';
import { labelBytes } from './labels';
import { OFFER_BYTES, OFFERS_PER_ROW } from './offers';

export const CAPABILITY_ROW_BYTES: u32 = 312;
export const WAKE_ROW_BYTES: u32 = 32;
/** Maximum of labels woken at a time. */
export const MAX_WAKES: u32 = 4096;
/** Slots of the index of woken labels. */
export const WAKE_SLOTS: u32 = 8192;
/** Leaves of a task in the tree of open tasks: its category and up to 10 tags. */
export const LEAVES_PER_TASK: u32 = 11;
const FIGURES_BYTES: u32 = 128;

@unmanaged
export class RouterFigures {
  /** Incremented when a task begins to wait or is assigned: lower numbers came first. */
  number: u64;
  routed: u64;
  newcomerRoutes: u64;
  /** Routings of budgets up to 5 tokens: every fifth prefers a newcomer. */
  smallRoutings: u64;
  /** Open tasks without an assignment. */
  waiting: u32;
  /** Number of registered capabilities, and of the available ones. */
  registered: u32;
  available: u32;
  /** Number of labels of all capabilities: each has an offer. */
  offers: u32;
  wakesUsed: u32;
  wakesFree: u32;
  wakesLive: u32;
  /** First and last woken label, row + 1. */
  wakeHead: u32;
  wakeTail: u32;
  /** First and last capability whose assignments are being cleared, row + 1. */
  clearHead: u32;
  clearTail: u32;
  spare: u32;
}

@unmanaged
class Addresses {
  capabilities: usize;
  wakes: usize;
  offers: usize;
  wakeSlots: usize;
  nodes: usize;
  holders: usize;
  offerHeads: usize;
  labels: usize;
  watchers: usize;
  watchList: usize;
}
const ADDRESSES: usize = memory.data(80, 8);

/** Bytes of the hashed block for that many capabilities. */
export function routerStateBytes(capabilities: u32): u64 {
  return <u64>FIGURES_BYTES + <u64>MAX_WAKES * WAKE_ROW_BYTES + <u64>capabilities * CAPABILITY_ROW_BYTES;
}

/** Bytes of the derived block. */
export function routerIndexBytes(agents: u32, capabilities: u32, categories: u32, tasks: u32): u64 {
  return (
    <u64>capabilities * OFFERS_PER_ROW * OFFER_BYTES +
    ((<u64>WAKE_SLOTS) << 3) +
    ((<u64>tasks * LEAVES_PER_TASK) << 3) +
    labelBytes(categories) +
    ((<u64>capabilities * 2 + agents + tasks + 2) << 2)
  );
}

function addresses(): Addresses {
  return changetype<Addresses>(ADDRESSES);
}

/** Derives every address from root().router and root().routerIndex. */
export function placeRouter(): void {
  const p = addresses();
  const rows = <usize>capacity(CAPABILITIES);
  p.wakes = root().router + FIGURES_BYTES;
  p.capabilities = p.wakes + <usize>MAX_WAKES * WAKE_ROW_BYTES;
  p.offers = root().routerIndex;
  p.wakeSlots = p.offers + rows * OFFERS_PER_ROW * OFFER_BYTES;
  p.nodes = p.wakeSlots + ((<usize>WAKE_SLOTS) << 3);
  p.labels = p.nodes + ((<usize>capacity(TASKS) * LEAVES_PER_TASK) << 3);
  p.offerHeads = p.labels + <usize>labelBytes(capacity(CATEGORIES));
  p.watchList = p.offerHeads + (rows << 2);
  p.watchers = p.watchList + ((rows + 2) << 2);
  p.holders = p.watchers + ((<usize>capacity(AGENTS)) << 2);
}

/** Maximum of offers of all capabilities together. */
export function maxOffers(): u32 {
  return capacity(CAPABILITIES) * OFFERS_PER_ROW;
}

export function figures(): RouterFigures {
  return changetype<RouterFigures>(root().router);
}

export function markFigures(): void {
  markBytes(root().router, FIGURES_BYTES);
}

export function capabilityBase(): usize {
  return addresses().capabilities;
}
export function wakeBase(): usize {
  return addresses().wakes;
}
export function offerBase(): usize {
  return addresses().offers;
}
export function wakeSlotBase(): usize {
  return addresses().wakeSlots;
}
/** Nodes of the tree of open tasks. */
export function nodeBase(): usize {
  return addresses().nodes;
}
/** First offer of each capability, u32, row + 1. */
export function offerHeadBase(): usize {
  return addresses().offerHeads;
}
export function labelBase(): usize {
  return addresses().labels;
}
/** For each agent the capability that depends on it, u32 (ledger/watched.ts), and the list of changed ones. */
export function watcherBase(): usize {
  return addresses().watchers;
}
export function watchListBase(): usize {
  return addresses().watchList;
}

// For each task row, u32: where it is in the trees of open-tree.ts.
/** Not open, or a subtask. */
export const HOLDER_NONE: u32 = 0;
/** Open without an assignment; other values are agent index + 1, which is never that large. */
export const HOLDER_WAITING: u32 = 0xffffffff;

/** HOLDER_*, or index + 1 of the agent that the open task is assigned to. */
export function holderOf(row: u32): u32 {
  return load<u32>(addresses().holders + ((<usize>row) << 2));
}

export function setHolder(row: u32, holder: u32): void {
  store<u32>(addresses().holders + ((<usize>row) << 2), holder);
}

export function clearHolders(): void {
  zeroWords(addresses().holders, capacity(TASKS));
}

// The last 8 bytes of a task row are the router's: the number under which an open task waits or is assigned.
const NUMBER: usize = TASK_ROW_BYTES - 8;

/** 0 while the task is not open. */
export function numberOf(task: Task): u64 {
  return load<u64>(changetype<usize>(task) + NUMBER);
}

/** The caller marks the row. */
export function setNumber(task: Task, number: u64): void {
  store<u64>(changetype<usize>(task) + NUMBER, number);
}
