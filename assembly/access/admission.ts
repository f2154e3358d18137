// Who may run a command: expiry, authentication, key scope, replay protection. The checks that all commands share.
// Keeps: the order of codes in abi.ts; a check writes nothing.
// The host has checked signatures and record formats; here are the checks that depend on the state.

import {
  AUTH_API_KEY,
  AUTH_REQUEST_V1,
  AUTH_REQUIRED,
  AUTH_SYSTEM,
  AUTH_UNSIGNED,
  CAPACITY,
  DUPLICATE_TX,
  IN_KEY_ID,
  INSUFFICIENT_BALANCE,
  INSUFFICIENT_SCOPE,
  INVALID_API_KEY,
  KEY_RATE,
  OK,
  OP_CANARY_COMMIT,
  OP_CHALLENGE_OPEN,
  OP_CHALLENGE_VOTE,
  OP_FAUCET,
  OP_GENERATION,
  OP_KEY_CREATE,
  OP_KEY_REVOKE,
  OP_KEY_ROTATE,
  OP_PROGRAM_PUBLISH,
  OP_RECOVERY_SET,
  OP_REGISTER,
  OP_REPLAY_OUTCOME,
  OP_REPLAY_SUBMIT,
  OP_ROUTER_REGISTER,
  OP_SERVICE_LIST,
  OP_SERVICE_UNLIST,
  OP_STAKE,
  OP_TASK_CONCEDE,
  OP_TASK_CONTEST,
  OP_TASK_CREATE,
  OP_TASK_DECLINE,
  OP_TASK_OPEN,
  OP_TASK_RELEASE,
  OP_TRAJECTORY_COMMIT,
  OP_TRANSFER,
  OP_UNSTAKE,
  OP_VALIDATOR_APPLY,
  OP_VALIDATOR_RESUME,
  OP_VERIFY,
  OP_VOTE_COMMIT,
  SCOPE_AGENTS,
  SCOPE_ALL,
  SCOPE_CHALLENGES,
  SCOPE_COORDINATION,
  SCOPE_PLATFORM,
  SCOPE_REPLAY,
  SCOPE_STAKING,
  SCOPE_TASKS,
  SCOPE_TRANSFERS,
  SCOPE_VERIFICATION,
  TABLE_TXIDS,
  TX_EXPIRED,
  WINDOW_AHEAD,
  WINDOW_PAST,
} from '../abi';
import { bytesFee, noteBytes, registrationFee } from '../credit/log-bytes';
import { actor, Frame, frame, NO_AGENT, refuse, txid } from '../io/frame';
import { Agent } from '../ledger/agents';
import { allowsUnsigned, hasOpenCoordination, header, isTestnet } from '../state/header';
import { isSeat, seatOperator } from '../validators/seats';
import { findKey, isUsable, keyAt, keyWaitSecs, noteKeyUse } from './keys';
import { hasSeenRow, isSeen, rememberTxid } from './seen';

// What parties of a dispute or a direct hire say, which came after the ranges below.
function isAnswer(opcode: u32): bool {
  if (opcode == OP_TASK_OPEN) return true;
  return opcode == OP_TASK_CONTEST || opcode == OP_TASK_CONCEDE || opcode == OP_TASK_DECLINE;
}

// A verdict, or the commitment to one.
function isVote(opcode: u32): bool {
  return opcode == OP_VERIFY || opcode == OP_VOTE_COMMIT;
}

// protocol 5.5: the scope that each write needs; 0 where no API key is accepted.
function scopeOf(opcode: u32): u32 {
  if (opcode == OP_FAUCET) return SCOPE_AGENTS;
  if (opcode == OP_TRANSFER || opcode == OP_GENERATION) return SCOPE_TRANSFERS;
  if (opcode == OP_STAKE || opcode == OP_UNSTAKE) return SCOPE_STAKING;
  if (isVote(opcode) || opcode == OP_VALIDATOR_APPLY || opcode == OP_VALIDATOR_RESUME)
    return SCOPE_VERIFICATION;
  if (opcode == OP_CHALLENGE_OPEN || opcode == OP_CHALLENGE_VOTE) return SCOPE_CHALLENGES;
  if (opcode == OP_REPLAY_SUBMIT || opcode == OP_REPLAY_OUTCOME) return SCOPE_REPLAY;
  if (opcode >= <u32>OP_TASK_CREATE && opcode <= <u32>OP_TRAJECTORY_COMMIT) return SCOPE_TASKS;
  if (opcode == OP_PROGRAM_PUBLISH || opcode == OP_TASK_RELEASE) return SCOPE_TASKS;
  if (isAnswer(opcode)) return SCOPE_TASKS;
  if (opcode >= <u32>OP_ROUTER_REGISTER && opcode <= <u32>OP_SERVICE_UNLIST) return SCOPE_COORDINATION;
  return opcode == OP_KEY_REVOKE ? SCOPE_PLATFORM : 0;
}

// protocol 5.6: with open coordination these need no proof, for any agent; but only the agent that operates the
// vouching node can have its listing taken down. API keys exist on the testnet only.
function isOpen(f: Frame): bool {
  if (!hasOpenCoordination()) return false;
  if (f.opcode == OP_KEY_CREATE) return isTestnet();
  if (f.opcode == OP_SERVICE_UNLIST) return f.actor == seatOperator(f.seat);
  return f.opcode >= <u32>OP_ROUTER_REGISTER && f.opcode <= <u32>OP_SERVICE_LIST;
}

// One seat's word must never spend for others: where there are several, nothing unsigned is valid (protocol 5.7).
function admitUnsigned(f: Frame): i32 {
  if (!isSeat(f.seat) || header().seatCount > 1) return refuse(AUTH_REQUIRED);
  return allowsUnsigned() || isOpen(f) ? OK : refuse(AUTH_REQUIRED);
}

// Writes that cannot be authorised by an API key (protocol 5.5).
function isKeyless(opcode: u32): bool {
  if (opcode == OP_REGISTER || opcode == OP_KEY_CREATE) return true;
  if (opcode == OP_PROGRAM_PUBLISH || opcode == OP_TASK_RELEASE) return false;
  if (isAnswer(opcode) || isVote(opcode)) return false;
  return opcode == OP_KEY_ROTATE || opcode == OP_RECOVERY_SET || opcode >= <u32>OP_CANARY_COMMIT;
}

function admitKey(f: Frame): i32 {
  if (isKeyless(f.opcode)) return refuse(AUTH_REQUIRED);
  const row = findKey(f.record + IN_KEY_ID);
  if (!isTestnet() || row < 0 || f.actor == NO_AGENT || !isSeat(f.seat)) return refuse(INVALID_API_KEY);
  const key = keyAt(<u32>row);
  if (!isUsable(key, f.actor, f.seat, f.nowSecs)) return refuse(INVALID_API_KEY);
  const scope = scopeOf(f.opcode);
  if ((key.scopes & (scope | SCOPE_ALL)) == 0) return refuse(INSUFFICIENT_SCOPE, scope);
  const waitSecs = keyWaitSecs(key, f.nowSecs);
  return waitSecs == 0 ? OK : refuse(KEY_RATE, waitSecs);
}

// protocol 5.3, 5.4, 5.7: not after its last second, and not before its first. A seat that carries a request too early
// would otherwise have it run once more each time its TxID is forgotten.
function checkWindow(f: Frame): i32 {
  if (f.lastSecond == 0) return OK;
  if (f.nowSecs > f.lastSecond) return refuse(TX_EXPIRED, WINDOW_PAST);
  return f.nowSecs + f.windowSecs < f.lastSecond ? refuse(TX_EXPIRED, WINDOW_AHEAD) : OK;
}

// A verdict answers what others had ordered. Were its first KiB not free, tiny transfers would use up what validators have.
function countedKib(f: Frame, agent: Agent): u32 {
  return isVote(f.opcode) && agent.validator != 0 && f.kib > 0 ? f.kib - 1 : f.kib;
}

// Who is not registered holds nothing, and can do nothing but register. Anybody can have an old registration ordered once
// more, so a registered agent does not pay for it.
function checkBytes(): i32 {
  const f = frame();
  if (f.actor == NO_AGENT) {
    const fee = f.opcode == OP_REGISTER ? registrationFee(f.kib) : 0;
    return fee == 0 ? OK : refuse(INSUFFICIENT_BALANCE, 0, fee);
  }
  if (f.opcode == OP_REGISTER) return OK;
  const agent = actor();
  const fee = bytesFee(agent, countedKib(f, agent), f.nowSecs);
  return agent.balance >= fee ? OK : refuse(INSUFFICIENT_BALANCE, agent.balance, fee);
}

// REQUEST-V1 does not sign the chain, so what was signed for the testnet would be valid on mainnet too (protocol 5.4).
function isScheme(f: Frame): bool {
  if (f.auth == AUTH_SYSTEM || f.auth > <u32>AUTH_UNSIGNED) return false;
  return f.auth != AUTH_REQUEST_V1 || (isTestnet() && f.opcode != OP_REGISTER);
}

/**
 * Checks that come before a command's own: TX_EXPIRED, AUTH_REQUIRED, INVALID_API_KEY, INSUFFICIENT_SCOPE, KEY_RATE,
 * DUPLICATE_TX, CAPACITY of the TxID window, and INSUFFICIENT_BALANCE for the fee of its bytes (balance, fee). None of
 * them consumes the TxID. A full window is checked here because a final refusal must remember the TxID.
 * Sources: protocol 1.6, 1.8, 5.5, 5.7.
 */
export function admit(): i32 {
  const f = frame();
  let code = checkWindow(f);
  if (code != OK) return code;
  if (!isScheme(f)) return refuse(AUTH_REQUIRED);
  if (f.auth == AUTH_UNSIGNED) code = admitUnsigned(f);
  else if (f.auth == AUTH_API_KEY) code = admitKey(f);
  if (code != OK) return code;
  if (f.opcode != OP_REGISTER && isSeen(txid())) return refuse(DUPLICATE_TX);
  if (f.opcode != OP_REGISTER && !hasSeenRow()) return refuse(CAPACITY, TABLE_TXIDS);
  return checkBytes();
}

/** What an admitted command leaves, whatever becomes of it: its TxID, one use of its API key, and its bytes. */
export function noteAdmitted(): void {
  const f = frame();
  if (f.auth == AUTH_API_KEY) noteKeyUse(<u32>findKey(f.record + IN_KEY_ID), f.nowSecs);
  if (f.opcode == OP_REGISTER) return;
  rememberTxid(txid(), f.nowSecs);
  if (f.actor == NO_AGENT) return;
  const agent = actor();
  noteBytes(agent, countedKib(f, agent), f.nowSecs);
}
