// Records of the core's ABI, built for tests: block records and commands, straight from abi.ts.
// Keeps: one function for each opcode, fields by offset; nothing here knows a rule.

import { createHash } from 'node:crypto';
import * as abi from '../../assembly/abi.ts';

const encoder = new TextEncoder();

function record(opcode: number, flags: number, bytes: number): { bytes: Uint8Array; view: DataView } {
  const out = new Uint8Array((bytes + 7) & ~7);
  const view = new DataView(out.buffer);
  view.setUint16(0, opcode, true);
  view.setUint16(2, flags, true);
  view.setUint32(4, out.length, true);
  return { bytes: out, view };
}

export interface Head {
  auth: number;
  txid: Uint8Array;
  actor: Uint8Array;
  lastSecond?: number;
  windowSecs?: number;
  kib?: number;
  keyId?: bigint;
  seat?: number;
}

/** A record with the head of a command; the caller writes the fields. */
export function command(opcode: number, head: Head, bytes: number): { bytes: Uint8Array; view: DataView } {
  const r = record(opcode, head.auth | ((head.kib ?? 0) << abi.KIB_SHIFT), bytes);
  r.bytes.set(head.txid, 8);
  r.bytes.set(head.actor, 40);
  r.view.setBigUint64(72, BigInt(head.lastSecond ?? 0), true);
  r.view.setBigUint64(80, head.keyId ?? 0n, true);
  r.view.setUint32(88, head.seat ?? abi.NO_SEAT, true);
  r.view.setUint32(abi.IN_WINDOW, head.windowSecs ?? 0, true);
  return r;
}

export interface SeatInit {
  seat: number;
  status: number;
  operator: Uint8Array;
  stake: bigint;
  baselineBp: number;
  id: string;
  categories: string[];
  /** Default: one of its own, made of the seat's number. */
  consensusKey?: Uint8Array;
  keyEpoch?: number;
}

export function genesisSeat(init: SeatInit): Uint8Array {
  const id = encoder.encode(init.id);
  const list = 104 + ((id.length + 7) & ~7);
  const r = record(abi.OP_GENESIS_SEAT, 0, list + 8 + 56 * init.categories.length);
  r.view.setUint32(8, init.seat, true);
  r.view.setUint32(12, init.status, true);
  r.bytes.set(init.operator, 16);
  r.view.setBigUint64(48, init.stake, true);
  r.view.setUint32(56, init.baselineBp, true);
  r.view.setUint32(60, id.length, true);
  r.bytes.set(init.consensusKey ?? new Uint8Array(32).fill(200 + init.seat), 64);
  r.view.setUint32(96, init.keyEpoch ?? 1, true);
  r.bytes.set(id, 104);
  r.view.setUint32(list, init.categories.length, true);
  for (const [i, name] of init.categories.entries()) {
    const text = encoder.encode(name);
    r.view.setUint32(list + 8 + 56 * i, text.length, true);
    r.bytes.set(text, list + 12 + 56 * i);
  }
  return r.bytes;
}

export const genesisEnd = (): Uint8Array => record(abi.OP_GENESIS_END, 0, 8).bytes;

export function block(timeMs: number, index: number, hash: Uint8Array): Uint8Array {
  const r = record(abi.OP_BLOCK, 0, 56);
  r.view.setBigUint64(8, BigInt(timeMs), true);
  r.view.setBigUint64(16, BigInt(index), true);
  r.bytes.set(hash, 24);
  return r.bytes;
}

export function vertex(order: number, seat: number, entries: number, revision = 0): Uint8Array {
  const r = record(abi.OP_VERTEX, 0, 24);
  r.view.setBigUint64(8, BigInt(order), true);
  r.view.setUint32(16, seat, true);
  r.view.setUint16(20, entries, true);
  r.view.setUint16(22, revision, true);
  return r.bytes;
}

/** The block proves that a seat equivocated. */
export function excludeSeat(seat: number): Uint8Array {
  const r = record(abi.OP_EXCLUDE_SEAT, 0, 16);
  r.view.setUint32(8, seat, true);
  return r.bytes;
}

/** The seat resumed with the block. */
export function resumeSeat(seat: number, incarnation: number, epoch: number, mayLose: boolean): Uint8Array {
  const r = record(abi.OP_RESUME_SEAT, 0, 32);
  r.view.setUint32(8, seat, true);
  r.view.setUint32(12, incarnation, true);
  r.view.setBigUint64(16, BigInt(epoch), true);
  r.view.setUint32(24, mayLose ? 1 : 0, true);
  return r.bytes;
}

export const blockEnd = (): Uint8Array => record(abi.OP_BLOCK_END, 0, 8).bytes;

/** The outcome of the due run. */
export function runEnd(task: Uint8Array, isPassed: boolean, scoreBp: number, check: number): Uint8Array {
  const r = record(abi.OP_RUN_END, 0, abi.IN_RUN_BYTES);
  r.bytes.set(task, abi.IN_RUN_TASK);
  r.view.setUint32(abi.IN_RUN_PASSED, isPassed ? 1 : 0, true);
  r.view.setUint32(abi.IN_RUN_SCORE_BP, scoreBp, true);
  r.view.setUint32(abi.IN_RUN_CHECK, check, true);
  return r.bytes;
}

export const epochEnd = (): Uint8Array => record(abi.OP_EPOCH_END, 0, 8).bytes;

export function invalidEntry(id: Uint8Array): Uint8Array {
  const r = record(abi.OP_INVALID, 0, 40);
  r.bytes.set(id, 8);
  return r.bytes;
}

export function register(head: Head, publicKey: Uint8Array, stake: bigint, id: string): Uint8Array {
  const text = encoder.encode(id);
  const r = command(abi.OP_REGISTER, head, 140 + text.length);
  r.bytes.set(publicKey, 96);
  r.view.setBigUint64(128, stake, true);
  r.view.setUint32(136, text.length, true);
  r.bytes.set(text, 140);
  return r.bytes;
}

/** Label of a category or tag: the first 8 bytes of its name's hash. */
export const label = (name: string): bigint =>
  createHash('sha256').update(name.trim().toLowerCase()).digest().readBigUInt64LE(0);

export interface Terms {
  budget: bigint;
  flags: number;
  lane: number;
  reviewSecs: number;
  deliverySecs: number;
  noQuorum: number;
  workerBond: bigint;
  category: string;
  tags: string[];
  /** Of a contract. */
  fuel?: number;
  /** With TASK_RESERVED: agent key, seconds. */
  reservedFor?: Uint8Array;
  reservedSecs?: number;
}

function writeTerms(r: { bytes: Uint8Array; view: DataView }, at: number, terms: Terms): Uint8Array {
  const name = encoder.encode(terms.category);
  r.view.setBigUint64(at, terms.budget, true);
  r.view.setUint32(at + 8, terms.flags, true);
  r.view.setUint32(at + 12, terms.lane, true);
  r.view.setUint32(at + 16, terms.reviewSecs, true);
  r.view.setUint32(at + 20, terms.deliverySecs, true);
  r.view.setUint32(at + 24, terms.tags.length, true);
  r.view.setUint32(at + 28, terms.fuel ?? 0, true);
  r.view.setUint32(at + abi.TERMS_NO_QUORUM, terms.noQuorum, true);
  r.view.setBigUint64(at + abi.TERMS_WORKER_BOND, terms.workerBond, true);
  r.bytes.set(terms.reservedFor ?? new Uint8Array(32), at + abi.TERMS_RESERVED_KEY);
  r.view.setUint32(at + abi.TERMS_RESERVED_SECS, terms.reservedSecs ?? 0, true);
  r.view.setUint32(at + 32, name.length, true);
  r.bytes.set(name, at + 36);
  r.view.setBigUint64(at + 88, label(terms.category), true);
  for (const [i, tag] of terms.tags.entries())
    r.view.setBigUint64(at + abi.TERMS_TAGS + 8 * i, label(tag), true);
  return r.bytes;
}

export const taskCreate = (head: Head, terms: Terms): Uint8Array =>
  writeTerms(command(abi.OP_TASK_CREATE, head, 96 + abi.TERMS_TAGS + 8 * terms.tags.length), 96, terms);

export function subtaskCreate(head: Head, parent: Uint8Array, terms: Terms): Uint8Array {
  const r = command(abi.OP_SUBTASK_CREATE, head, 112 + abi.TERMS_TAGS + 8 * terms.tags.length);
  r.bytes.set(parent, 96);
  return writeTerms(r, 112, terms);
}

export function onTask(opcode: number, head: Head, task: Uint8Array): Uint8Array {
  const r = command(opcode, head, 112);
  r.bytes.set(task, 96);
  return r.bytes;
}

export function onTaskWithFlags(
  opcode: number,
  head: Head,
  task: Uint8Array,
  flags: number,
  score: number,
): Uint8Array {
  const r = command(opcode, head, 120);
  r.bytes.set(task, 96);
  r.view.setUint32(112, flags, true);
  r.view.setUint32(116, score, true);
  return r.bytes;
}

export function routerRegister(
  head: Head,
  price: bigint,
  most: number,
  categories: string[],
  tags: string[],
): Uint8Array {
  const labels = [...categories, ...tags].map(label);
  const r = command(abi.OP_ROUTER_REGISTER, head, 120 + 8 * labels.length);
  r.view.setBigUint64(96, price, true);
  r.view.setUint32(104, most, true);
  r.view.setUint32(108, categories.length, true);
  r.view.setUint32(112, tags.length, true);
  for (const [i, value] of labels.entries()) r.view.setBigUint64(120 + 8 * i, value, true);
  return r.bytes;
}

export function routerAvailable(head: Head, isAvailable: boolean): Uint8Array {
  const r = command(abi.OP_ROUTER_AVAILABLE, head, 104);
  r.view.setUint32(96, isAvailable ? 1 : 0, true);
  return r.bytes;
}

/** A command without fields. */
export const plain = (opcode: number, head: Head): Uint8Array => command(opcode, head, 96).bytes;

export const faucet = (head: Head): Uint8Array => command(abi.OP_FAUCET, head, 96).bytes;

function toOther(opcode: number, head: Head, other: Uint8Array, amount: bigint): Uint8Array {
  const r = command(opcode, head, 136);
  r.bytes.set(other, 96);
  r.view.setBigUint64(128, amount, true);
  return r.bytes;
}

export const transfer = (head: Head, to: Uint8Array, amount: bigint): Uint8Array =>
  toOther(abi.OP_TRANSFER, head, to, amount);

export const generation = (head: Head, beneficiary: Uint8Array, value: bigint): Uint8Array =>
  toOther(abi.OP_GENERATION, head, beneficiary, value);

function ofAmount(opcode: number, head: Head, amount: bigint): Uint8Array {
  const r = command(opcode, head, 104);
  r.view.setBigUint64(96, amount, true);
  return r.bytes;
}

export const stake = (head: Head, amount: bigint): Uint8Array => ofAmount(abi.OP_STAKE, head, amount);
export const unstake = (head: Head, amount: bigint): Uint8Array => ofAmount(abi.OP_UNSTAKE, head, amount);

export function verify(
  head: Head,
  eventId: Uint8Array,
  verdict: boolean,
  value?: bigint,
  ground = 0,
  share = 0,
  salt: Uint8Array = new Uint8Array(32),
): Uint8Array {
  const r = command(abi.OP_VERIFY, head, 176);
  r.bytes.set(salt, 144);
  r.bytes.set(eventId, 96);
  r.view.setUint16(128, verdict ? 1 : 0, true);
  r.view.setUint16(130, ground, true);
  r.view.setUint16(132, value === undefined ? 0 : 1, true);
  r.view.setUint16(134, share, true);
  r.view.setBigUint64(136, value ?? 0n, true);
  return r.bytes;
}

export function voteCommit(head: Head, eventId: Uint8Array, commitment: Uint8Array): Uint8Array {
  const r = command(abi.OP_VOTE_COMMIT, head, 160);
  r.bytes.set(eventId, 96);
  r.bytes.set(commitment, 128);
  return r.bytes;
}

export interface KeyInit {
  id: bigint;
  hash: Uint8Array;
  scopes: number;
  hourlyLimit: number;
  expires: number;
  seat: number;
}

export function keyCreate(head: Head, init: KeyInit): Uint8Array {
  const r = command(abi.OP_KEY_CREATE, head, 160);
  r.view.setBigUint64(96, init.id, true);
  r.bytes.set(init.hash, 104);
  r.view.setUint32(136, init.scopes, true);
  r.view.setUint32(140, init.hourlyLimit, true);
  r.view.setBigUint64(144, BigInt(init.expires), true);
  r.view.setUint32(152, init.seat, true);
  return r.bytes;
}

export function keyRevoke(head: Head, id: bigint): Uint8Array {
  return ofAmount(abi.OP_KEY_REVOKE, head, id);
}
