// The end of a block for challenges and replay jobs: the changed ones are told, those of leaving tasks leave with them.
// Keeps: a case leaves in the block in which its task does, with its last image; rows are given back after all were
// told and before their tasks' are.

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

// `task` is row + 1, as cases hold it.
function leavesWith(task: u32): bool {
  return isLeaving(taskAt(task - 1));
}

function tellChallenges(): bool {
  const changed = changedChallenges();
  for (; changed.told < changed.count; changed.told++) {
    if (!hasRoom(IMAGE + CHALLENGE_BYTES)) return false;
    const challenge = challengeAt(changedRow(changed, changed.told));
    const code = leavesWith(challenge.task) ? 1 : 0;
    writeChallenge(appendRecord(OUT_CHALLENGE, code, IMAGE + CHALLENGE_BYTES) + IMAGE, challenge, nowSecs());
  }
  return true;
}

function tellJobs(): bool {
  const changed = changedJobs();
  for (; changed.told < changed.count; changed.told++) {
    if (!hasRoom(IMAGE + JOB_BYTES)) return false;
    const job = jobAt(changedRow(changed, changed.told));
    writeJob(appendRecord(OUT_JOB, leavesWith(job.task) ? 1 : 0, IMAGE + JOB_BYTES) + IMAGE, job);
  }
  return true;
}

/** Tells the changed cases that were not told yet. False when the out buffer filled up: call again after draining. */
export function tellCases(): bool {
  return tellChallenges() && tellJobs();
}

/** Takes the told cases of leaving tasks out of the core, and begins new lists. Their tasks are still there. */
export function releaseCases(): void {
  const challenges = changedChallenges();
  for (let place: u32 = 0; place < challenges.count; place++) {
    const challenge = challengeAt(changedRow(challenges, place));
    if (leavesWith(challenge.task)) removeChallenge(challenge);
  }
  clearChanged(challenges);
  const jobs = changedJobs();
  for (let place: u32 = 0; place < jobs.count; place++) {
    const job = jobAt(changedRow(jobs, place));
    if (leavesWith(job.task)) removeJob(job);
  }
  clearChanged(jobs);
}
