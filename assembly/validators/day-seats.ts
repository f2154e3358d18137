// Panel seats given out today, by validator and in total: the basis of the caps of protocol 6.9.
// Keeps: a day is day_secs of consensus time; the counts of another day are ignored.

import { daySecs, header } from '../state/header';
import { markValidator, validatorAt } from './validators';

function dayOf(nowSecs: u64): u64 {
  return nowSecs / daySecs();
}

/** Seats given out today. */
export function seatsTodayOfAll(nowSecs: u64): u64 {
  return header().seatsDay == dayOf(nowSecs) ? header().seatsToday : 0;
}

/** Seats of a validator (index) today. */
export function seatsTodayOf(index: u32, nowSecs: u64): u64 {
  const validator = validatorAt(index);
  return validator.seatsDay == dayOf(nowSecs) ? validator.seatsToday : 0;
}

/** Counts a seat given to a validator (index). */
export function countSeat(index: u32, nowSecs: u64): void {
  const h = header();
  const validator = validatorAt(index);
  const mine = seatsTodayOf(index, nowSecs);
  h.seatsToday = seatsTodayOfAll(nowSecs) + 1;
  h.seatsDay = dayOf(nowSecs);
  validator.seatsToday = <u32>mine + 1;
  validator.seatsDay = dayOf(nowSecs);
  markValidator(validator);
}
