// Witness masks: mask k of a vertex names the witnesses of round - k among its ancestors, itself included, k < 3.
// Keeps: a mask is complete, since nothing of an epoch is forgotten and a parent k rounds lower has no ancestor above
// its own round (consensus 5.14). A mask is as wide as its rounds were when it was created: later forks cannot be
// ancestors, so older masks never have to grow.

import { dag } from './arena';
import { wordsOf } from './rounds';
import { vertex } from './vertices';

/** Masks stored for each vertex: vote distance + 1. consensus 4, MW. */
export const MASKS: u32 = 3;

/** Words of each mask that a vertex above round `below` needs. */
export function maskWords(below: u32): u32 {
  const d = dag();
  if (d.extraCount == 0) return d.creatorWords;
  const upper = max(wordsOf(below + 1), wordsOf(below));
  const lower = max(below < 1 ? 0 : wordsOf(below - 1), below < 2 ? 0 : wordsOf(below - 2));
  return max(upper, lower);
}

function mergeOne(to: usize, words: usize, from: usize, fromWords: usize, lower: usize): void {
  const common = min(words, fromWords) << 3;
  for (let k = lower; k < <usize>MASKS; k++) {
    const target = to + ((k * words) << 3);
    const source = from + (((k - lower) * fromWords) << 3);
    for (let i: usize = 0; i < common; i += 8) {
      store<u64>(target + i, load<u64>(target + i) | load<u64>(source + i));
    }
  }
}

// Single-word masks: the usual case up to 64 seats.
function mergeSingle(to: usize, parents: usize, count: usize, top: u32): void {
  let m0: u64 = 0;
  let m1: u64 = 0;
  let m2: u64 = 0;
  for (const end = parents + (count << 2); parents < end; parents += 4) {
    const p = vertex(load<u32>(parents));
    const lower = top - p.round;
    if (lower >= MASKS) continue;
    const from = p.masks;
    const step = (<usize>p.words) << 3;
    const first = load<u64>(from);
    if (lower == 0) {
      m0 |= first;
      m1 |= load<u64>(from + step);
      m2 |= load<u64>(from + (step << 1));
    } else if (lower == 1) {
      m1 |= first;
      m2 |= load<u64>(from + step);
    } else {
      m2 |= first;
    }
  }
  store<u64>(to, m0);
  store<u64>(to, m1, 8);
  store<u64>(to, m2, 16);
}

/** Writes the union of the parents' masks, seen from round `top`, the highest among them. */
export function mergeMasks(to: usize, words: u32, parents: usize, count: u32, top: u32): void {
  if (words == 1) {
    mergeSingle(to, parents, count, top);
    return;
  }
  for (let i: usize = 0, bytes: usize = 24 * <usize>words; i < bytes; i += 8) store<u64>(to + i, 0);
  for (let i: usize = 0; i < <usize>count; i++) {
    const p = vertex(load<u32>(parents + (i << 2)));
    const lower = top - p.round;
    if (lower < MASKS) mergeOne(to, words, p.masks, p.words, lower);
  }
}

/** The same ancestors seen from one round higher. */
export function liftMasks(at: usize, words: u32): void {
  const bytes = (<usize>words) << 3;
  for (let i = at + 3 * bytes - 8; i >= at + bytes; i -= 8) store<u64>(i, load<u64>(i - bytes));
  for (let i: usize = 0; i < bytes; i += 8) store<u64>(at + i, 0);
}

/** Makes masks one word wider in place; the room behind them must be free. */
export function widenMasks(at: usize, words: u32): void {
  const from = (<usize>words) << 3;
  const to = from + 8;
  for (let k: usize = MASKS - 1; ; k--) {
    memory.copy(at + k * to, at + k * from, from);
    store<u64>(at + k * to + from, 0);
    if (k == 0) return;
  }
}
