// Whether imported challenges and replay jobs are consistent with their tasks, targets and votes.
// Keeps: read only; every walk is bounded, so it ends even on damaged rows. Uses the out buffer as scratch space.

import {
  CHALLENGE_OPEN,
  CHALLENGE_PARTIAL,
  JOB_FAILED,
  JOB_PENDING,
  OFFENSE_COLLUSION,
  POOL_REPLAY_CODE,
  POOL_REPLAY_GENERAL,
  REPLAY_CLUSTER,
} from '../abi';
import { Challenge, challengeAt } from '../cases/challenges';
import { executorsOf, Job, jobAt, MAX_ATTEMPTS } from '../cases/jobs';
import { voteAt, voterOf } from '../settlement/votes';
import { header } from '../state/header';
import { root } from '../state/root';
import { isRetained } from '../tasks/retention';
import { Task, taskAt, taskRow } from '../tasks/rows';
import { validatorAt } from '../validators/validators';

/** Number of challenges found in chains of tasks. */
@unmanaged
class Totals {
  chained: u32;
}
const TOTALS: usize = memory.data(8, 8);

function totals(): Totals {
  return changetype<Totals>(TOTALS);
}

function hasSaneVotes(challenge: Challenge): bool {
  const h = header();
  let link = challenge.voteHead;
  for (let i: u32 = 0; i < challenge.voteCount; i++) {
    if (link == 0 || link > h.votesUsed || voterOf(voteAt(link - 1)) >= h.validatorCount) return false;
    if (i + 1 == challenge.voteCount && challenge.voteTail != link) return false;
    link = voteAt(link - 1).next;
  }
  return link == 0 && (challenge.voteCount == 0 || challenge.status == CHALLENGE_OPEN);
}

function isSaneChallenge(challenge: Challenge): bool {
  const h = header();
  if (challenge.status > <u32>CHALLENGE_PARTIAL || challenge.offense > <u32>OFFENSE_COLLUSION) return false;
  if (challenge.challenger >= h.agentCount || challenge.target >= h.validatorCount) return false;
  if (challenge.task == 0 || challenge.task > h.tasksUsed) return false;
  return hasSaneVotes(challenge);
}

function isSaneJob(job: Job, row: u32): bool {
  const h = header();
  if (job.status > <u32>JOB_FAILED || job.reason > <u32>REPLAY_CLUSTER) return false;
  if (job.attempt == 0 || job.attempt > MAX_ATTEMPTS) return false;
  for (let i: usize = 0; i < job.attempt; i++) {
    if (load<u16>(executorsOf(job) + (i << 1)) >= h.validatorCount) return false;
  }
  if (job.reserve < <u32>POOL_REPLAY_CODE || job.reserve > <u32>POOL_REPLAY_GENERAL) return false;
  return job.task != 0 && job.task <= h.tasksUsed && taskAt(job.task - 1).job == row + 1;
}

// Number of open cases of a task, or -1 when its chain or its job is inconsistent; counts the chain's challenges.
function countOpen(task: Task): i32 {
  const h = header();
  let open = 0;
  for (let link = task.challengeHead; link != 0; link = challengeAt(link - 1).next) {
    if (link > h.challengesUsed || ++totals().chained > h.challengesLive) return -1;
    const challenge = challengeAt(link - 1);
    if (challenge.status == 0 || challenge.task != taskRow(task) + 1) return -1;
    if (challenge.status == CHALLENGE_OPEN) open++;
  }
  if (task.job == 0) return open;
  if (task.job > h.jobsUsed) return -1;
  const job = jobAt(task.job - 1);
  if (job.status == 0 || job.task != taskRow(task) + 1) return -1;
  return job.status == JOB_PENDING ? open + 1 : open;
}

// Cases belong to retained tasks, which count them.
function hasSaneTasks(): bool {
  for (let row: u32 = 0; row < header().tasksUsed; row++) {
    const task = taskAt(row);
    if (task.status == 0) continue;
    const open = countOpen(task);
    if (open < 0 || task.openCases != <u32>open) return false;
    const hasCases = task.challengeHead != 0 || task.job != 0;
    if ((hasCases || task.isReleased != 0) && !isRetained(task)) return false;
  }
  return true;
}

function hasSaneChallenges(): bool {
  const h = header();
  let live: u32 = 0;
  memory.fill(root().output, 0, (<usize>h.validatorCount) << 2);
  for (let row: u32 = 0; row < h.challengesUsed; row++) {
    const challenge = challengeAt(row);
    if (challenge.status == 0) continue;
    live++;
    if (!isSaneChallenge(challenge)) return false;
    if (challenge.status != CHALLENGE_OPEN) continue;
    const at = root().output + ((<usize>challenge.target) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  for (let index: u32 = 0; index < h.validatorCount; index++) {
    const open = load<u32>(root().output + ((<usize>index) << 2));
    if (validatorAt(index).openChallenges != open) return false;
  }
  return live == h.challengesLive;
}

function hasSaneJobs(): bool {
  const h = header();
  let live: u32 = 0;
  for (let row: u32 = 0; row < h.jobsUsed; row++) {
    if (jobAt(row).status == 0) continue;
    live++;
    if (!isSaneJob(jobAt(row), row)) return false;
  }
  return live == h.jobsLive;
}

/** True when all cases are consistent and match the counts of the rows they belong to. */
export function hasSaneCases(): bool {
  totals().chained = 0;
  return (
    hasSaneChallenges() && hasSaneJobs() && hasSaneTasks() && totals().chained == header().challengesLive
  );
}
