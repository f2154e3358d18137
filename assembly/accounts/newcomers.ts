// How many agents may be registered in a day, once half of the table of agents is used (protocol 6.18).
// Keeps: each seat has an equal part for the registrations in its own vertices, and at least one, so nobody can shut
// newcomers out at all seats. A registration is free, as newcomers have nothing; what is left free shrinks by a hundredth
// a day at most, so the table is never full in practice.

import { isDryRun } from '../io/frame';
import { AGENTS, capacity, daySecs, header } from '../state/header';
import { isSeat, markSeat, seatAt } from '../validators/seats';

const DAILY_SHARE: u32 = 100;

/** True when the command being executed may add an agent. A dry run has no seat: it only sees a full table. */
export function mayAddAgent(nowSecs: u64): bool {
  const h = header();
  const free = capacity(AGENTS) - h.agentCount;
  if (free == 0) return false;
  if (isDryRun() || free > capacity(AGENTS) / 2) return true;
  if (!isSeat(h.vertexSeat)) return false;
  const row = seatAt(h.vertexSeat);
  const today = row.agentsDay == nowSecs / daySecs() ? row.agentsToday : 0;
  return today < max<u64>(1, free / DAILY_SHARE / h.seatCount);
}

/** Counts an agent that was added. */
export function noteNewcomer(nowSecs: u64): void {
  const seat = header().vertexSeat;
  if (!isSeat(seat)) return;
  const row = seatAt(seat);
  const day = nowSecs / daySecs();
  row.agentsToday = row.agentsDay == day ? row.agentsToday + 1 : 1;
  row.agentsDay = day;
  markSeat(row);
}
