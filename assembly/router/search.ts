// The best candidate for a task, found without looking at every offer.
// Keeps: the answer is that of scoring everybody with match.ts, ties going to the first agent_id. A side of the
// offer tree is left out only when its bound, computed from what is summed up, cannot win; a side of one price step
// is decided by one look at the agent that is ahead in it, when that agent reaches the bound.
// Who matches by category is found under it, so the bounds under a tag are those of a tag match only.

import { Task, tagLabel } from '../tasks/rows';
import { comesFirst } from './agent-order';
import { categoryKey, labelBit, tagKey } from './labels';
import { takeUpChanges } from './listing';
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

// Sides still to be looked at: one on each level below the present one.
const STACK: usize = memory.data(1024, 8);

@unmanaged
export class Search {
  budget: u64;
  pricePoints: u64;
  /** Points for the match under the label at hand. */
  base: u64;
  /** Classes that come into question. */
  lowestRank: u64;
  highestRank: u64;
  /** Bit of the task's category, while a tag is at hand; 0 under the category. */
  categoryBit: u64;
  isForNewcomer: u32;
  bestScore: i32;
  /** Agent index, while bestScore is not NO_MATCH. */
  best: u32;
}
const SEARCH: usize = memory.data(72, 8);

/** The search at hand, with its answer. */
export function search(): Search {
  return changetype<Search>(SEARCH);
}

function classOf(rank: u64): u64 {
  return rank >> CLASS_SHIFT;
}

// True when nobody on a side has a record in the task's category: under a tag, where only those are bounded by it.
function isWithoutRecords(ref: u32): bool {
  const bit = search().categoryBit;
  return bit != 0 && (seenOf(ref) & bit) == 0;
}

// Points for tags that anybody on a side may have in common with the task.
function tagsBound(task: Task, ref: u32): u64 {
  const bits = tagsOf(ref);
  let common: u32 = 0;
  for (let i: u32 = 0; i < task.tagCount; i++) if ((bits & labelBit(tagLabel(task, i))) != 0) common++;
  return tagShare(common, task.tagCount);
}

// The most that anything on a side can score, NO_MATCH when nothing there comes into question.
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

// The agent that is ahead on a side, if what sums up the side is true of it.
function aheadOn(ref: u32): u32 {
  if (search().isForNewcomer != 0) return firstOf(ref);
  return isWithoutRecords(ref) ? freestOf(ref) : bestOf(ref);
}

// True when a side can neither beat nor, with an earlier id, equal the best so far.
function isBeaten(ref: u32, most: i32): bool {
  const s = search();
  if (most == NO_MATCH || most < s.bestScore) return true;
  return most == s.bestScore && !comesFirst(firstOf(ref), s.best);
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

// True when one agent decides a side: all prices give the same points, and the agent that is ahead reaches the bound.
function isDecided(task: Task, ref: u32, most: i32): bool {
  const s = search();
  const low = lowOf(ref);
  const high = highOf(ref);
  if (classOf(low) != classOf(high) || (high & PRICE_MASK) > s.budget) return false;
  const cheap = priceShare(s.pricePoints, s.budget, low & PRICE_MASK);
  if (cheap != priceShare(s.pricePoints, s.budget, high & PRICE_MASK)) return false;
  return consider(task, aheadOn(ref)) >= most;
}

// Looks through the offers under one label key.
function searchUnder(task: Task, key: u64, base: u64): void {
  const top = offersUnder(key);
  if (top == 0) return;
  search().base = base;
  store<u32>(STACK, top);
  let count: u32 = 1;
  while (count > 0) {
    count--;
    const ref = load<u32>(STACK + ((<usize>count) << 2));
    const most = bound(task, ref);
    if (isBeaten(ref, most)) continue;
    if (isLeaf(ref)) {
      consider(task, refOffer(ref).agent);
      continue;
    }
    if (isDecided(task, ref, most)) continue;
    const node = refOffer(ref);
    // The more promising side is looked at first, so that the other is more often beaten by then.
    const leftMost = bound(task, node.left);
    const rightMost = bound(task, node.right);
    const isLeftFirst =
      leftMost > rightMost || (leftMost == rightMost && comesFirst(firstOf(node.left), firstOf(node.right)));
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
  takeUpChanges();
  const s = search();
  s.budget = task.budget;
  s.lowestRank = lowestClass(task.budget);
  s.bestScore = NO_MATCH;
  return s;
}

/** Looks for the agent with the highest match score; the answer stands in search(). */
export function findBest(task: Task): bool {
  const s = begin(task);
  s.isForNewcomer = 0;
  s.highestRank = CLASS_TRUSTED;
  s.pricePoints = PRICE_POINTS;
  return searchAll(task, CATEGORY_POINTS, TAG_POINTS);
}

/** Looks for the newcomer with the highest score of its own formula; the answer stands in search(). */
export function findNewcomer(task: Task): bool {
  const s = begin(task);
  s.isForNewcomer = 1;
  s.lowestRank = max<u64>(s.lowestRank, CLASS_NEW_FEW);
  s.highestRank = CLASS_NEW_SOME;
  s.pricePoints = NEWCOMER_PRICE_POINTS;
  return searchAll(task, NEWCOMER_CATEGORY_POINTS, 0);
}
