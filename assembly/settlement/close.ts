// Closing an item: the settlement event, the money, the record, the slash (protocol 6.2, 6.5, 7.3).
// Keeps: an item is closed once; its escrow is empty afterwards; an expiry costs nobody anything.
// The caller has counted the votes into `tally()` with current weights.

import {
  CATEGORY_GENERATION,
  CATEGORY_TRANSFER,
  ITEM_TRANSFER,
  OUT_SETTLEMENT_AGENT,
  OUT_SETTLEMENT_AMOUNT,
  OUT_SETTLEMENT_APPROVE,
  OUT_SETTLEMENT_FEE,
  OUT_SETTLEMENT_KIND,
  OUT_SETTLEMENT_PARTICIPANTS,
  OUT_SETTLEMENT_REASON,
  OUT_SETTLEMENT_RECIPIENT,
  OUT_SETTLEMENT_REJECT,
  OUT_SETTLEMENT_STATUS,
  OUT_SETTLEMENT_TARGET,
  OUT_SETTLEMENT_TOTAL,
  OUT_SETTLEMENT_TREASURY,
  OUT_SETTLEMENT_VALUE,
  OUT_SETTLEMENT_VOTER_COUNT,
  OUT_SLASH_BYTES,
  POOL_TREASURY,
  SETTLED_EXPIRED,
  SETTLED_REJECTED,
  SETTLED_VERIFIED,
  SETTLEMENT_VOTERS,
  SHARES,
  SLASH_REJECTED_GENERATION,
  SLASH_REJECTED_TRANSFER,
  VOTE_ADJUSTED,
  VOTE_SETTLED,
  VOTER_BYTES,
} from '../abi';
import { emitSlash, slashToTreasury } from '../credit/stake';
import { beginSettlement, eventIdOf } from '../io/system-event';
import { Agent, agentAt, touchAgent } from '../ledger/agents';
import { balanceOf, baseFee, beginSplit, endSplit, escrowOf, move, payPart, poolOf } from '../ledger/money';
import { BP, GENERATION_SLASH_BP } from '../ledger/rates';
import { copy32 } from '../lib/bytes';
import { addCapped, mulDiv } from '../lib/u128';
import { extendFingerprint } from '../reputation/fingerprint';
import { recordGenerated } from '../reputation/generated';
import { recordCompleted, recordFailed } from '../reputation/records';
import { countMissedDraw, countVote } from '../validators/calibration';
import { takeSealed } from './commitments';
import { assignedOf, eventIdOfItem, Item, removeItem } from './items';
import { noteJudges } from './judges';
import { noteLate } from './late-votes';
import { countVotes, isApproved, isDrawn, isRejected, tally, weightOn, writeVoters } from './quorum';
import { shareFee } from './voter-fees';
import { agrees, freezeVote, hasVoted, removeVotes, voteAt, voterOf } from './votes';

/** Space that closing an item with `votes` votes may need in the out buffer. */
export function closingBytes(votes: u32): u32 {
  return <u32>SETTLEMENT_VOTERS + votes * VOTER_BYTES + OUT_SLASH_BYTES;
}

// Fields that do not depend on moving money: the decision and the votes.
function writeSettlement(record: usize, item: Item, state: u32, reason: u32, nowSecs: u64): void {
  const t = tally();
  copy32(record + OUT_SETTLEMENT_TARGET, eventIdOfItem(item));
  store<u32>(record, item.kind, OUT_SETTLEMENT_KIND);
  store<u32>(record, state, OUT_SETTLEMENT_STATUS);
  store<u32>(record, reason, OUT_SETTLEMENT_REASON);
  store<u32>(record, item.voteCount, OUT_SETTLEMENT_VOTER_COUNT);
  store<u32>(record, item.agent, OUT_SETTLEMENT_AGENT);
  store<u32>(record, item.recipient, OUT_SETTLEMENT_RECIPIENT);
  store<u64>(record, item.amount, OUT_SETTLEMENT_AMOUNT);
  store<u64>(record, t.approveWeight, OUT_SETTLEMENT_APPROVE);
  store<u64>(record, t.rejectWeight, OUT_SETTLEMENT_REJECT);
  store<u64>(record, t.totalWeight, OUT_SETTLEMENT_TOTAL);
  store<u64>(record, t.participants, OUT_SETTLEMENT_PARTICIPANTS);
  writeVoters(record + SETTLEMENT_VOTERS, item, nowSecs);
}

function writeFee(record: usize, verifiedValue: u64, fee: u64, treasuryPart: u64): void {
  store<u64>(record, verifiedValue, OUT_SETTLEMENT_VALUE);
  store<u64>(record, fee, OUT_SETTLEMENT_FEE);
  store<u64>(record, treasuryPart, OUT_SETTLEMENT_TREASURY);
}

function settleTransfer(item: Item, record: usize, nowSecs: u64): void {
  const sender = agentAt(item.agent);
  const fee = baseFee(item.amount);
  sender.exposure -= item.amount;
  beginSplit(escrowOf(sender), item.amount);
  payPart(balanceOf(agentAt(item.recipient)), item.amount - fee);
  shareFee(item, fee, nowSecs);
  writeFee(record, 0, fee, endSplit(poolOf(POOL_TREASURY)));
  sender.transferred = addCapped(sender.transferred, item.amount);
  recordCompleted(sender, CATEGORY_TRANSFER, 0, 0, 0, nowSecs);
  extendFingerprint(sender, eventIdOf(record), CATEGORY_TRANSFER, true, 0, 0);
}

function returnTransfer(item: Item): void {
  const sender = agentAt(item.agent);
  sender.exposure -= item.amount;
  move(escrowOf(sender), balanceOf(sender), item.amount);
}

function settleGeneration(item: Item, record: usize, nowSecs: u64): void {
  const agent = agentAt(item.agent);
  const value = tally().lowestValue;
  const fee = min<u64>(baseFee(value), agent.balance);
  const scoreBp = mulDiv(value, BP, item.amount);
  beginSplit(balanceOf(agent), fee);
  shareFee(item, fee, nowSecs);
  writeFee(record, value, fee, endSplit(poolOf(POOL_TREASURY)));
  const beneficiary = agentAt(item.recipient);
  beneficiary.generated = addCapped(beneficiary.generated, value);
  touchAgent(beneficiary);
  recordGenerated(value);
  recordCompleted(agent, CATEGORY_GENERATION, value, scoreBp, 0, nowSecs);
  extendFingerprint(agent, eventIdOf(record), CATEGORY_GENERATION, true, value, scoreBp);
}

// An event open for so long gave everybody drawn for it the time to vote.
const ENOUGH_SECS: u64 = 60;

// Votes on an event that a quorum decided count for the accuracy of validators. Those drawn for it that had the time and
// did not vote missed it; those that had not may still vote (protocol 6.9, 7.4). `share`: the outcome, 0 for a rejection.
function countAccuracy(item: Item, share: u32, category: u32, nowSecs: u64): void {
  for (let link = item.voteHead; link != 0; link = voteAt(link - 1).next) {
    const vote = voteAt(link - 1);
    const index = voterOf(vote);
    countVote(index, category, agrees(vote.share, share), isDrawn(item, index));
  }
  if (nowSecs < item.createdSecs + ENOUGH_SECS) {
    noteLate(item, share, category, nowSecs);
    return;
  }
  for (let i: u32 = 0; i < item.assignedCount; i++) {
    const index = <u32>load<u16>(assignedOf(item) + ((<usize>i) << 1));
    if (!hasVoted(item, index)) countMissedDraw(index);
  }
}

/** Slashes an agent's stake by up to an amount for SLASH_*, and emits it if anything was slashed. */
export function slash(agent: Agent, amount: u64, cause: u32): void {
  const taken = slashToTreasury(agent, amount);
  if (taken != 0) emitSlash(agent, cause, taken);
}

// The settlement event comes first, so the slash is emitted after everything else.
function rejectAgent(agent: Agent, kind: u32, record: usize, nowSecs: u64): void {
  const category = kind == ITEM_TRANSFER ? CATEGORY_TRANSFER : CATEGORY_GENERATION;
  recordFailed(agent, category, nowSecs);
  extendFingerprint(agent, eventIdOf(record), category, false, 0, 0);
  if (kind == ITEM_TRANSFER) slash(agent, agent.staked, SLASH_REJECTED_TRANSFER);
  else slash(agent, mulDiv(agent.staked, GENERATION_SLASH_BP, BP), SLASH_REJECTED_GENERATION);
}

/**
 * Emits the settlement of a submission or dispute, VOTE_SETTLED or _ADJUSTED for a reason, and removes the item;
 * the task moves the money. Votes that are not revealed are none. `byQuorum`: the votes decided on `share`, so they count for the accuracy of validators. Agreement
 * between validators is counted in either case, separately for structured categories.
 * The votes remain for the caller, each with its current weight as value: returns their chain, row + 1.
 */
export function closeTaskItem(
  item: Item,
  state: u32,
  reason: u32,
  byQuorum: bool,
  share: u32,
  category: u32,
  isStructured: bool,
  nowSecs: u64,
): u32 {
  removeVotes(takeSealed(item));
  countVotes(item, nowSecs);
  const record = beginSettlement(eventIdOfItem(item), <u32>SETTLEMENT_VOTERS + item.voteCount * VOTER_BYTES);
  writeSettlement(record, item, state, reason, nowSecs);
  if (byQuorum) countAccuracy(item, share, category, nowSecs);
  noteJudges(item, isStructured);
  for (let link = item.voteHead; link != 0; link = voteAt(link - 1).next) {
    freezeVote(voteAt(link - 1), weightOn(item, voterOf(voteAt(link - 1)), nowSecs));
  }
  const votes = item.voteHead;
  removeItem(item);
  return votes;
}

/** Closes a transfer or generation for SETTLED_VERIFIED, _REJECTED or _EXPIRED. The caller has checked that closingBytes fit. */
export function closeItem(item: Item, reason: u32, nowSecs: u64): void {
  const kind = item.kind;
  const agent = agentAt(item.agent);
  const bytes = <u32>SETTLEMENT_VOTERS + item.voteCount * VOTER_BYTES;
  const record = beginSettlement(eventIdOfItem(item), bytes);
  writeSettlement(record, item, reason == SETTLED_VERIFIED ? VOTE_SETTLED : VOTE_ADJUSTED, reason, nowSecs);
  if (reason == SETTLED_VERIFIED) {
    if (kind == ITEM_TRANSFER) settleTransfer(item, record, nowSecs);
    else settleGeneration(item, record, nowSecs);
  } else if (kind == ITEM_TRANSFER) {
    returnTransfer(item);
  }
  const category = kind == ITEM_TRANSFER ? CATEGORY_TRANSFER : CATEGORY_GENERATION;
  if (reason != SETTLED_EXPIRED)
    countAccuracy(item, reason == SETTLED_VERIFIED ? SHARES : 0, category, nowSecs);
  removeVotes(item.voteHead);
  removeItem(item);
  if (reason == SETTLED_REJECTED) rejectAgent(agent, kind, record, nowSecs);
}

/** Closes an item at its deadline, after a last count of its votes. The caller has checked that closingBytes fit. */
export function expireItem(item: Item, nowSecs: u64): void {
  countVotes(item, nowSecs);
  let reason = SETTLED_EXPIRED;
  if (isApproved()) reason = SETTLED_VERIFIED;
  else if (isRejected()) reason = SETTLED_REJECTED;
  closeItem(item, reason, nowSecs);
}
