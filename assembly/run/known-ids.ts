// Ids that a command would create: events, tasks, challenges, validators. They are derived from its TxID (protocol 1.3).
// Keeps: an id that exists is never created again, whether or not its TxID is still remembered.

import { OP_CHALLENGE_OPEN, OP_GENERATION, OP_SUBTASK_CREATE, OP_TASK_CREATE, OP_TRANSFER } from '../abi';
import { findChallenge } from '../cases/challenges';
import { writeChallengeId } from '../cases/ids';
import { txid } from '../io/frame';
import { findItem } from '../settlement/items';
import { derivedTaskId } from '../tasks/posting';
import { findTask } from '../tasks/rows';

const CHALLENGE_ID: usize = memory.data(16, 8);

/** True when the event, task or challenge of the command being executed exists in the core. */
export function isIdTaken(opcode: u32): bool {
  if (opcode == OP_TRANSFER || opcode == OP_GENERATION) return findItem(txid()) >= 0;
  if (opcode == OP_TASK_CREATE || opcode == OP_SUBTASK_CREATE) return findTask(derivedTaskId()) >= 0;
  if (opcode != OP_CHALLENGE_OPEN) return false;
  writeChallengeId(CHALLENGE_ID, txid());
  return findChallenge(CHALLENGE_ID) >= 0;
}
