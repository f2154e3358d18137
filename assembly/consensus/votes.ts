// Votes, blame and certificates, read off the masks of a new witness. consensus 5.5.
// Keeps: each vote depends on the voter's own ancestry alone. Later vertices do not change a decided slot.

import { dag } from '../dag/arena';
import { creatorsOf, Round, round } from '../dag/rounds';
import { hasBit, isQuorum } from '../dag/seats';
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
  slotOf,
} from './slots';

/** Voters of slot r are the witnesses of round r + d. */
export const VOTE_DISTANCE: u32 = 2;

const SHARED: usize = memory.data(2048, 8);
const CREATORS: usize = memory.data(512, 8);

function maskOf(v: Vertex, k: u32): usize {
  return v.masks + ((<usize>k * <usize>v.words) << 3);
}

// The only candidate of the slot in v's past; without any, or with several, v does not vote.
function onlyCandidate(slotRound: Round, mask: usize, words: u32): usize {
  let found: usize = 0;
  for (let at = slotOf(slotRound).first; at != 0; at = changetype<Candidate>(at).next) {
    const bit = <u32>vertex(changetype<Candidate>(at).handle).bit;
    if (bit >> 6 >= words || !hasBit(mask, bit)) continue;
    if (found != 0) return 0;
    found = at;
  }
  return found;
}

// True when this decides the slot.
function vote(v: Vertex, number: u32): bool {
  const slotRound = round(number);
  const candidate = onlyCandidate(slotRound, maskOf(v, VOTE_DISTANCE), v.words);
  if (candidate != 0) {
    addVote(changetype<Candidate>(candidate), v.bit);
    return false;
  }
  if (!addBlame(slotOf(slotRound), v.creator)) return false;
  decideSlot(number, 0);
  return true;
}

// True when v's past holds votes of a quorum for the candidate.
function isCertifiedBy(v: Vertex, candidate: Candidate): bool {
  const words = min<u32>(v.words, candidate.voteWords);
  const mask = maskOf(v, 1);
  for (let i: usize = 0; i < (<usize>words) << 3; i += 8) {
    store<u64>(SHARED + i, load<u64>(mask + i) & load<u64>(candidate.votes + i));
  }
  return isQuorum(creatorsOf(v.round - 1, SHARED, words, CREATORS));
}

// True when this decides the slot.
function certify(v: Vertex, number: u32): bool {
  for (let at = slotOf(round(number)).first; at != 0; at = changetype<Candidate>(at).next) {
    const candidate = changetype<Candidate>(at);
    if (!isCertifiedBy(v, candidate) || !addCertificate(candidate, v.bit, v.creator)) continue;
    decideSlot(number, candidate.handle);
    return true;
  }
  return false;
}

/** Processes the votes of a new witness. `isNewRound`: it opened its round. */
export function onWitness(handle: u32, isNewRound: bool): void {
  const v = vertex(handle);
  const number = v.round;
  const r = round(number);
  if (isNewRound) openSlot(r, leaderOf(number));
  if (r.status == UNDECIDED && r.leader == <u32>v.creator) addCandidate(r, handle);
  let isChanged = false;
  if (number > VOTE_DISTANCE && round(number - VOTE_DISTANCE).status == UNDECIDED) {
    isChanged = vote(v, number - VOTE_DISTANCE);
  }
  const certified = number - VOTE_DISTANCE - 1;
  if (number > VOTE_DISTANCE + 1 && round(certified).status == UNDECIDED) {
    isChanged = certify(v, certified) || isChanged;
  }
  if (isChanged) decideSlots(dag().maxRound);
}
