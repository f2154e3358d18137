// Encodes the records that the core executes, laid out as in assembly/abi.ts.

import * as abi from '../../assembly/abi.ts';
import { setU64, zeroBytes } from '../wire/bytes.ts';

export interface CommandHead {
  txId: Uint8Array;
  /** Signer's public key, or the agent key of the acting agent on vouched requests. */
  actor: Uint8Array;
  auth: number;
  /** Last second of consensus time at which the request may run; 0: no limit. */
  lastSecs: number;
  /** Seconds from the first such second to the last one. */
  windowSecs: number;
  /** KiB of path and body, rounded up, default 0. */
  kib?: number;
  /** The 8 bytes of the API key's id. */
  keyId?: Uint8Array | undefined;
  seat?: number | undefined;
}

const align8 = (n: number): number => (n + 7) & ~7;

/** A command's record with its head filled in and room for `fieldBytes` of fields at COMMAND_FIELDS. */
export function command(
  opcode: number,
  head: CommandHead,
  fieldBytes: number,
): { bytes: Uint8Array; view: DataView } {
  const bytes = zeroBytes(align8(abi.COMMAND_FIELDS + fieldBytes));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  view.setUint16(0, opcode, true);
  view.setUint16(2, head.auth | ((head.kib ?? 0) << abi.KIB_SHIFT), true);
  view.setUint32(4, bytes.length, true);
  bytes.set(head.txId, 8);
  bytes.set(head.actor, 40);
  setU64(view, 72, head.lastSecs);
  if (head.keyId) bytes.set(head.keyId, 80);
  view.setUint32(88, head.seat ?? abi.NO_SEAT, true);
  view.setUint32(abi.IN_WINDOW, head.windowSecs, true);
  return { bytes, view };
}

const FLAGS_AT = 2;
const MAX_KIB = 0xffff >> abi.KIB_SHIFT;

/** KiB of the request that a command was made of. */
export const kibOf = (command: Uint8Array): number =>
  (command[FLAGS_AT]! | (command[FLAGS_AT + 1]! << 8)) >> abi.KIB_SHIFT;

/** A copy of a command as if its request had this many KiB more, as far as the record can say so. */
export function withMoreKib(command: Uint8Array, more: number): Uint8Array {
  const copy = command.slice();
  const view = new DataView(copy.buffer);
  const auth = view.getUint16(FLAGS_AT, true) & abi.AUTH_MASK;
  view.setUint16(FLAGS_AT, auth | (Math.min(MAX_KIB, kibOf(command) + more) << abi.KIB_SHIFT), true);
  return copy;
}

function record(opcode: number, fieldBytes: number): { bytes: Uint8Array; view: DataView } {
  const bytes = new Uint8Array(align8(8 + fieldBytes));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, opcode, true);
  view.setUint32(4, bytes.length, true);
  return { bytes, view };
}

export interface GenesisSeat {
  seat: number;
  status: number;
  operatorKey: Uint8Array;
  bondedStake: number;
  baselineBp: number;
  validatorId: string;
  consensusKey: Uint8Array;
  keyEpoch: number;
  categories: readonly string[];
}

const CATEGORY_BYTES = 56;

export function genesisSeat(s: GenesisSeat): Uint8Array {
  const id = new TextEncoder().encode(s.validatorId);
  const list = align8(104 + id.length);
  const { bytes, view } = record(abi.OP_GENESIS_SEAT, list - 8 + 8 + s.categories.length * CATEGORY_BYTES);
  view.setUint32(8, s.seat, true);
  view.setUint32(12, s.status, true);
  bytes.set(s.operatorKey, 16);
  setU64(view, 48, s.bondedStake);
  view.setUint32(56, s.baselineBp, true);
  view.setUint32(60, id.length, true);
  bytes.set(s.consensusKey, 64);
  view.setUint32(96, s.keyEpoch, true);
  bytes.set(id, 104);
  view.setUint32(list, s.categories.length, true);
  for (const [i, name] of s.categories.entries()) {
    const text = new TextEncoder().encode(name);
    const at = list + 8 + i * CATEGORY_BYTES;
    view.setUint32(at, text.length, true);
    bytes.set(text, at + 4);
  }
  return bytes;
}

export const genesisEnd = (): Uint8Array => record(abi.OP_GENESIS_END, 0).bytes;

/** The block proves that the seat equivocated (protocol 12.8). */
export function excludeSeat(seat: number): Uint8Array {
  const { bytes, view } = record(abi.OP_EXCLUDE_SEAT, 8);
  view.setUint32(8, seat, true);
  return bytes;
}

/** The seat resumed with the block, in a new incarnation (consensus 5.7). */
export function resumeSeat(seat: number, incarnation: number, epoch: number, mayLose: boolean): Uint8Array {
  const { bytes, view } = record(abi.OP_RESUME_SEAT, 24);
  view.setUint32(abi.IN_RESUMED_SEAT, seat, true);
  view.setUint32(abi.IN_RESUMED_INCARNATION, incarnation, true);
  setU64(view, abi.IN_RESUMED_EPOCH, epoch);
  view.setUint32(abi.IN_RESUMED_MAY_LOSE, mayLose ? 1 : 0, true);
  return bytes;
}

export function block(timeMs: number, index: number, hash: Uint8Array): Uint8Array {
  const { bytes, view } = record(abi.OP_BLOCK, 48);
  setU64(view, 8, timeMs);
  setU64(view, 16, index);
  bytes.set(hash, 24);
  return bytes;
}

export function vertex(order: number, seat: number, entries: number, revision = 0): Uint8Array {
  const { bytes, view } = record(abi.OP_VERTEX, 16);
  setU64(view, 8, order);
  view.setUint32(16, seat, true);
  view.setUint16(20, entries, true);
  view.setUint16(22, revision, true);
  return bytes;
}

/** The outcome of the due run of a task's contract. */
export function runEnd(task: Uint8Array, isPassed: boolean, scoreBp: number, check: number): Uint8Array {
  const { bytes, view } = record(abi.OP_RUN_END, abi.IN_RUN_BYTES - abi.IN_HEAD_BYTES);
  bytes.set(task, abi.IN_RUN_TASK);
  view.setUint32(abi.IN_RUN_PASSED, isPassed ? 1 : 0, true);
  view.setUint32(abi.IN_RUN_SCORE_BP, scoreBp, true);
  view.setUint32(abi.IN_RUN_CHECK, check, true);
  return bytes;
}

export const blockEnd = (): Uint8Array => record(abi.OP_BLOCK_END, 0).bytes;

/** The last block sealed its epoch (consensus 5.11). */
export const epochEnd = (): Uint8Array => record(abi.OP_EPOCH_END, 0).bytes;

export function invalidEntry(id: Uint8Array): Uint8Array {
  const { bytes } = record(abi.OP_INVALID, 32);
  bytes.set(id, 8);
  return bytes;
}

/** head.actor is the `agentKey` of the agent to be registered. */
export function register(
  head: CommandHead,
  publicKey: Uint8Array | undefined,
  initialStake: number,
  agentId: string,
): Uint8Array {
  const id = new TextEncoder().encode(agentId);
  const { bytes, view } = command(abi.OP_REGISTER, head, 44 + id.length);
  if (publicKey) bytes.set(publicKey, 96);
  setU64(view, 128, initialStake);
  view.setUint32(136, id.length, true);
  bytes.set(id, 140);
  return bytes;
}

export const faucet = (head: CommandHead): Uint8Array => command(abi.OP_FAUCET, head, 0).bytes;

function keyAndAmount(opcode: number, head: CommandHead, key: Uint8Array, amount: number): Uint8Array {
  const { bytes, view } = command(opcode, head, 40);
  bytes.set(key, 96);
  setU64(view, 128, amount);
  return bytes;
}
export const transfer = (head: CommandHead, to: Uint8Array, amount: number): Uint8Array =>
  keyAndAmount(abi.OP_TRANSFER, head, to, amount);
export const generation = (head: CommandHead, beneficiary: Uint8Array, claimed: number): Uint8Array =>
  keyAndAmount(abi.OP_GENERATION, head, beneficiary, claimed);

function amountOnly(opcode: number, head: CommandHead, amount: number): Uint8Array {
  const { bytes, view } = command(opcode, head, 8);
  setU64(view, 96, amount);
  return bytes;
}
export const stake = (head: CommandHead, amount: number): Uint8Array =>
  amountOnly(abi.OP_STAKE, head, amount);
export const unstake = (head: CommandHead, amount: number): Uint8Array =>
  amountOnly(abi.OP_UNSTAKE, head, amount);

export function verify(
  head: CommandHead,
  eventId: Uint8Array,
  verdict: boolean,
  verifiedValue: number | undefined,
  ground: number,
  share: number,
  salt?: Uint8Array,
): Uint8Array {
  const { bytes, view } = command(abi.OP_VERIFY, head, abi.IN_VERIFY_BYTES - abi.COMMAND_FIELDS);
  bytes.set(eventId, 96);
  if (salt) bytes.set(salt, abi.IN_VERIFY_SALT);
  view.setUint16(abi.IN_VERIFY_VERDICT, verdict ? 1 : 0, true);
  view.setUint16(abi.IN_VERIFY_GROUND, ground, true);
  view.setUint16(abi.IN_VERIFY_HAS_VALUE, verifiedValue === undefined ? 0 : 1, true);
  view.setUint16(abi.IN_VERIFY_SHARE, share, true);
  setU64(view, 136, verifiedValue ?? 0);
  return bytes;
}

export function voteCommit(head: CommandHead, eventId: Uint8Array, commitment: Uint8Array): Uint8Array {
  const { bytes } = command(abi.OP_VOTE_COMMIT, head, abi.IN_VOTE_COMMIT_BYTES - abi.COMMAND_FIELDS);
  bytes.set(eventId, abi.IN_COMMIT_EVENT);
  bytes.set(commitment, abi.IN_COMMITMENT);
  return bytes;
}

export interface NewKey {
  keyId: Uint8Array;
  hash: Uint8Array;
  scopes: number;
  hourlyLimit: number;
  expiresAt: number;
  issuingSeat: number;
}

export function keyCreate(head: CommandHead, key: NewKey): Uint8Array {
  const { bytes, view } = command(abi.OP_KEY_CREATE, head, 64);
  bytes.set(key.keyId, 96);
  bytes.set(key.hash, 104);
  view.setUint32(136, key.scopes, true);
  view.setUint32(140, key.hourlyLimit, true);
  setU64(view, 144, key.expiresAt);
  view.setUint32(152, key.issuingSeat, true);
  return bytes;
}

export function keyRevoke(head: CommandHead, keyId: Uint8Array): Uint8Array {
  const { bytes } = command(abi.OP_KEY_REVOKE, head, 8);
  bytes.set(keyId, 96);
  return bytes;
}
