// Shapes of command records: length and ranges of each opcode, as far as they can be told from the record alone.
// Keeps: what passes here can be read by its operation without further checks of form; nothing reads the state
// but whether a seat exists.

import {
  AUTH_MASK,
  AUTH_TX_V1,
  CANARY_EDGE_CASE,
  CANARY_KNOWN_GOOD,
  CHALLENGE_PARTIAL,
  CHALLENGE_SUCCEEDED,
  COMPARED_ANOMALY,
  COMPARED_DIFFERS,
  LANE_ENTERPRISE,
  OFFENSE_COLLUSION,
  OFFENSE_FRAUDULENT_APPROVAL,
  OP_CANARY_COMMIT,
  OP_CANARY_REVEAL,
  OP_CHALLENGE_OPEN,
  OP_CHALLENGE_VOTE,
  OP_FAUCET,
  OP_GENERATION,
  OP_KEY_CREATE,
  OP_KEY_REVOKE,
  OP_KEY_ROTATE,
  OP_REGISTER,
  OP_REPLAY_OUTCOME,
  OP_REPLAY_SUBMIT,
  OP_SERVICE_LIST,
  OP_SERVICE_UNLIST,
  OP_STAKE,
  OP_SUBTASK_CREATE,
  OP_TASK_CREATE,
  OP_TASK_SUBMIT,
  OP_TRAJECTORY_COMMIT,
  OP_TRANSFER,
  OP_UNSTAKE,
  OP_VALIDATOR_APPLY,
  OP_VALIDATOR_RESUME,
  OP_VERIFY,
  OUTCOME_MISMATCH,
} from '../abi';
import { equal32, isZero } from '../lib/bytes';
import { readHex32 } from '../lib/text';
import { CATEGORY_ROW_BYTES, isCategoryForm } from '../reputation/categories';
import { MOST_TAGS } from '../tasks/rows';
import { isSeat } from '../validators/seats';
import { MOST_VALIDATOR_CATEGORIES } from '../validators/validators';
import { isRouterCommand, isRouterRecord } from './routing';

// Amounts on the wire end at 2^53 - 1 (DECISIONS 1.2).
const MOST_AMOUNT: u64 = 9007199254740991;
const MOST_ID_BYTES: u32 = 64;
const ID: u32 = 140;
const HEX_KEY: usize = memory.data(32, 8);
// DECISIONS 4.4: longest review window and delivery time; scores end at 10000.
const MOST_REVIEW_SECS: u32 = 604800;
const MOST_DELIVERY_SECS: u32 = 2592000;
const MOST_BP: u32 = 10000;
const ALL_TERMS: u32 = 15;
const ALL_SUBMIT: u32 = 63;
const ALL_COMMIT: u32 = 3;
// One gate or component of a verification each (abi.ts, OP_REPLAY_SUBMIT).
const MOST_CHECKS: u32 = 60;

function isAmount(value: u64): bool {
  return value != 0 && value <= MOST_AMOUNT;
}

// The characters of a free-form agent_id: letters, digits and . _ : / - (DECISIONS 1.3).
function isIdCharacter(code: u8): bool {
  if (code >= 45 && code <= 58) return true;
  const letter = code | 32;
  return code == 95 || (letter >= 97 && letter <= 122);
}

function isRegistration(record: usize, bytes: u32): bool {
  if (bytes < ID) return false;
  const idBytes = load<u32>(record, 136);
  if (idBytes == 0 || idBytes > MOST_ID_BYTES || bytes != ((ID + idBytes + 7) & ~7)) return false;
  for (let i: u32 = 0; i < idBytes; i++) if (!isIdCharacter(load<u8>(record + ID + i))) return false;
  // A signature proves a key, so a signed registration has one.
  const isSigned = (load<u16>(record, 2) & AUTH_MASK) == AUTH_TX_V1;
  if (isSigned && isZero(record + 96, 32)) return false;
  // An id that reads as a key must be the registrant's own (DECISIONS 1.3).
  if (idBytes == 64 && readHex32(record + ID, HEX_KEY) && !equal32(HEX_KEY, record + 96)) return false;
  return load<u64>(record, 128) <= MOST_AMOUNT;
}

function isVerdict(record: usize): bool {
  return load<u32>(record, 128) <= 1 && load<u32>(record, 132) <= 1 && load<u64>(record, 136) <= MOST_AMOUNT;
}

// The terms of a task at `at`, up to the end of the record.
function isTerms(record: usize, at: u32, bytes: u32): bool {
  if (bytes < at + 96) return false;
  const from = record + at;
  const tags = load<u32>(from, 24);
  if (tags > MOST_TAGS || bytes != at + 96 + tags * 8) return false;
  if (load<u64>(from) > MOST_AMOUNT || load<u32>(from, 8) > ALL_TERMS) return false;
  if (load<u32>(from, 12) > <u32>LANE_ENTERPRISE) return false;
  if (load<u32>(from, 16) > MOST_REVIEW_SECS || load<u32>(from, 20) > MOST_DELIVERY_SECS) return false;
  return isCategoryForm(from + 32);
}

function isTaskRecord(record: usize, opcode: u32, bytes: u32): bool {
  if (opcode == OP_TASK_CREATE) return isTerms(record, 96, bytes);
  if (opcode == OP_SUBTASK_CREATE) return isTerms(record, 112, bytes);
  if (opcode == OP_TASK_SUBMIT) {
    return bytes == 120 && load<u32>(record, 112) <= ALL_SUBMIT && load<u32>(record, 116) <= MOST_BP;
  }
  if (opcode == OP_TRAJECTORY_COMMIT) return bytes == 120 && load<u32>(record, 112) <= ALL_COMMIT;
  return bytes == 112;
}

function isValidatorForm(at: usize): bool {
  return load<u32>(at) <= MOST_ID_BYTES && load<u32>(at, 4) == 0;
}

function isApplication(record: usize, bytes: u32): bool {
  if (bytes < 104) return false;
  const count = load<u32>(record, 96);
  if (count > MOST_VALIDATOR_CATEGORIES || bytes != 104 + count * CATEGORY_ROW_BYTES) return false;
  for (let i: u32 = 0; i < count; i++) {
    if (!isCategoryForm(record + 104 + <usize>i * CATEGORY_ROW_BYTES)) return false;
  }
  return true;
}

function isValidatorRecord(record: usize, opcode: u32, bytes: u32): bool {
  if (opcode == OP_VALIDATOR_APPLY) return isApplication(record, bytes);
  if (opcode == OP_VALIDATOR_RESUME) return bytes == 168 && isValidatorForm(record + 96);
  return bytes == 200 && isValidatorForm(record + 96);
}

function isChallenge(record: usize, bytes: u32): bool {
  if (bytes != 200 || !isValidatorForm(record + 112)) return false;
  const offense = load<u32>(record, 184);
  if (offense < <u32>OFFENSE_FRAUDULENT_APPROVAL || offense > <u32>OFFENSE_COLLUSION) return false;
  return load<u32>(record, 188) <= 1 && load<u64>(record, 192) <= MOST_AMOUNT;
}

function isReplayResult(record: usize, bytes: u32): bool {
  if (bytes < 152) return false;
  const count = load<u32>(record, 144);
  if (count > MOST_CHECKS || bytes != ((152 + count + 7) & ~7)) return false;
  for (let i: u32 = 0; i < count; i++) {
    const compared = <i32>load<u8>(record + 152 + i);
    if ((compared & ~COMPARED_ANOMALY) > COMPARED_DIFFERS) return false;
  }
  return true;
}

function isCaseRecord(record: usize, opcode: u32, bytes: u32): bool {
  if (opcode == OP_CHALLENGE_OPEN) return isChallenge(record, bytes);
  if (opcode == OP_REPLAY_SUBMIT) return isReplayResult(record, bytes);
  if (opcode == OP_CHALLENGE_VOTE) {
    const outcome = load<u32>(record, 112);
    return bytes == 120 && outcome >= <u32>CHALLENGE_SUCCEEDED && outcome <= <u32>CHALLENGE_PARTIAL;
  }
  if (opcode == OP_REPLAY_OUTCOME) {
    return bytes == 136 && load<u32>(record, 128) <= <u32>OUTCOME_MISMATCH && load<u32>(record, 132) <= 1;
  }
  if (opcode == OP_CANARY_COMMIT) return bytes == 128;
  const type = load<u32>(record, 144);
  if (bytes != 152 || type < <u32>CANARY_KNOWN_GOOD || type > <u32>CANARY_EDGE_CASE) return false;
  return load<u32>(record, 148) <= 1;
}

/** True for the operations of validators on themselves. */
export function isValidatorCommand(opcode: u32): bool {
  return opcode >= <u32>OP_VALIDATOR_APPLY && opcode <= <u32>OP_KEY_ROTATE;
}

/** True for those on challenges, replays and canaries. */
export function isCaseCommand(opcode: u32): bool {
  return opcode >= <u32>OP_CHALLENGE_OPEN && opcode <= <u32>OP_CANARY_REVEAL;
}

/** True for the operations on one task, its creation included. */
export function isTaskCommand(opcode: u32): bool {
  return opcode >= <u32>OP_TASK_CREATE && opcode <= <u32>OP_TRAJECTORY_COMMIT;
}

/** True when the record has the length and the ranges of its opcode. */
export function isWellFormed(record: usize, opcode: u32, bytes: u32): bool {
  if (opcode == OP_REGISTER) return isRegistration(record, bytes);
  if (opcode == OP_FAUCET) return bytes == 96;
  if (opcode == OP_TRANSFER || opcode == OP_GENERATION)
    return bytes == 136 && isAmount(load<u64>(record, 128));
  if (opcode == OP_STAKE || opcode == OP_UNSTAKE) return bytes == 104 && isAmount(load<u64>(record, 96));
  if (opcode == OP_VERIFY) return bytes == 144 && isVerdict(record);
  if (opcode == OP_KEY_CREATE) return bytes == 160 && isSeat(load<u32>(record, 152));
  if (opcode == OP_KEY_REVOKE) return bytes == 104;
  if (isTaskCommand(opcode)) return isTaskRecord(record, opcode, bytes);
  if (isValidatorCommand(opcode)) return isValidatorRecord(record, opcode, bytes);
  if (isCaseCommand(opcode)) return isCaseRecord(record, opcode, bytes);
  if (isRouterCommand(opcode)) return isRouterRecord(record, opcode, bytes);
  return (opcode == OP_SERVICE_LIST || opcode == OP_SERVICE_UNLIST) && bytes == 96;
}
