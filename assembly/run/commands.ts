// Commands: common checks, the operation, and remembering its TxID.
// Keeps: a refused command changes nothing, except that its TxID is remembered, the use of its API key counted and the
// fee of its bytes paid once it was admitted (protocol 1.8, 5.5, 6.18); the TxIDs of registrations are never remembered.

import {
  AGENT_NOT_FOUND,
  COMMAND_FIELDS,
  DUPLICATE_TX,
  IN_LENGTH,
  OK,
  OP_CANARY_COMMIT,
  OP_CANARY_RETURN,
  OP_CHALLENGE_OPEN,
  OP_CHALLENGE_VOTE,
  OP_FAUCET,
  OP_GENERATION,
  OP_KEY_CREATE,
  OP_KEY_ROTATE,
  OP_PROGRAM_PUBLISH,
  OP_REGISTER,
  OP_REPLAY_OUTCOME,
  OP_REPLAY_SUBMIT,
  OP_SERVICE_LIST,
  OP_SERVICE_UNLIST,
  OP_STAKE,
  OP_SUBTASK_CREATE,
  OP_TASK_APPROVE,
  OP_TASK_CANCEL,
  OP_TASK_CLAIM,
  OP_TASK_CONCEDE,
  OP_TASK_CONTEST,
  OP_TASK_CREATE,
  OP_TASK_DECLINE,
  OP_TASK_DISPUTE,
  OP_TASK_OPEN,
  OP_TASK_RELEASE,
  OP_TASK_SUBMIT,
  OP_TRANSFER,
  OP_UNSTAKE,
  OP_VALIDATOR_APPLY,
  OP_VALIDATOR_JUDGE,
  OP_VALIDATOR_OBJECT,
  OP_VALIDATOR_RESUME,
  OP_VERIFY,
  OP_VOTE_COMMIT,
  OUT_STATUS_BYTES,
} from '../abi';
import { admit, noteAdmitted } from '../access/admission';
import { createKey, revokeKey } from '../access/keys';
import { claimFaucet } from '../accounts/faucet';
import { giveBack } from '../accounts/giving-back';
import { listService, unlistService } from '../accounts/listing';
import { register } from '../accounts/registration';
import { stake, unstake } from '../accounts/staking';
import { commitCanary, revealCanary } from '../assurance/canary-steps';
import { openChallenge } from '../assurance/challenge-opening';
import { voteOnChallenge } from '../assurance/challenge-votes';
import { reportReplay, submitReplay } from '../assurance/replay-results';
import { caseStepBytes } from '../assurance/room';
import {
  actorKey,
  beginCommand,
  beginDryRun,
  frame,
  NO_AGENT,
  OUT_TX_BYTES,
  refuse,
  setCode,
} from '../io/frame';
import { BAD, DONE, FULL, hasRoom } from '../io/output';
import { findAgent } from '../ledger/agents';
import { generation, transfer } from '../settlement/opening';
import { header, nowSecs, PHASE_GENESIS, PHASE_VERTEX } from '../state/header';
import { concedeDispute, contestDispute } from '../tasks/answers';
import { claimTask, releaseTask } from '../tasks/claims';
import { taskStepBytes } from '../tasks/deadlines';
import { approveTask, cancelOwnTask, disputeTask } from '../tasks/decisions';
import { createSubtask, createTask } from '../tasks/posting';
import { publishProgram } from '../tasks/programs';
import { declineTask } from '../tasks/reservation';
import { openDelivery } from '../tasks/sealed';
import { submitTask } from '../tasks/submission';
import { commitTrajectory } from '../tasks/trajectory';
import { commitAny, verifyAny } from '../tasks/verdicts';
import { applyAsValidator } from '../validators/applying';
import { announceJudge } from '../validators/judges';
import { rotateKey, setRecoveryKey } from '../validators/key-rotation';
import { objectToApplicant } from '../validators/objections';
import { resumeValidator } from '../validators/resuming';
import { isIdTaken } from './known-ids';
import { nameAgents } from './look-ahead';
import {
  beginRouting,
  isRouterCommand,
  NOTIFY_ROUTER_BYTES,
  notifyRouter,
  operateRouter,
  ROUTER_COMMAND_BYTES,
} from './routing';
import { isCaseCommand, isTaskCommand, isValidatorCommand, isWellFormed } from './shapes';

function operateTask(opcode: u32): i32 {
  if (opcode == OP_TASK_CREATE) return createTask();
  if (opcode == OP_TASK_CLAIM) return claimTask();
  if (opcode == OP_TASK_SUBMIT) return submitTask();
  if (opcode == OP_TASK_APPROVE) return approveTask();
  if (opcode == OP_TASK_DISPUTE) return disputeTask();
  if (opcode == OP_TASK_CANCEL) return cancelOwnTask();
  if (opcode == OP_TASK_RELEASE) return releaseTask();
  if (opcode == OP_TASK_CONTEST) return contestDispute();
  if (opcode == OP_TASK_CONCEDE) return concedeDispute();
  if (opcode == OP_TASK_DECLINE) return declineTask();
  if (opcode == OP_TASK_OPEN) return openDelivery();
  return opcode == OP_SUBTASK_CREATE ? createSubtask() : commitTrajectory();
}

function operateValidator(opcode: u32): i32 {
  if (opcode == OP_VALIDATOR_APPLY) return applyAsValidator();
  return opcode == OP_VALIDATOR_RESUME ? resumeValidator() : setRecoveryKey();
}

function operateCase(opcode: u32): i32 {
  if (opcode == OP_CHALLENGE_OPEN) return openChallenge();
  if (opcode == OP_CHALLENGE_VOTE) return voteOnChallenge();
  if (opcode == OP_REPLAY_SUBMIT) return submitReplay();
  if (opcode == OP_REPLAY_OUTCOME) return reportReplay();
  return opcode == OP_CANARY_COMMIT ? commitCanary() : revealCanary();
}

function operate(opcode: u32): i32 {
  if (opcode == OP_TRANSFER) return transfer();
  if (opcode == OP_VERIFY) return verifyAny();
  if (opcode == OP_VOTE_COMMIT) return commitAny();
  if (isTaskCommand(opcode)) return operateTask(opcode);
  if (opcode == OP_GENERATION) return generation();
  if (opcode == OP_STAKE) return stake();
  if (opcode == OP_UNSTAKE) return unstake();
  if (opcode == OP_FAUCET) return claimFaucet();
  if (isRouterCommand(opcode)) return operateRouter(opcode);
  if (isCaseCommand(opcode)) return operateCase(opcode);
  if (isValidatorCommand(opcode)) return operateValidator(opcode);
  if (opcode == OP_VALIDATOR_OBJECT) return objectToApplicant();
  if (opcode == OP_VALIDATOR_JUDGE) return announceJudge();
  if (opcode == OP_CANARY_RETURN) return giveBack();
  if (opcode == OP_PROGRAM_PUBLISH) return publishProgram();
  if (opcode == OP_SERVICE_LIST) return listService();
  if (opcode == OP_SERVICE_UNLIST) return unlistService();
  return opcode == OP_KEY_CREATE ? createKey() : revokeKey();
}

// What the command would create must not exist, even if its TxID was forgotten: ids are derived from TxIDs.
function admitNew(): i32 {
  const code = admit();
  return code == OK && isIdTaken(frame().opcode) ? refuse(DUPLICATE_TX) : code;
}

// An admitted command: its actor, then its own checks and effects.
function run(): i32 {
  const f = frame();
  if (f.opcode == OP_REGISTER) return register();
  // Signed by a consensus or recovery key, which need not be an agent's (protocol 4.3).
  if (f.opcode == OP_KEY_ROTATE) return rotateKey();
  return f.actor == NO_AGENT ? refuse(AGENT_NOT_FOUND) : operate(f.opcode);
}

/** Space that a command may need in the out buffer, whatever its outcome. */
function outcomeBytes(opcode: u32): u32 {
  if (opcode == OP_TRANSFER) return OUT_TX_BYTES;
  if (isRouterCommand(opcode)) return OUT_TX_BYTES + ROUTER_COMMAND_BYTES;
  if (isCaseCommand(opcode)) return OUT_TX_BYTES + caseStepBytes();
  if (opcode == OP_VALIDATOR_OBJECT) return OUT_TX_BYTES + <u32>OUT_STATUS_BYTES;
  if (opcode == OP_VOTE_COMMIT) return OUT_TX_BYTES;
  if (opcode != OP_VERIFY && !isTaskCommand(opcode)) return OUT_TX_BYTES;
  return OUT_TX_BYTES + taskStepBytes() + NOTIFY_ROUTER_BYTES;
}

/** Executes a command at its place in the vertex. */
export function applyCommand(record: usize, bytes: u32): i32 {
  const h = header();
  const opcode = <u32>load<u16>(record);
  if (h.phase != PHASE_VERTEX || h.nextIndex == h.entryCount) return BAD;
  if (!isWellFormed(record, opcode, bytes)) return BAD;
  if (!hasRoom(outcomeBytes(opcode))) return FULL;

  beginCommand(record, h.nextIndex++, nowSecs());
  nameAgents();
  let code = admitNew();
  if (code == OK) {
    noteAdmitted();
    code = run();
    notifyRouter();
    if (code == OK && isRouterCommand(opcode)) beginRouting();
  }
  setCode(code);
  return DONE;
}

/** Dry run at max(T, `secs`): the code, with its details at the start of the out buffer; -1 if malformed. */
export function checkCommand(record: usize, bytes: u32, secs: u64): i32 {
  if (header().phase == PHASE_GENESIS || bytes < <u32>COMMAND_FIELDS || load<u32>(record, IN_LENGTH) != bytes)
    return -1;
  if (!isWellFormed(record, load<u16>(record), bytes)) return -1;
  beginDryRun(record, max<u64>(nowSecs(), secs));
  frame().actor = <u32>findAgent(actorKey());
  const code = admitNew();
  return code == OK ? run() : code;
}
