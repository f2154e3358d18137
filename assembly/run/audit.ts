// Full checks over all tables: the sum of all accounts, and whether imported rows are consistent.
// Keeps: read only; every walk is bounded by a capacity, so it ends even on damaged rows.
// O(state): for tests, snapshots and imports only.

import {
  CHALLENGE_OPEN,
  ITEM_DISPUTE,
  ITEM_GENERATION,
  ITEM_TRANSFER,
  JOB_PENDING,
  POOL_COUNT,
} from '../abi';
import { keyAt } from '../access/keys';
import { CHALLENGE_ROW_BYTES, Challenge, challengeAt } from '../cases/challenges';
import { JOB_ROW_BYTES, Job, jobAt } from '../cases/jobs';
import { agentAt } from '../ledger/agents';
import { poolBalance } from '../ledger/money';
import { isZero } from '../lib/bytes';
import { categoryAt, isCategoryForm } from '../reputation/categories';
import { recordAt } from '../reputation/records';
import { isSaneRouter } from '../router/audit';
import { ITEM_ROW_BYTES, Item, itemAt, MAX_ASSIGNED } from '../settlement/items';
import { VOTE_ROW_BYTES, voteAt, voterOf } from '../settlement/votes';
import {
  AGENTS,
  BARS,
  CALIBRATIONS,
  CATEGORIES,
  CHALLENGES,
  capacity,
  header,
  ITEMS,
  JOBS,
  KEYS,
  PAIRS,
  PHASE_IDLE,
  RECORDS,
  TASKS,
  TXIDS,
  VALIDATORS,
  VOTES,
} from '../state/header';
import { root } from '../state/root';
import { BAR_ROW_BYTES } from '../tasks/bars';
import { TASK_ROW_BYTES, Task, taskAt } from '../tasks/rows';
import { hasSaneCases } from './audit-cases';
import { hasSaneSums } from './audit-sums';
import { hasSaneTask, hasSaneTasks } from './audit-tasks';
import { hasSaneValidators } from './audit-validators';

/** Sum over pools, balances, stakes and escrows, computed row by row. Anything but 10^15 is a bug. */
export function fullSupply(): u64 {
  const h = header();
  let sum: u64 = 0;
  let staked: u64 = 0;
  let escrowed: u64 = 0;
  for (let pool: u32 = 0; pool < <u32>POOL_COUNT; pool++) sum += poolBalance(pool);
  for (let i: u32 = 0; i < h.agentCount; i++) {
    sum += agentAt(i).balance;
    staked += agentAt(i).staked;
  }
  for (let row: u32 = 0; row < h.itemsUsed; row++) {
    if (itemAt(row).kind == ITEM_TRANSFER) escrowed += itemAt(row).amount;
  }
  for (let row: u32 = 0; row < h.tasksUsed; row++) escrowed += taskAt(row).escrow;
  for (let row: u32 = 0; row < h.challengesUsed; row++) {
    if (challengeAt(row).status == CHALLENGE_OPEN) escrowed += challengeAt(row).bond;
  }
  let rewards: u64 = 0;
  for (let row: u32 = 0; row < h.jobsUsed; row++) {
    if (jobAt(row).status == JOB_PENDING) rewards += jobAt(row).reward;
  }
  escrowed += rewards;
  // The stored totals must equal the sums of the rows; otherwise the answer is 0, which is never the supply.
  if (staked != h.totalStaked || escrowed != h.totalEscrowed || rewards != h.replayEscrow) return 0;
  return sum + staked + escrowed;
}

function hasSaneCounts(): bool {
  const h = header();
  return (
    h.phase == PHASE_IDLE &&
    h.agentCount <= capacity(AGENTS) &&
    h.itemsUsed <= capacity(ITEMS) &&
    h.itemsLive <= h.itemsUsed &&
    h.votesUsed <= capacity(VOTES) &&
    h.votesLive <= h.votesUsed &&
    h.tasksUsed <= capacity(TASKS) &&
    h.tasksLive <= h.tasksUsed &&
    h.barsUsed <= capacity(BARS) &&
    h.barsLive <= h.barsUsed &&
    h.calibrationCount <= capacity(CALIBRATIONS) &&
    h.challengesUsed <= capacity(CHALLENGES) &&
    h.challengesLive <= h.challengesUsed &&
    h.jobsUsed <= capacity(JOBS) &&
    h.jobsLive <= h.jobsUsed &&
    h.pairCount <= capacity(PAIRS) &&
    h.seatCount <= capacity(VALIDATORS) &&
    h.seenCount <= capacity(TXIDS) &&
    h.seenFirst < capacity(TXIDS) &&
    h.keyCount <= capacity(KEYS) &&
    h.recordCount <= capacity(RECORDS) &&
    h.validatorCount <= capacity(VALIDATORS) &&
    h.categoryCount <= capacity(CATEGORIES)
  );
}

function hasSaneAgents(): bool {
  const h = header();
  for (let i: u32 = 0; i < h.agentCount; i++) {
    const agent = agentAt(i);
    if (agent.validator > h.validatorCount || agent.recordHead > h.recordCount) return false;
    if (agent.keyHead > h.keyCount || agent.idBytes > 64) return false;
  }
  // The categories of a chain ascend, so it has no cycle.
  for (let row: u32 = 0; row < h.recordCount; row++) {
    const next = recordAt(row).next;
    if (next > h.recordCount || recordAt(row).category >= h.categoryCount) return false;
    if (next != 0 && recordAt(next - 1).category <= recordAt(row).category) return false;
  }
  // A new key is added in front of its owner's older ones, so links go to lower rows only.
  for (let row: u32 = 0; row < h.keyCount; row++) {
    if (keyAt(row).next > row || keyAt(row).owner >= h.agentCount) return false;
  }
  return true;
}

function hasSaneCategories(): bool {
  for (let i: u32 = 0; i < header().categoryCount; i++) if (!isCategoryForm(categoryAt(i))) return false;
  return true;
}

function hasSaneVotes(item: Item): bool {
  const h = header();
  let link = item.voteHead;
  for (let i: u32 = 0; i < item.voteCount; i++) {
    if (link == 0 || link > h.votesUsed || voterOf(voteAt(link - 1)) >= h.validatorCount) return false;
    if (i + 1 == item.voteCount && item.voteTail != link) return false;
    link = voteAt(link - 1).next;
  }
  return link == 0;
}

function hasSaneItems(): bool {
  const h = header();
  let live: u32 = 0;
  for (let row: u32 = 0; row < h.itemsUsed; row++) {
    const item = itemAt(row);
    if (item.kind == 0) continue;
    live++;
    if (item.kind > <u32>ITEM_DISPUTE || item.assignedCount > MAX_ASSIGNED) return false;
    if (item.barredCount > MAX_ASSIGNED) return false;
    if (item.kind != ITEM_TRANSFER && item.kind != ITEM_GENERATION && !hasSaneTask(item, row)) return false;
    if (item.agent >= h.agentCount || item.recipient >= h.agentCount) return false;
    if (!hasSaneVotes(item)) return false;
  }
  return live == h.itemsLive;
}

// A free chain has exactly the rows that are used and not live, each zero except for its link.
function hasSaneChain(base: usize, bytes: u32, link: u32, used: u32, live: u32, head: u32): bool {
  let next = head;
  for (let left = used - live; left > 0; left--) {
    if (next == 0 || next > used) return false;
    const row = base + <usize>(next - 1) * bytes;
    next = load<u32>(row + link);
    if (!isZero(row, link & ~7) || !isZero(row + (link & ~7) + 8, bytes - (link & ~7) - 8)) return false;
  }
  return next == 0;
}

/** True when counters, references and chains of an imported state are consistent. */
export function isSaneState(): bool {
  if (!hasSaneCounts() || !hasSaneAgents() || !hasSaneCategories() || !hasSaneValidators()) return false;
  if (!hasSaneItems() || !hasSaneTasks() || !hasSaneCases() || !hasSaneSums() || !isSaneRouter())
    return false;
  const h = header();
  const itemLink = <u32>offsetof<Item>('voteHead');
  const taskLink = <u32>offsetof<Task>('next');
  const challenges = root().challenges;
  const challengeLink = <u32>offsetof<Challenge>('next');
  const jobLink = <u32>offsetof<Job>('next');
  if (!hasSaneChain(root().jobs, JOB_ROW_BYTES, jobLink, h.jobsUsed, h.jobsLive, h.jobsFree)) return false;
  return (
    hasSaneChain(
      challenges,
      CHALLENGE_ROW_BYTES,
      challengeLink,
      h.challengesUsed,
      h.challengesLive,
      h.challengesFree,
    ) &&
    hasSaneChain(root().bars, BAR_ROW_BYTES, 0, h.barsUsed, h.barsLive, h.barsFree) &&
    hasSaneChain(root().tasks, TASK_ROW_BYTES, taskLink, h.tasksUsed, h.tasksLive, h.tasksFree) &&
    hasSaneChain(root().items, ITEM_ROW_BYTES, itemLink, h.itemsUsed, h.itemsLive, h.itemsFree) &&
    hasSaneChain(root().votes, VOTE_ROW_BYTES, 0, h.votesUsed, h.votesLive, h.votesFree)
  );
}
