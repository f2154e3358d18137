// Indirect decisions: a slot that did not decide itself follows the next decided leader above it. consensus 5.6.
// Keeps: the anchor of a slot of round r is in round r + 4 or above, strictly above the rounds of its certificates, r + 2 and r + 3; an
// off-by-one here breaks safety, and random tests rarely find it. A slot is never decided again.

import { dag } from '../dag/arena';
import { Round, round, witnessAt } from '../dag/rounds';
import { vertex } from '../dag/vertices';
import { SKIP, UNDECIDED } from './abi';
import { epoch } from './epoch';
import { Candidate, decideSlot, Slot, Support, slotAt, tallyOf } from './slots';

/** Rounds from a slot to the lowest anchor it may follow: the larger vote distance + 2. */
const ANCHOR_DISTANCE: u32 = 4;

// Witnesses of one round in the past of an anchor, and of the round below while they are computed.
const REACH: usize = memory.data(2048, 8);
const BELOW: usize = memory.data(2048, 8);
const MAX_WORDS: u32 = 256;

// Starts with mask 1 of the anchor: the witnesses of the round below it in its past.
function beginReach(anchor: u32): void {
  const v = vertex(anchor);
  const bytes = (<usize>v.words) << 3;
  memory.fill(REACH, 0, (<usize>MAX_WORDS) << 3);
  memory.copy(REACH, v.masks + bytes, bytes);
}

// Steps from the witnesses of a round to those of the round below in their past.
function lowerReach(r: Round): void {
  memory.fill(BELOW, 0, (<usize>MAX_WORDS) << 3);
  const wordCount = (dag().seatCount + r.extraCount + 63) >> 6;
  for (let word: u32 = 0; word < wordCount; word++) {
    for (let bits = load<u64>(REACH + ((<usize>word) << 3)); bits != 0; bits &= bits - 1) {
      const v = vertex(witnessAt(r, (word << 6) + <u32>ctz<u64>(bits)));
      const bytes = (<usize>v.words) << 3;
      const mask = v.masks + bytes;
      for (let i: usize = 0; i < bytes; i += 8)
        store<u64>(BELOW + i, load<u64>(BELOW + i) | load<u64>(mask + i));
    }
  }
  memory.copy(REACH, BELOW, (<usize>MAX_WORDS) << 3);
}

function isReached(support: Support): bool {
  for (let i: usize = 0; i < (<usize>support.certificateWords) << 3; i += 8) {
    if ((load<u64>(support.certificates + i) & load<u64>(REACH + i)) != 0) return true;
  }
  return false;
}

// Handle of the candidate with a certificate in reach, 0 = none. There is at most one (consensus 5.14, S2).
// `isFar`: the reach is that of round r + 3, where certificates of far votes are; else of r + 2.
function certifiedInReach(slot: Slot, isFar: bool): u32 {
  for (let at = tallyOf(slot).first; at != 0; at = changetype<Candidate>(at).next) {
    const candidate = changetype<Candidate>(at);
    if (isReached(changetype<Support>(isFar ? candidate.far : candidate.near))) return candidate.handle;
  }
  return 0;
}

// The first slot of a round that is not skipped, 0 = none.
function firstNotSkipped(r: Round): usize {
  for (let place: u32 = 0; place < epoch().leaderCount; place++) {
    const slot = slotAt(r, place);
    if (slot.status != SKIP) return changetype<usize>(slot);
  }
  return 0;
}

// Commits the open slots of a round with a certificate of far votes in reach, and skips those without any candidate.
// True when one is left, that certificates of near votes decide.
function decideByFar(r: Round): bool {
  for (let place: u32 = 0; place < epoch().leaderCount; place++) {
    const slot = slotAt(r, place);
    if (slot.status != UNDECIDED) continue;
    const chosen = certifiedInReach(slot, true);
    if (chosen != 0 || tallyOf(slot).first == 0) decideSlot(r, slot, chosen);
  }
  return r.undecided != 0;
}

function decideByNear(r: Round): void {
  for (let place: u32 = 0; place < epoch().leaderCount; place++) {
    const slot = slotAt(r, place);
    if (slot.status == UNDECIDED) decideSlot(r, slot, certifiedInReach(slot, false));
  }
}

/** Decides the slots that follow from the decided ones. One pass is enough: a slot depends on those of higher rounds only. */
export function decideSlots(maxRound: u32): void {
  const e = epoch();
  // First slot of a round at or above r + 4 that is not skipped, 0 = beyond the newest round; the reach is that of its
  // chosen vertex.
  let anchor: usize = 0;
  let reachOf: usize = 0;
  let reachRound: u32 = 0;
  let r = maxRound > ANCHOR_DISTANCE ? maxRound - ANCHOR_DISTANCE : 0;
  for (; r >= e.undecided && r > 0; r--) {
    const lowest = firstNotSkipped(round(r + ANCHOR_DISTANCE));
    if (lowest != 0) anchor = lowest;
    if (anchor == 0 || changetype<Slot>(anchor).status == UNDECIDED || round(r).undecided == 0) continue;
    if (reachOf != anchor) {
      const chosen = changetype<Slot>(anchor).chosen;
      beginReach(chosen);
      reachOf = anchor;
      reachRound = vertex(chosen).round - 1;
    }
    for (; reachRound >= r + ANCHOR_DISTANCE; reachRound--) lowerReach(round(reachRound));
    if (decideByFar(round(r))) {
      lowerReach(round(reachRound--));
      decideByNear(round(r));
    }
  }
  while (e.undecided <= maxRound && round(e.undecided).undecided == 0) e.undecided++;
}
