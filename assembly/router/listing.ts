// Which offers of a capability are in the offer tree, and with what figures.
// Keeps: before a search, each offer of an agent that can take one more task is listed with its current class
// and share, and no other offer is. Changes of agents arrive through ledger/watched, whoever made them.

import { agentIndex } from '../ledger/agents';
import { takeWatched } from '../ledger/watched';
import { recordAt } from '../reputation/records';
import {
  activeTasks,
  Capability,
  capabilityAt,
  capabilityRow,
  findCapabilityRow,
  hasCategoryLabel,
  isTagPosition,
  labelAt,
  ownerOf,
  takesTasks,
} from './capabilities';
import { offerHeadBase } from './header';
import { categoryKey, categoryOf, labelBit, labelOf, learnCategories, tagKey } from './labels';
import { listOffer, refreshOffer, unlistOffer } from './offer-tree';
import { CLASS_SHIFT, giveOffer, offerAt, takeOffer } from './offers';
import { isNewcomer, loadShare, placingIn, placingOf } from './score';

/** The figures of an offer; overwritten by the next one. */
@unmanaged
class Figures {
  rank: u64;
  tags: u64;
  seen: u64;
  share: u32;
  free: u32;
}
const FIGURES: usize = memory.data(32, 8);

function figures(): Figures {
  return changetype<Figures>(FIGURES);
}

function headAt(capability: Capability): usize {
  return offerHeadBase() + ((<usize>capabilityRow(capability)) << 2);
}

function keyAt(capability: Capability, position: u32): u64 {
  const label = labelAt(capability, position);
  return isTagPosition(capability, position) ? tagKey(label) : categoryKey(label);
}

function isRepeated(capability: Capability, position: u32): bool {
  const key = keyAt(capability, position);
  for (let before: u32 = 0; before < position; before++) if (keyAt(capability, before) == key) return true;
  return false;
}

// A category's offer: its figures follow from the record in that category.
function figureCategory(capability: Capability, label: u64): void {
  const f = figures();
  const placing = placingIn(ownerOf(capability), categoryOf(label));
  f.rank = ((<u64>placing.rank) << CLASS_SHIFT) | capability.price;
  f.share = f.free + placing.share;
  f.seen = 0;
}

// A tag's offer: the highest class and share of any record outside the categories that the capability names. For a
// task in one of those, the agent matches by category and is found under it.
function figureTags(capability: Capability): void {
  const f = figures();
  const agent = ownerOf(capability);
  const none = placingOf(agent, 0);
  let rank = none.rank;
  let share: u32 = 0;
  f.seen = 0;
  for (let link = agentIndex(agent) + 1; link != 0; link = recordAt(link - 1).next) {
    const record = recordAt(link - 1);
    const label = labelOf(record.category);
    if (record.completed + record.failed == 0 || hasCategoryLabel(capability, label)) continue;
    const placing = placingOf(agent, link);
    rank = max<u32>(rank, placing.rank);
    share = max<u32>(share, placing.share);
    f.seen |= labelBit(label);
  }
  f.rank = ((<u64>rank) << CLASS_SHIFT) | capability.price;
  f.share = f.free + share;
}

// Bits of a newcomer's tags. The score of other agents does not count common tags.
function tagBits(capability: Capability): u64 {
  if (!isNewcomer(ownerOf(capability))) return 0;
  let bits: u64 = 0;
  for (let i: u32 = 0; i < capability.tagCount; i++) {
    bits |= labelBit(labelAt(capability, capability.categoryCount + i));
  }
  return bits;
}

// Lists an offer with the current figures, or updates what they changed.
function listOrUpdate(row: u32): void {
  const f = figures();
  const offer = offerAt(row);
  const isInPlace = offer.isListed != 0 && offer.rank == f.rank && offer.tags == f.tags;
  if (isInPlace && offer.share == f.share && offer.free == f.free && offer.seen == f.seen) return;
  if (offer.isListed != 0 && !isInPlace) unlistOffer(row);
  offer.rank = f.rank;
  offer.tags = f.tags;
  offer.seen = f.seen;
  offer.share = <u16>f.share;
  offer.free = <u16>f.free;
  if (isInPlace) refreshOffer(row);
  else listOffer(row);
}

function withdraw(capability: Capability): void {
  for (let link = load<u32>(headAt(capability)); link != 0; link = offerAt(link - 1).next) {
    if (offerAt(link - 1).isListed != 0) unlistOffer(link - 1);
  }
}

/** Updates the listed offers of a capability. Categories and their records are up to date. */
export function relist(capability: Capability): void {
  if (!takesTasks(capability)) {
    withdraw(capability);
    return;
  }
  const f = figures();
  f.free = <u32>loadShare(capability.maxTasks, activeTasks(capability.owner - 1));
  f.tags = tagBits(capability);
  let link = load<u32>(headAt(capability));
  for (let i: u32 = 0; i < capability.categoryCount + capability.tagCount; i++) {
    if (isRepeated(capability, i)) continue;
    if (isTagPosition(capability, i)) figureTags(capability);
    else figureCategory(capability, labelAt(capability, i));
    listOrUpdate(link - 1);
    link = offerAt(link - 1).next;
  }
}

/** Creates an offer for each distinct label, in order; lists none yet. */
export function addOffers(capability: Capability): void {
  let before: u32 = 0;
  for (let i: u32 = 0; i < capability.categoryCount + capability.tagCount; i++) {
    if (isRepeated(capability, i)) continue;
    const row = takeOffer();
    const offer = offerAt(row);
    offer.label = keyAt(capability, i);
    offer.agent = capability.owner - 1;
    if (before == 0) store<u32>(headAt(capability), row + 1);
    else offerAt(before - 1).next = row + 1;
    before = row + 1;
  }
}

/** Removes all offers of a capability. */
export function dropOffers(capability: Capability): void {
  withdraw(capability);
  for (let link = load<u32>(headAt(capability)); link != 0; ) {
    const row = link - 1;
    link = offerAt(row).next;
    giveOffer(row);
  }
  store<u32>(headAt(capability), 0);
}

/** Applies what changed since the last call. Call it before a search and before another agent is watched. */
export function applyChanges(): void {
  learnCategories();
  for (let agent = takeWatched(); agent >= 0; agent = takeWatched()) {
    const row = findCapabilityRow(<u32>agent);
    if (row >= 0) relist(capabilityAt(<u32>row));
  }
}
