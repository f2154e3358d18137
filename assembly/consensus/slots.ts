// Votes on undecided leader slots: blame, and for each candidate and vote distance its voters and its certifiers.
// Keeps: a seat's weight counts once in each sum, however many forks it has; records return to a free list, with the
// masks they own, when their slot is decided. consensus 5.2, "per slot".

import { dag, take, takeCleared } from '../dag/arena';
import { Round, round } from '../dag/rounds';
import { hasBit, isQuorumSum, setBit, weightOf } from '../dag/seats';
import { COMMIT, SKIP, UNDECIDED } from './abi';
import { epoch } from './epoch';

const SLOT_BYTES: usize = 24;
const CANDIDATE_BYTES: usize = 16;
const SUPPORT_BYTES: usize = 32;

@unmanaged
export class Slot {
  blameWeight: u64;
  blameCount: u32;
  candidateCount: u32;
  /** First candidate, or the next free record. */
  first: usize;
  free: u32;
}

@unmanaged
export class Candidate {
  handle: u32;
  next: usize;
  /** Support at vote distance 1 and 2. */
  near: usize;
  far: usize;
}

/** What speaks for a candidate of slot r at one vote distance e. */
@unmanaged
export class Support {
  certifierWeight: u64;
  certifierCount: u32;
  /** Witnesses of round r + e that vote for it. */
  votes: usize;
  voteWords: u32;
  /** Witnesses of round r + e + 1 that certify it. */
  certificates: usize;
  certificateWords: u32;
  free: u32;
}

function creatorMask(record: usize, head: usize): usize {
  return record + head;
}

function clearCreators(record: usize, head: usize): void {
  memory.fill(record + head, 0, (<usize>dag().creatorWords) << 3);
}

/** Bytes that one witness may need here; `words`: the widest mask so far. */
export function slotReserve(words: u32): usize {
  const creators = (<usize>dag().creatorWords) << 3;
  // A new slot; a new candidate with its two supports; one more vote or certificate in each of four masks.
  const candidate = CANDIDATE_BYTES + 2 * (SUPPORT_BYTES + 3 * creators);
  return SLOT_BYTES + creators + candidate + 8 * ((<usize>words + 2) << 4) + 64;
}

/** Gives the newest round its leader slot. */
export function openSlot(r: Round, leader: u32): void {
  const e = epoch();
  let at = e.freeSlots;
  if (at != 0) e.freeSlots = changetype<Slot>(at).first;
  else at = take(SLOT_BYTES + ((<usize>dag().creatorWords) << 3));
  const slot = changetype<Slot>(at);
  slot.blameWeight = 0;
  slot.blameCount = 0;
  slot.candidateCount = 0;
  slot.first = 0;
  clearCreators(at, SLOT_BYTES);
  r.leader = leader;
  r.slot = at;
}

export function slotOf(r: Round): Slot {
  return changetype<Slot>(r.slot);
}

function newSupport(): usize {
  const words = dag().creatorWords;
  const at = take(SUPPORT_BYTES + ((<usize>words) << 3));
  const support = changetype<Support>(at);
  support.votes = takeCleared((<usize>words) << 3);
  support.voteWords = words;
  support.certificates = takeCleared((<usize>words) << 3);
  support.certificateWords = words;
  return at;
}

// The masks of a used record keep their width: they are cleared, not given back.
function clearSupport(at: usize): void {
  const support = changetype<Support>(at);
  support.certifierWeight = 0;
  support.certifierCount = 0;
  memory.fill(support.votes, 0, (<usize>support.voteWords) << 3);
  memory.fill(support.certificates, 0, (<usize>support.certificateWords) << 3);
  clearCreators(at, SUPPORT_BYTES);
}

/** Adds a witness of the leader as a candidate of its undecided slot. */
export function addCandidate(r: Round, handle: u32): void {
  const e = epoch();
  let at = e.freeCandidates;
  if (at != 0) {
    e.freeCandidates = changetype<Candidate>(at).next;
  } else {
    at = take(CANDIDATE_BYTES);
    changetype<Candidate>(at).near = newSupport();
    changetype<Candidate>(at).far = newSupport();
  }
  const candidate = changetype<Candidate>(at);
  clearSupport(candidate.near);
  clearSupport(candidate.far);
  candidate.handle = handle;
  candidate.next = slotOf(r).first;
  slotOf(r).first = at;
  slotOf(r).candidateCount++;
}

// A mask that can hold the bit: the same, or a copy of up to twice the width.
function roomFor(mask: usize, words: u32, bit: u32): usize {
  if (bit >> 6 < words) return mask;
  const wider = takeCleared((<usize>widerWords(words, bit)) << 3);
  memory.copy(wider, mask, (<usize>words) << 3);
  return wider;
}

function widerWords(words: u32, bit: u32): u32 {
  return bit >> 6 < words ? words : (bit >> 6) + 1;
}

export function addVote(support: Support, bit: u32): void {
  support.votes = roomFor(support.votes, support.voteWords, bit);
  support.voteWords = widerWords(support.voteWords, bit);
  setBit(support.votes, bit);
}

/** Counts a certificate of the witness `bit` by `creator`. True when its certifiers are a quorum now. */
export function addCertificate(support: Support, bit: u32, creator: u32): bool {
  support.certificates = roomFor(support.certificates, support.certificateWords, bit);
  support.certificateWords = widerWords(support.certificateWords, bit);
  setBit(support.certificates, bit);
  const creators = creatorMask(changetype<usize>(support), SUPPORT_BYTES);
  const weight = weightOf(creator);
  if (weight == 0 || hasBit(creators, creator)) return false;
  setBit(creators, creator);
  support.certifierWeight += weight;
  support.certifierCount++;
  return isQuorumSum(support.certifierWeight, support.certifierCount);
}

/** Counts a blame by `creator`. True when the blaming seats are a quorum now. */
export function addBlame(slot: Slot, creator: u32): bool {
  const creators = creatorMask(changetype<usize>(slot), SLOT_BYTES);
  const weight = weightOf(creator);
  if (weight == 0 || hasBit(creators, creator)) return false;
  setBit(creators, creator);
  slot.blameWeight += weight;
  slot.blameCount++;
  return isQuorumSum(slot.blameWeight, slot.blameCount);
}

/** Decides a slot, and frees its records. `chosen` = 0 skips it. */
export function decideSlot(number: u32, chosen: u32): void {
  const e = epoch();
  const r = round(number);
  assert(r.status == UNDECIDED, 'slots: decided twice');
  r.status = chosen == 0 ? SKIP : COMMIT;
  r.chosen = chosen;
  const slot = slotOf(r);
  for (let at = slot.first; at != 0; ) {
    const candidate = changetype<Candidate>(at);
    const next = candidate.next;
    candidate.next = e.freeCandidates;
    e.freeCandidates = at;
    at = next;
  }
  slot.first = e.freeSlots;
  e.freeSlots = r.slot;
  r.slot = 0;
}
