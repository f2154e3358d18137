// Opening an item by a transfer or a generation: the endpoint's checks, then the pending event.
// Keeps: the sum of a sender's pending transfers stays within its trust limit (protocol 4.2, 6.8).

import {
  CAPACITY,
  CATEGORY_GENERATION,
  CATEGORY_TRANSFER,
  IN_AMOUNT,
  IN_RECIPIENT,
  INSUFFICIENT_BALANCE,
  INVALID_REQUEST,
  ITEM_GENERATION,
  ITEM_TRANSFER,
  OK,
  PARAM_VERIFICATION_DEADLINE_SECS,
  REASON_SELF_TRANSFER,
  RECIPIENT_NOT_FOUND,
  RESULT_AGENT,
  RESULT_PENDING_AMOUNT,
  RESULT_PENDING_ASSIGNED,
  RESULT_PENDING_ASSIGNED_COUNT,
  RESULT_PENDING_BALANCE,
  RESULT_PENDING_DEADLINE,
  RESULT_PENDING_RECIPIENT,
  TABLE_ITEMS,
  TRUST_LIMIT_EXCEEDED,
} from '../abi';
import { trustLimit } from '../credit/trust';
import { actor, commits, field64, fieldAddress, frame, NO_AGENT, refuse, setResult, txid } from '../io/frame';
import { findAgent } from '../ledger/agents';
import { balanceOf, escrowOf, move } from '../ledger/money';
import { capacity, ITEMS, param } from '../state/header';
import { drawNames } from '../validators/assignment';
import { exclude, excludeNobody } from '../validators/candidates';
import { assignedOf, hasItemRows, Item, openItem } from './items';

/** Validators named as assigned to a transfer, generation or dispute; others may judge it as well (protocol 6.9). */
export const ASSIGNED_NAMES: u32 = 3;
/**
 * Parts of the table that claims of value, which cost nothing, and transfers, which may be tiny, leave to what costs more: a
 * flood of the one keeps nobody from the other, and neither keeps anybody from work.
 */
const KEPT_FROM_CLAIMS: u32 = 2;
const KEPT_FROM_TRANSFERS: u32 = 4;

// The common part: the item, the advisory assignment, and the results.
function openPending(kind: u32, category: u32, other: u32, amount: u64): Item {
  const f = frame();
  const deadlineSecs = f.nowSecs + param(PARAM_VERIFICATION_DEADLINE_SECS);
  const item = openItem(txid(), kind, f.actor, other, amount, f.nowSecs, deadlineSecs);
  excludeNobody();
  exclude(f.actor);
  exclude(other);
  const drawn = drawNames(txid(), category, ASSIGNED_NAMES, assignedOf(item));
  item.assignedCount = <u16>drawn;
  setResult(RESULT_AGENT, f.actor);
  setResult(RESULT_PENDING_RECIPIENT, other);
  setResult(RESULT_PENDING_AMOUNT, amount);
  setResult(RESULT_PENDING_DEADLINE, deadlineSecs);
  setResult(RESULT_PENDING_ASSIGNED_COUNT, drawn);
  for (let i: u32 = 0; i < drawn; i++) {
    setResult(RESULT_PENDING_ASSIGNED + i, load<u16>(assignedOf(item) + ((<usize>i) << 1)));
  }
  return item;
}

// The agent that the record names as recipient, or -1.
function namedRecipient(): i32 {
  const known = frame().recipient;
  return known != NO_AGENT ? <i32>known : findAgent(fieldAddress(IN_RECIPIENT));
}

/**
 * OP_TRANSFER: the amount goes into escrow at once. Errors: INVALID_REQUEST for a transfer to oneself,
 * RECIPIENT_NOT_FOUND, TRUST_LIMIT_EXCEEDED (limit, exposure, amount), INSUFFICIENT_BALANCE, CAPACITY.
 */
export function transfer(): i32 {
  const f = frame();
  const sender = actor();
  const amount = field64(IN_AMOUNT);
  const recipient = namedRecipient();
  if (recipient == <i32>f.actor) return refuse(INVALID_REQUEST, REASON_SELF_TRANSFER);
  if (recipient < 0) return refuse(RECIPIENT_NOT_FOUND);
  const limit = trustLimit(sender, f.nowSecs);
  if (sender.exposure + amount > limit) {
    return refuse(TRUST_LIMIT_EXCEEDED, limit, sender.exposure, amount);
  }
  if (sender.balance < amount) return refuse(INSUFFICIENT_BALANCE, sender.balance, amount);
  if (!hasItemRows(1 + capacity(ITEMS) / KEPT_FROM_TRANSFERS)) return refuse(CAPACITY, TABLE_ITEMS);
  if (!commits()) return OK;

  move(balanceOf(sender), escrowOf(sender), amount);
  sender.exposure += amount;
  openPending(ITEM_TRANSFER, CATEGORY_TRANSFER, <u32>recipient, amount);
  setResult(RESULT_PENDING_BALANCE, sender.balance);
  return OK;
}

/** OP_GENERATION: records a claim; no tokens move and no limit applies. Errors: RECIPIENT_NOT_FOUND, CAPACITY. */
export function generation(): i32 {
  const beneficiary = namedRecipient();
  if (beneficiary < 0) return refuse(RECIPIENT_NOT_FOUND);
  if (!hasItemRows(1 + capacity(ITEMS) / KEPT_FROM_CLAIMS)) return refuse(CAPACITY, TABLE_ITEMS);
  if (!commits()) return OK;

  openPending(ITEM_GENERATION, CATEGORY_GENERATION, <u32>beneficiary, field64(IN_AMOUNT));
  return OK;
}
