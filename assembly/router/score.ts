// The two formulas of routing, the budget ceilings, and who counts as a newcomer (protocol 6.16).
// Keeps: pure functions of rows and numbers, integers only, every division floored; nothing depends on time.

import { backedTasks, backingBp } from '../credit/standing';
import { Agent } from '../ledger/agents';
import { BP, TOKEN } from '../ledger/rates';
import { mulDiv } from '../lib/u128';
import { findRecord, recordAt } from '../reputation/records';
import { completionRateBp } from '../reputation/score';

export const CATEGORY_POINTS: u64 = 4000;
export const TAG_POINTS: u64 = 2000;
const RECORD_POINTS: u64 = 3000;
export const PRICE_POINTS: u64 = 1500;
const LOAD_POINTS: u64 = 1500;
export const NEWCOMER_CATEGORY_POINTS: u64 = 5000;
export const NEWCOMER_PRICE_POINTS: u64 = 3000;
export const NEWCOMER_TAG_POINTS: u64 = 2000;
/** An agent with this many completions, in all categories but `transfer`, is no longer a newcomer. */
export const NEWCOMER_TASKS: u32 = 10;
/** Largest budget for which a newcomer may be preferred. */
export const SMALL_BUDGET: u64 = 5 * TOKEN;
/** One in this many routings of small budgets prefers a newcomer. */
export const NEWCOMER_TURN: u64 = 5;

// Classes by completions in the category, ordered so that those admitted for a budget come last and
// newcomers are adjacent.
const CLASS_FEW: u32 = 0;
export const CLASS_NEW_FEW: u32 = 1;
export const CLASS_NEW_SOME: u32 = 2;
const CLASS_SOME: u32 = 3;
const CLASS_MANY: u32 = 4;
const CLASS_PROVEN: u32 = 5;
export const CLASS_TRUSTED: u32 = 6;

/** Figures of an agent's record in a category, as far as its standing backs them: its share of the score, bp, and its class. */
@unmanaged
export class Placing {
  share: u32;
  rank: u32;
}
const PLACING: usize = memory.data(8, 8);

export function isNewcomer(agent: Agent): bool {
  return agent.completed < NEWCOMER_TASKS;
}

/** Class of an agent with that many completions and that mean score (bp) in the category. */
export function classOf(completed: u32, averageBp: u64, isNew: bool): u32 {
  if (completed < 3) return isNew ? CLASS_NEW_FEW : CLASS_FEW;
  if (completed < 10) return isNew ? CLASS_NEW_SOME : CLASS_SOME;
  if (completed < 50) return CLASS_MANY;
  return completed >= 100 && averageBp > 8000 ? CLASS_TRUSTED : CLASS_PROVEN;
}

/** The lowest class whose ceiling admits a budget in micro-units: 2, 5, 20, 50 tokens, or none. */
export function lowestClass(budget: u64): u32 {
  if (budget <= 2 * TOKEN) return CLASS_FEW;
  if (budget <= 5 * TOKEN) return CLASS_NEW_SOME;
  if (budget <= 20 * TOKEN) return CLASS_MANY;
  return budget <= 50 * TOKEN ? CLASS_PROVEN : CLASS_TRUSTED;
}

/** Share of a record with this mean score and completion rate, bp: at most 3000. */
export function recordShare(averageBp: u64, rateBp: u64): u64 {
  return (RECORD_POINTS * ((6 * averageBp + 4 * rateBp) / 10)) / BP;
}

/** Reads the record behind a link of an agent, 0 = none. The answer is overwritten by the next call. */
export function placingOf(agent: Agent, link: u32): Placing {
  const placing = changetype<Placing>(PLACING);
  placing.share = 0;
  placing.rank = classOf(0, 0, isNewcomer(agent));
  if (link == 0) return placing;
  const record = recordAt(link - 1);
  const averageBp = record.completed == 0 ? 0 : record.scoreBpSum / record.completed;
  const share = recordShare(averageBp, completionRateBp(record.completed, record.failed));
  placing.share = <u32>((share * backingBp(agent)) / BP);
  placing.rank = classOf(backedTasks(agent, record.completed), averageBp, isNewcomer(agent));
  return placing;
}

/** The same for the record in a category; -1 is a category without a number, in which nobody has a record. */
export function placingIn(agent: Agent, category: i32): Placing {
  return placingOf(agent, category < 0 ? 0 : findRecord(agent, <u32>category));
}

/** Points for the part of the budget above the price; price <= budget, budget above 0. */
export function priceShare(points: u64, budget: u64, price: u64): u64 {
  return mulDiv(points, budget - price, budget);
}

/** Points for free capacity; active < maxTasks, so at least 1 task fits. */
export function loadShare(maxTasks: u32, active: u32): u64 {
  return (LOAD_POINTS * (maxTasks - active)) / maxTasks;
}

/** Points for the share of common tags among a task's tags. */
export function tagShare(common: u32, tags: u32): u64 {
  return tags == 0 ? 0 : (NEWCOMER_TAG_POINTS * common) / tags;
}
