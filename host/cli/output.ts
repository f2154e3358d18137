// Formats results: raw JSON, `Label: value` lines, tables.
// Keeps: one table says which members are amounts, times or basis points, so that all commands format numbers alike;
// JSON output is the server's object, unchanged.

import { isRecord } from '../wire/json.ts';
import { formatAmount } from './amount.ts';
import type { Io } from './io.ts';

export type Unit = 'amount' | 'time' | 'bp';
/** Units by member; undefined where the number has none. */
export type Units = Readonly<Record<string, Unit | undefined>>;

/** Members with a unit. Source: protocol 3, and details of 2.2. */
export const UNITS: Units = {
  amount: 'amount',
  balance: 'amount',
  staked_amount: 'amount',
  reserved: 'amount',
  releasable: 'amount',
  needed: 'amount',
  minimum: 'amount',
  stake_missing: 'amount',
  reserve: 'amount',
  trust_limit: 'amount',
  required_stake: 'amount',
  exposure: 'amount',
  onboarding_allocation: 'amount',
  claimed_value: 'amount',
  verified_value: 'amount',
  total_value_generated: 'amount',
  total_value_transferred: 'amount',
  total_earned: 'amount',
  total_value_earned: 'amount',
  bond: 'amount',
  refunded_bond: 'amount',
  forfeit_amount: 'amount',
  slash_amount: 'amount',
  bounty: 'amount',
  reward: 'amount',
  budget: 'amount',
  escrow_amount: 'amount',
  worker_bond: 'amount',
  dispute_bond: 'amount',
  total_budget: 'amount',
  total_paid: 'amount',
  assurance_fee: 'amount',
  worker_net_payout: 'amount',
  base_fee: 'amount',
  fee: 'amount',
  fees: 'amount',
  volume: 'amount',
  price_per_task: 'amount',
  deposit: 'amount',
  total_supply: 'amount',
  circulating_supply: 'amount',
  treasury_balance: 'amount',
  total_fees_collected: 'amount',
  total_staked: 'amount',
  total_escrowed: 'amount',
  onboarding_remaining: 'amount',
  onboarding_next_grant: 'amount',
  onboarding_left_today: 'amount',
  faucet_balance: 'amount',
  total_generated_value: 'amount',
  dispute: 'amount',
  canary: 'amount',
  replay: 'amount',
  replay_reserve: 'amount',
  balances: 'amount',
  stakes: 'amount',
  task_escrows: 'amount',
  subtask_escrows: 'amount',
  claim_bonds: 'amount',
  pending_transfers: 'amount',
  held: 'amount',
  replay_rewards: 'amount',
  founders: 'amount',
  investors: 'amount',
  onboarding: 'amount',
  rewards: 'amount',
  public: 'amount',
  faucet: 'amount',
  treasury: 'amount',
  dispute_reserve: 'amount',
  canary_reserve: 'amount',
  replay_reserves: 'amount',
  timestamp: 'time',
  time: 'time',
  hour: 'time',
  since: 'time',
  until: 'time',
  commit_until: 'time',
  reveal_until: 'time',
  deadline: 'time',
  first_seen: 'time',
  last_active: 'time',
  last_activity: 'time',
  staked_since: 'time',
  suspended_at: 'time',
  suspended_until: 'time',
  suspended_categories: 'time',
  below_required_since: 'time',
  activated_at: 'time',
  registered_at: 'time',
  probation_started_at: 'time',
  objections_until: 'time',
  effective_at: 'time',
  launch_time: 'time',
  consensus_time: 'time',
  documents_time: 'time',
  member_since: 'time',
  created_at: 'time',
  resolved_at: 'time',
  closed_at: 'time',
  submission_deadline: 'time',
  posted_at: 'time',
  expires_at: 'time',
  exclusive_until: 'time',
  reserved_until: 'time',
  claimed_at: 'time',
  claim_deadline: 'time',
  cancel_at: 'time',
  submitted_at: 'time',
  review_deadline: 'time',
  disputed_at: 'time',
  dispute_deadline: 'time',
  completed_at: 'time',
  cancelled_at: 'time',
  updated_at: 'time',
  next_at: 'time',
  opened_at: 'time',
  routed_at: 'time',
  published_at: 'time',
  severity_bp: 'bp',
  worker_share_bp: 'bp',
  quality_score_bp: 'bp',
  newcomer_allocation_bp: 'bp',
  value_bp: 'bp',
  delta_bp: 'bp',
  score_bp: 'bp',
  match_score: 'bp',
  reputation_score: 'bp',
  standing: 'amount',
  backing: 'bp',
  reputation_bp: 'bp',
  assignment_weight: 'bp',
};

const CAPITALS: Readonly<Record<string, string>> = { id: 'ID', ids: 'IDs', dag: 'DAG', ocs: 'OCS' };

const escaped = (chars: string): string =>
  chars.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** JSON in which what steers a terminal or mirrors its lines is escaped, as JSON itself escapes only a part of it. */
export const jsonText = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent).replace(/[\p{Cf}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/gu, escaped);

/** Prints one value as the server sent it. */
export function printJson(io: Io, value: unknown): void {
  io.out(jsonText(value, 2));
}

/**
 * Prints the plain members of an object as `Label: value` lines, in their order; nested objects get their members
 * prefixed by their label, those of a list by its label and their number; other lists are joined. `units` wins over the table, for names that mean several things.
 */
export function printObject(
  io: Pick<Io, 'out'>,
  object: object,
  { prefix = '', units = {} }: { prefix?: string; units?: Units } = {},
): void {
  printMembers(io, object, prefix, { ...UNITS, ...units });
}

/** `unit`: of the object itself; the numbers of a map have that of its name. */
function printMembers(io: Pick<Io, 'out'>, object: object, prefix: string, units: Units, unit?: Unit): void {
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    const own = plainText(labelOf(name));
    const label = prefix === '' ? own : `${prefix} ${lowerFirst(own)}`;
    const [isListed, listed] = [Object.hasOwn(units, name), units[name]];
    if (isListOfObjects(value)) {
      for (const [i, one] of value.entries()) printMembers(io, one, `${label} ${i + 1}`, units);
    } else if (Array.isArray(value)) io.out(`${label}: ${value.length === 0 ? '-' : listText(value)}`);
    else if (typeof value === 'object' && value !== null)
      printMembers(io, value, label, units, isListed ? listed : undefined);
    else io.out(`${label}: ${formatValue(isListed ? listed : unit, value)}`);
  }
}

const isListOfObjects = (value: unknown): value is object[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isRecord(one));

const listText = (list: readonly unknown[]): string =>
  plainText(list.map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one))).join(', '));

/** Prints rows below their heads, columns aligned; the caller formats numbers. */
export function printTable(io: Io, heads: readonly string[], cells: readonly (readonly string[])[]): void {
  const rows = cells.map((row) => row.map(plainText));
  const widths = heads.map((head, i) =>
    rows.reduce((most, row) => Math.max(most, row[i]?.length ?? 0), head.length),
  );
  for (const row of [heads, ...rows]) {
    io.out(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** Text of strangers without what steers a terminal, mirrors its lines or hides in them; a tab or line break is a blank. */
export const plainText = (text: string): string =>
  text.replace(/[\t\n\r]+/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');

/** As plainText, for a text of several lines. */
export const plainLines = (text: string): string[] => text.split(/\r?\n/).map(plainText);

/** The beginning of a text, for a cell of a table. */
export const shortText = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1)}…`;

/** `event_id` -> `Event ID`. */
export function labelOf(name: string): string {
  const words = name.split('_').map((word) => CAPITALS[word] ?? word);
  const label = words.join(' ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** The last second that has a date. */
const MAX_SECS = 8_640_000_000_000;

/** Unix seconds as ISO 8601 in UTC; as they are, where that is no time. */
export function formatTime(secs: number): string {
  if (!(Math.abs(secs) <= MAX_SECS)) return String(secs);
  return new Date(secs * 1000).toISOString().replace('.000', '');
}

function formatValue(unit: Unit | undefined, value: unknown): string {
  if (typeof value !== 'number') return plainText(String(value));
  switch (unit) {
    case 'amount':
      return formatAmount(value);
    case 'time':
      return formatTime(value);
    case 'bp':
      return `${value} of 10000`;
    default:
      return String(value);
  }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
