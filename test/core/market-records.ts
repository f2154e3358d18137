// Records of tasks and of the router, built for tests straight from abi.ts.
// Keeps: one function for each opcode used, fields by offset; nothing here knows a rule.

import { createHash } from 'node:crypto';
import * as abi from '../../assembly/abi.ts';

export interface Actor {
  txid: Uint8Array;
  key: Uint8Array;
}

/** First 8 bytes of SHA-256 of a name. */
export function label(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigUInt64LE(0);
}

/** Id of the task that a command with this TxID creates. */
export function taskId(txid: Uint8Array): string {
  const text = `task:${Buffer.from(txid).toString('hex')}`;
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function command(opcode: number, actor: Actor, bytes: number): { bytes: Uint8Array; view: DataView } {
  const out = new Uint8Array(bytes);
  const view = new DataView(out.buffer);
  view.setUint16(0, opcode, true);
  view.setUint16(2, abi.AUTH_TX_V1, true);
  view.setUint32(4, bytes, true);
  out.set(actor.txid, 8);
  out.set(actor.key, 40);
  view.setUint32(88, abi.NO_SEAT, true);
  return { bytes: out, view };
}

function setLabels(view: DataView, at: number, names: string[]): void {
  for (const [i, name] of names.entries()) view.setBigUint64(at + 8 * i, label(name), true);
}

export interface TaskTerms {
  budget: bigint;
  category: string;
  tags: string[];
  exclusive: boolean;
}

export function createTask(actor: Actor, terms: TaskTerms): Uint8Array {
  const { bytes, view } = command(abi.OP_TASK_CREATE, actor, 96 + abi.TERMS_TAGS + 8 * terms.tags.length);
  view.setBigUint64(96, terms.budget, true);
  view.setUint32(104, terms.exclusive ? abi.TASK_EXCLUSIVE : 0, true);
  view.setUint32(120, terms.tags.length, true);
  view.setUint32(128, terms.category.length, true);
  bytes.set(new TextEncoder().encode(terms.category), 132);
  setLabels(view, 184, [terms.category]);
  setLabels(view, 96 + abi.TERMS_TAGS, terms.tags);
  return bytes;
}

function onTask(
  opcode: number,
  actor: Actor,
  task: string,
  bytes = 112,
): { bytes: Uint8Array; view: DataView } {
  const r = command(opcode, actor, bytes);
  r.bytes.set(Buffer.from(task, 'hex'), 96);
  return r;
}

export const claimTask = (actor: Actor, task: string): Uint8Array =>
  onTask(abi.OP_TASK_CLAIM, actor, task).bytes;
export const approveTask = (actor: Actor, task: string): Uint8Array =>
  onTask(abi.OP_TASK_APPROVE, actor, task).bytes;
export const cancelTask = (actor: Actor, task: string): Uint8Array =>
  onTask(abi.OP_TASK_CANCEL, actor, task).bytes;

/** A public result that passes, scored `overallBp`. */
export function submitTask(actor: Actor, task: string, overallBp: number): Uint8Array {
  const r = onTask(abi.OP_TASK_SUBMIT, actor, task, 120);
  r.view.setUint32(112, abi.SUBMIT_SCORED | abi.SUBMIT_HAS_CONTENT | abi.SUBMIT_FACTS_HOLD, true);
  r.view.setUint32(116, overallBp, true);
  return r.bytes;
}

export interface OfferTerms {
  price: bigint;
  most: number;
  categories: string[];
  tags: string[];
}

export function registerOffer(actor: Actor, terms: OfferTerms): Uint8Array {
  const names = [...terms.categories, ...terms.tags];
  const { bytes, view } = command(abi.OP_ROUTER_REGISTER, actor, 120 + 8 * names.length);
  view.setBigUint64(96, terms.price, true);
  view.setUint32(104, terms.most, true);
  view.setUint32(108, terms.categories.length, true);
  view.setUint32(112, terms.tags.length, true);
  setLabels(view, 120, names);
  return bytes;
}

export const removeOffer = (actor: Actor): Uint8Array => command(abi.OP_ROUTER_REMOVE, actor, 96).bytes;

export function setAvailable(actor: Actor, available: boolean): Uint8Array {
  const { bytes, view } = command(abi.OP_ROUTER_AVAILABLE, actor, 104);
  view.setUint32(96, available ? 1 : 0, true);
  return bytes;
}
