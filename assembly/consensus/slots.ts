// Leader slots of the rounds, and the tally of each undecided one: blame, and for each candidate and vote distance its voters
// and its certifiers.
// Keeps: a seat's weight counts once in each sum, however many forks it has; tallies return to a free list, with the
// masks they own, when their slot is decided. consensus 5.2, "undecided slot".

import { dag, take, takeCleared } from '../dag/arena';
import { Round } from '../dag/rounds';
import { hasBit, isQuorumSum, setBit, weightOf } from '../dag/seats';
import { COMMIT, SKIP, UNDECIDED } from './abi';
import { epoch } from './epoch';
import { beginDraw, drawLeader } from './leaders';

const SLOT_BYTES: usize = 16;
const TALLY_BYTES: usize = 24;
const CANDIDATE_BYTES: usize = 16;
const SUPPORT_BYTES: usize = 32;

@unmanaged
export class Slot {
  leader: u32;
  /** consensus/abi.ts */
  status: u32;
  /** Handle of the committed candidate. */
  chosen: u32;
  /** Votes while it is undecided. */
  tally: usize;
}

@unmanaged
export class Tally {
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
  // The slots of a new round; a new candidate with its two supports; for each slot one more vote or certificate in each of
  // four masks.
  const candidate = CANDIDATE_BYTES + 2 * (SUPPORT_BYTES + 3 * creators);
  const each = SLOT_BYTES + TALLY_BYTES + creators + 8 * ((<usize>words + 2) << 4) + 32;
  return <usize>epoch().leaderCount * each + candidate + 64;
}

function newTally(): usize {
  const e = epoch();
  let at = e.freeTallies;
  if (at != 0) e.freeTallies = changetype<Tally>(at).first;
  else at = take(TALLY_BYTES + ((<usize>dag().creatorWords) << 3));
  const tally = changetype<Tally>(at);
  tally.blameWeight = 0;
  tally.blameCount = 0;
  tally.candidateCount = 0;
  tally.first = 0;
  clearCreators(at, TALLY_BYTES);
  return at;
}

/** Gives the newest round its leader slots. */
export function openSlots(r: Round, number: u32): void {
  const count = epoch().leaderCount;
  r.slots = takeCleared(<usize>count * SLOT_BYTES);
  r.undecided = count;
  beginDraw();
  let left = epoch().leadingWeight;
  for (let place: u32 = 0; place < count; place++) {
    const slot = slotAt(r, place);
    slot.leader = drawLeader(number, place, left);
    slot.tally = newTally();
    left -= weightOf(slot.leader);
  }
}

/** The slot at a place of a round. */
export function slotAt(r: Round, place: u32): Slot {
  return changetype<Slot>(r.slots + <usize>place * SLOT_BYTES);
}

/** The slot of a round that a seat leads; 0 = none. */
export function slotLedBy(r: Round, seat: u32): usize {
  const end = r.slots + <usize>epoch().leaderCount * SLOT_BYTES;
  for (let at = r.slots; at < end; at += SLOT_BYTES) if (changetype<Slot>(at).leader == seat) return at;
  return 0;
}

export function tallyOf(slot: Slot): Tally {
  return changetype<Tally>(slot.tally);
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
export function addCandidate(slot: Slot, handle: u32): void {
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
  candidate.next = tallyOf(slot).first;
  tallyOf(slot).first = at;
  tallyOf(slot).candidateCount++;
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
  const tally = tallyOf(slot);
  const creators = creatorMask(slot.tally, TALLY_BYTES);
  const weight = weightOf(creator);
  if (weight == 0 || hasBit(creators, creator)) return false;
  setBit(creators, creator);
  tally.blameWeight += weight;
  tally.blameCount++;
  return isQuorumSum(tally.blameWeight, tally.blameCount);
}

/** Decides a slot of a round, and frees its tally. `chosen` = 0 skips it. */
export function decideSlot(r: Round, slot: Slot, chosen: u32): void {
  const e = epoch();
  assert(slot.status == UNDECIDED, 'slots: decided twice');
  slot.status = chosen == 0 ? SKIP : COMMIT;
  slot.chosen = chosen;
  r.undecided--;
  const tally = tallyOf(slot);
  for (let at = tally.first; at != 0; ) {
    const candidate = changetype<Candidate>(at);
    const next = candidate.next;
    candidate.next = e.freeCandidates;
    e.freeCandidates = at;
    at = next;
  }
  tally.first = e.freeTallies;
  e.freeTallies = slot.tally;
  slot.tally = 0;
}
