// API keys: hash, owner, scopes, issuing seat; creation, revocation, expiry.
// Keeps: an owner has at most 50 keys, each with a deposit (protocol 6.18); a key that was revoked or has expired is gone,
// and its row free. Only the hash of a key is ever here (protocol 4.9, 5.5). The uses of an hour are counted here, so that
// no seat can spend more for an owner than the key allows.

import {
  CAPACITY,
  FORBIDDEN_ACTOR,
  IN_API_KEY_EXPIRES,
  IN_API_KEY_HOURLY_LIMIT,
  IN_API_KEY_ID,
  IN_API_KEY_SCOPES,
  IN_API_KEY_SEAT,
  INSUFFICIENT_BALANCE,
  INVALID_REQUEST,
  KEY_LIMIT,
  KEY_NOT_FOUND,
  OK,
  REASON_KEY_EXPIRY,
  RESULT_AGENT,
  TABLE_KEYS,
} from '../abi';
import { actor, commits, field32, field64, fieldAddress, frame, refuse, setResult } from '../io/frame';
import { Agent, agentAt, touchAgent } from '../ledger/agents';
import { lockDeposit, returnDeposit, rowPrice } from '../ledger/row-price';
import { addRow, attachIndex, clearIndex, findRow, KeyIndex, removeRow, slotCount } from '../lib/key-index';
import { capacity, Header, header, KEYS } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';
import { giveRow, hasRow, RowStore, takeRow } from '../state/row-store';
import { startTimer, stopTimer, TIMER_KEY, timerOf } from '../state/timers';
import { seatOperator } from '../validators/seats';

export const KEY_ROW_BYTES: u32 = 96;
const HOUR_SECS: u64 = 3600;
export const MAX_ACTIVE_KEYS: u32 = 50;
// The first fields of the row and of the command alike.
const ID_AND_HASH_BYTES: usize = 40;
const BY_ID: usize = memory.data(64, 8);

@unmanaged
export class ApiKey {
  id: u64;
  hash0: u64;
  hash1: u64;
  hash2: u64;
  hash3: u64;
  owner: u32;
  seat: u32;
  scopes: u32;
  hourlyLimit: u32;
  /** 0 in a free row. */
  createdSecs: u64;
  /** 0 = never. */
  expiresSecs: u64;
  /** In the owner's escrow, micro-units. */
  deposit: u64;
  /** Next key of the owner, row + 1; links free rows as well. */
  next: u32;
  /** Uses in the hour that began with the one at hourSecs. */
  hourCount: u32;
  hourSecs: u64;
}

const LINK: u32 = <u32>offsetof<ApiKey>('next');

function rows(): RowStore {
  return changetype<RowStore>(changetype<usize>(header()) + offsetof<Header>('keysUsed'));
}

export function keyAt(row: u32): ApiKey {
  return changetype<ApiKey>(root().keys + <usize>row * KEY_ROW_BYTES);
}

export function attachKeys(): void {
  const r = root();
  const slots = slotCount(capacity(KEYS));
  attachIndex(changetype<KeyIndex>(BY_ID), r.keySlots, slots, r.keys, KEY_ROW_BYTES, 0, 8);
}

export function rebuildKeys(): void {
  clearIndex(changetype<KeyIndex>(BY_ID));
  for (let row: u32 = 0; row < rows().used; row++) {
    if (keyAt(row).createdSecs != 0) addRow(changetype<KeyIndex>(BY_ID), row);
  }
}

/** Timers from the rows, after an import. */
export function rebuildKeyTimers(): void {
  for (let row: u32 = 0; row < rows().used; row++) {
    if (keyAt(row).expiresSecs != 0) startTimer(timerOf(TIMER_KEY, row), keyAt(row).expiresSecs);
  }
}

/** Row of the key with the 8-byte id at the address, or -1. */
export function findKey(id: usize): i32 {
  return findRow(changetype<KeyIndex>(BY_ID), id);
}

function isExpired(key: ApiKey, nowSecs: u64): bool {
  return key.expiresSecs != 0 && nowSecs >= key.expiresSecs;
}

/** True while the key may be used at `seat` by the agent `owner`. */
export function isUsable(key: ApiKey, owner: u32, seat: u32, nowSecs: u64): bool {
  return !isExpired(key, nowSecs) && key.owner == owner && key.seat == seat;
}

/** Seconds until the key may be used again under its hourly limit, 0 = now. */
export function keyWaitSecs(key: ApiKey, nowSecs: u64): u64 {
  const endSecs = key.hourSecs + HOUR_SECS;
  return key.hourCount < key.hourlyLimit || nowSecs >= endSecs ? 0 : endSecs - nowSecs;
}

/** Counts a use. An hour begins with the first use after the last one has ended. */
export function noteKeyUse(row: u32, nowSecs: u64): void {
  const key = keyAt(row);
  if (nowSecs >= key.hourSecs + HOUR_SECS) {
    key.hourSecs = nowSecs;
    key.hourCount = 0;
  }
  key.hourCount++;
  markBytes(changetype<usize>(key), KEY_ROW_BYTES);
}

function countActive(owner: Agent, nowSecs: u64): u32 {
  let count: u32 = 0;
  for (let link = owner.keyHead; link != 0; link = keyAt(link - 1).next) {
    if (!isExpired(keyAt(link - 1), nowSecs)) count++;
  }
  return count;
}

// Removes a key from its owner's chain.
function unlinkKey(owner: Agent, row: u32): void {
  if (owner.keyHead == row + 1) {
    owner.keyHead = keyAt(row).next;
    touchAgent(owner);
    return;
  }
  let before = keyAt(owner.keyHead - 1);
  while (before.next != row + 1) before = keyAt(before.next - 1);
  before.next = keyAt(row).next;
  markBytes(changetype<usize>(before), KEY_ROW_BYTES);
}

/** Ends a key that was revoked or has expired: its deposit goes back to the owner, and its row is free. */
export function freeKey(row: u32): void {
  const key = keyAt(row);
  const owner = agentAt(key.owner);
  if (key.expiresSecs != 0) stopTimer(timerOf(TIMER_KEY, row));
  returnDeposit(owner, key.deposit);
  unlinkKey(owner, row);
  removeRow(changetype<KeyIndex>(BY_ID), row);
  giveRow(rows(), root().keys, KEY_ROW_BYTES, LINK, row);
}

function fillKey(row: u32, deposit: u64): void {
  const key = keyAt(row);
  const owner = actor();
  memory.copy(changetype<usize>(key), fieldAddress(IN_API_KEY_ID), ID_AND_HASH_BYTES);
  key.owner = frame().actor;
  key.seat = field32(IN_API_KEY_SEAT);
  key.scopes = field32(IN_API_KEY_SCOPES);
  key.hourlyLimit = field32(IN_API_KEY_HOURLY_LIMIT);
  key.createdSecs = frame().nowSecs;
  key.expiresSecs = field64(IN_API_KEY_EXPIRES);
  key.deposit = deposit;
  key.next = owner.keyHead;
  owner.keyHead = row + 1;
  markBytes(changetype<usize>(key), KEY_ROW_BYTES);
  touchAgent(owner);
}

/** OP_KEY_CREATE. Errors: expiry not in the future, id taken, 50 active keys, table full, deposit not held. protocol 4.9. */
export function createKey(): i32 {
  const nowSecs = frame().nowSecs;
  const owner = actor();
  const expiresSecs = field64(IN_API_KEY_EXPIRES);
  if (expiresSecs != 0 && expiresSecs <= nowSecs) return refuse(INVALID_REQUEST, REASON_KEY_EXPIRY);
  if (findKey(fieldAddress(IN_API_KEY_ID)) >= 0) return refuse(INVALID_REQUEST);
  if (countActive(owner, nowSecs) >= MAX_ACTIVE_KEYS) return refuse(KEY_LIMIT);
  if (!hasRow(rows(), capacity(KEYS))) return refuse(CAPACITY, TABLE_KEYS);
  const deposit = rowPrice(KEYS, rows().live);
  if (owner.balance < deposit) return refuse(INSUFFICIENT_BALANCE, owner.balance, deposit);
  if (!commits()) return OK;

  lockDeposit(owner, deposit);
  const row = takeRow(rows(), root().keys, KEY_ROW_BYTES, LINK);
  fillKey(row, deposit);
  addRow(changetype<KeyIndex>(BY_ID), row);
  if (expiresSecs != 0) startTimer(timerOf(TIMER_KEY, row), expiresSecs);
  setResult(RESULT_AGENT, frame().actor);
  return OK;
}

// The owner, or the agent that operates the issuing seat: a key made for another agent can be taken back.
function mayRevoke(key: ApiKey, agent: u32): bool {
  return key.owner == agent || seatOperator(key.seat) == agent;
}

/** OP_KEY_REVOKE: by the owner or the issuer. Errors: KEY_NOT_FOUND, also a second time; FORBIDDEN_ACTOR. protocol 4.9. */
export function revokeKey(): i32 {
  const row = findKey(fieldAddress(IN_API_KEY_ID));
  if (row < 0) return refuse(KEY_NOT_FOUND);
  if (!mayRevoke(keyAt(<u32>row), frame().actor)) return refuse(FORBIDDEN_ACTOR);
  if (!commits()) return OK;

  freeKey(<u32>row);
  setResult(RESULT_AGENT, frame().actor);
  return OK;
}
