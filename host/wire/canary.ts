// The commitment of a canary (protocol 7.7; assembly/abi.ts, OP_CANARY_COMMIT), and how its task is bound to one answer.
// Keeps: whoever plants a task says with the nonce of its request what is in it, so however many commitments were made for
// it, by whatever seats, only those with that answer can be revealed. Without the salt the nonce is like any other.

import { toHex, utf8 } from './bytes.ts';
import { sha256Hex } from './hash.ts';
import { taskId } from './ids.ts';

export const CANARY_TYPES = ['known_good', 'known_bad', 'adversarial', 'edge_case'] as const;
export type CanaryType = (typeof CANARY_TYPES)[number];

/** What is said of a planted task. */
export interface CanaryAnswer {
  type: CanaryType;
  /** The correct verdict. */
  truth: boolean;
  /** 32 bytes. */
  salt: Uint8Array;
}

/** Type and truth as digits; types count from 1. Then the salt. */
const textOf = ({ type, truth, salt }: CanaryAnswer): string =>
  `${CANARY_TYPES.indexOf(type) + 1}:${truth ? 1 : 0}:${toHex(salt)}`;

/** hex64. `task`: hex32. */
export function canaryCommitment(task: string, answer: CanaryAnswer): string {
  return sha256Hex(`canary:${task}:${textOf(answer)}`);
}

/** The nonce of the request that posts a canary, 32 hex characters. */
export function canaryNonce(answer: CanaryAnswer): string {
  return sha256Hex(`canary-nonce:${textOf(answer)}`).slice(0, 32);
}

/**
 * True when a task (hex32) was posted by a request with these sign bytes (SERVICE-TX-V1), whose nonce is that of the answer.
 * The nonce is looked for at the end of the bytes, where nothing that a client chooses follows.
 */
export function isPostedWith(posting: string, task: string, answer: CanaryAnswer): boolean {
  const end = `"method":"POST","nonce":"${canaryNonce(answer)}","path":"/v1/tasks","version":"SERVICE-TX-V1"}`;
  return posting.endsWith(end) && taskId(sha256Hex(utf8(posting))) === task;
}
