// Whether imported rows of the router are consistent, before anything is derived from them.
// Keeps: read only; every walk is bounded by a capacity, so it ends even on damaged rows.

import { TASK_OPEN } from '../abi';
import { CAPABILITIES, capacity, header } from '../state/header';
import { MAX_TAGS, taskAt } from '../tasks/rows';
import { Capability, capabilityAt, MAX_CAPABILITY_CATEGORIES, MAX_CAPABILITY_TAGS } from './capabilities';
import {
  CAPABILITY_ROW_BYTES,
  capabilityBase,
  figures,
  MAX_WAKES,
  maxOffers,
  numberOf,
  WAKE_ROW_BYTES,
  wakeBase,
} from './header';
import { NEVER_ROUTED } from './open-tasks';
import { Wake, wakeAt } from './wakes';

const NO_TAIL: u32 = 0xffffffff;

// Sums over capabilities, compared with the figures.
@unmanaged
class Sums {
  rows: u32;
  registered: u32;
  available: u32;
  offers: u32;
}
const SUMS: usize = memory.data(16, 8);

function isSane(capability: Capability): bool {
  const h = header();
  if (capability.owner > h.agentCount || capability.maxTasks == 0 || capability.maxTasks > 100) return false;
  if (capability.categoryCount > MAX_CAPABILITY_CATEGORIES) return false;
  if (capability.tagCount > MAX_CAPABILITY_TAGS || capability.isAvailable > 1) return false;
  return capability.isRemoved == 0 || capability.isClearing != 0;
}

function hasSaneCapabilities(): bool {
  const h = header();
  if (h.capabilitiesUsed > capacity(CAPABILITIES) || h.capabilitiesLive > h.capabilitiesUsed) return false;
  const sums = changetype<Sums>(SUMS);
  memory.fill(SUMS, 0, 16);
  for (let row: u32 = 0; row < h.capabilitiesUsed; row++) {
    const capability = capabilityAt(row);
    if (capability.owner == 0) continue;
    if (!isSane(capability)) return false;
    sums.rows++;
    if (capability.isRemoved != 0) continue;
    sums.registered++;
    sums.available += capability.isAvailable;
    sums.offers += capability.categoryCount + capability.tagCount;
  }
  const f = figures();
  if (sums.rows != h.capabilitiesLive || sums.registered != f.registered) return false;
  return sums.available == f.available && sums.offers == f.offers && f.offers <= maxOffers();
}

// Open top-level tasks that are not reserved, and no others, have a number, which must have been assigned before.
function hasSaneTasks(): bool {
  const h = header();
  let waiting: u32 = 0;
  for (let row: u32 = 0; row < h.tasksUsed; row++) {
    const task = taskAt(row);
    if (task.status == 0) continue;
    const isHeld = task.status == TASK_OPEN && (task.flags & NEVER_ROUTED) == 0;
    if (isHeld != (numberOf(task) != 0) || numberOf(task) > figures().number) return false;
    if (isHeld && (task.routedTo > h.agentCount || task.tagCount > MAX_TAGS)) return false;
    if (isHeld && task.routedTo == 0) waiting++;
  }
  return waiting == figures().waiting;
}

// A chain of rows: it has the stated length; a queue also ends at its tail.
function isChain(base: usize, bytes: u32, link: u32, used: u32, head: u32, count: u32, tail: u32): bool {
  let next = head;
  let last: u32 = 0;
  for (let left = count; left > 0; left--) {
    if (next == 0 || next > used) return false;
    last = next;
    next = load<u32>(base + <usize>(next - 1) * bytes + link);
  }
  return next == 0 && (tail == NO_TAIL || last == tail);
}

// Exactly the woken labels are in the queue.
function hasSaneWakes(): bool {
  const f = figures();
  const link = <u32>offsetof<Wake>('next');
  if (f.wakesUsed > MAX_WAKES || f.wakesLive > f.wakesUsed) return false;
  let woken: u32 = 0;
  for (let row: u32 = 0; row < f.wakesUsed; row++) if (wakeAt(row).end != 0) woken++;
  if (woken != f.wakesLive) return false;
  for (let next = f.wakeHead, left = woken; left > 0 && next != 0 && next <= f.wakesUsed; left--) {
    if (wakeAt(next - 1).end == 0) return false;
    next = wakeAt(next - 1).next;
  }
  const free = f.wakesUsed - f.wakesLive;
  return (
    isChain(wakeBase(), WAKE_ROW_BYTES, link, f.wakesUsed, f.wakeHead, f.wakesLive, f.wakeTail) &&
    isChain(wakeBase(), WAKE_ROW_BYTES, link, f.wakesUsed, f.wakesFree, free, NO_TAIL)
  );
}

function clearingCount(): u32 {
  let count: u32 = 0;
  for (let row: u32 = 0; row < header().capabilitiesUsed; row++) count += capabilityAt(row).isClearing;
  return count;
}

function hasSaneChains(): bool {
  const h = header();
  const f = figures();
  const base = capabilityBase();
  const used = h.capabilitiesUsed;
  const clearing = <u32>offsetof<Capability>('nextClearing');
  const free = <u32>offsetof<Capability>('link');
  return (
    isChain(base, CAPABILITY_ROW_BYTES, clearing, used, f.clearHead, clearingCount(), f.clearTail) &&
    isChain(base, CAPABILITY_ROW_BYTES, free, used, h.capabilitiesFree, used - h.capabilitiesLive, NO_TAIL)
  );
}

/** True when figures, rows and queues of an imported router are consistent. */
export function isSaneRouter(): bool {
  return hasSaneCapabilities() && hasSaneTasks() && hasSaneWakes() && hasSaneChains();
}
