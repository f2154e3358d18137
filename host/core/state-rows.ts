// Where rows of the core lie in its state, and what those of an agent say: for proofs of rows under a signed root.
// Keeps: places follow from the capacities in the header, so whoever is shown the bytes that are read here needs no core.
// Who makes a proof and who checks it run the same reader, which so decides what must be shown.

import { CONFIG_CAPACITIES, LEAF_BYTES } from '../../assembly/abi.ts';
import { equalBytes, fromUtf8, isZero, toHex, u64At } from '../wire/bytes.ts';
import { TABLES } from './core.ts';
import { VALIDATOR_STATUS } from './validator-names.ts';

type Capacity = (typeof TABLES)[number];

/** Bytes of the state of the core. */
export type ReadState = (at: number, bytes: number) => Uint8Array;

const HEADER_BYTES = 1536;
const MAX_BUCKETS = 720;
const LATE_BYTES = 1024 * 64;
/** Bytes of the header in which the numbers of agents and of validators are. */
const AGENT_COUNT_AT = 552;
const VALIDATOR_COUNT_AT = 560;
const CATEGORY_BYTES = 56;
const RECORD_BYTES = 48;
const AGENT_BYTES = 256;
const VALIDATOR_BYTES = 456;
/**
 * Leaves that a reader may need at most: the header's two, with an agent's and those of MAX_RECORDS with their categories, or
 * with those of a page of validators and their agents.
 */
export const MAX_ROW_LEAVES = 96;
/** Records of an agent that are shown; more are named as such. */
const MAX_RECORDS = 20;

/** What lies in the state, in order (assembly/run/layout.ts): bytes, or bytes for each row of tables. */
const PARTS = [
  ['header', HEADER_BYTES],
  ['generated', 8 * MAX_BUCKETS],
  ['categories', CATEGORY_BYTES, 'categories'],
  ['seats', 176, 'validators'],
  ['validators', VALIDATOR_BYTES, 'validators'],
  ['calibrations', 40, 'calibrations'],
  ['assured', 16 * MAX_BUCKETS],
  ['keys', 96, 'keys'],
  ['records', RECORD_BYTES, 'agents', 'records'],
  ['seen', 40, 'txIds'],
  ['votes', 24, 'votes'],
  ['late', LATE_BYTES],
  ['items', 128, 'items'],
  ['agents', AGENT_BYTES, 'agents'],
] as const satisfies readonly (readonly [name: string, bytes: number, ...tables: Capacity[]])[];
type Part = (typeof PARTS)[number][0];

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
const u32At = (read: ReadState, at: number): number => viewOf(read(at, 4)).getUint32(0, true);

/** The byte at which a part begins. */
function beginOf(read: ReadState, part: Part): number {
  let at = 0;
  for (const [name, bytes, ...tables] of PARTS) {
    if (name === part) break;
    const rows = (table: Capacity): number => u32At(read, CONFIG_CAPACITIES + 4 * TABLES.indexOf(table));
    const count = tables.length === 0 ? 1 : tables.reduce((sum, table) => sum + rows(table), 0);
    at += Math.ceil((bytes * count) / LEAF_BYTES) * LEAF_BYTES;
  }
  return at;
}

const rowAt = (read: ReadState, part: Part, bytes: number, index: number): Uint8Array =>
  read(beginOf(read, part) + index * bytes, bytes);

const u64 = (view: DataView, at: number): number => u64At(view, at);

/** An agent's account. Amounts in micro-units, times in seconds, counts over all categories. */
export interface ProvenAccount {
  /** Ed25519 in hex; missing for a keyless agent. */
  public_key?: string;
  balance: number;
  staked_amount: number;
  reserved: number;
  tasks_completed: number;
  tasks_failed: number;
  first_seen: number;
  last_active: number;
}

function accountOf(_: ReadState, row: DataView): ProvenAccount {
  const publicKey = new Uint8Array(row.buffer, row.byteOffset + 32, 32);
  return {
    ...(isZero(publicKey) ? {} : { public_key: toHex(publicKey) }),
    balance: u64(row, 160),
    staked_amount: u64(row, 168),
    reserved: u64(row, 176),
    tasks_completed: row.getUint32(232, true),
    tasks_failed: row.getUint32(236, true),
    first_seen: row.getUint32(240, true),
    last_active: u64(row, 200),
  };
}

/** What reputation is computed from: an agent's decided work in one category. `score_bp_sum`: over completed work. */
export interface ProvenRecord {
  category: string;
  tasks_completed: number;
  tasks_failed: number;
  total_value_earned: number;
  score_bp_sum: number;
  delivery_secs_sum: number;
  last_active: number;
}
export interface ProvenReputation {
  /** By rising number of the category; those in which nothing was decided are left out. */
  records: ProvenRecord[];
  /** There are more than are shown. */
  has_more: boolean;
}

function categoryAt(read: ReadState, index: number): string {
  const row = rowAt(read, 'categories', CATEGORY_BYTES, index);
  return fromUtf8(row.subarray(4, 4 + Math.min(CATEGORY_BYTES - 4, viewOf(row).getUint32(0, true))));
}

/** The first record of an agent has the number of the agent; each names the next one, as its number + 1. */
function reputationOf(read: ReadState, _: DataView, agent: number): ProvenReputation {
  const records: ProvenRecord[] = [];
  let link = agent + 1;
  for (let n = 0; link !== 0 && n < MAX_RECORDS; n++) {
    const row = viewOf(rowAt(read, 'records', RECORD_BYTES, link - 1));
    link = row.getUint32(4, true);
    const [tasks_completed, tasks_failed] = [row.getUint32(8, true), row.getUint32(12, true)];
    if (tasks_completed === 0 && tasks_failed === 0) continue;
    records.push({
      category: categoryAt(read, row.getUint32(0, true)),
      tasks_completed,
      tasks_failed,
      total_value_earned: u64(row, 24),
      score_bp_sum: u64(row, 32),
      delivery_secs_sum: u64(row, 40),
      last_active: u64(row, 16),
    });
  }
  return { records, has_more: link !== 0 };
}

/** The validator that an agent operates. `vote_weight` and rank follow from reputation and stake, by the rules. */
export interface ProvenValidator {
  id: string;
  status: string;
  is_genesis: boolean;
  is_judge: boolean;
  votes_decided: number;
  votes_right: number;
  tasks_processed: number;
  slash_count: number;
  collusion_count: number;
  open_challenges: number;
  registered_at: number;
  suspended_until: number;
}

function validatorOf(read: ReadState, agent: DataView): ProvenValidator | undefined {
  const number = agent.getUint16(252, true);
  return number === 0 ? undefined : validatorIn(rowAt(read, 'validators', VALIDATOR_BYTES, number - 1));
}

function validatorIn(bytes: Uint8Array): ProvenValidator {
  const row = viewOf(bytes);
  return {
    id: fromUtf8(bytes.subarray(392, 392 + Math.min(64, row.getUint32(44, true)))),
    status: VALIDATOR_STATUS[row.getUint32(0, true)] ?? 'unknown',
    is_genesis: row.getUint16(36, true) === 1,
    is_judge: row.getUint16(38, true) === 1,
    votes_decided: row.getUint32(16, true),
    votes_right: row.getUint32(20, true),
    tasks_processed: row.getUint32(24, true),
    slash_count: row.getUint32(28, true),
    collusion_count: row.getUint32(32, true),
    open_challenges: row.getUint32(156, true),
    registered_at: u64(row, 48),
    suspended_until: u64(row, 88),
  };
}

/** What rows of the core say of an agent, by kind of proof. */
const READERS = {
  agent: accountOf,
  reputation: reputationOf,
  validator: validatorOf,
} satisfies Record<string, (read: ReadState, row: DataView, agent: number) => object | undefined>;
export type RowKind = keyof typeof READERS;
export const isRowKind = (kind: string): kind is RowKind => Object.hasOwn(READERS, kind);

/** What the core says of an agent: the members of its kind. `validator` is missing where the agent operates none. */
export interface ProvenRows {
  account?: ProvenAccount;
  reputation?: ProvenReputation;
  validator?: ProvenValidator;
}
const MEMBERS = { agent: 'account', reputation: 'reputation', validator: 'validator' } as const;

/** Undefined if the row is not that of the agent with this key. `read` may throw for what is not shown. */
export function readRows(
  read: ReadState,
  kind: RowKind,
  agent: number,
  key: Uint8Array,
): ProvenRows | undefined {
  if (agent >= u32At(read, AGENT_COUNT_AT)) return undefined;
  const row = rowAt(read, 'agents', AGENT_BYTES, agent);
  if (!equalBytes(row.subarray(0, 32), key)) return undefined;
  const found = READERS[kind](read, viewOf(row), agent);
  return found ? { [MEMBERS[kind]]: found } : {};
}

/** A validator with the agent that operates it. `agent_key`: hex; `staked_amount`: the agent's, in micro-units. */
export interface ListedValidator extends ProvenValidator {
  agent_key: string;
  staked_amount: number;
}

/** All validators with numbers from `first` to `last`. Numbers are below `count`, given in order, and never free again. */
export function readValidators(
  read: ReadState,
  first: number,
  last: number,
): { count: number; validators: ListedValidator[] } {
  const count = u32At(read, VALIDATOR_COUNT_AT);
  const validators: ListedValidator[] = [];
  for (let index = first; index <= last && index < count; index++) {
    const bytes = rowAt(read, 'validators', VALIDATOR_BYTES, index);
    const agent = rowAt(read, 'agents', AGENT_BYTES, viewOf(bytes).getUint32(4, true));
    const agent_key = toHex(agent.subarray(0, 32));
    validators.push({ ...validatorIn(bytes), agent_key, staked_amount: u64(viewOf(agent), 168) });
  }
  return { count, validators };
}

/** Bytes of a state of which single leaves are known; `leafAt` throws for others. */
export const stateOf =
  (leafAt: (number: number) => Uint8Array): ReadState =>
  (at, bytes) => {
    const out = new Uint8Array(bytes);
    for (let done = 0; done < bytes; ) {
      const [leaf, from] = [Math.floor((at + done) / LEAF_BYTES), (at + done) % LEAF_BYTES];
      const part = leafAt(leaf).subarray(from, Math.min(LEAF_BYTES, from + bytes - done));
      out.set(part, done);
      done += part.length;
    }
    return out;
  };
