// Records of the operations of validators, challenges, replays and canaries, built for tests straight from abi.ts.
// Keeps: one function for each opcode, fields by offset; nothing here knows a rule.

import * as abi from '../../assembly/abi.ts';
import { command, type Head } from './records.ts';

const encoder = new TextEncoder();
const CATEGORY_BYTES = 56;

// Validator form: length, zero, text.
function writeForm(r: { bytes: Uint8Array; view: DataView }, at: number, text: string): void {
  const bytes = encoder.encode(text);
  r.view.setUint32(at, bytes.length, true);
  r.bytes.set(bytes, at + 8);
}

export function validatorApply(head: Head, categories: string[], maxFee: bigint): Uint8Array {
  const r = command(abi.OP_VALIDATOR_APPLY, head, 112 + CATEGORY_BYTES * categories.length);
  r.view.setUint32(96, categories.length, true);
  r.view.setBigUint64(104, maxFee, true);
  for (const [i, name] of categories.entries()) {
    const text = encoder.encode(name);
    r.view.setUint32(112 + CATEGORY_BYTES * i, text.length, true);
    r.bytes.set(text, 116 + CATEGORY_BYTES * i);
  }
  return r.bytes;
}

/** OP_VALIDATOR_RESUME or OP_VALIDATOR_OBJECT. */
export function onValidator(opcode: number, head: Head, validator: string): Uint8Array {
  const r = command(opcode, head, 168);
  writeForm(r, 96, validator);
  return r.bytes;
}

export function judge(head: Head, validator: string, isAnnounced: boolean): Uint8Array {
  const r = command(abi.OP_VALIDATOR_JUDGE, head, 176);
  writeForm(r, 96, validator);
  r.view.setUint32(168, isAnnounced ? 1 : 0, true);
  return r.bytes;
}

/** OP_RECOVERY_SET or OP_KEY_ROTATE. */
export function withKey(opcode: number, head: Head, validator: string, key: Uint8Array): Uint8Array {
  const r = command(opcode, head, 200);
  writeForm(r, 96, validator);
  r.bytes.set(key, 168);
  return r.bytes;
}

export interface ChallengeInit {
  task: Uint8Array;
  target: string;
  offense: number;
  bond: bigint | undefined;
}

export function challengeOpen(head: Head, init: ChallengeInit): Uint8Array {
  const r = command(abi.OP_CHALLENGE_OPEN, head, 200);
  r.bytes.set(init.task, 96);
  writeForm(r, 112, init.target);
  r.view.setUint32(184, init.offense, true);
  r.view.setUint32(188, init.bond === undefined ? 0 : 1, true);
  r.view.setBigUint64(192, init.bond ?? 0n, true);
  return r.bytes;
}

export function challengeVote(head: Head, challenge: Uint8Array, outcome: number): Uint8Array {
  const r = command(abi.OP_CHALLENGE_VOTE, head, 120);
  r.bytes.set(challenge, 96);
  r.view.setUint32(112, outcome, true);
  return r.bytes;
}

export function replaySubmit(head: Head, job: Uint8Array, task: Uint8Array, checks: number[]): Uint8Array {
  const r = command(abi.OP_REPLAY_SUBMIT, head, 152 + checks.length);
  r.bytes.set(job, 96);
  r.bytes.set(task, 128);
  r.view.setUint32(144, checks.length, true);
  r.bytes.set(checks, 152);
  return r.bytes;
}

export function replayOutcome(
  head: Head,
  job: Uint8Array,
  outcome: number,
  isStructured: boolean,
): Uint8Array {
  const r = command(abi.OP_REPLAY_OUTCOME, head, 136);
  r.bytes.set(job, 96);
  r.view.setUint32(128, outcome, true);
  r.view.setUint32(132, isStructured ? 1 : 0, true);
  return r.bytes;
}

export function canaryCommit(head: Head, commitment: Uint8Array): Uint8Array {
  const r = command(abi.OP_CANARY_COMMIT, head, 128);
  r.bytes.set(commitment, 96);
  return r.bytes;
}

export const canaryReturn = (head: Head): Uint8Array => command(abi.OP_CANARY_RETURN, head, 96).bytes;

export interface CanaryInit {
  task: Uint8Array;
  salt: Uint8Array;
  type: number;
  truth: boolean;
}

export function canaryReveal(head: Head, init: CanaryInit): Uint8Array {
  const r = command(abi.OP_CANARY_REVEAL, head, 152);
  r.bytes.set(init.task, 96);
  r.bytes.set(init.salt, 112);
  r.view.setUint32(144, init.type, true);
  r.view.setUint32(148, init.truth ? 1 : 0, true);
  return r.bytes;
}
