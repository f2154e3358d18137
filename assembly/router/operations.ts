// Registering, removing and switching a capability: the router's commands (DECISIONS 4.5, 7.7).
// Keeps: a repeat replaces the whole record, available from then on; an agent that begins to be offered wakes its
// labels; what the commands set in motion is done by routeOnwards, so none of them takes long.

import {
  CAPABILITY_NOT_FOUND,
  CAPACITY,
  IN_ROUTER_AVAILABLE,
  IN_ROUTER_AVAILABLE_BYTES,
  IN_ROUTER_CATEGORY_COUNT,
  IN_ROUTER_LABELS,
  IN_ROUTER_MAX_TASKS,
  IN_ROUTER_PRICE,
  IN_ROUTER_TAG_COUNT,
  OK,
  RESULT_AGENT,
  TABLE_CAPABILITIES,
} from '../abi';
import { actor, commits, field32, field64, fieldAddress, frame, refuse, setResult } from '../io/frame';
import {
  addCapability,
  Capability,
  capabilityAt,
  capabilityRow,
  findCapability,
  findCapabilityRow,
  hasCapabilityRow,
  isTagPlace,
  labelAt,
  labelsOf,
  MOST_CAPABILITY_CATEGORIES,
  MOST_CAPABILITY_TAGS,
  markCapability,
} from './capabilities';
import { figures, markFigures, mostOffers } from './header';
import { categoryKey, tagKey } from './labels';
import { addOffers, dropOffers, relist, takeUpChanges } from './listing';
import { beginClearing } from './routing';
import { hasWakeRows, wake } from './wakes';

const MOST_TASKS_AT_A_TIME: u32 = 100;
const MOST_PRICE: u64 = 9007199254740991;

/** True when a registration has the length and the ranges of abi.ts. */
export function isRegistration(record: usize, bytes: u32): bool {
  if (bytes < <u32>IN_ROUTER_LABELS || load<u64>(record, IN_ROUTER_PRICE) > MOST_PRICE) return false;
  const most = load<u32>(record, IN_ROUTER_MAX_TASKS);
  const categories = load<u32>(record, IN_ROUTER_CATEGORY_COUNT);
  const tags = load<u32>(record, IN_ROUTER_TAG_COUNT);
  if (most == 0 || most > MOST_TASKS_AT_A_TIME) return false;
  if (categories == 0 || categories > MOST_CAPABILITY_CATEGORIES || tags > MOST_CAPABILITY_TAGS) return false;
  return bytes == <u32>IN_ROUTER_LABELS + ((categories + tags) << 3);
}

/** True when a switch has the length and the ranges of abi.ts. */
export function isAvailability(record: usize, bytes: u32): bool {
  return bytes == IN_ROUTER_AVAILABLE_BYTES && load<u32>(record, IN_ROUTER_AVAILABLE) <= 1;
}

function labelCount(capability: Capability): u32 {
  return capability.categoryCount + capability.tagCount;
}

function wakeLabels(capability: Capability): void {
  for (let i: u32 = 0; i < labelCount(capability); i++) {
    const label = labelAt(capability, i);
    wake(isTagPlace(capability, i) ? tagKey(label) : categoryKey(label));
  }
}

// Takes a capability out of the figures and the offers; its row stays.
function takeBack(capability: Capability): void {
  const f = figures();
  if (capability.isRemoved != 0) return;
  f.registered--;
  f.offers -= labelCount(capability);
  if (capability.isAvailable != 0) f.available--;
  markFigures();
  dropOffers(capability);
}

function fill(capability: Capability): void {
  const f = figures();
  capability.price = field64(IN_ROUTER_PRICE);
  capability.most = field32(IN_ROUTER_MAX_TASKS);
  capability.categoryCount = field32(IN_ROUTER_CATEGORY_COUNT);
  capability.tagCount = field32(IN_ROUTER_TAG_COUNT);
  capability.registeredSecs = frame().nowSecs;
  capability.isAvailable = 1;
  capability.isRemoved = 0;
  memory.fill(labelsOf(capability), 0, (MOST_CAPABILITY_CATEGORIES + MOST_CAPABILITY_TAGS) << 3);
  memory.copy(labelsOf(capability), fieldAddress(IN_ROUTER_LABELS), (<usize>labelCount(capability)) << 3);
  f.registered++;
  f.available++;
  f.offers += labelCount(capability);
  markFigures();
  markCapability(capability);
}

// Offers that the table would hold without the actor's present ones.
function otherOffers(row: i32): u32 {
  if (row < 0) return figures().offers;
  const capability = capabilityAt(<u32>row);
  return capability.isRemoved != 0 ? figures().offers : figures().offers - labelCount(capability);
}

/** OP_ROUTER_REGISTER. Error: no room for the row, its offers, or the labels to be woken. */
export function registerCapability(): i32 {
  const row = findCapabilityRow(frame().actor);
  const labels = field32(IN_ROUTER_CATEGORY_COUNT) + field32(IN_ROUTER_TAG_COUNT);
  const hasRoom = (row >= 0 || hasCapabilityRow()) && otherOffers(row) + labels <= mostOffers();
  if (!hasRoom || !hasWakeRows(labels)) return refuse(CAPACITY, TABLE_CAPABILITIES);
  if (!commits()) return OK;

  takeUpChanges();
  const capability = row < 0 ? addCapability(actor()) : capabilityAt(<u32>row);
  if (row >= 0) takeBack(capability);
  fill(capability);
  addOffers(capability);
  relist(capability);
  wakeLabels(capability);
  setResult(RESULT_AGENT, frame().actor);
  return OK;
}

/** OP_ROUTER_REMOVE. Open assignments are cleared, oldest first, as far as there is time. */
export function removeCapability(): i32 {
  const row = findCapability(frame().actor);
  if (row < 0) return refuse(CAPABILITY_NOT_FOUND);
  if (!commits()) return OK;

  const capability = capabilityAt(<u32>row);
  takeBack(capability);
  capability.isRemoved = 1;
  capability.isAvailable = 0;
  if (capability.isClearing != 0) capability.clearTo = figures().number;
  else beginClearing(capability, capabilityRow(capability));
  markCapability(capability);
  setResult(RESULT_AGENT, frame().actor);
  return OK;
}

/** OP_ROUTER_AVAILABLE. Labels are woken when an agent becomes available, not when it is told so again. */
export function switchAvailability(): i32 {
  const row = findCapability(frame().actor);
  if (row < 0) return refuse(CAPABILITY_NOT_FOUND);
  const capability = capabilityAt(<u32>row);
  const isAvailable = field32(IN_ROUTER_AVAILABLE);
  const becomesAvailable = isAvailable != 0 && capability.isAvailable == 0;
  if (becomesAvailable && !hasWakeRows(labelCount(capability))) return refuse(CAPACITY, TABLE_CAPABILITIES);
  if (!commits()) return OK;

  if (becomesAvailable) figures().available++;
  if (isAvailable == 0 && capability.isAvailable != 0) figures().available--;
  capability.isAvailable = isAvailable;
  markFigures();
  markCapability(capability);
  takeUpChanges();
  relist(capability);
  if (becomesAvailable) wakeLabels(capability);
  setResult(RESULT_AGENT, frame().actor);
  return OK;
}
