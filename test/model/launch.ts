// The start of the chain's clock: whatever happened before is dated to it (protocol 1.4).

import type { ModelState } from './state.ts';
import type { ModelTask } from './task-state.ts';

function dateTask(t: ModelTask, shifted: (secs: number) => number): void {
  t.posted = shifted(t.posted);
  t.expires = shifted(t.expires);
  t.exclusiveUntil = shifted(t.exclusiveUntil);
  t.claimed = shifted(t.claimed);
  t.claimDeadline = shifted(t.claimDeadline);
  t.cancelAt = shifted(t.cancelAt);
  t.submitted = shifted(t.submitted);
  t.reviewDeadline = shifted(t.reviewDeadline);
  t.disputed = shifted(t.disputed);
  t.disputeDeadline = shifted(t.disputeDeadline);
  t.ended = shifted(t.ended);
}

function dateCases(s: ModelState, shifted: (secs: number) => number): void {
  for (const c of s.challenges) {
    c.created = shifted(c.created);
    c.deadline = shifted(c.deadline);
    c.resolvedAt = shifted(c.resolvedAt);
  }
  for (const j of s.jobs) {
    j.created = shifted(j.created);
    j.deadline = shifted(j.deadline);
    j.closedAt = shifted(j.closedAt);
  }
  for (const c of s.canaries) c.at = shifted(c.at);
  s.refills = s.refills.map(shifted);
}

function dateValidators(s: ModelState, shifted: (secs: number) => number): void {
  for (const v of s.validators) {
    v.registeredAt = shifted(v.registeredAt);
    v.lastDuty = shifted(v.lastDuty);
    v.suspendedAt = shifted(v.suspendedAt);
    v.suspendedUntil = shifted(v.suspendedUntil);
    v.belowSince = shifted(v.belowSince);
    v.activatedAt = shifted(v.activatedAt);
    v.probationStarted = shifted(v.probationStarted);
    v.nextKeyAt = shifted(v.nextKeyAt);
    v.nextRecoveryAt = shifted(v.nextRecoveryAt);
    for (const c of v.calibrations.values()) c.suspendedUntil = shifted(c.suspendedUntil);
  }
}

/** Starts the clock now. */
export function launch(s: ModelState): void {
  s.launch = s.now;
  const shifted = (secs: number): number => (secs === 0 ? 0 : secs + s.launch - 1);
  for (const a of s.agents) {
    a.firstSeen = shifted(a.firstSeen);
    a.lastActive = shifted(a.lastActive);
    a.stakedSince = shifted(a.stakedSince);
    a.faucetAt = shifted(a.faucetAt);
    a.standing.since = shifted(a.standing.since);
    for (const r of a.records) r.lastActive = shifted(r.lastActive);
  }
  for (const i of s.items) {
    i.deadline = shifted(i.deadline);
    i.created = shifted(i.created);
    for (const v of [...i.votes, ...i.commitments]) v.at = shifted(v.at);
  }
  dateValidators(s, shifted);
  for (const t of s.tasks) dateTask(t, shifted);
  dateCases(s, shifted);
  for (const c of s.commits) c.at = shifted(c.at);
  for (const k of s.keys) k.created = shifted(k.created);
  for (const t of s.seen) t.at = shifted(t.at);
}
