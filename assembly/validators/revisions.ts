// Revisions of the rules: each seat names in its vertices the newest one that its program knows, and a seal raises the one
// that applies by one when a quorum knows the next (consensus 5.11).
// Keeps: only a seal raises it, by one at most, and nothing lowers it; so all rules of an epoch are those of one revision.
// A rule that changes asks `header().revision`; the numbers are listed in host/wire/revisions.ts.

import { PARAM_MIN_PARTICIPANTS } from '../abi';
import { header, param } from '../state/header';
import { isSeat, markSeat, seatAt } from './seats';
import { fullSeatWeight } from './silence';

// A quorum, in thousandths of the weight (consensus 4).
const QUORUM_PER_MILLE: u64 = 667;

/** A vertex of the seat is ordered: what it names replaces what the seat named before, also downwards. */
export function noteRevision(number: u32, revision: u16): void {
  if (!isSeat(number) || seatAt(number).revision == revision) return;
  seatAt(number).revision = revision;
  markSeat(seatAt(number));
}

/** At a seal, once it is known which seats have weight in the next epoch. O(seats). */
export function raiseRevision(): void {
  const h = header();
  let all: u64 = 0;
  let ready: u64 = 0;
  let count: u64 = 0;
  for (let number: u32 = 0, found: u32 = 0; found < h.seatCount; number++) {
    if (!isSeat(number)) continue;
    found++;
    const seat = seatAt(number);
    const weight = seat.isRemoved != 0 ? 0 : fullSeatWeight(number);
    all += weight;
    if (weight == 0 || <u32>seat.revision <= h.revision) continue;
    ready += weight;
    count++;
  }
  const isQuorum =
    ready * 1000 >= all * QUORUM_PER_MILLE && count >= max<u64>(1, param(PARAM_MIN_PARTICIPANTS));
  if (isQuorum) h.revision++;
}
