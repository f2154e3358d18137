// Answers about one challenge or one replay job, found by its id.
// Keeps: read only.

import { CHALLENGE_BYTES, JOB_BYTES } from '../abi';
import { challengeAt, findChallenge } from '../cases/challenges';
import { findJob, jobAt } from '../cases/jobs';
import { nowSecs } from '../state/header';
import { root } from '../state/root';
import { writeChallenge, writeJob } from './images';

/** QUERY_CHALLENGE; the argument is the address of its 16-byte id field. */
export function answerChallenge(id: usize): i32 {
  const row = findChallenge(id);
  if (row < 0) return -1;
  writeChallenge(root().output, challengeAt(<u32>row), nowSecs());
  return CHALLENGE_BYTES;
}

/** QUERY_JOB; the argument is the address of its 32-byte id. */
export function answerJob(id: usize): i32 {
  const row = findJob(id);
  if (row < 0) return -1;
  writeJob(root().output, jobAt(<u32>row));
  return JOB_BYTES;
}
