// Full checks over all tables: the sum of all accounts, and whether imported rows are consistent.
// Keeps: read only; every walk is bounded by a capacity, so it ends even on damaged rows.
// O(state): for tests, snapshots and imports only.

import {
  CHALLENGE_OPEN,
  GROUND_FRAUD,
  ITEM_DISPUTE,
  ITEM_GENERATION,
  ITEM_TRANSFER,
  JOB_PENDING,
  POOL_COUNT,
  SHARES,
} from '../abi';
import { ApiKey, KEY_ROW_BYTES, keyAt, MAX_ACTIVE_KEYS } from '../access/keys';
import { CHALLENGE_ROW_BYTES, Challenge, challengeAt } from '../cases/challenges';
import { JOB_ROW_BYTES, Job, jobAt } from '../cases/jobs';
import { isSaneStanding } from '../credit/standing';
import { agentAt } from '../ledger/agents';
import { poolBalance } from '../ledger/money';
import { isZero } from '../lib/bytes';
import { categoryAt, isCategoryForm } from '../reputation/categories';
import { recordAt } from '../reputation/records';
import { isSaneRouter } from '../router/audit';
import { capabilityAt } from '../router/capabilities';
import { ITEM_ROW_BYTES, Item, itemAt, MAX_ASSIGNED, PANEL_JUDGES } from '../settlement/items';
import { hasSaneLate } from '../settlement/late-votes';
import { COMMITMENT, isSealed, VOTE_ROW_BYTES, Vote, voteAt, voterOf } from '../settlement/votes';
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
import { bondsOf } from '../tasks/bonds';
import { heldFee } from '../tasks/due-runs';
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
  for (let row: u32 = 0; row < h.tasksUsed; row++) {
    escrowed += taskAt(row).escrow + bondsOf(taskAt(row)) + heldFee(taskAt(row));
  }
  for (let row: u32 = 0; row < h.challengesUsed; row++) {
    if (challengeAt(row).status == CHALLENGE_OPEN) escrowed += challengeAt(row).bond;
  }
  for (let row: u32 = 0; row < h.keysUsed; row++) escrowed += keyAt(row).deposit;
  for (let row: u32 = 0; row < h.capabilitiesUsed; row++) escrowed += capabilityAt(row).deposit;
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
    h.seenRows <= capacity(TXIDS) &&
    h.seenCount <= h.seenRows &&
    h.seenFirst < max<u32>(h.seenRows, 1) &&
    h.keysUsed <= capacity(KEYS) &&
    h.keysLive <= h.keysUsed &&
    h.recordCount <= capacity(RECORDS) &&
    h.validatorCount <= capacity(VALIDATORS) &&
    h.categoryCount <= capacity(CATEGORIES)
  );
}

// A record's next one is among those that are not an agent's own, and has a higher category.
function hasSaneLink(row: u32): bool {
  const next = recordAt(row).next;
  if (next == 0) return true;
  if (next <= capacity(AGENTS) || next > capacity(AGENTS) + header().recordCount) return false;
  return recordAt(next - 1).category > recordAt(row).category;
}

function hasSaneAgents(): bool {
  const h = header();
  for (let i: u32 = 0; i < h.agentCount; i++) {
    const agent = agentAt(i);
    if (agent.validator > h.validatorCount || recordAt(i).category != 0 || !hasSaneLink(i)) return false;
    if (agent.keyHead > h.keysUsed || agent.idBytes > 64 || !isSaneStanding(i)) return false;
  }
  // The categories of a chain ascend, so it has no cycle.
  for (let i: u32 = 0; i < h.recordCount; i++) {
    if (recordAt(capacity(AGENTS) + i).category >= h.categoryCount || !hasSaneLink(capacity(AGENTS) + i))
      return false;
  }
  return true;
}

// The keys in the chains of their owners are all there are; each chain has at most MAX_ACTIVE_KEYS.
function hasSaneKeys(): bool {
  const h = header();
  let live: u32 = 0;
  for (let i: u32 = 0; i < h.agentCount; i++) {
    let link = agentAt(i).keyHead;
    for (let count: u32 = 0; link != 0; count++) {
      if (link > h.keysUsed || count == MAX_ACTIVE_KEYS) return false;
      const key = keyAt(link - 1);
      if (key.owner != i || key.createdSecs == 0) return false;
      live++;
      link = key.next;
    }
  }
  return live == h.keysLive;
}

function hasSaneCategories(): bool {
  for (let i: u32 = 0; i < header().categoryCount; i++) if (!isCategoryForm(categoryAt(i))) return false;
  return true;
}

// A sealed vote has its commitment in two rows.
function hasCommitment(vote: Vote): bool {
  const h = header();
  if (vote.value == 0 || vote.value > <u64>h.votesUsed) return false;
  const first = voteAt(<u32>vote.value - 1);
  if (first.share != COMMITMENT || first.next == 0 || first.next > h.votesUsed) return false;
  const second = voteAt(first.next - 1);
  return second.share == COMMITMENT && second.next == 0 && first != second;
}

function hasSaneVotes(item: Item): bool {
  const h = header();
  let link = item.voteHead;
  for (let i: u32 = 0; i < item.voteCount; i++) {
    if (link == 0 || link > h.votesUsed) return false;
    const vote = voteAt(link - 1);
    if (voterOf(vote) >= h.validatorCount || vote.ground > <u8>GROUND_FRAUD) return false;
    if (isSealed(vote) ? item.kind != ITEM_DISPUTE || !hasCommitment(vote) : vote.share > <u8>SHARES)
      return false;
    if (i + 1 == item.voteCount && item.voteTail != link) return false;
    link = vote.next;
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
    if (item.panel > PANEL_JUDGES || item.isClosed > 1 || item.isRevealing > 1) return false;
    if (item.barredCount > MAX_ASSIGNED || item.barsClusters > 1) return false;
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
  if (!hasSaneCounts() || !hasSaneAgents() || !hasSaneKeys() || !hasSaneCategories() || !hasSaneValidators())
    return false;
  if (
    !hasSaneLate() ||
    !hasSaneItems() ||
    !hasSaneTasks() ||
    !hasSaneCases() ||
    !hasSaneSums() ||
    !isSaneRouter()
  )
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
    hasSaneChain(
      root().keys,
      KEY_ROW_BYTES,
      <u32>offsetof<ApiKey>('next'),
      h.keysUsed,
      h.keysLive,
      h.keysFree,
    ) &&
    hasSaneChain(root().bars, BAR_ROW_BYTES, 0, h.barsUsed, h.barsLive, h.barsFree) &&
    hasSaneChain(root().tasks, TASK_ROW_BYTES, taskLink, h.tasksUsed, h.tasksLive, h.tasksFree) &&
    hasSaneChain(root().items, ITEM_ROW_BYTES, itemLink, h.itemsUsed, h.itemsLive, h.itemsFree) &&
    hasSaneChain(root().votes, VOTE_ROW_BYTES, 0, h.votesUsed, h.votesLive, h.votesFree)
  );
}
