// Registering, removing and switching a capability: the router's commands (DECISIONS 4.5, 7.7).
// Keeps: a repeat replaces the whole record, available from then on; an agent that begins to be offered wakes its
// labels; what the commands set in motion is done by routeOnwards, so none of them takes long.

import { CAPABILITY_NOT_FOUND, CAPACITY, OK, TABLE_CAPABILITIES } from '../abi';
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

// Fields of OP_ROUTER_REGISTER and OP_ROUTER_AVAILABLE (abi.ts).
const PRICE: usize = 96;
const MOST: usize = 104;
const CATEGORIES: usize = 108;
const TAGS: usize = 112;
const LABELS: usize = 120;
const AVAILABLE: usize = 96;
const MOST_TASKS_AT_A_TIME: u32 = 100;
const MOST_PRICE: u64 = 9007199254740991;

/** True when a registration has the length and the ranges of abi.ts. */
export function isRegistration(record: usize, bytes: u32): bool {
  if (bytes < <u32>LABELS || load<u64>(record, PRICE) > MOST_PRICE) return false;
  const most = load<u32>(record, MOST);
  const categories = load<u32>(record, CATEGORIES);
  const tags = load<u32>(record, TAGS);
  if (most == 0 || most > MOST_TASKS_AT_A_TIME) return false;
  if (categories == 0 || categories > MOST_CAPABILITY_CATEGORIES || tags > MOST_CAPABILITY_TAGS) return false;
  return bytes == <u32>LABELS + ((categories + tags) << 3);
}

/** True when a switch has the length and the ranges of abi.ts. */
export function isAvailability(record: usize, bytes: u32): bool {
  return bytes == 104 && load<u32>(record, AVAILABLE) <= 1;
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
  capability.price = field64(PRICE);
  capability.most = field32(MOST);
  capability.categoryCount = field32(CATEGORIES);
  capability.tagCount = field32(TAGS);
  capability.registeredSecs = frame().nowSecs;
  capability.isAvailable = 1;
  capability.isRemoved = 0;
  memory.fill(labelsOf(capability), 0, (MOST_CAPABILITY_CATEGORIES + MOST_CAPABILITY_TAGS) << 3);
  memory.copy(labelsOf(capability), fieldAddress(LABELS), (<usize>labelCount(capability)) << 3);
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
  const labels = field32(CATEGORIES) + field32(TAGS);
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
  setResult(0, frame().actor);
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
  setResult(0, frame().actor);
  return OK;
}

/** OP_ROUTER_AVAILABLE. Labels are woken when an agent becomes available, not when it is told so again. */
export function switchAvailability(): i32 {
  const row = findCapability(frame().actor);
  if (row < 0) return refuse(CAPABILITY_NOT_FOUND);
  const capability = capabilityAt(<u32>row);
  const isAvailable = field32(AVAILABLE);
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
  setResult(0, frame().actor);
  return OK;
}
