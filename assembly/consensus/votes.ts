// Votes, blame and certificates, read off the masks of a new witness; a leader that is a quorum alone. consensus 5.5.
// Keeps: each vote depends on the voter's own ancestry alone. Later vertices do not change a decided slot. Only a voter
// that sees no candidate blames: one that sees two may stand beside a certificate (consensus 5.14, S3).

import { dag } from '../dag/arena';
import { creatorsOf, Round, round } from '../dag/rounds';
import { hasBit, isQuorum, isQuorumSum, weightOf } from '../dag/seats';
import { Vertex, vertex } from '../dag/vertices';
import { UNDECIDED } from './abi';
import { decideSlots } from './decide';
import { epoch } from './epoch';
import {
  addBlame,
  addCandidate,
  addCertificate,
  addVote,
  Candidate,
  decideSlot,
  openSlots,
  Slot,
  Support,
  slotAt,
  slotLedBy,
  tallyOf,
} from './slots';

/** Vote distances: voters of slot r are the witnesses of round r + 1 and those of round r + 2. consensus 4. */
const NEAR: u32 = 1;
const FAR: u32 = 2;
/** Answer of `onlyCandidate` for a past with several; addresses are higher. */
const SEVERAL: usize = 1;

const SHARED: usize = memory.data(2048, 8);
const CREATORS: usize = memory.data(512, 8);

function maskOf(v: Vertex, k: u32): usize {
  return v.masks + ((<usize>k * <usize>v.words) << 3);
}

// The only candidate of the slot in a mask of its round; 0 = none there.
function onlyCandidate(slot: Slot, mask: usize, words: u32): usize {
  let found: usize = 0;
  for (let at = tallyOf(slot).first; at != 0; at = changetype<Candidate>(at).next) {
    const bit = <u32>vertex(changetype<Candidate>(at).handle).bit;
    if (bit >> 6 >= words || !hasBit(mask, bit)) continue;
    if (found != 0) return SEVERAL;
    found = at;
  }
  return found;
}

function supportOf(candidate: Candidate, distance: u32): Support {
  return changetype<Support>(distance == NEAR ? candidate.near : candidate.far);
}

// True when this decides the slot.
function vote(v: Vertex, r: Round, slot: Slot, distance: u32): bool {
  const candidate = onlyCandidate(slot, maskOf(v, distance), v.words);
  if (candidate > SEVERAL) {
    addVote(supportOf(changetype<Candidate>(candidate), distance), v.bit);
    return false;
  }
  if (candidate == SEVERAL || distance != FAR) return false;
  if (!addBlame(slot, v.creator)) return false;
  decideSlot(r, slot, 0);
  return true;
}

// True when v's past holds votes of a quorum for the candidate.
function isCertifiedBy(v: Vertex, support: Support): bool {
  const words = min<u32>(v.words, support.voteWords);
  const mask = maskOf(v, 1);
  for (let i: usize = 0; i < (<usize>words) << 3; i += 8) {
    store<u64>(SHARED + i, load<u64>(mask + i) & load<u64>(support.votes + i));
  }
  return isQuorum(creatorsOf(v.round - 1, SHARED, words, CREATORS));
}

// True when this decides the slot.
function certify(v: Vertex, r: Round, slot: Slot, distance: u32): bool {
  for (let at = tallyOf(slot).first; at != 0; at = changetype<Candidate>(at).next) {
    const support = supportOf(changetype<Candidate>(at), distance);
    if (!isCertifiedBy(v, support) || !addCertificate(support, v.bit, v.creator)) continue;
    decideSlot(r, slot, changetype<Candidate>(at).handle);
    return true;
  }
  return false;
}

// A witness may lead a slot. True when this decides it: a leader that is a quorum alone needs nobody's vote.
function propose(r: Round, v: Vertex, handle: u32): bool {
  const led = slotLedBy(r, v.creator);
  if (led == 0) return false;
  const slot = changetype<Slot>(led);
  if (slot.status != UNDECIDED) return false;
  if (!isQuorumSum(weightOf(slot.leader), 1)) {
    addCandidate(slot, handle);
    return false;
  }
  decideSlot(r, slot, handle);
  return true;
}

// Is there a round so many below, with a slot that is still open.
function isOpen(number: u32, below: u32): bool {
  return number > below && round(number - below).undecided != 0;
}

// Votes, or certifies, in each open slot of a round. True when this decides one.
function tally(v: Vertex, below: u32, distance: u32, isVote: bool): bool {
  const r = round(v.round - below);
  const count = epoch().leaderCount;
  let isChanged = false;
  for (let place: u32 = 0; place < count; place++) {
    const slot = slotAt(r, place);
    if (slot.status != UNDECIDED) continue;
    const decides = isVote ? vote(v, r, slot, distance) : certify(v, r, slot, distance);
    isChanged = decides || isChanged;
  }
  return isChanged;
}

/** Processes the votes of a new witness. `isNewRound`: it opened its round. */
export function onWitness(handle: u32, isNewRound: bool): void {
  const v = vertex(handle);
  const number = v.round;
  const r = round(number);
  if (isNewRound) openSlots(r, number);
  let isChanged = propose(r, v, handle);
  for (let distance = NEAR; distance <= FAR; distance++) {
    if (isOpen(number, distance)) isChanged = tally(v, distance, distance, true) || isChanged;
    const certified = distance + 1;
    if (isOpen(number, certified)) isChanged = tally(v, certified, distance, false) || isChanged;
  }
  if (isChanged) decideSlots(dag().maxRound);
}
