// Consensus time of a block: the weighted lower median of the clocks below its leader, never going back. consensus 5.8.
// Keeps: a leader of round 1 has no clocks below it, so it does not move the time; each seat counts once, a forked seat
// not at all.

import { dag } from '../dag/arena';
import { Round, round, witnessAt } from '../dag/rounds';
import { hasBit, setBit, weightOf } from '../dag/seats';
import { ENTRY_BYTES, sortEntries } from '../dag/sort';
import { Vertex, vertex } from '../dag/vertices';
import { epoch } from './epoch';

const SEEN: usize = memory.data(512, 8);
const TWICE: usize = memory.data(512, 8);

function witnessOf(r: Round, word: usize, bits: u64): Vertex {
  return vertex(witnessAt(r, ((<u32>word) << 6) + <u32>ctz<u64>(bits)));
}

function markForked(r: Round, mask: usize, words: usize): void {
  const bytes = (<usize>dag().creatorWords) << 3;
  memory.fill(TWICE, 0, bytes);
  if (r.extraCount == 0) return;
  memory.fill(SEEN, 0, bytes);
  for (let word: usize = 0; word < words; word++) {
    for (let bits = load<u64>(mask + (word << 3)); bits != 0; bits &= bits - 1) {
      const creator = <u32>witnessOf(r, word, bits).creator;
      if (hasBit(SEEN, creator)) setBit(TWICE, creator);
      setBit(SEEN, creator);
    }
  }
}

// Clock and seat in one key, so that equal clocks are in order of the seats.
function addClock(at: usize, creator: u32, timeMs: u64): u64 {
  store<u64>(at, (timeMs << 16) | <u64>creator);
  store<u64>(at, 0, 8);
  return weightOf(creator);
}

/** T of the block that v would lead if it were next. `timeMs`: v's own clock. */
export function leaderTime(v: Vertex, timeMs: u64): u64 {
  const e = epoch();
  if (v.round == 1) return e.timeMs;
  const r = round(v.round - 1);
  const words = <usize>v.words;
  const mask = v.masks + (words << 3);
  markForked(r, mask, words);
  const entries = e.entries;
  let total = addClock(entries, v.creator, timeMs);
  let count: u32 = 1;
  for (let word: usize = 0; word < words; word++) {
    for (let bits = load<u64>(mask + (word << 3)); bits != 0; bits &= bits - 1) {
      const witness = witnessOf(r, word, bits);
      if (witness.creator == v.creator || hasBit(TWICE, witness.creator)) continue;
      total += addClock(entries + <usize>count * ENTRY_BYTES, witness.creator, witness.timeMs);
      count++;
    }
  }
  sortEntries(entries, e.spare, count, 0);
  let at = entries;
  let sum = weightOf(<u32>(load<u64>(at) & 0xffff));
  while (sum << 1 < total) {
    at += ENTRY_BYTES;
    sum += weightOf(<u32>(load<u64>(at) & 0xffff));
  }
  return max(e.timeMs, load<u64>(at) >> 16);
}
