// Formats of command records: length and ranges for each opcode, as far as the record alone shows them.
// Keeps: an operation can read what passes here without further checks of the format; the only thing read from the
// state is whether a seat exists.

import {
  AUTH_MASK,
  AUTH_TX_V1,
  CANARY_EDGE_CASE,
  CANARY_KNOWN_GOOD,
  CHALLENGE_PARTIAL,
  CHALLENGE_SUCCEEDED,
  COMMAND_FIELDS,
  COMPARED_ANOMALY,
  COMPARED_DIFFERS,
  GROUND_FRAUD,
  IN_AMOUNT,
  IN_API_KEY_BYTES,
  IN_API_KEY_HOURLY_LIMIT,
  IN_API_KEY_REVOKE_BYTES,
  IN_API_KEY_SEAT,
  IN_APPLY_CATEGORIES,
  IN_APPLY_CATEGORY_COUNT,
  IN_APPLY_MAX_FEE,
  IN_CANARY_COMMIT_BYTES,
  IN_CANARY_REVEAL_BYTES,
  IN_CANARY_TRUTH,
  IN_CANARY_TYPE,
  IN_CHALLENGE_BOND,
  IN_CHALLENGE_BYTES,
  IN_CHALLENGE_HAS_BOND,
  IN_CHALLENGE_OFFENSE,
  IN_CHALLENGE_TARGET,
  IN_CHALLENGE_VOTE_BYTES,
  IN_CHALLENGE_VOTE_OUTCOME,
  IN_COMMIT_BYTES,
  IN_COMMIT_FLAGS,
  IN_FLAGS,
  IN_JUDGE_BYTES,
  IN_JUDGE_IS_ANNOUNCED,
  IN_OPEN_BYTES,
  IN_OPEN_FLAGS,
  IN_REGISTER_ID,
  IN_REGISTER_ID_BYTES,
  IN_REGISTER_KEY,
  IN_REGISTER_STAKE,
  IN_REPLAY_CHECKS,
  IN_REPLAY_COMPARED,
  IN_REPLAY_IS_CODE_OR_DATA,
  IN_REPLAY_OUTCOME,
  IN_REPLAY_OUTCOME_BYTES,
  IN_STAKE_AMOUNT,
  IN_STAKE_BYTES,
  IN_SUBMIT_BYTES,
  IN_SUBMIT_FLAGS,
  IN_SUBMIT_SCORE_BP,
  IN_SUBTASK_TERMS,
  IN_TASK_BYTES,
  IN_TASK_TERMS,
  IN_TRANSFER_BYTES,
  IN_VALIDATOR,
  IN_VALIDATOR_BYTES,
  IN_VALIDATOR_KEY_BYTES,
  IN_VERIFY_BYTES,
  IN_VERIFY_GROUND,
  IN_VERIFY_HAS_VALUE,
  IN_VERIFY_SHARE,
  IN_VERIFY_VALUE,
  IN_VERIFY_VERDICT,
  IN_VOTE_COMMIT_BYTES,
  IN_WINDOW,
  LANE_ENTERPRISE,
  LANE_NONE,
  MAX_WINDOW_SECS,
  NO_QUORUM_POSTER,
  OFFENSE_COLLUSION,
  OFFENSE_FRAUDULENT_APPROVAL,
  OP_CANARY_COMMIT,
  OP_CANARY_RETURN,
  OP_CANARY_REVEAL,
  OP_CHALLENGE_OPEN,
  OP_CHALLENGE_VOTE,
  OP_FAUCET,
  OP_GENERATION,
  OP_KEY_CREATE,
  OP_KEY_REVOKE,
  OP_KEY_ROTATE,
  OP_PROGRAM_PUBLISH,
  OP_REGISTER,
  OP_REPLAY_OUTCOME,
  OP_REPLAY_SUBMIT,
  OP_SERVICE_LIST,
  OP_SERVICE_UNLIST,
  OP_STAKE,
  OP_SUBTASK_CREATE,
  OP_TASK_CONCEDE,
  OP_TASK_CONTEST,
  OP_TASK_CREATE,
  OP_TASK_DECLINE,
  OP_TASK_DISPUTE,
  OP_TASK_OPEN,
  OP_TASK_RELEASE,
  OP_TASK_SUBMIT,
  OP_TRAJECTORY_COMMIT,
  OP_TRANSFER,
  OP_UNSTAKE,
  OP_VALIDATOR_APPLY,
  OP_VALIDATOR_JUDGE,
  OP_VALIDATOR_OBJECT,
  OP_VALIDATOR_RESUME,
  OP_VERIFY,
  OP_VOTE_COMMIT,
  OPEN_GIVEN,
  OPEN_HOLDS,
  OPEN_MATCHES,
  OUTCOME_MISMATCH,
  SHARES,
  SUBMIT_HAS_PLACE,
  SUBMIT_SEALED,
  TASK_ACCEPTS_NO_JUDGES,
  TASK_BOND_GIVEN,
  TASK_ENCRYPTED,
  TASK_EXTERNAL,
  TASK_ON_PASS,
  TASK_PAYS_SILENTLY,
  TASK_RESERVED,
  TASK_RESERVED_OR_REFUND,
  TASK_SEEDED,
  TERMS_BUDGET,
  TERMS_CATEGORY,
  TERMS_DELIVERY_SECS,
  TERMS_FLAGS,
  TERMS_FUEL,
  TERMS_LANE,
  TERMS_NO_QUORUM,
  TERMS_RESERVED_KEY,
  TERMS_RESERVED_SECS,
  TERMS_REVIEW_SECS,
  TERMS_TAG_COUNT,
  TERMS_TAGS,
  TERMS_WORKER_BOND,
} from '../abi';
import { equal32, isZero } from '../lib/bytes';
import { readHex32 } from '../lib/text';
import { CATEGORY_ROW_BYTES, isCategoryForm } from '../reputation/categories';
import { MAX_CONTRACT_FUEL } from '../tasks/due-runs';
import { MAX_TAGS } from '../tasks/rows';
import { isSeat } from '../validators/seats';
import { MAX_VALIDATOR_CATEGORIES } from '../validators/validators';
import { isRouterCommand, isRouterRecord } from './routing';

// Amounts on the wire are at most 2^53 - 1 (protocol 1.2).
const MAX_AMOUNT: u64 = 9007199254740991;
const MAX_ID_BYTES: u32 = 64;
const HEX_KEY: usize = memory.data(32, 8);
// protocol 4.4: longest review window and delivery time; scores are at most 10000.
const MAX_REVIEW_SECS: u32 = 604800;
const MAX_DELIVERY_SECS: u32 = 2592000;
const MAX_RESERVED_SECS: u32 = 2592000;
const MAX_BP: u32 = 10000;
const RESERVATION: u32 = <u32>TASK_RESERVED | TASK_RESERVED_OR_REFUND;
const ALL_TERMS: u32 =
  15 |
  <u32>TASK_BOND_GIVEN |
  TASK_ON_PASS |
  TASK_SEEDED |
  TASK_EXTERNAL |
  TASK_PAYS_SILENTLY |
  RESERVATION |
  TASK_ACCEPTS_NO_JUDGES;
const ALL_SUBMIT: u32 = 47 | <u32>SUBMIT_HAS_PLACE | SUBMIT_SEALED;
const ALL_COMMIT: u32 = 3;
// Each is one gate or component of a verification (abi.ts, OP_REPLAY_SUBMIT).
const MAX_CHECKS: u32 = 60;

function isAmount(value: u64): bool {
  return value != 0 && value <= MAX_AMOUNT;
}

// The characters of a free-form agent_id: letters, digits and . _ : / - (protocol 1.3).
function isIdCharacter(code: u8): bool {
  if (code >= 45 && code <= 58) return true;
  const letter = code | 32;
  return code == 95 || (letter >= 97 && letter <= 122);
}

function isRegistration(record: usize, bytes: u32): bool {
  const idAt = <u32>IN_REGISTER_ID;
  if (bytes < idAt) return false;
  const idBytes = load<u32>(record, IN_REGISTER_ID_BYTES);
  if (idBytes == 0 || idBytes > MAX_ID_BYTES || bytes != ((idAt + idBytes + 7) & ~7)) return false;
  for (let i: u32 = 0; i < idBytes; i++) if (!isIdCharacter(load<u8>(record + idAt + i))) return false;
  // A signature proves a key, so a signed registration has one.
  const key = record + IN_REGISTER_KEY;
  const isSigned = (load<u16>(record, IN_FLAGS) & AUTH_MASK) == AUTH_TX_V1;
  if (isSigned && isZero(key, 32)) return false;
  // An id that reads as a key must be the registrant's own (protocol 1.3).
  if (idBytes == 64 && readHex32(record + idAt, HEX_KEY) && !equal32(HEX_KEY, key)) return false;
  return load<u64>(record, IN_REGISTER_STAKE) <= MAX_AMOUNT;
}

function isNewKey(record: usize): bool {
  return load<u32>(record, IN_API_KEY_HOURLY_LIMIT) != 0 && isSeat(load<u32>(record, IN_API_KEY_SEAT));
}

function isVerdict(record: usize): bool {
  if (load<u16>(record, IN_VERIFY_VERDICT) > 1 || load<u16>(record, IN_VERIFY_HAS_VALUE) > 1) return false;
  const share = load<u16>(record, IN_VERIFY_SHARE);
  if (share > <u16>SHARES || (share != 0 && load<u16>(record, IN_VERIFY_VERDICT) == 0)) return false;
  const ground = load<u16>(record, IN_VERIFY_GROUND);
  if (ground > <u16>GROUND_FRAUD || (ground != 0 && load<u16>(record, IN_VERIFY_VERDICT) != 0)) return false;
  return load<u64>(record, IN_VERIFY_VALUE) <= MAX_AMOUNT;
}

// What the terms at the address say of contract and delivery: a contract runs on bytes, pays at once only for plain ones, and
// takes no lane.
function isContract(from: usize): bool {
  const flags = load<u32>(from, TERMS_FLAGS);
  const fuel = load<u32>(from, TERMS_FUEL);
  if ((flags & ~ALL_TERMS) != 0 || fuel > MAX_CONTRACT_FUEL) return false;
  if ((flags & TASK_PAYS_SILENTLY) != 0 && (flags & TASK_EXTERNAL) == 0) return false;
  if (fuel == 0) return (flags & (TASK_ON_PASS | TASK_SEEDED)) == 0;
  if ((flags & TASK_ON_PASS) != 0 && (flags & TASK_ENCRYPTED) != 0) return false;
  return load<u32>(from, TERMS_LANE) == LANE_NONE && (flags & TASK_EXTERNAL) == 0;
}

// What the terms at the address say of a reservation: an agent and a time, or nothing at all.
function isReservation(from: usize): bool {
  const flags = load<u32>(from, TERMS_FLAGS);
  if ((flags & TASK_RESERVED) != 0) return load<u32>(from, TERMS_RESERVED_SECS) <= MAX_RESERVED_SECS;
  if ((flags & TASK_RESERVED_OR_REFUND) != 0) return false;
  return isZero(from + TERMS_RESERVED_KEY, 32) && load<u32>(from, TERMS_RESERVED_SECS) == 0;
}

// The terms of a task at `at`, up to the end of the record.
function isTerms(record: usize, at: u32, bytes: u32): bool {
  if (bytes < at + TERMS_TAGS) return false;
  const from = record + at;
  const tags = load<u32>(from, TERMS_TAG_COUNT);
  if (tags > MAX_TAGS || bytes != at + TERMS_TAGS + tags * 8) return false;
  if (load<u64>(from, TERMS_BUDGET) > MAX_AMOUNT || !isContract(from) || !isReservation(from)) return false;
  if (load<u64>(from, TERMS_WORKER_BOND) > load<u64>(from, TERMS_BUDGET)) return false;
  if (load<u32>(from, TERMS_LANE) > <u32>LANE_ENTERPRISE) return false;
  if (load<u32>(from, TERMS_NO_QUORUM) > <u32>NO_QUORUM_POSTER) return false;
  if (load<u32>(from, TERMS_REVIEW_SECS) > MAX_REVIEW_SECS) return false;
  if (load<u32>(from, TERMS_DELIVERY_SECS) > MAX_DELIVERY_SECS) return false;
  return isCategoryForm(from + TERMS_CATEGORY);
}

// A flag implies those before it.
function isOpening(flags: u32): bool {
  const all = <u32>OPEN_GIVEN | OPEN_MATCHES | OPEN_HOLDS;
  return flags <= all && (flags & (flags + 1)) == 0;
}

function isTaskRecord(record: usize, opcode: u32, bytes: u32): bool {
  if (opcode == OP_TASK_CREATE) return isTerms(record, IN_TASK_TERMS, bytes);
  if (opcode == OP_SUBTASK_CREATE) return isTerms(record, IN_SUBTASK_TERMS, bytes);
  if (opcode == OP_TASK_SUBMIT) {
    if (bytes != IN_SUBMIT_BYTES || (load<u32>(record, IN_SUBMIT_FLAGS) & ~ALL_SUBMIT) != 0) return false;
    return load<u32>(record, IN_SUBMIT_SCORE_BP) <= MAX_BP;
  }
  if (opcode == OP_TRAJECTORY_COMMIT) {
    return bytes == IN_COMMIT_BYTES && load<u32>(record, IN_COMMIT_FLAGS) <= ALL_COMMIT;
  }
  if (opcode == OP_TASK_DISPUTE || opcode == OP_TASK_CONTEST || opcode == OP_TASK_OPEN) {
    return bytes == IN_OPEN_BYTES && isOpening(load<u32>(record, IN_OPEN_FLAGS));
  }
  return bytes == IN_TASK_BYTES;
}

function isValidatorForm(at: usize): bool {
  return load<u32>(at) <= MAX_ID_BYTES && load<u32>(at, 4) == 0;
}

function isApplication(record: usize, bytes: u32): bool {
  const list = <u32>IN_APPLY_CATEGORIES;
  if (bytes < list) return false;
  const count = load<u32>(record, IN_APPLY_CATEGORY_COUNT);
  if (count > MAX_VALIDATOR_CATEGORIES || bytes != list + count * CATEGORY_ROW_BYTES) return false;
  if (load<u64>(record, IN_APPLY_MAX_FEE) > MAX_AMOUNT) return false;
  for (let i: u32 = 0; i < count; i++) {
    if (!isCategoryForm(record + list + <usize>i * CATEGORY_ROW_BYTES)) return false;
  }
  return true;
}

function isValidatorRecord(record: usize, opcode: u32, bytes: u32): bool {
  if (opcode == OP_VALIDATOR_APPLY) return isApplication(record, bytes);
  if (opcode == OP_VALIDATOR_RESUME)
    return bytes == IN_VALIDATOR_BYTES && isValidatorForm(record + IN_VALIDATOR);
  return bytes == IN_VALIDATOR_KEY_BYTES && isValidatorForm(record + IN_VALIDATOR);
}

function isAnnouncement(record: usize, bytes: u32): bool {
  if (bytes != IN_JUDGE_BYTES || load<u64>(record, IN_JUDGE_IS_ANNOUNCED) > 1) return false;
  return isValidatorForm(record + IN_VALIDATOR);
}

function isChallenge(record: usize, bytes: u32): bool {
  if (bytes != IN_CHALLENGE_BYTES || !isValidatorForm(record + IN_CHALLENGE_TARGET)) return false;
  const offense = load<u32>(record, IN_CHALLENGE_OFFENSE);
  if (offense < <u32>OFFENSE_FRAUDULENT_APPROVAL || offense > <u32>OFFENSE_COLLUSION) return false;
  return load<u32>(record, IN_CHALLENGE_HAS_BOND) <= 1 && load<u64>(record, IN_CHALLENGE_BOND) <= MAX_AMOUNT;
}

function isReplayResult(record: usize, bytes: u32): bool {
  const checks = <u32>IN_REPLAY_COMPARED;
  if (bytes < checks) return false;
  const count = load<u32>(record, IN_REPLAY_CHECKS);
  if (count > MAX_CHECKS || bytes != ((checks + count + 7) & ~7)) return false;
  for (let i: u32 = 0; i < count; i++) {
    const compared = <i32>load<u8>(record + checks + i);
    if ((compared & ~COMPARED_ANOMALY) > COMPARED_DIFFERS) return false;
  }
  return true;
}

function isCaseRecord(record: usize, opcode: u32, bytes: u32): bool {
  if (opcode == OP_CHALLENGE_OPEN) return isChallenge(record, bytes);
  if (opcode == OP_REPLAY_SUBMIT) return isReplayResult(record, bytes);
  if (opcode == OP_CHALLENGE_VOTE) {
    const outcome = load<u32>(record, IN_CHALLENGE_VOTE_OUTCOME);
    if (bytes != IN_CHALLENGE_VOTE_BYTES) return false;
    return outcome >= <u32>CHALLENGE_SUCCEEDED && outcome <= <u32>CHALLENGE_PARTIAL;
  }
  if (opcode == OP_REPLAY_OUTCOME) {
    if (bytes != IN_REPLAY_OUTCOME_BYTES || load<u32>(record, IN_REPLAY_IS_CODE_OR_DATA) > 1) return false;
    return load<u32>(record, IN_REPLAY_OUTCOME) <= <u32>OUTCOME_MISMATCH;
  }
  if (opcode == OP_CANARY_COMMIT) return bytes == IN_CANARY_COMMIT_BYTES;
  const type = load<u32>(record, IN_CANARY_TYPE);
  if (bytes != IN_CANARY_REVEAL_BYTES || type < <u32>CANARY_KNOWN_GOOD || type > <u32>CANARY_EDGE_CASE)
    return false;
  return load<u32>(record, IN_CANARY_TRUTH) <= 1;
}

/** True for the operations of validators on their own record. */
export function isValidatorCommand(opcode: u32): bool {
  return opcode >= <u32>OP_VALIDATOR_APPLY && opcode <= <u32>OP_KEY_ROTATE;
}

/** True for the operations on challenges, replays and canaries. */
export function isCaseCommand(opcode: u32): bool {
  return opcode >= <u32>OP_CHALLENGE_OPEN && opcode <= <u32>OP_CANARY_REVEAL;
}

/** True for the operations on one task, its creation included. */
export function isTaskCommand(opcode: u32): bool {
  if (opcode == OP_TASK_RELEASE || opcode == OP_TASK_CONTEST || opcode == OP_TASK_CONCEDE) return true;
  if (opcode == OP_TASK_DECLINE || opcode == OP_TASK_OPEN) return true;
  return opcode >= <u32>OP_TASK_CREATE && opcode <= <u32>OP_TRAJECTORY_COMMIT;
}

/** True when the record has the length and the ranges of its opcode. */
export function isWellFormed(record: usize, opcode: u32, bytes: u32): bool {
  if (bytes < <u32>COMMAND_FIELDS || load<u32>(record, IN_WINDOW) > <u32>MAX_WINDOW_SECS) return false;
  if (opcode == OP_REGISTER) return isRegistration(record, bytes);
  if (opcode == OP_FAUCET || opcode == OP_CANARY_RETURN || opcode == OP_PROGRAM_PUBLISH)
    return bytes == COMMAND_FIELDS;
  if (opcode == OP_TRANSFER || opcode == OP_GENERATION) {
    return bytes == IN_TRANSFER_BYTES && isAmount(load<u64>(record, IN_AMOUNT));
  }
  if (opcode == OP_STAKE || opcode == OP_UNSTAKE) {
    return bytes == IN_STAKE_BYTES && isAmount(load<u64>(record, IN_STAKE_AMOUNT));
  }
  if (opcode == OP_VERIFY) return bytes == IN_VERIFY_BYTES && isVerdict(record);
  if (opcode == OP_VOTE_COMMIT) return bytes == IN_VOTE_COMMIT_BYTES;
  if (opcode == OP_KEY_CREATE) return bytes == IN_API_KEY_BYTES && isNewKey(record);
  if (opcode == OP_KEY_REVOKE) return bytes == IN_API_KEY_REVOKE_BYTES;
  if (isTaskCommand(opcode)) return isTaskRecord(record, opcode, bytes);
  if (isValidatorCommand(opcode)) return isValidatorRecord(record, opcode, bytes);
  if (isCaseCommand(opcode)) return isCaseRecord(record, opcode, bytes);
  if (opcode == OP_VALIDATOR_JUDGE) return isAnnouncement(record, bytes);
  if (opcode == OP_VALIDATOR_OBJECT)
    return bytes == IN_VALIDATOR_BYTES && isValidatorForm(record + IN_VALIDATOR);
  if (isRouterCommand(opcode)) return isRouterRecord(record, opcode, bytes);
  return (opcode == OP_SERVICE_LIST || opcode == OP_SERVICE_UNLIST) && bytes == COMMAND_FIELDS;
}
