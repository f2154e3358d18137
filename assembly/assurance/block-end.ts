// The end of a block for challenges and replay jobs: the changed ones are written out; they leave with their task.
// Keeps: a case leaves in the same block as its task, with its last image; rows are freed after all images were
// written and before the rows of their tasks.

import { CHALLENGE_BYTES, JOB_BYTES, OUT_CHALLENGE, OUT_JOB } from '../abi';
import { challengeAt, changedChallenges, removeChallenge } from '../cases/challenges';
import { changedJobs, jobAt, removeJob } from '../cases/jobs';
import { appendRecord, hasRoom } from '../io/output';
import { changedRow, clearChanged } from '../state/changed-rows';
import { nowSecs } from '../state/header';
import { isLeaving } from '../tasks/block-end';
import { taskAt } from '../tasks/rows';
import { writeChallenge, writeJob } from './images';

const IMAGE: u32 = 8;

// `task` is row + 1, as cases store it.
function leavesWith(task: u32): bool {
  return isLeaving(taskAt(task - 1));
}

function writeChangedChallenges(): bool {
  const changed = changedChallenges();
  for (; changed.written < changed.count; changed.written++) {
    if (!hasRoom(IMAGE + CHALLENGE_BYTES)) return false;
    const challenge = challengeAt(changedRow(changed, changed.written));
    const code = leavesWith(challenge.task) ? 1 : 0;
    writeChallenge(appendRecord(OUT_CHALLENGE, code, IMAGE + CHALLENGE_BYTES) + IMAGE, challenge, nowSecs());
  }
  return true;
}

function writeChangedJobs(): bool {
  const changed = changedJobs();
  for (; changed.written < changed.count; changed.written++) {
    if (!hasRoom(IMAGE + JOB_BYTES)) return false;
    const job = jobAt(changedRow(changed, changed.written));
    writeJob(appendRecord(OUT_JOB, leavesWith(job.task) ? 1 : 0, IMAGE + JOB_BYTES) + IMAGE, job);
  }
  return true;
}

/** Writes the changed cases not yet written. False when the out buffer is full: call again after draining it. */
export function writeChangedCases(): bool {
  return writeChangedChallenges() && writeChangedJobs();
}

/** Removes the cases of leaving tasks from the core, and starts new lists. Their tasks are still there. */
export function releaseCases(): void {
  const challenges = changedChallenges();
  for (let position: u32 = 0; position < challenges.count; position++) {
    const challenge = challengeAt(changedRow(challenges, position));
    if (leavesWith(challenge.task)) removeChallenge(challenge);
  }
  clearChanged(challenges);
  const jobs = changedJobs();
  for (let position: u32 = 0; position < jobs.count; position++) {
    const job = jobAt(changedRow(jobs, position));
    if (leavesWith(job.task)) removeJob(job);
  }
  clearChanged(jobs);
}
