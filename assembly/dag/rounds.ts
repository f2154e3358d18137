// Rounds: which vertices are witnesses of a round, and which bit each has in the masks of that round.
// Keeps: bits 0 to N-1 belong to the first-arrived witness of each seat, bits from N on to further ones (forks) in
// order of arrival. Bits are local: results pass only through `creatorsOf` and handles' ids. consensus 5.2.

import { dag, reserve, take, takeCleared } from './arena';
import { setBit, weightOf } from './seats';
import { vertex } from './vertices';

const HEAD_BYTES: usize = 32;
const FIRST_EXTRAS: u32 = 8;
/** Maximum width of masks: it is stored in a byte. */
const MAX_WORDS: u32 = 255;

@unmanaged
export class Round {
  /** Weight and number of the seats of positive weight that have a witness here. */
  weight: u64;
  weightedCount: u32;
  /** The leader slots of this round (consensus/slots.ts), and how many of them are undecided. */
  slots: usize;
  undecided: u32;
  extraCount: u32;
  extraRoom: u32;
  extras: usize;
}

export function round(number: u32): Round {
  return changetype<Round>(load<usize>(dag().rounds + ((<usize>number) << 2)));
}

/** Bytes that a witness of a round may need here. */
export function witnessBytes(extraRoom: u32): usize {
  return HEAD_BYTES + ((<usize>dag().seatCount) << 2) + ((<usize>extraRoom) << 3) + 64;
}

/** Opens round maxRound + 1. */
export function openRound(): Round {
  const d = dag();
  const number = ++d.maxRound;
  assert(number <= d.maxRounds, 'rounds: more than the vertices allow');
  const at = takeCleared(HEAD_BYTES + ((<usize>d.seatCount) << 2));
  store<usize>(d.rounds + ((<usize>number) << 2), at);
  return changetype<Round>(at);
}

function seatSlot(r: Round, seat: u32): usize {
  return changetype<usize>(r) + HEAD_BYTES + ((<usize>seat) << 2);
}

/** Handle of the witness with this bit. */
export function witnessAt(r: Round, bit: u32): u32 {
  const seats = dag().seatCount;
  return bit < seats ? load<u32>(seatSlot(r, bit)) : load<u32>(r.extras + ((<usize>(bit - seats)) << 2));
}

/** Words that masks of this round need now. */
export function wordsOf(number: u32): u32 {
  const d = dag();
  return number > d.maxRound || number == 0
    ? d.creatorWords
    : (d.seatCount + round(number).extraCount + 63) >> 6;
}

/** Bit for a new witness of `creator` in round `number`; -1 when masks cannot be wide enough. */
export function nextBit(number: u32, creator: u32): i32 {
  const d = dag();
  if (number > d.maxRound) return <i32>creator;
  const r = round(number);
  if (load<u32>(seatSlot(r, creator)) == 0) return <i32>creator;
  const bit = d.seatCount + r.extraCount;
  return bit < MAX_WORDS << 6 ? <i32>bit : -1;
}

/** Reserves memory for one more witness in round `number`. */
export function reserveWitness(number: u32, more: usize): bool {
  const room = number > dag().maxRound ? 0 : round(number).extraRoom;
  return reserve(witnessBytes(room + FIRST_EXTRAS) + more);
}

/** Adds a witness under the bit from `nextBit`. Its memory was reserved. */
export function addWitness(r: Round, handle: u32, bit: u32, creator: u32): void {
  const d = dag();
  if (bit < d.seatCount) {
    store<u32>(seatSlot(r, bit), handle);
    const weight = weightOf(creator);
    r.weight += weight;
    r.weightedCount += <u32>(weight != 0);
    return;
  }
  if (r.extraCount == r.extraRoom) {
    const room = max(r.extraRoom << 1, FIRST_EXTRAS);
    const at = take((<usize>room) << 2);
    memory.copy(at, r.extras, (<usize>r.extraCount) << 2);
    r.extras = at;
    r.extraRoom = room;
  }
  store<u32>(r.extras + ((<usize>r.extraCount) << 2), handle);
  r.extraCount++;
  d.extraCount++;
}

// Bits of a mask that belong to further witnesses, as seats added to `creators`.
function addExtraCreators(r: Round, mask: usize, words: u32, creators: usize): void {
  const seats = dag().seatCount;
  for (let word = seats >> 6; word < words; word++) {
    let bits = load<u64>(mask + ((<usize>word) << 3));
    if (word == seats >> 6) bits &= (<u64>-1) << (seats & 63);
    for (; bits != 0; bits &= bits - 1) {
      const handle = witnessAt(r, (word << 6) + <u32>ctz<u64>(bits));
      setBit(creators, vertex(handle).creator);
    }
  }
}

/** The creators of a mask of witnesses: the mask itself where nobody forked, else written to `scratch`. */
export function creatorsOf(number: u32, mask: usize, words: u32, scratch: usize): usize {
  const r = round(number);
  if (r.extraCount == 0) return mask;
  const d = dag();
  memory.copy(scratch, mask, (<usize>d.creatorWords) << 3);
  if ((d.seatCount & 63) != 0) {
    const last = scratch + ((<usize>d.creatorWords - 1) << 3);
    store<u64>(last, load<u64>(last) & ~((<u64>-1) << (d.seatCount & 63)));
  }
  addExtraCreators(r, mask, words, scratch);
  return scratch;
}
