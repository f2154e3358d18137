// Drawing validators for an event: weighted, without replacement, from a hash nobody can choose.
// Keeps: the same draw on every node (DECISIONS 6.9, panel draw); parties are never drawn. Names are advice;
// seats of a panel are binding and counted, so that none holds more of a day's seats than its cap.

import { VALIDATOR_ACTIVE } from '../abi';
import { BP, TESTNET_ASSIGNMENT_STAKE } from '../ledger/rates';
import { copy32 } from '../lib/bytes';
import { begin, compress } from '../lib/sha256';
import { writeDecimal, writeHex, writeLiteral } from '../lib/text';
import { blockHash, header, isTestnet } from '../state/header';
import { root } from '../state/root';
import { assignmentWeight } from './calibration';
import { countSeat, seatsTodayOf, seatsTodayOfAll } from './day-seats';
import { countStatus, mayVote, operatorOf, validatorAt, validatorInOrder } from './validators';
import { requiredStake } from './weight';

// "panel:" + 64 hex + ":" + 64 hex + ":" + k: 137 bytes, so three blocks, of which only the last
// holds k. The first two are hashed once for all draws of an event.
const MESSAGE: usize = memory.data(192, 16);
const PREFIX_STATE: usize = memory.data(32, 16);
const DRAW_STATE: usize = memory.data(32, 16);

const MOST_EXCLUDED: u32 = 16;
/** 6.9, caps: share of a validator in the seats of a day, with fewer than 10 active validators and with more. */
const CAP_SMALL_BP: u64 = 2000;
const CAP_BP: u64 = 1500;
const CAP_ACTIVE: u32 = 10;
const CAP_CANDIDATES: u32 = 5;
const CAP_SEATS: u64 = 20;

/** Agents whose validators are not drawn, and the draw under way. */
@unmanaged
class Draw {
  excludedCount: u32;
  candidates: u32;
  drawn: u32;
  isHashed: u32;
  event: usize;
  to: usize;
}
const DRAW: usize = memory.data(24, 8);
const EXCLUDED: usize = memory.data(64, 8);

function draw(): Draw {
  return changetype<Draw>(DRAW);
}

/** Begins a new list of excluded agents; it holds until it is begun anew. */
export function excludeNobody(): void {
  draw().excludedCount = 0;
}

/** The validator of this agent (index) is not to be drawn. */
export function exclude(agent: u32): void {
  const d = draw();
  assert(d.excludedCount < MOST_EXCLUDED, 'too many agents are excluded from a draw');
  store<u32>(EXCLUDED + ((<usize>d.excludedCount) << 2), agent);
  d.excludedCount++;
}

export function isExcluded(agent: u32): bool {
  for (let i: usize = 0; i < draw().excludedCount; i++)
    if (load<u32>(EXCLUDED + (i << 2)) == agent) return true;
  return false;
}

function assignmentStake(active: u32): u64 {
  const required = requiredStake(active);
  return isTestnet() ? max<u64>(required, TESTNET_ASSIGNMENT_STAKE) : required;
}

function weightAt(place: u32): usize {
  return root().drawWeights + ((<usize>place) << 3);
}

// Fills the weights of all validators in order of id, 0 for those who are no candidates; returns the sum.
function weighCandidates(category: u32, active: u32): u64 {
  const leastStake = assignmentStake(active);
  draw().candidates = 0;
  let sum: u64 = 0;
  for (let place: u32 = 0; place < header().validatorCount; place++) {
    const index = validatorInOrder(place);
    const validator = validatorAt(index);
    const hasStake = operatorOf(validator).staked >= leastStake;
    let weight: u64 = 0;
    if (mayVote(validator) && hasStake && !isExcluded(validator.agent)) {
      weight = assignmentWeight(index, category);
      draw().candidates++;
    }
    store<u64>(weightAt(place), weight);
    sum += weight;
  }
  return sum;
}

function hashPrefix(eventId: usize): void {
  let to = writeHex(writeLiteral(MESSAGE, 'panel:'), eventId, 32);
  to = writeHex(writeLiteral(to, ':'), blockHash(), 32);
  to = writeLiteral(to, ':');
  begin(PREFIX_STATE);
  compress(PREFIX_STATE, MESSAGE);
  compress(PREFIX_STATE, MESSAGE + 64);
}

// First 8 bytes, big-endian, of the hash of draw `k`, a single digit.
function drawNumber(k: u32): u64 {
  const end = writeDecimal(MESSAGE + 136, k);
  store<u8>(end, 0x80);
  memory.fill(end + 1, 0, MESSAGE + 184 - (end + 1));
  store<u64>(MESSAGE + 184, bswap<u64>((<u64>(end - MESSAGE)) << 3));
  copy32(DRAW_STATE, PREFIX_STATE);
  compress(DRAW_STATE, MESSAGE + 128);
  return ((<u64>load<u32>(DRAW_STATE)) << 32) | load<u32>(DRAW_STATE, 4);
}

// The place where the cumulative weight passes `number`, which is below the sum.
function placeOf(number: u64): u32 {
  let place: u32 = 0;
  for (let sum: u64 = load<u64>(weightAt(0)); sum <= number; ) {
    place++;
    sum += load<u64>(weightAt(place));
  }
  return place;
}

// Draws from the weights laid out until `most` are drawn in all or nobody is left. Draws are numbered from 1.
function drawSome(weights: u64, most: u32): void {
  const d = draw();
  let sum = weights;
  while (d.drawn < most && sum > 0) {
    let place = placeOf(0);
    // A last candidate is drawn whatever the hash says.
    if (load<u64>(weightAt(place)) != sum) {
      if (d.isHashed == 0) hashPrefix(d.event);
      d.isHashed = 1;
      place = placeOf(drawNumber(d.drawn + 1) % sum);
    }
    sum -= load<u64>(weightAt(place));
    store<u64>(weightAt(place), 0);
    store<u16>(d.to + ((<usize>d.drawn) << 1), <u16>validatorInOrder(place));
    d.drawn++;
  }
}

function beginDraw(eventId: usize, to: usize): void {
  const d = draw();
  d.drawn = 0;
  d.isHashed = 0;
  d.event = eventId;
  d.to = to;
}

/**
 * Draws up to `most` (below 10) validators that are not excluded; writes their indexes as u16 at `to` and
 * returns how many. For transfers, generations and disputes.
 */
export function drawNames(eventId: usize, category: u32, most: u32, to: usize): u32 {
  beginDraw(eventId, to);
  drawSome(weighCandidates(category, countStatus(VALIDATOR_ACTIVE)), most);
  return draw().drawn;
}

// True when one more seat would take a validator's share of the day's seats, this panel's included, over the cap.
function isOverCap(index: u32, capBp: u64, seats: u64, nowSecs: u64): bool {
  return (seatsTodayOf(index, nowSecs) + 1) * BP > capBp * seats;
}

// Takes those over the cap out of the weights laid out; returns the sum of the others.
function passOver(capBp: u64, seats: u64, nowSecs: u64): u64 {
  let sum: u64 = 0;
  for (let place: u32 = 0; place < header().validatorCount; place++) {
    if (isOverCap(validatorInOrder(place), capBp, seats, nowSecs)) store<u64>(weightAt(place), 0);
    sum += load<u64>(weightAt(place));
  }
  return sum;
}

// Keeps those that were passed over and not drawn; returns the sum of their weights.
function onlyPassedOver(category: u32, active: u32): u64 {
  const d = draw();
  let sum = weighCandidates(category, active);
  for (let i: usize = 0; i < d.drawn; i++) {
    const taken = <u32>load<u16>(d.to + (i << 1));
    for (let place: u32 = 0; place < header().validatorCount; place++) {
      if (validatorInOrder(place) != taken) continue;
      sum -= load<u64>(weightAt(place));
      store<u64>(weightAt(place), 0);
    }
  }
  return sum;
}

/**
 * Draws a panel of up to `size` (below 10) as `drawNames` does, and counts its seats. With enough candidates
 * and enough seats given out today, those over their cap are drawn only when the panel cannot be filled
 * otherwise (DECISIONS 6.9, caps).
 */
export function drawPanel(eventId: usize, category: u32, size: u32, to: usize, nowSecs: u64): u32 {
  const active = countStatus(VALIDATOR_ACTIVE);
  const given = seatsTodayOfAll(nowSecs);
  beginDraw(eventId, to);
  const sum = weighCandidates(category, active);
  if (draw().candidates >= CAP_CANDIDATES && given >= CAP_SEATS) {
    const capBp = active < CAP_ACTIVE ? CAP_SMALL_BP : CAP_BP;
    drawSome(passOver(capBp, given + size, nowSecs), size);
    if (draw().drawn < size) drawSome(onlyPassedOver(category, active), size);
  } else {
    drawSome(sum, size);
  }
  for (let i: usize = 0; i < draw().drawn; i++) countSeat(load<u16>(to + (i << 1)), nowSecs);
  return draw().drawn;
}
