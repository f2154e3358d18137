// Votes, blame and certificates, read off the masks of a new witness; a leader that is a quorum alone. consensus 5.5.
// Keeps: each vote depends on the voter's own ancestry alone. Later vertices do not change a decided slot. Only a voter
// that sees no candidate blames: one that sees two may stand beside a certificate (consensus 5.14, S3).

import { dag } from '../dag/arena';
import { creatorsOf, Round, round } from '../dag/rounds';
import { hasBit, isQuorum, isQuorumSum, weightOf } from '../dag/seats';
import { Vertex, vertex } from '../dag/vertices';
import { UNDECIDED } from './abi';
import { decideSlots } from './decide';
import { leaderOf } from './leaders';
import {
  addBlame,
  addCandidate,
  addCertificate,
  addVote,
  Candidate,
  decideSlot,
  openSlot,
  Support,
  slotOf,
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
function onlyCandidate(slotRound: Round, mask: usize, words: u32): usize {
  let found: usize = 0;
  for (let at = slotOf(slotRound).first; at != 0; at = changetype<Candidate>(at).next) {
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
function vote(v: Vertex, number: u32, distance: u32): bool {
  const slotRound = round(number);
  const candidate = onlyCandidate(slotRound, maskOf(v, distance), v.words);
  if (candidate > SEVERAL) {
    addVote(supportOf(changetype<Candidate>(candidate), distance), v.bit);
    return false;
  }
  if (candidate == SEVERAL || distance != FAR) return false;
  if (!addBlame(slotOf(slotRound), v.creator)) return false;
  decideSlot(number, 0);
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
function certify(v: Vertex, number: u32, distance: u32): bool {
  for (let at = slotOf(round(number)).first; at != 0; at = changetype<Candidate>(at).next) {
    const support = supportOf(changetype<Candidate>(at), distance);
    if (!isCertifiedBy(v, support) || !addCertificate(support, v.bit, v.creator)) continue;
    decideSlot(number, changetype<Candidate>(at).handle);
    return true;
  }
  return false;
}

// A witness of the slot's leader. True when this decides the slot: a leader that is a quorum alone needs nobody's vote.
function propose(r: Round, number: u32, handle: u32): bool {
  if (!isQuorumSum(weightOf(r.leader), 1)) {
    addCandidate(r, handle);
    return false;
  }
  decideSlot(number, handle);
  return true;
}

// Is there a slot so many rounds below, and is it still open.
function isOpen(number: u32, below: u32): bool {
  return number > below && round(number - below).status == UNDECIDED;
}

/** Processes the votes of a new witness. `isNewRound`: it opened its round. */
export function onWitness(handle: u32, isNewRound: bool): void {
  const v = vertex(handle);
  const number = v.round;
  const r = round(number);
  if (isNewRound) openSlot(r, leaderOf(number));
  let isChanged = false;
  if (r.status == UNDECIDED && r.leader == <u32>v.creator) isChanged = propose(r, number, handle);
  for (let distance = NEAR; distance <= FAR; distance++) {
    if (isOpen(number, distance)) isChanged = vote(v, number - distance, distance) || isChanged;
    const certified = distance + 1;
    if (isOpen(number, certified)) isChanged = certify(v, number - certified, distance) || isChanged;
  }
  if (isChanged) decideSlots(dag().maxRound);
}
