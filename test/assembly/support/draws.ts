// Helpers of specs about draws: numbered events, a panel to draw into, shares of the day's seats.

import { drawPanel } from '../../../assembly/validators/assignment';
import { excludeNobody } from '../../../assembly/validators/candidates';
import { seatsTodayOf, seatsTodayOfAll } from '../../../assembly/validators/day-seats';
import { validatorAt } from '../../../assembly/validators/validators';
import { LAUNCH } from './state';

const EVENT: usize = memory.data(32, 8);
const PANEL: usize = memory.data(16, 8);
export const GENERAL: u32 = 2;

/** Address of an event id with this number. */
export function eventId(number: u64): usize {
  store<u64>(EVENT, number);
  return EVENT;
}

/** Where drawn names and panels are written. */
export function panel(): usize {
  return PANEL;
}

/** Validator index at a position of the result. */
export function drawn(position: usize): u32 {
  return load<u16>(PANEL + (position << 1));
}

/** Draws panels of `size` for events from..to - 1 on the day of LAUNCH; returns the seats given out. */
export function drawPanels(from: u64, to: u64, size: u32): u64 {
  let seats: u64 = 0;
  excludeNobody();
  for (let event = from; event < to; event++) {
    seats += drawPanel(eventId(event), GENERAL, size, PANEL, LAUNCH);
  }
  return seats;
}

/** Share in bp of today's seats that a validator holds, or its whole cluster, rounded up. */
export function shareBp(index: u32, count: u32): u64 {
  const cluster = validatorAt(index).cluster;
  let held: u64 = 0;
  for (let other: u32 = 0; other < count; other++) {
    const isOne = other == index || (cluster != 0 && validatorAt(other).cluster == cluster);
    if (isOne) held += seatsTodayOf(other, LAUNCH);
  }
  const all = seatsTodayOfAll(LAUNCH);
  return (held * 10000 + all - 1) / all;
}
