// Recomputes sums that rows store incrementally: an agent's funds in escrow, pending transfers and claimed tasks;
// the tasks that a validator approved; and the number of votes.
// Keeps: read only; uses the out buffer, for as many agents at a time as fit. O(state) for each part.

import { CHALLENGE_OPEN, ITEM_TRANSFER, TASK_CLAIMED } from '../abi';
import { keyAt } from '../access/keys';
import { challengeAt } from '../cases/challenges';
import { workerOf } from '../credit/workers';
import { agentAt, agentIndex } from '../ledger/agents';
import { capabilityAt } from '../router/capabilities';
import { SEALED_ROWS } from '../settlement/commitments';
import { itemAt } from '../settlement/items';
import { isSealed, voteAt } from '../settlement/votes';
import { header } from '../state/header';
import { OUT_BYTES, root } from '../state/root';
import { heldFee } from '../tasks/due-runs';
import { escrowOwner } from '../tasks/payout';
import { deliveryOf, isDelivered, judgingOf, panelMember, taskAt } from '../tasks/rows';
import { holdsBond } from '../tasks/status';
import { hasApproved } from '../tasks/verifiers';
import { validatorAt } from '../validators/validators';

/** Sums for one agent from the rows of other tables. */
@unmanaged
class Sums {
  reserved: u64;
  exposure: u64;
  claimed: u64;
  claimedBudget: u64;
}
const SUMS_BYTES: u32 = 32;

// Sums of an agent, or 0 when it is not in the part that starts at `first`.
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
    const poster = sumsOf(task.poster, first, count);
    if (poster != 0) changetype<Sums>(poster).reserved += judgingOf(task).posterHeld;
    const bonded = holdsBond(task.status) ? sumsOf(task.claimer - 1, first, count) : 0;
    if (bonded != 0) changetype<Sums>(bonded).reserved += judgingOf(task).workerHeld + heldFee(task);
    const worker = task.status == TASK_CLAIMED ? sumsOf(task.claimer - 1, first, count) : 0;
    if (worker == 0) continue;
    changetype<Sums>(worker).claimed++;
    changetype<Sums>(worker).claimedBudget += task.budget;
  }
}

function sumBonds(first: u32, count: u32): void {
  for (let row: u32 = 0; row < header().challengesUsed; row++) {
    const challenge = challengeAt(row);
    const at = challenge.status == CHALLENGE_OPEN ? sumsOf(challenge.challenger, first, count) : 0;
    if (at != 0) changetype<Sums>(at).reserved += challenge.bond;
  }
}

// Every vote in use is in the chain of an item, a task or an open challenge; a sealed one has its commitment besides.
function hasSaneVoteCount(): bool {
  const h = header();
  let votes: u64 = 0;
  for (let row: u32 = 0; row < h.itemsUsed; row++) {
    if (itemAt(row).kind == 0) continue;
    for (let link = itemAt(row).voteHead; link != 0; link = voteAt(link - 1).next) {
      votes += isSealed(voteAt(link - 1)) ? SEALED_ROWS : 1;
    }
  }
  for (let row: u32 = 0; row < h.challengesUsed; row++) {
    if (challengeAt(row).status == CHALLENGE_OPEN) votes += challengeAt(row).voteCount;
  }
  for (let row: u32 = 0; row < h.tasksUsed; row++) {
    if (taskAt(row).status == 0) continue;
    for (let link = taskAt(row).voteHead; link != 0; link = voteAt(link - 1).next) votes++;
  }
  return votes == h.votesLive;
}

// Every validator's row has the number of tasks that it approved on their panels.
function hasSaneApprovals(): bool {
  const h = header();
  const counts = root().output;
  memory.fill(counts, 0, (<usize>h.validatorCount) << 2);
  for (let row: u32 = 0; row < h.tasksUsed; row++) {
    const task = taskAt(row);
    if (task.status == 0 || !isDelivered(task)) continue;
    const delivery = deliveryOf(task);
    for (let position: u32 = 0; position < delivery.panelCount; position++) {
      const at = counts + ((<usize>panelMember(delivery, position)) << 2);
      if (hasApproved(task, position)) store<u32>(at, load<u32>(at) + 1);
    }
  }
  for (let index: u32 = 0; index < h.validatorCount; index++) {
    if (load<u32>(counts + ((<usize>index) << 2)) != validatorAt(index).approvals) return false;
  }
  return true;
}

function sumDeposits(first: u32, count: u32): void {
  for (let row: u32 = 0; row < header().keysUsed; row++) {
    const at = sumsOf(keyAt(row).owner, first, count);
    if (at != 0) changetype<Sums>(at).reserved += keyAt(row).deposit;
  }
  for (let row: u32 = 0; row < header().capabilitiesUsed; row++) {
    const capability = capabilityAt(row);
    const at: usize = capability.owner == 0 ? 0 : sumsOf(capability.owner - 1, first, count);
    if (at != 0) changetype<Sums>(at).reserved += capability.deposit;
  }
}

/** True when every agent's row matches its items, tasks, challenges and deposits. References were checked before. */
export function hasSaneSums(): bool {
  if (!hasSaneVoteCount() || !hasSaneApprovals()) return false;
  const perPass = OUT_BYTES / SUMS_BYTES;
  for (let first: u32 = 0; first < header().agentCount; first += perPass) {
    const count = min<u32>(perPass, header().agentCount - first);
    memory.fill(root().output, 0, <usize>count * SUMS_BYTES);
    sumItems(first, count);
    sumTasks(first, count);
    sumBonds(first, count);
    sumDeposits(first, count);
    for (let index = first; index < first + count; index++) {
      const sums = changetype<Sums>(sumsOf(index, first, count));
      const agent = agentAt(index);
      if (agent.reserved != sums.reserved || agent.exposure != sums.exposure) return false;
      const worker = workerOf(index);
      if (worker.claimed != sums.claimed || worker.claimedBudget != sums.claimedBudget) return false;
    }
  }
  return true;
}
