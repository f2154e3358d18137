// Drawing validators for an event: weighted, without replacement, from a hash that nobody can choose.
// Keeps: the same draw on every node (protocol 6.9, panel draw); parties are never drawn. Drawn names are advisory;
// panel seats are binding and counted; an executor is drawn like a panel of one.

import { VALIDATOR_ACTIVE } from '../abi';
import { copy32, zero } from '../lib/bytes';
import { begin, compress } from '../lib/sha256';
import { writeDecimal, writeHex, writeLiteral } from '../lib/text';
import { blockHash, header, nowSecs } from '../state/header';
import { lastPosition, layOut, positionOf, takeOut, weightLeft } from './candidates';
import { beginCaps, noteDrawn, passOver } from './caps';
import { countSeat } from './day-seats';
import { countStatus, validatorInOrder } from './validators';

// "panel:" or "replay-executor:" + 64 hex + ":" + 64 hex + ":" + k: 137 or 147 bytes, so three blocks, of which only
// the last holds k. The first two are hashed once for all draws of an event.
const MESSAGE: usize = memory.data(192, 16);
const PREFIX_STATE: usize = memory.data(32, 16);
const DRAW_STATE: usize = memory.data(32, 16);
const EXECUTOR: usize = memory.data(8, 8);

/** The current draw. */
@unmanaged
class Draw {
  /** 32-byte id of the event or job. */
  id: usize;
  /** Where the validator indexes (u16) are written. */
  to: usize;
  /** Address of k in the message, 0 while nothing is hashed. */
  numberAt: usize;
  drawn: u32;
  /** Number of the first draw. */
  first: u32;
  isForReplay: u32;
  isCapped: u32;
  /** What the drawn must have staked besides what is required of all, micro-units. */
  cover: u64;
}
const DRAW: usize = memory.data(40, 8);
const DRAW_BYTES: u32 = 40;

function draw(): Draw {
  return changetype<Draw>(DRAW);
}

function beginDraw(id: usize, to: usize, cover: u64): Draw {
  const d = draw();
  zero(DRAW, DRAW_BYTES);
  d.cover = cover;
  d.id = id;
  d.to = to;
  d.first = 1;
  return d;
}

function hashPrefix(d: Draw): void {
  let to = d.isForReplay != 0 ? writeLiteral(MESSAGE, 'replay-executor:') : writeLiteral(MESSAGE, 'panel:');
  to = writeLiteral(writeHex(to, d.id, 32), ':');
  d.numberAt = writeLiteral(writeHex(to, blockHash(), 32), ':');
  begin(PREFIX_STATE);
  compress(PREFIX_STATE, MESSAGE);
  compress(PREFIX_STATE, MESSAGE + 64);
}

// First 8 bytes, big-endian, of the hash of draw `k`, a single digit.
function drawNumber(d: Draw, k: u32): u64 {
  if (d.numberAt == 0) hashPrefix(d);
  const end = writeDecimal(d.numberAt, k);
  store<u8>(end, 0x80);
  memory.fill(end + 1, 0, MESSAGE + 184 - (end + 1));
  store<u64>(MESSAGE + 184, bswap<u64>((<u64>(end - MESSAGE)) << 3));
  copy32(DRAW_STATE, PREFIX_STATE);
  compress(DRAW_STATE, MESSAGE + 128);
  return ((<u64>load<u32>(DRAW_STATE)) << 32) | load<u32>(DRAW_STATE, 4);
}

// Draws from the candidates until `limit` are drawn in total or nobody is left.
function drawSome(limit: u32): void {
  const d = draw();
  while (d.drawn < limit && weightLeft() > 0) {
    // The last candidate is drawn whatever the hash is.
    let position = lastPosition();
    if (position < 0) position = <i32>positionOf(drawNumber(d, d.first + d.drawn) % weightLeft());
    takeOut(<u32>position);
    const index = validatorInOrder(<u32>position);
    store<u16>(d.to + ((<usize>d.drawn) << 1), <u16>index);
    d.drawn++;
    if (d.isCapped != 0) noteDrawn(index);
  }
}

/**
 * Draws up to `limit` (below 10) validators that are not excluded; writes their indexes as u16 at `to` and
 * returns how many. For transfers, generations and disputes.
 */
export function drawNames(eventId: usize, category: u32, limit: u32, to: usize): u32 {
  beginDraw(eventId, to, 0);
  layOut(category, countStatus(VALIDATOR_ACTIVE), nowSecs(), 0);
  drawSome(limit);
  return draw().drawn;
}

// Lists the candidates again without those already drawn: the rest were skipped because of the caps.
function layOutPassedOver(category: u32, active: u32, nowSecs: u64): void {
  const d = draw();
  layOut(category, active, nowSecs, d.cover);
  for (let position: u32 = 0; position < header().validatorCount; position++) {
    for (let i: usize = 0; i < d.drawn; i++) {
      if (<u32>load<u16>(d.to + (i << 1)) == validatorInOrder(position)) takeOut(position);
    }
  }
}

/**
 * Draws a panel of up to `size` (below 10) as `drawNames` does, of those that have staked `cover`, and counts its seats. Those
 * who would exceed the cap of the day are drawn only when the panel cannot be filled otherwise (caps.ts).
 */
export function drawPanel(
  eventId: usize,
  category: u32,
  size: u32,
  to: usize,
  nowSecs: u64,
  cover: u64 = 0,
): u32 {
  const active = countStatus(VALIDATOR_ACTIVE);
  const d = beginDraw(eventId, to, cover);
  layOut(category, active, nowSecs, cover);
  if (beginCaps(active, size, nowSecs)) {
    passOver();
    d.isCapped = 1;
    drawSome(size);
    d.isCapped = 0;
    if (d.drawn < size) layOutPassedOver(category, active, nowSecs);
  }
  drawSome(size);
  for (let i: usize = 0; i < d.drawn; i++) countSeat(load<u16>(to + (i << 1)), nowSecs);
  return d.drawn;
}

/**
 * Draws the executor of a replay job (id[32]) for an attempt (1..9) among candidates that are not excluded and have staked
 * `cover`; returns its validator index, or -1 without any. The job's id is hashed in place of an event's.
 */
export function drawExecutor(jobId: usize, category: u32, attempt: u32, cover: u64 = 0): i32 {
  const d = beginDraw(jobId, EXECUTOR, cover);
  d.isForReplay = 1;
  d.first = attempt;
  layOut(category, countStatus(VALIDATOR_ACTIVE), nowSecs(), cover);
  drawSome(1);
  return d.drawn == 0 ? -1 : <i32>load<u16>(EXECUTOR);
}
