// Trajectory commits: the core stores only their number for each task, and the times of a worker's last ones.
// Keeps: at most MAX_COMMITS for a task, and 10 of an agent in 60 s of consensus time (protocol 4.4).

import {
  COMMIT_HAS_PARENT,
  COMMIT_NOT_FOUND,
  COMMIT_PARENT_FOUND,
  COMMIT_RATE,
  IN_COMMIT_FLAGS,
  IN_TASK_ID,
  NOT_CLAIMER,
  OK,
  RESULT_AGENT,
  TASK_CLAIMED,
  TASK_NOT_FOUND,
  TASK_STATE,
  TASK_SUBMITTED,
} from '../abi';
import { commitWaitSecs, noteCommit, workerOf } from '../credit/workers';
import { commits, field32, fieldAddress, frame, refuse, setResult } from '../io/frame';
import { findTask, markTask, taskAt } from './rows';

const MAX_COMMITS: u16 = 100;

/**
 * OP_TRAJECTORY_COMMIT. Errors: TASK_NOT_FOUND, TASK_STATE (neither claimed nor submitted, or MAX_COMMITS made),
 * NOT_CLAIMER, COMMIT_NOT_FOUND (parent), COMMIT_RATE (seconds to wait).
 */
export function commitTrajectory(): i32 {
  const f = frame();
  const row = findTask(fieldAddress(IN_TASK_ID));
  if (row < 0) return refuse(TASK_NOT_FOUND);
  const task = taskAt(<u32>row);
  if (task.status != TASK_CLAIMED && task.status != TASK_SUBMITTED) return refuse(TASK_STATE);
  if (task.commitCount >= MAX_COMMITS) return refuse(TASK_STATE);
  if (task.claimer != f.actor + 1) return refuse(NOT_CLAIMER);
  const flags = field32(IN_COMMIT_FLAGS);
  const hasParent = (flags & COMMIT_HAS_PARENT) != 0;
  if (hasParent && (flags & COMMIT_PARENT_FOUND) == 0) return refuse(COMMIT_NOT_FOUND);
  const wait = commitWaitSecs(workerOf(f.actor), f.nowSecs);
  if (wait != 0) return refuse(COMMIT_RATE, wait);
  if (!commits()) return OK;

  noteCommit(workerOf(f.actor), f.nowSecs);
  task.commitCount++;
  markTask(task);
  setResult(RESULT_AGENT, f.actor);
  return OK;
}
