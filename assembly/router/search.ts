// The best candidate for a task, found without visiting every offer (branch and bound).
// Keeps: the answer is that of scoring everybody with match.ts, ties going to the first agent_id. A side of the
// offer tree is skipped only when its bound, computed from its sums, cannot win; a side with a single price step
// is decided by scoring its leading agent alone, when that agent reaches the bound.
// Agents that match by category are found under it, so the bounds under a tag are those of a tag match only.

import { Task, tagLabel } from '../tasks/rows';
import { comesFirst } from './agent-order';
import { categoryKey, labelBit, tagKey } from './labels';
import { applyChanges } from './listing';
import { matchScore, NO_MATCH, newcomerScore } from './match';
import { offersUnder } from './offer-tree';
import {
  bestOf,
  CLASS_SHIFT,
  firstOf,
  freeOf,
  freestOf,
  highOf,
  isLeaf,
  lowOf,
  PRICE_MASK,
  refOffer,
  seenOf,
  shareOf,
  tagsOf,
} from './offers';
import {
  CATEGORY_POINTS,
  CLASS_NEW_FEW,
  CLASS_NEW_SOME,
  CLASS_TRUSTED,
  lowestClass,
  NEWCOMER_CATEGORY_POINTS,
  NEWCOMER_PRICE_POINTS,
  PRICE_POINTS,
  priceShare,
  TAG_POINTS,
  tagShare,
} from './score';

// Sides still to be visited: at most one on each level.
const STACK: usize = memory.data(1024, 8);

@unmanaged
export class Search {
  budget: u64;
  pricePoints: u64;
  /** Points for a match under the current label. */
  base: u64;
  /** Eligible classes. */
  lowestRank: u64;
  highestRank: u64;
  /** Bit of the task's category while searching under a tag; 0 under the category. */
  categoryBit: u64;
  isForNewcomer: u32;
  bestScore: i32;
  /** Agent index; valid while bestScore is not NO_MATCH. */
  best: u32;
}
const SEARCH: usize = memory.data(72, 8);

/** The current search, with its answer. */
export function search(): Search {
  return changetype<Search>(SEARCH);
}

function classOf(rank: u64): u64 {
  return rank >> CLASS_SHIFT;
}

// True when nobody on a side has a record in the task's category. Only used under a tag.
function isWithoutRecords(ref: u32): bool {
  const bit = search().categoryBit;
  return bit != 0 && (seenOf(ref) & bit) == 0;
}

// Upper bound of the points for common tags of anybody on a side.
function tagsBound(task: Task, ref: u32): u64 {
  const bits = tagsOf(ref);
  let common: u32 = 0;
  for (let i: u32 = 0; i < task.tagCount; i++) if ((bits & labelBit(tagLabel(task, i))) != 0) common++;
  return tagShare(common, task.tagCount);
}

// Upper bound of the scores on a side, NO_MATCH when nobody there is eligible.
function bound(task: Task, ref: u32): i32 {
  const s = search();
  const low = lowOf(ref);
  const high = highOf(ref);
  if (classOf(high) < s.lowestRank || classOf(low) > s.highestRank) return NO_MATCH;
  const isWithout = isWithoutRecords(ref);
  if (isWithout && s.lowestRank > CLASS_NEW_FEW) return NO_MATCH;
  // Across classes the lowest price is not known.
  const price = classOf(low) == classOf(high) ? low & PRICE_MASK : 0;
  if (price > s.budget) return NO_MATCH;
  const points = s.base + priceShare(s.pricePoints, s.budget, price);
  if (s.isForNewcomer != 0) return <i32>(points + tagsBound(task, ref));
  return <i32>(points + (isWithout ? freeOf(ref) : shareOf(ref)));
}

// The leading agent of a side, if the side's sums apply to it.
function aheadOn(ref: u32): u32 {
  if (search().isForNewcomer != 0) return firstOf(ref);
  return isWithoutRecords(ref) ? freestOf(ref) : bestOf(ref);
}

// True when a side can neither beat nor, with an earlier id, equal the best so far.
function isBeaten(ref: u32, limit: i32): bool {
  const s = search();
  if (limit == NO_MATCH || limit < s.bestScore) return true;
  return limit == s.bestScore && !comesFirst(firstOf(ref), s.best);
}

function consider(task: Task, agent: u32): i32 {
  const s = search();
  const score = s.isForNewcomer != 0 ? newcomerScore(task, agent) : matchScore(task, agent);
  if (score > s.bestScore || (score != NO_MATCH && score == s.bestScore && comesFirst(agent, s.best))) {
    s.bestScore = score;
    s.best = agent;
  }
  return score;
}

// True when one agent decides a side: all prices give the same points, and the leading agent reaches the bound.
function isDecided(task: Task, ref: u32, limit: i32): bool {
  const s = search();
  const low = lowOf(ref);
  const high = highOf(ref);
  if (classOf(low) != classOf(high) || (high & PRICE_MASK) > s.budget) return false;
  const cheap = priceShare(s.pricePoints, s.budget, low & PRICE_MASK);
  if (cheap != priceShare(s.pricePoints, s.budget, high & PRICE_MASK)) return false;
  return consider(task, aheadOn(ref)) >= limit;
}

// Searches the offers under one label key.
function searchUnder(task: Task, key: u64, base: u64): void {
  const top = offersUnder(key);
  if (top == 0) return;
  search().base = base;
  store<u32>(STACK, top);
  let count: u32 = 1;
  while (count > 0) {
    count--;
    const ref = load<u32>(STACK + ((<usize>count) << 2));
    const limit = bound(task, ref);
    if (isBeaten(ref, limit)) continue;
    if (isLeaf(ref)) {
      consider(task, refOffer(ref).agent);
      continue;
    }
    if (isDecided(task, ref, limit)) continue;
    const node = refOffer(ref);
    // The more promising side is visited first, so that the other one is more often beaten by then.
    const leftBound = bound(task, node.left);
    const rightBound = bound(task, node.right);
    const isLeftFirst =
      leftBound > rightBound ||
      (leftBound == rightBound && comesFirst(firstOf(node.left), firstOf(node.right)));
    store<u32>(STACK + ((<usize>count) << 2), isLeftFirst ? node.right : node.left);
    store<u32>(STACK + ((<usize>count) << 2), isLeftFirst ? node.left : node.right, 4);
    count += 2;
  }
}

// Under the category, then under each tag.
function searchAll(task: Task, categoryBase: u64, tagBase: u64): bool {
  const s = search();
  s.categoryBit = 0;
  searchUnder(task, categoryKey(task.categoryLabel), categoryBase);
  s.categoryBit = labelBit(task.categoryLabel);
  for (let i: u32 = 0; i < task.tagCount; i++) searchUnder(task, tagKey(tagLabel(task, i)), tagBase);
  return s.bestScore != NO_MATCH;
}

function begin(task: Task): Search {
  applyChanges();
  const s = search();
  s.budget = task.budget;
  s.lowestRank = lowestClass(task.budget);
  s.bestScore = NO_MATCH;
  return s;
}

/** Looks for the agent with the highest match score; the answer is in search(). */
export function findBest(task: Task): bool {
  const s = begin(task);
  s.isForNewcomer = 0;
  s.highestRank = CLASS_TRUSTED;
  s.pricePoints = PRICE_POINTS;
  return searchAll(task, CATEGORY_POINTS, TAG_POINTS);
}

/** Looks for the newcomer with the highest score of its own formula; the answer is in search(). */
export function findNewcomer(task: Task): bool {
  const s = begin(task);
  s.isForNewcomer = 1;
  s.lowestRank = max<u64>(s.lowestRank, CLASS_NEW_FEW);
  s.highestRank = CLASS_NEW_SOME;
  s.pricePoints = NEWCOMER_PRICE_POINTS;
  return searchAll(task, NEWCOMER_CATEGORY_POINTS, 0);
}
