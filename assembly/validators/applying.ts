// A new validator: an agent that has the required stake applies and starts in probation (protocol 4.3, 7.4).
// Keeps: an agent never operates more than one validator; the operator of a manifest seat without a validator gets
// that seat, and the id in the manifest.

import {
  ALREADY_VALIDATOR,
  CAPACITY,
  IN_APPLY_CATEGORIES,
  IN_APPLY_CATEGORY_COUNT,
  IN_APPLY_MAX_FEE,
  INSUFFICIENT_BALANCE,
  INVALID_REQUEST,
  NO_SEAT,
  OK,
  PERMANENTLY_EXCLUDED,
  REASON_ID_TAKEN,
  REASON_MAX_FEE,
  RESULT_AGENT,
  RESULT_VALIDATOR,
  STAKE_BELOW_REQUIRED,
  TABLE_CATEGORIES,
  TABLE_VALIDATORS,
  VALIDATOR_ACTIVE,
  VALIDATOR_EXCLUDED,
  VALIDATOR_PROBATION,
} from '../abi';
import { actor, commits, field32, field64, fieldAddress, frame, refuse, setResult, txid } from '../io/frame';
import { findAgent } from '../ledger/agents';
import { payFee } from '../ledger/row-price';
import { sha256 } from '../lib/sha256';
import { writeHex, writeLiteral } from '../lib/text';
import { mulDiv } from '../lib/u128';
import { CATEGORY_ROW_BYTES, categoriesFee, findCategory, internCategory } from '../reputation/categories';
import { capacity, header, VALIDATORS } from '../state/header';
import { markSeat, seatAt, seatId, seatOfOperator } from './seats';
import { startCycle } from './status';
import { rearmValidator } from './timers';
import {
  addValidator,
  countStatus,
  noteDuty,
  setValidatorCategory,
  validatorAt,
  validatorOf,
} from './validators';
import { requiredStake } from './weight';

const ID_HASH_BYTES: u32 = 16;
const TEXT: usize = memory.data(80, 8);
const HASH: usize = memory.data(32, 8);
const ID: usize = memory.data(32, 8);

function categoryFormAt(position: u32): usize {
  return fieldAddress(IN_APPLY_CATEGORIES) + <usize>position * CATEGORY_ROW_BYTES;
}

// What the new names cost, -1 when there is no room for them; a name given twice is counted twice.
function namesFee(): i64 {
  let added: u32 = 0;
  for (let i: u32 = 0; i < field32(IN_APPLY_CATEGORY_COUNT); i++)
    if (findCategory(categoryFormAt(i)) < 0) added++;
  return categoriesFee(added);
}

/**
 * What the row costs, since it never goes: nothing while half of the rows are free, and for a seat of the manifest.
 * protocol 6.18.
 */
function rowFee(required: u64): u64 {
  const rows = capacity(VALIDATORS);
  const twiceFree = (rows - header().validatorCount) << 1;
  if (twiceFree >= rows || seatOfOperator(frame().actor) >= 0) return 0;
  return mulDiv(required, rows, twiceFree) - required;
}

// First 32 hex of SHA-256("validator:" + event_id), at ID (protocol 1.3).
function deriveId(): void {
  const end = writeHex(writeLiteral(TEXT, 'validator:'), txid(), 32);
  sha256(TEXT, <u32>(end - TEXT), HASH);
  writeHex(ID, HASH, ID_HASH_BYTES);
}

// An agent may have registered under the id beforehand; it must not be taken for the validator. Another nonce gives
// another id.
function isIdOfAgent(): bool {
  if (seatOfOperator(frame().actor) >= 0) return false;
  deriveId();
  sha256(ID, ID_HASH_BYTES * 2, HASH);
  return findAgent(HASH) >= 0;
}

// Adds the row, with seat and id of the manifest when the operator has a seat.
function addApplicant(nowSecs: u64): u32 {
  const operator = frame().actor;
  const seat = seatOfOperator(operator);
  if (seat < 0) {
    deriveId();
    return addValidator(operator, NO_SEAT, VALIDATOR_PROBATION, 0, ID, ID_HASH_BYTES * 2, nowSecs);
  }
  const row = seatAt(<u32>seat);
  const index = addValidator(operator, <u32>seat, VALIDATOR_PROBATION, 0, seatId(row), row.idBytes, nowSecs);
  row.validator = index + 1;
  markSeat(row);
  return index;
}

function setCategories(index: u32): void {
  const validator = validatorAt(index);
  validator.categoryCount = field32(IN_APPLY_CATEGORY_COUNT);
  for (let i: u32 = 0; i < validator.categoryCount; i++) {
    setValidatorCategory(validator, i, <u16>internCategory(categoryFormAt(i)));
  }
}

/**
 * OP_VALIDATOR_APPLY. Errors: ALREADY_VALIDATOR, PERMANENTLY_EXCLUDED, STAKE_BELOW_REQUIRED, CAPACITY,
 * INSUFFICIENT_BALANCE when it cannot pay for its row and new names of categories (balance, needed), INVALID_REQUEST when the
 * row costs more than it allows (REASON_MAX_FEE, fee) or its id is an agent's. protocol 4.3, 6.7, 6.18, 7.4.
 */
export function applyAsValidator(): i32 {
  const nowSecs = frame().nowSecs;
  const own = validatorOf(actor());
  if (own >= 0) {
    const isExcluded = validatorAt(<u32>own).status == VALIDATOR_EXCLUDED;
    return refuse(isExcluded ? PERMANENTLY_EXCLUDED : ALREADY_VALIDATOR);
  }
  const required = requiredStake(countStatus(VALIDATOR_ACTIVE));
  if (actor().staked < required) return refuse(STAKE_BELOW_REQUIRED, actor().staked, required);
  if (header().validatorCount >= capacity(VALIDATORS)) return refuse(CAPACITY, TABLE_VALIDATORS);
  const row = rowFee(required);
  if (row > field64(IN_APPLY_MAX_FEE)) return refuse(INVALID_REQUEST, REASON_MAX_FEE, row);
  const names = namesFee();
  if (names < 0) return refuse(CAPACITY, TABLE_CATEGORIES);
  const fee = row + <u64>names;
  if (actor().balance < fee) return refuse(INSUFFICIENT_BALANCE, actor().balance, fee);
  if (isIdOfAgent()) return refuse(INVALID_REQUEST, REASON_ID_TAKEN);
  if (!commits()) return OK;

  payFee(actor(), fee);
  const index = addApplicant(nowSecs);
  setCategories(index);
  startCycle(validatorAt(index), 1, nowSecs);
  rearmValidator(index);
  // Its row never goes: a stake that left at once could fill the first half of the table.
  noteDuty(validatorAt(index), nowSecs);
  setResult(RESULT_AGENT, frame().actor);
  setResult(RESULT_VALIDATOR, index);
  return OK;
}
