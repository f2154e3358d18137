// The table of protocol 7.4, row by row, and a validator that walks it: slow, obvious, no rule elsewhere.

import * as abi from '../../assembly/abi.ts';

const TOKEN = 1_000_000n;
/** Seconds of a day in this network. */
export const DAY = 100;
export const REQUIRED = 10_000n * TOKEN;
const COOLDOWN_DAYS = [0, 30, 60, 180];
export type Status = '-' | 'probation' | 'active' | 'suspended' | 'excluded';
export const NUMBERS: Record<Status, number> = { '-': 0, probation: 1, active: 2, suspended: 3, excluded: 4 };

export interface Validator {
  status: Status;
  isGenesis: boolean;
  stake: bigint;
  baseline: number;
  cycle: number;
  started: number;
  /** When an applicant passed, 0 = it has not. */
  passedAt: number;
  decided: number;
  right: number;
  belowSince: number;
  until: number;
  /** Of the suspension: 0 none, 1 stake_below_minimum, 2.. an offense. */
  reason: number;
  collusions: number;
  canaries: { count: number; points: number; until: number };
}

export interface Trigger {
  by: string;
  now: number;
  offense?: number;
  points?: number;
  /** As many are suspended as may be. */
  isCrowdedOut?: boolean;
}

export interface Row {
  from: Status[];
  by: string;
  when?: (v: Validator, t: Trigger) => boolean;
  to: Status;
  also?: (v: Validator, t: Trigger) => void;
}

const passed = (v: Validator): boolean =>
  v.decided >= 50 && Math.floor((v.right * 10_000) / v.decided) >= 7000;
const cycle =
  (number: (v: Validator) => number) =>
  (v: Validator, t: Trigger): void =>
    void Object.assign(v, { cycle: number(v), started: t.now, passedAt: 0, decided: 0, right: 0 });
const fails = ({ canaries: c }: Validator): boolean =>
  c.count >= 20 && Math.floor((c.points * 10_000) / (2 * c.count)) < 6000;
const mayResume = (v: Validator, t: Trigger): boolean =>
  t.now >= v.until && (v.reason !== abi.STATUS_REASON_STAKE || v.stake >= REQUIRED);
const suspend =
  (until: (v: Validator, t: Trigger) => number) =>
  (v: Validator, t: Trigger): void => {
    v.until = until(v, t);
    v.reason = t.offense === undefined ? abi.STATUS_REASON_STAKE : abi.STATUS_REASON_OFFENSE + t.offense;
  };
const cooldown = (t: Trigger): number => t.now + COOLDOWN_DAYS[t.offense!]! * DAY;
const IN_OFFICE: Status[] = ['probation', 'active', 'suspended'];

/** protocol 7.4, row by row; of the rows that fit the first counts. */
export const TABLE: Row[] = [
  { from: ['-'], by: 'genesis active', to: 'active' },
  { from: ['-'], by: 'genesis probationary', to: 'probation', also: cycle(() => 1) },
  { from: ['-'], by: 'genesis pending_join', to: '-' },
  { from: ['-'], by: 'apply', when: (v) => v.stake >= REQUIRED, to: 'probation', also: cycle(() => 1) },
  {
    from: ['probation'],
    by: 'D 30 days of the cycle',
    when: (v) => passed(v) && v.isGenesis,
    to: 'active',
  },
  {
    from: ['probation'],
    by: 'D 30 days of the cycle',
    when: passed,
    to: 'probation',
    also: (v, t) => void Object.assign(v, { passedAt: t.now }),
  },
  {
    from: ['probation'],
    by: 'D a place of the day',
    to: 'active',
    also: (v) => void Object.assign(v, { baseline: 5000 }),
  },
  {
    from: ['probation'],
    by: 'D 30 days of the cycle',
    when: (v) => v.decided < 50,
    to: 'probation',
    also: (v, t) => void Object.assign(v, { started: t.now }),
  },
  {
    from: ['probation'],
    by: 'D 30 days of the cycle',
    when: (v) => v.cycle < 3,
    to: 'probation',
    also: cycle((v) => v.cycle + 1),
  },
  { from: ['probation'], by: 'D 30 days of the cycle', to: 'excluded' },
  { from: ['probation'], by: 'slash', to: 'probation', also: cycle((v) => v.cycle) },
  { from: ['active'], by: 'D 7 days below required_stake', to: 'suspended', also: suspend(() => 0) },
  { from: ['active'], by: 'slash', to: 'suspended', also: suspend((_, t) => cooldown(t)) },
  {
    from: ['suspended'],
    by: 'slash',
    to: 'suspended',
    also: suspend((v, t) => Math.max(v.until, cooldown(t))),
  },
  { from: IN_OFFICE, by: 'second collusion', to: 'excluded' },
  { from: IN_OFFICE, by: 'equivocation', to: 'excluded' },
  {
    from: ['active'],
    by: 'canary',
    when: (v, t) => fails(v) && t.points !== 2 && v.canaries.until <= t.now && !t.isCrowdedOut,
    to: 'active',
    also: ({ canaries }, t) => void Object.assign(canaries, { until: t.now + 30 * DAY }),
  },
  { from: ['suspended'], by: 'resume', when: mayResume, to: 'active' },
];

/** What is dropped with a status that is left; a suspension that goes on is no new one. */
function leave(v: Validator, to: Status): void {
  if (to !== 'active' || v.status !== 'active') v.belowSince = 0;
  if (to !== 'probation') Object.assign(v, { cycle: 0, started: 0, passedAt: 0 });
  if (to !== 'suspended') Object.assign(v, { until: 0, reason: 0 });
}

export const walked = new Set<Row>();

export function step(v: Validator, t: Trigger): void {
  const row = TABLE.find((r) => r.from.includes(v.status) && r.by === t.by && (r.when?.(v, t) ?? true));
  if (!row) return;
  walked.add(row);
  row.also?.(v, t);
  leave(v, row.to);
  v.status = row.to;
}
