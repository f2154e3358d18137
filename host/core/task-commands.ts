// Encodes the commands about tasks, as laid out in assembly/abi.ts.

import * as abi from '../../assembly/abi.ts';
import { type CommandHead, command } from './commands.ts';

export interface TaskTerms {
  /** Micro-units. */
  budget: number;
  /** TASK_* flags of the request. */
  flags: number;
  /** Requested LANE_*. */
  lane: number;
  /** Seconds; 0 = the network's parameter. */
  reviewSecs: number;
  deliverySecs: number;
  /** NO_QUORUM_*. */
  noQuorum: number;
  /** Micro-units; with TASK_BOND_GIVEN. */
  workerBond?: number;
  /** With TASK_RESERVED: key of the agent, and seconds, 0 = a day. */
  reservedFor?: Uint8Array;
  reservedSecs?: number;
  /** Lower-cased and trimmed, 1 to 50 bytes. */
  category: string;
  categoryLabel: Uint8Array;
  tagLabels: readonly Uint8Array[];
  /** Of the contract's checks together; 0 without one. */
  fuel: number;
}

const CATEGORY = 32;
const LABEL = 88;
const TAGS = abi.TERMS_TAGS;

/** Writes the fields of a new task, from `at` on. */
function putTerms(bytes: Uint8Array, view: DataView, at: number, t: TaskTerms): void {
  const name = new TextEncoder().encode(t.category);
  view.setBigUint64(at, BigInt(t.budget), true);
  view.setUint32(at + 8, t.flags, true);
  view.setUint32(at + 12, t.lane, true);
  view.setUint32(at + 16, t.reviewSecs, true);
  view.setUint32(at + 20, t.deliverySecs, true);
  view.setUint32(at + 24, t.tagLabels.length, true);
  view.setUint32(at + abi.TERMS_FUEL, t.fuel, true);
  view.setUint32(at + abi.TERMS_NO_QUORUM, t.noQuorum, true);
  view.setBigUint64(at + abi.TERMS_WORKER_BOND, BigInt(t.workerBond ?? 0), true);
  if (t.reservedFor) bytes.set(t.reservedFor, at + abi.TERMS_RESERVED_KEY);
  view.setUint32(at + abi.TERMS_RESERVED_SECS, t.reservedSecs ?? 0, true);
  view.setUint32(at + CATEGORY, name.length, true);
  bytes.set(name, at + CATEGORY + 4);
  bytes.set(t.categoryLabel, at + LABEL);
  for (const [i, label] of t.tagLabels.entries()) bytes.set(label, at + TAGS + 8 * i);
}

const termBytes = (t: TaskTerms): number => TAGS + 8 * t.tagLabels.length;

export function taskCreate(head: CommandHead, terms: TaskTerms): Uint8Array {
  const { bytes, view } = command(abi.OP_TASK_CREATE, head, termBytes(terms));
  putTerms(bytes, view, abi.COMMAND_FIELDS, terms);
  return bytes;
}

export function subtaskCreate(head: CommandHead, parent: Uint8Array, terms: TaskTerms): Uint8Array {
  const { bytes, view } = command(abi.OP_SUBTASK_CREATE, head, 16 + termBytes(terms));
  bytes.set(parent, abi.COMMAND_FIELDS);
  putTerms(bytes, view, abi.COMMAND_FIELDS + 16, terms);
  return bytes;
}

/** Steps that may open a sealed delivery. */
const OPENING: readonly number[] = [abi.OP_TASK_DISPUTE, abi.OP_TASK_CONTEST, abi.OP_TASK_OPEN];

/**
 * Claim, release, decline, approve, dispute, contest, concede, open, cancel. `task`: 16 bytes; `opening`: OPEN_*, of the steps
 * that may open a sealed delivery.
 */
export function taskStep(opcode: number, head: CommandHead, task: Uint8Array, opening = 0): Uint8Array {
  if (OPENING.includes(opcode)) return flagged(opcode, head, task, opening, 0);
  const { bytes } = command(opcode, head, 16);
  bytes.set(task, abi.COMMAND_FIELDS);
  return bytes;
}

function flagged(
  opcode: number,
  head: CommandHead,
  task: Uint8Array,
  flags: number,
  word: number,
): Uint8Array {
  const { bytes, view } = command(opcode, head, 24);
  bytes.set(task, abi.COMMAND_FIELDS);
  view.setUint32(112, flags, true);
  view.setUint32(116, word, true);
  return bytes;
}

/** `flags`: SUBMIT_*; `overallBp`: score of the submission. */
export const taskSubmit = (
  head: CommandHead,
  task: Uint8Array,
  flags: number,
  overallBp: number,
): Uint8Array => flagged(abi.OP_TASK_SUBMIT, head, task, flags, overallBp);

/** `flags`: COMMIT_*. */
export const trajectoryCommit = (head: CommandHead, task: Uint8Array, flags: number): Uint8Array =>
  flagged(abi.OP_TRAJECTORY_COMMIT, head, task, flags, 0);
