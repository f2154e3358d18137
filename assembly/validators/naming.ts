// Validators by name: the id, or the agent_id or hex key of the operator (protocol 1.3).
// Keeps: an id takes precedence over an agent of the same name; nothing is written here.

import { VALIDATOR_FORM_TEXT } from '../abi';
import { actor } from '../io/frame';
import { agentAt, findAgent } from '../ledger/agents';
import { compareText } from '../lib/bytes';
import { sha256 } from '../lib/sha256';
import { readHex32 } from '../lib/text';
import { capacity, header, VALIDATORS } from '../state/header';
import { isSeat, seatAt, seatId } from './seats';
import { validatorAt, validatorId, validatorInOrder, validatorOf } from './validators';

const HEX_BYTES: u32 = 64;
const KEY: usize = memory.data(32, 8);

// Binary search in the order of ids.
function findById(text: usize, bytes: u32): i32 {
  let low: u32 = 0;
  let high = header().validatorCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    const index = validatorInOrder(middle);
    const row = validatorAt(index);
    const order = compareText(validatorId(row), row.idBytes, text, bytes);
    if (order == 0) return <i32>index;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}

/** True when a validator or a seat of the manifest has this id. O(seats). */
export function isValidatorId(text: usize, bytes: u32): bool {
  if (findById(text, bytes) >= 0) return true;
  let found: u32 = 0;
  for (let number: u32 = 0; number < capacity(VALIDATORS) && found < header().seatCount; number++) {
    if (!isSeat(number)) continue;
    const seat = seatAt(number);
    if (compareText(seatId(seat), seat.idBytes, text, bytes) == 0) return true;
    found++;
  }
  return false;
}

function findByOperator(text: usize, bytes: u32): i32 {
  const isHex = bytes == HEX_BYTES && readHex32(text, KEY);
  if (!isHex) sha256(text, bytes, KEY);
  const agent = findAgent(KEY);
  return agent < 0 ? -1 : validatorOf(agentAt(<u32>agent));
}

/** Index of the validator that the 72-byte form at the address names, or -1; an empty name is none. */
export function findValidator(form: usize): i32 {
  const bytes = load<u32>(form);
  if (bytes == 0) return -1;
  const index = findById(form + VALIDATOR_FORM_TEXT, bytes);
  return index >= 0 ? index : findByOperator(form + VALIDATOR_FORM_TEXT, bytes);
}

/** The same for a command of an agent: an empty name is the actor's own validator. */
export function findNamedOrOwn(form: usize): i32 {
  return load<u32>(form) == 0 ? validatorOf(actor()) : findValidator(form);
}
