// The score of one agent for one task, by either formula of protocol 6.16, from the rows alone.
// Keeps: this is the definition; a search (search.ts) only skips agents that provably score less.
// Agents barred from claiming the task are not candidates, since they could not claim it.

import { Agent, agentAt } from '../ledger/agents';
import { isRouteBarred } from '../tasks/bars';
import { Task, tagLabel } from '../tasks/rows';
import {
  activeTasks,
  Capability,
  capabilityAt,
  findCapability,
  hasCategoryLabel,
  hasTagLabel,
  takesTasks,
} from './capabilities';
import { categoryOf } from './labels';
import {
  CATEGORY_POINTS,
  isNewcomer,
  loadShare,
  lowestClass,
  NEWCOMER_CATEGORY_POINTS,
  NEWCOMER_PRICE_POINTS,
  PRICE_POINTS,
  placingIn,
  priceShare,
  TAG_POINTS,
  tagShare,
} from './score';

/** Not a candidate; less than any score. */
export const NO_MATCH: i32 = -1;

function commonTags(task: Task, capability: Capability): u32 {
  let common: u32 = 0;
  for (let i: u32 = 0; i < task.tagCount; i++) if (hasTagLabel(capability, tagLabel(task, i))) common++;
  return common;
}

// Conditions common to both formulas, besides a common category or tag.
function isEligible(task: Task, agent: Agent, index: u32, capability: Capability): bool {
  if (!takesTasks(capability) || capability.price > task.budget || task.poster == index) return false;
  if (isRouteBarred(task, index)) return false;
  return placingIn(agent, categoryOf(task.categoryLabel)).rank >= lowestClass(task.budget);
}

/** Match score in bp of an agent (index), or NO_MATCH. */
export function matchScore(task: Task, index: u32): i32 {
  const row = findCapability(index);
  if (row < 0) return NO_MATCH;
  const capability = capabilityAt(<u32>row);
  const agent = agentAt(index);
  const hasCategory = hasCategoryLabel(capability, task.categoryLabel);
  if (!hasCategory && commonTags(task, capability) == 0) return NO_MATCH;
  if (!isEligible(task, agent, index, capability)) return NO_MATCH;
  const score =
    (hasCategory ? CATEGORY_POINTS : TAG_POINTS) +
    placingIn(agent, categoryOf(task.categoryLabel)).share +
    priceShare(PRICE_POINTS, task.budget, capability.price) +
    loadShare(capability.maxTasks, activeTasks(index));
  return <i32>score;
}

/** Score of a newcomer in bp, or NO_MATCH; common tags are counted among the task's tags. */
export function newcomerScore(task: Task, index: u32): i32 {
  const row = findCapability(index);
  const agent = agentAt(index);
  if (row < 0 || !isNewcomer(agent)) return NO_MATCH;
  const capability = capabilityAt(<u32>row);
  const hasCategory = hasCategoryLabel(capability, task.categoryLabel);
  const common = commonTags(task, capability);
  if (!hasCategory && common == 0) return NO_MATCH;
  if (!isEligible(task, agent, index, capability)) return NO_MATCH;
  const score =
    (hasCategory ? NEWCOMER_CATEGORY_POINTS : 0) +
    priceShare(NEWCOMER_PRICE_POINTS, task.budget, capability.price) +
    tagShare(common, task.tagCount);
  return <i32>score;
}
