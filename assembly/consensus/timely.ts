// In how many rounds each seat's witness came in time: most of the round above had it. consensus 5.11, "Late seats".
// Keeps: a function of the ordered vertices alone; a seat speaks once in a round, and not at all with two ordered witnesses
// there. Nothing is kept between calls.

import { dag } from '../dag/arena';
import { creatorsOf, Round, round, witnessAt } from '../dag/rounds';
import { hasBit, isQuorumSum, setBit, weightOf } from '../dag/seats';
import { FLAG_ORDERED, Vertex, vertex } from '../dag/vertices';
import { epoch } from './epoch';

const CREATORS: usize = memory.data(512, 8);
const SEEN: usize = memory.data(512, 8);
const TWICE: usize = memory.data(512, 8);

/** Of each seat, while a round is counted: weight and number of the seats that had its witness. */
const SUM_BYTES: usize = 16;

function isOrdered(handle: u32): bool {
  return handle != 0 && (vertex(handle).flags & <u8>FLAG_ORDERED) != 0;
}

function findTwice(r: Round): void {
  const bytes = (<usize>dag().creatorWords) << 3;
  memory.fill(SEEN, 0, bytes);
  memory.fill(TWICE, 0, bytes);
  if (r.extraCount == 0) return;
  for (let bit: u32 = 0; bit < dag().seatCount + r.extraCount; bit++) {
    const handle = witnessAt(r, bit);
    if (!isOrdered(handle)) continue;
    const creator = <u32>vertex(handle).creator;
    if (hasBit(SEEN, creator)) setBit(TWICE, creator);
    setBit(SEEN, creator);
  }
}

// Adds the weight of v's creator to each seat whose witness of the round below v has in its past.
function addSeen(v: Vertex, sums: usize): void {
  const weight = weightOf(v.creator);
  if (weight == 0) return;
  const below = v.masks + ((<usize>v.words) << 3);
  const seen = creatorsOf(v.round - 1, below, v.words, CREATORS);
  for (let word: usize = 0; word < <usize>dag().creatorWords; word++) {
    for (let bits = load<u64>(seen + (word << 3)); bits != 0; bits &= bits - 1) {
      const at = sums + ((word << 6) + <usize>ctz<u64>(bits)) * SUM_BYTES;
      store<u64>(at, load<u64>(at) + weight);
      store<u32>(at, load<u32>(at, 8) + 1, 8);
    }
  }
}

// Counts the round below r for each seat whose witness there a quorum of r had.
function countRound(r: Round, sums: usize, out: usize): void {
  const seats = dag().seatCount;
  memory.fill(sums, 0, <usize>seats * SUM_BYTES);
  findTwice(r);
  for (let bit: u32 = 0; bit < seats + r.extraCount; bit++) {
    const handle = witnessAt(r, bit);
    if (isOrdered(handle) && !hasBit(TWICE, vertex(handle).creator)) addSeen(vertex(handle), sums);
  }
  for (let seat: usize = 0; seat < <usize>seats; seat++) {
    const sum = sums + seat * SUM_BYTES;
    const count = out + (seat << 2);
    if (isQuorumSum(load<u64>(sum), load<u32>(sum, 8))) store<u32>(count, load<u32>(count) + 1);
  }
}

/** Writes the count of each seat, u32, as far as blocks were taken. Their bytes. */
export function writeTimely(): i32 {
  const out = epoch().output;
  const bytes = (<usize>dag().seatCount) << 2;
  memory.fill(out, 0, bytes);
  // The scratch of sorts has room for an entry of each seat, and nothing is sorted here.
  for (let r: u32 = 2; r <= dag().maxRound; r++) countRound(round(r), epoch().spare, out);
  return <i32>bytes;
}
