// Sums that each agent's row keeps along, taken again from the rows that they sum up: funds held elsewhere,
// pending transfers, tasks claimed; tasks that a validator approved; and the number of votes.
// Keeps: read only; works in the out buffer, as many agents at a time as fit. Costs O(state) for each part.

import { CHALLENGE_OPEN, ITEM_TRANSFER, TASK_CLAIMED } from '../abi';
import { challengeAt } from '../cases/challenges';
import { agentAt, agentIndex } from '../ledger/agents';
import { itemAt } from '../settlement/items';
import { voteAt } from '../settlement/votes';
import { header } from '../state/header';
import { OUT_BYTES, root } from '../state/root';
import { escrowOwner } from '../tasks/payout';
import { deliveryOf, isDelivered, panelMember, taskAt } from '../tasks/rows';
import { hasApproved } from '../tasks/verifiers';
import { workerOf } from '../tasks/workers';
import { validatorAt } from '../validators/validators';

/** What the rows of other tables say about one agent. */
@unmanaged
class Sums {
  reserved: u64;
  exposure: u64;
  claimed: u64;
}
const SUMS_BYTES: u32 = 24;

// Sums of an agent, or 0 when it is not in the part that begins with `first`.
function sumsOf(agent: u32, first: u32, count: u32): usize {
  if (agent < first || agent - first >= count) return 0;
  return root().output + <usize>(agent - first) * SUMS_BYTES;
}

function sumItems(first: u32, count: u32): void {
  for (let row: u32 = 0; row < header().itemsUsed; row++) {
    const item = itemAt(row);
    const at = item.kind == ITEM_TRANSFER ? sumsOf(item.agent, first, count) : 0;
    if (at == 0) continue;
    const sums = changetype<Sums>(at);
    sums.reserved += item.amount;
    sums.exposure += item.amount;
  }
}

function sumTasks(first: u32, count: u32): void {
  for (let row: u32 = 0; row < header().tasksUsed; row++) {
    const task = taskAt(row);
    if (task.status == 0) continue;
    const owner = sumsOf(agentIndex(escrowOwner(task)), first, count);
    if (owner != 0) changetype<Sums>(owner).reserved += task.escrow;
    const worker = task.status == TASK_CLAIMED ? sumsOf(task.claimer - 1, first, count) : 0;
    if (worker != 0) changetype<Sums>(worker).claimed++;
  }
}

function sumBonds(first: u32, count: u32): void {
  for (let row: u32 = 0; row < header().challengesUsed; row++) {
    const challenge = challengeAt(row);
    const at = challenge.status == CHALLENGE_OPEN ? sumsOf(challenge.challenger, first, count) : 0;
    if (at != 0) changetype<Sums>(at).reserved += challenge.bond;
  }
}

// Every vote in use stands in the chain of an item, of a task or of an open challenge.
function hasSaneVoteCount(): bool {
  const h = header();
  let votes: u64 = 0;
  for (let row: u32 = 0; row < h.itemsUsed; row++) votes += itemAt(row).kind == 0 ? 0 : itemAt(row).voteCount;
  for (let row: u32 = 0; row < h.challengesUsed; row++) {
    if (challengeAt(row).status == CHALLENGE_OPEN) votes += challengeAt(row).voteCount;
  }
  for (let row: u32 = 0; row < h.tasksUsed; row++) {
    if (taskAt(row).status == 0) continue;
    for (let link = taskAt(row).voteHead; link != 0; link = voteAt(link - 1).next) votes++;
  }
  return votes == h.votesLive;
}

// Every validator's row says how many tasks it approved on their panels.
function hasSaneApprovals(): bool {
  const h = header();
  const counts = root().output;
  memory.fill(counts, 0, (<usize>h.validatorCount) << 2);
  for (let row: u32 = 0; row < h.tasksUsed; row++) {
    const task = taskAt(row);
    if (task.status == 0 || !isDelivered(task)) continue;
    const delivery = deliveryOf(task);
    for (let place: u32 = 0; place < delivery.panelCount; place++) {
      const at = counts + ((<usize>panelMember(delivery, place)) << 2);
      if (hasApproved(task, place)) store<u32>(at, load<u32>(at) + 1);
    }
  }
  for (let index: u32 = 0; index < h.validatorCount; index++) {
    if (load<u32>(counts + ((<usize>index) << 2)) != validatorAt(index).approvals) return false;
  }
  return true;
}

/** True when every agent's row says what items, tasks and challenges come to. References were seen to be sane. */
export function hasSaneSums(): bool {
  if (!hasSaneVoteCount() || !hasSaneApprovals()) return false;
  const most = OUT_BYTES / SUMS_BYTES;
  for (let first: u32 = 0; first < header().agentCount; first += most) {
    const count = min<u32>(most, header().agentCount - first);
    memory.fill(root().output, 0, <usize>count * SUMS_BYTES);
    sumItems(first, count);
    sumTasks(first, count);
    sumBonds(first, count);
    for (let index = first; index < first + count; index++) {
      const sums = changetype<Sums>(sumsOf(index, first, count));
      const agent = agentAt(index);
      if (agent.reserved != sums.reserved || agent.exposure != sums.exposure) return false;
      if (workerOf(index).claimed != sums.claimed) return false;
    }
  }
  return true;
}
