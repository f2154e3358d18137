// The commitment of a canary (protocol 7.7; assembly/abi.ts, OP_CANARY_COMMIT).

import { toHex } from './bytes.ts';
import { sha256Hex } from './hash.ts';
import { CANARY_TYPES } from './operations/cases.ts';

export type CanaryType = (typeof CANARY_TYPES)[number];

/** hex64. `task`: hex32; `salt`: 32 bytes. Type and truth are written as digits; types count from 1. */
export function canaryCommitment(task: string, type: CanaryType, truth: boolean, salt: Uint8Array): string {
  const digit = CANARY_TYPES.indexOf(type) + 1;
  return sha256Hex(`canary:${task}:${digit}:${truth ? 1 : 0}:${toHex(salt)}`);
}
