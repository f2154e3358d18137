// The table of capabilities: what agents registered with the router offer, one row for each of them.
// Keeps: an agent has at most one row, found through ledger/watched; a removed capability keeps its row only
// until its assignments are cleared, and nothing but the clearing sees it.

import { workerOf } from '../credit/workers';
import { Agent, agentAt, agentIndex } from '../ledger/agents';
import { setWatcher, watcherOf } from '../ledger/watched';
import { CAPABILITIES, capacity, Header, header } from '../state/header';
import { markBytes } from '../state/marks';
import { giveRow, hasRow, RowStore, takeRow } from '../state/row-store';
import { CAPABILITY_ROW_BYTES, capabilityBase } from './header';

export const MAX_CAPABILITY_CATEGORIES: u32 = 20;
export const MAX_CAPABILITY_TAGS: u32 = 10;

@unmanaged
export class Capability {
  /** Agent index + 1, 0 in a free row. */
  owner: u32;
  /** Maximum of tasks claimed at a time, 1..100. */
  maxTasks: u32;
  /** Price of a task, micro-units. */
  price: u64;
  registeredSecs: u64;
  /** In the owner's escrow until the capability is removed, micro-units. */
  deposit: u64;
  isAvailable: u32;
  isRemoved: u32;
  categoryCount: u32;
  tagCount: u32;
  /** Assignments with numbers up to this one are to be cleared. */
  clearTo: u64;
  /** In the queue of those whose assignments are being cleared, and the next in it, row + 1. */
  isClearing: u32;
  nextClearing: u32;
  /** Links free rows. */
  link: u32;
  /** Rows that the deposit is for: one for each OFFERS_PER_ROW labels begun, of the most it ever had. */
  paidRows: u32;
  // From here the labels: categoryCount of categories, then tagCount of tags, u64 each; 30 at most.
  labels: u64;
}
const LABELS: usize = offsetof<Capability>('labels');
const LINK: u32 = <u32>offsetof<Capability>('link');

function rows(): RowStore {
  return changetype<RowStore>(changetype<usize>(header()) + offsetof<Header>('capabilitiesUsed'));
}

export function capabilityAt(row: u32): Capability {
  return changetype<Capability>(capabilityBase() + <usize>row * CAPABILITY_ROW_BYTES);
}

export function capabilityRow(capability: Capability): u32 {
  return <u32>((changetype<usize>(capability) - capabilityBase()) / CAPABILITY_ROW_BYTES);
}

export function markCapability(capability: Capability): void {
  markBytes(changetype<usize>(capability), CAPABILITY_ROW_BYTES);
}

/** Row of an agent's capability, a removed one included, or -1. */
export function findCapabilityRow(agent: u32): i32 {
  return <i32>watcherOf(agent) - 1;
}

/** Row of an agent's capability, or -1. */
export function findCapability(agent: u32): i32 {
  const row = findCapabilityRow(agent);
  return row < 0 || capabilityAt(<u32>row).isRemoved != 0 ? -1 : row;
}

export function ownerOf(capability: Capability): Agent {
  return agentAt(capability.owner - 1);
}

/** Tasks that the agent has currently claimed. */
export function activeTasks(agent: u32): u32 {
  return workerOf(agent).claimed;
}

/** True when the agent can take one more task: it is available and below its maximum. */
export function takesTasks(capability: Capability): bool {
  const isOffered = capability.isRemoved == 0 && capability.isAvailable != 0;
  return isOffered && activeTasks(capability.owner - 1) < capability.maxTasks;
}

export function capabilityRowsUsed(): u32 {
  return rows().used;
}

export function hasCapabilityRow(): bool {
  return hasRow(rows(), capacity(CAPABILITIES));
}

/** A zeroed row for an agent without one; the caller has checked hasCapabilityRow and fills it. */
export function addCapability(agent: Agent): Capability {
  const row = takeRow(rows(), capabilityBase(), CAPABILITY_ROW_BYTES, LINK);
  const capability = capabilityAt(row);
  capability.owner = agentIndex(agent) + 1;
  setWatcher(agentIndex(agent), row + 1);
  return capability;
}

/** Frees the row; no offer and no assignment of it is left. */
export function freeCapability(capability: Capability): void {
  setWatcher(capability.owner - 1, 0);
  giveRow(rows(), capabilityBase(), CAPABILITY_ROW_BYTES, LINK, capabilityRow(capability));
}

/** Address of the labels. */
export function labelsOf(capability: Capability): usize {
  return changetype<usize>(capability) + LABELS;
}

export function labelAt(capability: Capability, position: u32): u64 {
  return load<u64>(labelsOf(capability) + ((<usize>position) << 3));
}

export function isTagPosition(capability: Capability, position: u32): bool {
  return position >= capability.categoryCount;
}

export function hasCategoryLabel(capability: Capability, label: u64): bool {
  for (let i: u32 = 0; i < capability.categoryCount; i++) if (labelAt(capability, i) == label) return true;
  return false;
}

export function hasTagLabel(capability: Capability, label: u64): bool {
  const end = capability.categoryCount + capability.tagCount;
  for (let i = capability.categoryCount; i < end; i++) if (labelAt(capability, i) == label) return true;
  return false;
}
