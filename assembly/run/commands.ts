// Commands: shape of each record, common checks, the operation, and the memory of its TxID.
// Keeps: a refused command changes nothing but that its TxID is remembered once it was admitted
// (DECISIONS 1.8); registrations are never remembered.

import {
  AGENT_NOT_FOUND,
  AUTH_MASK,
  AUTH_TX_V1,
  OK,
  OP_FAUCET,
  OP_GENERATION,
  OP_KEY_CREATE,
  OP_KEY_REVOKE,
  OP_REGISTER,
  OP_STAKE,
  OP_TRANSFER,
  OP_UNSTAKE,
  OP_VERIFY,
} from '../abi';
import { admit } from '../access/admission';
import { createKey, revokeKey } from '../access/keys';
import { rememberTxid } from '../access/seen';
import { takeFromFaucet } from '../accounts/faucet';
import { register } from '../accounts/registration';
import { stake, unstake } from '../accounts/staking';
import { actorKey, beginCommand, beginDryRun, frame, OUT_TX_BYTES, refuse, setCode, txid } from '../io/frame';
import { hasRoom } from '../io/output';
import { findAgent } from '../ledger/agents';
import { equal32, isZero } from '../lib/bytes';
import { readHex32 } from '../lib/text';
import { closingBytes } from '../settlement/close';
import { generation, transfer } from '../settlement/opening';
import { verify } from '../settlement/verify';
import { header, nowSecs, PHASE_GENESIS, PHASE_VERTEX } from '../state/header';
import { isSeat } from '../validators/seats';
import { BAD, DONE, FULL } from './step';

// Amounts on the wire end at 2^53 - 1 (DECISIONS 1.2).
const MOST_AMOUNT: u64 = 9007199254740991;
const MOST_ID_BYTES: u32 = 64;
const ID: u32 = 140;
const HEX_KEY: usize = memory.data(32, 8);

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

// True when the record has the length and the ranges of its opcode.
function isWellFormed(record: usize, opcode: u32, bytes: u32): bool {
  if (opcode == OP_REGISTER) return isRegistration(record, bytes);
  if (opcode == OP_FAUCET) return bytes == 96;
  if (opcode == OP_TRANSFER || opcode == OP_GENERATION)
    return bytes == 136 && isAmount(load<u64>(record, 128));
  if (opcode == OP_STAKE || opcode == OP_UNSTAKE) return bytes == 104 && isAmount(load<u64>(record, 96));
  if (opcode == OP_VERIFY) return bytes == 144 && isVerdict(record);
  if (opcode == OP_KEY_CREATE) return bytes == 160 && isSeat(load<u32>(record, 152));
  return opcode == OP_KEY_REVOKE && bytes == 104;
}

function operate(opcode: u32): i32 {
  if (opcode == OP_TRANSFER) return transfer();
  if (opcode == OP_VERIFY) return verify();
  if (opcode == OP_GENERATION) return generation();
  if (opcode == OP_STAKE) return stake();
  if (opcode == OP_UNSTAKE) return unstake();
  if (opcode == OP_FAUCET) return takeFromFaucet();
  return opcode == OP_KEY_CREATE ? createKey() : revokeKey();
}

// An admitted command: its actor, then its own checks and effects.
function run(): i32 {
  const f = frame();
  if (f.opcode == OP_REGISTER) return register();
  const index = findAgent(actorKey());
  if (index < 0) return refuse(AGENT_NOT_FOUND);
  f.actor = <u32>index;
  return operate(f.opcode);
}

/** Room that a command may need in the out buffer, whatever becomes of it. */
function outcomeBytes(opcode: u32): u32 {
  return OUT_TX_BYTES + (opcode == OP_VERIFY ? closingBytes(header().validatorCount) : 0);
}

/** Executes a command at its place in the vertex. */
export function applyCommand(record: usize, bytes: u32): i32 {
  const h = header();
  const opcode = <u32>load<u16>(record);
  if (h.phase != PHASE_VERTEX || h.nextIndex == h.entryCount) return BAD;
  if (!isWellFormed(record, opcode, bytes)) return BAD;
  if (!hasRoom(outcomeBytes(opcode))) return FULL;

  const secs = nowSecs();
  beginCommand(record, h.nextIndex++, secs);
  let code = admit();
  if (code == OK) {
    code = run();
    if (opcode != OP_REGISTER) rememberTxid(txid(), secs);
  }
  setCode(code);
  return DONE;
}

/** Dry run at max(T, `secs`): the code, with its details at the start of the out buffer; -1 if malformed. */
export function checkCommand(record: usize, bytes: u32, secs: u64): i32 {
  if (header().phase == PHASE_GENESIS || bytes < 96 || load<u32>(record, 4) != bytes) return -1;
  if (!isWellFormed(record, load<u16>(record), bytes)) return -1;
  beginDryRun(record, max<u64>(nowSecs(), secs));
  const code = admit();
  return code == OK ? run() : code;
}
