// The router's commands: register or remove a capability, set its availability (protocol 4.5, 7.7).
// Keeps: registering again replaces the whole capability and makes it available; an agent that becomes available wakes
// its labels; the routing that follows is done in steps by runRoutingSteps, so no command takes long.

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
  INSUFFICIENT_BALANCE,
  OK,
  RESULT_AGENT,
  TABLE_CAPABILITIES,
} from '../abi';
import { actor, commits, field32, field64, fieldAddress, frame, refuse, setResult } from '../io/frame';
import { lockDeposit, returnDeposit, rowPrice } from '../ledger/row-price';
import { CAPABILITIES } from '../state/header';
import {
  addCapability,
  Capability,
  capabilityAt,
  capabilityRow,
  findCapability,
  findCapabilityRow,
  hasCapabilityRow,
  isTagPosition,
  labelAt,
  labelsOf,
  MAX_CAPABILITY_CATEGORIES,
  MAX_CAPABILITY_TAGS,
  markCapability,
} from './capabilities';
import { figures, markFigures, maxOffers } from './header';
import { categoryKey, tagKey } from './labels';
import { addOffers, applyChanges, dropOffers, relist } from './listing';
import { OFFERS_PER_ROW } from './offers';
import { beginClearing } from './routing';
import { wake } from './wakes';

const MAX_PARALLEL_TASKS: u32 = 100;
const MAX_PRICE: u64 = 9007199254740991;

/** True when a registration has the length and the ranges of abi.ts. */
export function isRegistration(record: usize, bytes: u32): bool {
  if (bytes < <u32>IN_ROUTER_LABELS || load<u64>(record, IN_ROUTER_PRICE) > MAX_PRICE) return false;
  const maxTasks = load<u32>(record, IN_ROUTER_MAX_TASKS);
  const categories = load<u32>(record, IN_ROUTER_CATEGORY_COUNT);
  const tags = load<u32>(record, IN_ROUTER_TAG_COUNT);
  if (maxTasks == 0 || maxTasks > MAX_PARALLEL_TASKS) return false;
  if (categories == 0 || categories > MAX_CAPABILITY_CATEGORIES || tags > MAX_CAPABILITY_TAGS) return false;
  return bytes == <u32>IN_ROUTER_LABELS + ((categories + tags) << 3);
}

/** True when a change of availability has the length and the ranges of abi.ts. */
export function isAvailability(record: usize, bytes: u32): bool {
  return bytes == IN_ROUTER_AVAILABLE_BYTES && load<u32>(record, IN_ROUTER_AVAILABLE) <= 1;
}

function labelCount(capability: Capability): u32 {
  return capability.categoryCount + capability.tagCount;
}

function wakeLabels(capability: Capability): void {
  for (let i: u32 = 0; i < labelCount(capability); i++) {
    const label = labelAt(capability, i);
    wake(isTagPosition(capability, i) ? tagKey(label) : categoryKey(label));
  }
}

// Removes a capability from the figures and the offers; its row stays.
function withdrawCapability(capability: Capability): void {
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
  capability.maxTasks = field32(IN_ROUTER_MAX_TASKS);
  capability.categoryCount = field32(IN_ROUTER_CATEGORY_COUNT);
  capability.tagCount = field32(IN_ROUTER_TAG_COUNT);
  capability.registeredSecs = frame().nowSecs;
  capability.isAvailable = 1;
  capability.isRemoved = 0;
  memory.fill(labelsOf(capability), 0, (MAX_CAPABILITY_CATEGORIES + MAX_CAPABILITY_TAGS) << 3);
  memory.copy(labelsOf(capability), fieldAddress(IN_ROUTER_LABELS), (<usize>labelCount(capability)) << 3);
  f.registered++;
  f.available++;
  f.offers += labelCount(capability);
  markFigures();
  markCapability(capability);
}

// Number of offers without those of the actor.
function otherOffers(row: i32): u32 {
  if (row < 0) return figures().offers;
  const capability = capabilityAt(<u32>row);
  return capability.isRemoved != 0 ? figures().offers : figures().offers - labelCount(capability);
}

// Rows that the deposit of the actor's registration is for: labels have a table too, which has OFFERS_PER_ROW for each row.
function paidRows(row: i32): u32 {
  return row < 0 ? 0 : capabilityAt(<u32>row).paidRows;
}

function rowsFor(labels: u32): u32 {
  return (labels + OFFERS_PER_ROW - 1) / OFFERS_PER_ROW;
}

// The deposit that a registration takes: for rows that the one it replaces has not paid. The price goes by rows or by labels,
// whatever is fuller, without the actor's own.
function depositFor(row: i32, labels: u32): u64 {
  const paid = paidRows(row);
  if (rowsFor(labels) <= paid) return 0;
  const others = figures().registered - (paid == 0 ? 0 : 1);
  const live = max<u32>(others, otherOffers(row) / OFFERS_PER_ROW);
  return <u64>(rowsFor(labels) - paid) * rowPrice(CAPABILITIES, live);
}

/** OP_ROUTER_REGISTER. Errors: no room for the row or its offers; the deposit not held. */
export function registerCapability(): i32 {
  const row = findCapabilityRow(frame().actor);
  const labels = field32(IN_ROUTER_CATEGORY_COUNT) + field32(IN_ROUTER_TAG_COUNT);
  const hasRoom = (row >= 0 || hasCapabilityRow()) && otherOffers(row) + labels <= maxOffers();
  if (!hasRoom) return refuse(CAPACITY, TABLE_CAPABILITIES);
  const deposit = depositFor(row, labels);
  if (actor().balance < deposit) return refuse(INSUFFICIENT_BALANCE, actor().balance, deposit);
  if (!commits()) return OK;

  lockDeposit(actor(), deposit);
  applyChanges();
  const capability = row < 0 ? addCapability(actor()) : capabilityAt(<u32>row);
  if (row >= 0) withdrawCapability(capability);
  fill(capability);
  capability.deposit += deposit;
  capability.paidRows = max<u32>(capability.paidRows, rowsFor(labels));
  addOffers(capability);
  relist(capability);
  wakeLabels(capability);
  setResult(RESULT_AGENT, frame().actor);
  return OK;
}

/** OP_ROUTER_REMOVE. Its open assignments are cleared in the following steps, oldest first. */
export function removeCapability(): i32 {
  const row = findCapability(frame().actor);
  if (row < 0) return refuse(CAPABILITY_NOT_FOUND);
  if (!commits()) return OK;

  const capability = capabilityAt(<u32>row);
  withdrawCapability(capability);
  returnDeposit(actor(), capability.deposit);
  capability.deposit = 0;
  capability.paidRows = 0;
  capability.isRemoved = 1;
  capability.isAvailable = 0;
  if (capability.isClearing != 0) capability.clearTo = figures().number;
  else beginClearing(capability, capabilityRow(capability));
  markCapability(capability);
  setResult(RESULT_AGENT, frame().actor);
  return OK;
}

/** OP_ROUTER_AVAILABLE. Labels are woken when an agent becomes available, not when it already was. */
export function switchAvailability(): i32 {
  const row = findCapability(frame().actor);
  if (row < 0) return refuse(CAPABILITY_NOT_FOUND);
  const capability = capabilityAt(<u32>row);
  const isAvailable = field32(IN_ROUTER_AVAILABLE);
  const becomesAvailable = isAvailable != 0 && capability.isAvailable == 0;
  if (!commits()) return OK;

  if (becomesAvailable) figures().available++;
  if (isAvailable == 0 && capability.isAvailable != 0) figures().available--;
  capability.isAvailable = isAvailable;
  markFigures();
  markCapability(capability);
  applyChanges();
  relist(capability);
  if (becomesAvailable) wakeLabels(capability);
  setResult(RESULT_AGENT, frame().actor);
  return OK;
}
