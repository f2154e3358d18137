// Encodes the commands about validators and their keys, as laid out in assembly/abi.ts.

import * as abi from '../../assembly/abi.ts';
import { setU64 } from '../wire/bytes.ts';
import { lowerHexKey } from '../wire/ids.ts';
import { type CommandHead, command } from './commands.ts';

/** Bytes of a validator's name in a command: length, zero, text. */
export const VALIDATOR_FORM_BYTES = 72;
const FORM_TEXT = 8;
const MAX_NAME_BYTES = VALIDATOR_FORM_BYTES - FORM_TEXT;
const CATEGORY_BYTES = 56;

/**
 * Writes the name of a validator (its id, or agent_id or hex key of its operator) at `at`. Empty: the actor's validator.
 * A name longer than any id matches no validator, so `?`, which no id contains, is written instead.
 */
export function putValidatorForm(bytes: Uint8Array, at: number, name: string): void {
  const given = new TextEncoder().encode(lowerHexKey(name));
  const text = given.length > MAX_NAME_BYTES ? Uint8Array.of(0x3f) : given;
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(at, text.length, true);
  bytes.set(text, at + FORM_TEXT);
}

/** `categories`: names in normal form, none = all. `maxFee`: the most that the row may cost, micro-units. */
export function validatorApply(head: CommandHead, categories: readonly string[], maxFee = 0): Uint8Array {
  const listAt = abi.IN_APPLY_CATEGORIES;
  const fieldBytes = listAt - abi.COMMAND_FIELDS + categories.length * CATEGORY_BYTES;
  const { bytes, view } = command(abi.OP_VALIDATOR_APPLY, head, fieldBytes);
  view.setUint32(abi.IN_APPLY_CATEGORY_COUNT, categories.length, true);
  setU64(view, abi.IN_APPLY_MAX_FEE, maxFee);
  for (const [i, name] of categories.entries()) {
    const text = new TextEncoder().encode(name);
    const at = listAt + i * CATEGORY_BYTES;
    view.setUint32(at, text.length, true);
    bytes.set(text, at + 4);
  }
  return bytes;
}

function onValidator(opcode: number, head: CommandHead, validator: string): Uint8Array {
  const { bytes } = command(opcode, head, VALIDATOR_FORM_BYTES);
  putValidatorForm(bytes, abi.COMMAND_FIELDS, validator);
  return bytes;
}

export const validatorResume = (head: CommandHead, validator: string): Uint8Array =>
  onValidator(abi.OP_VALIDATOR_RESUME, head, validator);

/** `validator`: the applicant. */
export const validatorObject = (head: CommandHead, validator: string): Uint8Array =>
  onValidator(abi.OP_VALIDATOR_OBJECT, head, validator);

/** `validator` empty: the actor's own. */
export function validatorJudge(head: CommandHead, validator: string, isAnnounced: boolean): Uint8Array {
  const { bytes, view } = command(abi.OP_VALIDATOR_JUDGE, head, abi.IN_JUDGE_BYTES - abi.COMMAND_FIELDS);
  putValidatorForm(bytes, abi.COMMAND_FIELDS, validator);
  view.setUint32(abi.IN_JUDGE_IS_ANNOUNCED, isAnnounced ? 1 : 0, true);
  return bytes;
}

function withKey(opcode: number, head: CommandHead, validator: string, key: Uint8Array): Uint8Array {
  const { bytes } = command(opcode, head, VALIDATOR_FORM_BYTES + 32);
  putValidatorForm(bytes, abi.COMMAND_FIELDS, validator);
  bytes.set(key, abi.COMMAND_FIELDS + VALIDATOR_FORM_BYTES);
  return bytes;
}

/** `validator` empty: the actor's validator. `key`: 32 bytes. */
export const recoverySet = (head: CommandHead, validator: string, key: Uint8Array): Uint8Array =>
  withKey(abi.OP_RECOVERY_SET, head, validator, key);

/** `head.actor`: the signing key; `key`: the new one, 32 bytes. */
export const keyRotate = (head: CommandHead, validator: string, key: Uint8Array): Uint8Array =>
  withKey(abi.OP_KEY_ROTATE, head, validator, key);
