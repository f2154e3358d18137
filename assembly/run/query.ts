// core_query: one answer from the state, found by a key or a number.
// Keeps: read only; a malformed or unknown argument answers -1, never a trap.

import {
  DUE_RUN_BYTES,
  DUE_RUN_FUEL,
  DUE_RUN_NUMBER,
  DUE_RUN_TASK,
  QUERY_AGENT,
  QUERY_AGENT_FIND,
  QUERY_CAPABILITY,
  QUERY_CATEGORY,
  QUERY_CHALLENGE,
  QUERY_DUE_RUN,
  QUERY_FULL_SUPPLY,
  QUERY_HEADER,
  QUERY_ITEM,
  QUERY_ITEM_FIND,
  QUERY_ITEMS,
  QUERY_JOB,
  QUERY_KEY,
  QUERY_LANE,
  QUERY_LEAF,
  QUERY_MOVEMENTS,
  QUERY_RECORDS,
  QUERY_ROUTER,
  QUERY_SEATS,
  QUERY_TASK,
  QUERY_VALIDATOR,
  QUERY_VALIDATOR_FIND,
  TASK_BYTES,
  VALIDATOR_FORM_BYTES,
} from '../abi';
import { answerChallenge, answerJob } from '../assurance/images';
import { setOutputBytes } from '../io/output';
import { answerMovements } from '../ledger/movements';
import { CATEGORY_ROW_BYTES } from '../reputation/categories';
import { answerCapability, answerRouter } from '../router/query';
import { inputAddress, isReady, root } from '../state/root';
import { dueRun } from '../tasks/due-runs';
import { writeImage } from '../tasks/image';
import { contractOf, findTask, taskAt, taskIdOf } from '../tasks/rows';
import { fullSupply } from './audit';
import { answerAgent, answerAgentIndex, answerRecords } from './query-agents';
import { answerItem, answerItemIndex, answerItems } from './query-items';
import { answerLeaf } from './query-leaf';
import { answerCategory, answerHeader, answerKey } from './query-network';
import { answerLane, answerSeats, answerValidator, answerValidatorIndex } from './query-validators';

// Bytes of the argument of each query, by its number.
function argumentBytes(kind: u32): u32 {
  if (kind == QUERY_AGENT_FIND || kind == QUERY_ITEM_FIND || kind == QUERY_JOB) return 32;
  if (kind == QUERY_TASK || kind == QUERY_CHALLENGE) return 16;
  if (kind == QUERY_KEY || kind == QUERY_ITEMS) return 8;
  if (kind == QUERY_VALIDATOR_FIND) return VALIDATOR_FORM_BYTES;
  if (kind == QUERY_LANE) return CATEGORY_ROW_BYTES;
  if (kind == QUERY_ROUTER || kind == QUERY_SEATS || kind == QUERY_DUE_RUN || kind == QUERY_MOVEMENTS)
    return 0;
  return kind == QUERY_HEADER || kind == QUERY_FULL_SUPPLY ? 0 : 4;
}

function answerFullSupply(): i32 {
  store<u64>(root().output, fullSupply());
  return 8;
}

function answerDueRun(): i32 {
  const row = dueRun();
  if (row < 0) return -1;
  const task = taskAt(<u32>row);
  memory.copy(root().output + DUE_RUN_TASK, taskIdOf(task), 16);
  store<u32>(root().output, contractOf(task).runs, DUE_RUN_NUMBER);
  store<u32>(root().output, contractOf(task).fuel, DUE_RUN_FUEL);
  return DUE_RUN_BYTES;
}

function answerTask(id: usize): i32 {
  const row = findTask(id);
  if (row < 0) return -1;
  writeImage(root().output, taskAt(<u32>row));
  return TASK_BYTES;
}

function answerOf(kind: u32, argument: usize): i32 {
  if (kind == QUERY_HEADER) return answerHeader();
  if (kind == QUERY_AGENT_FIND) return answerAgentIndex(argument);
  if (kind == QUERY_AGENT) return answerAgent(load<u32>(argument));
  if (kind == QUERY_RECORDS) return answerRecords(load<u32>(argument));
  if (kind == QUERY_ITEM_FIND) return answerItemIndex(argument);
  if (kind == QUERY_ITEM) return answerItem(load<u32>(argument));
  if (kind == QUERY_VALIDATOR) return answerValidator(load<u32>(argument));
  if (kind == QUERY_KEY) return answerKey(argument);
  if (kind == QUERY_CATEGORY) return answerCategory(load<u32>(argument));
  if (kind == QUERY_ITEMS) return answerItems(load<u32>(argument), load<u32>(argument, 4));
  if (kind == QUERY_TASK) return answerTask(argument);
  if (kind == QUERY_CAPABILITY) return answerCapability(load<u32>(argument));
  if (kind == QUERY_ROUTER) return answerRouter();
  if (kind == QUERY_SEATS) return answerSeats();
  if (kind == QUERY_VALIDATOR_FIND) return answerValidatorIndex(argument);
  if (kind == QUERY_CHALLENGE) return answerChallenge(argument);
  if (kind == QUERY_JOB) return answerJob(argument);
  if (kind == QUERY_LANE) return answerLane(argument);
  if (kind == QUERY_DUE_RUN) return answerDueRun();
  if (kind == QUERY_LEAF) return answerLeaf(load<u32>(argument));
  if (kind == QUERY_MOVEMENTS) return answerMovements();
  return kind == QUERY_FULL_SUPPLY ? answerFullSupply() : -1;
}

/** Length of the answer in the out buffer, or -1. */
export function query(kind: u32, bytes: u32): i32 {
  if (!isReady() || bytes != argumentBytes(kind)) return -1;
  const length = answerOf(kind, inputAddress());
  setOutputBytes(length < 0 ? 0 : <u32>length);
  return length;
}
