// The quorum on a challenge: three outcomes, judged by active validators that are not involved in it (protocol 4.7, 6.9).
// Keeps: the target, the challenger, the poster and the claimer never count, on any side, nor does the target's cluster unless it
// holds most of the weight; weights are current while the challenge is open, and those of its resolution afterwards.

import {
  CHALLENGE_FAILED,
  CHALLENGE_OPEN,
  CHALLENGE_PARTIAL,
  CHALLENGE_SUCCEEDED,
  PARAM_MIN_PARTICIPANTS,
  VALIDATOR_ACTIVE,
} from '../abi';
import { Challenge } from '../cases/challenges';
import { reachesQuorum } from '../settlement/quorum';
import { voteAt, voterOf } from '../settlement/votes';
import { header, param } from '../state/header';
import { taskAt } from '../tasks/rows';
import { inOneCluster, isClustered } from '../validators/clusters';
import { validatorAt } from '../validators/validators';
import { addActive, beginJudges, endJudges, holdsLeast, leastTotal, voteWeight } from '../validators/weight';

/** Weights of the votes, from the last count. */
@unmanaged
export class Count {
  succeeded: u64;
  failed: u64;
  partial: u64;
  /** Weight of all who may vote, whether they did or not. */
  total: u64;
  participants: u64;
  /** 1: the target's cluster may not vote. */
  barsCluster: u64;
}
const COUNT: usize = memory.data(48, 8);

export function count(): Count {
  return changetype<Count>(COUNT);
}

/** True when an agent (index) is a party to the challenge: its challenger, or poster or claimer of its task. */
export function isPartyTo(challenge: Challenge, agent: u32): bool {
  const task = taskAt(challenge.task - 1);
  return agent == challenge.challenger || agent == task.poster || agent + 1 == task.claimer;
}

/**
 * True when a validator (index) may not vote: its operator is a party, or it is the target, or in its cluster where that may
 * not vote; after barCluster.
 */
export function isBarredFrom(challenge: Challenge, validator: u32): bool {
  if (validator == challenge.target || isPartyTo(challenge, validatorAt(validator).agent)) return true;
  return count().barsCluster != 0 && inOneCluster(validator, challenge.target);
}

/**
 * Keeps the target's cluster from voting on it where those that are left hold half of the held weight: honest validators
 * agree, so a cluster may be most of the network, and the few that are left must not judge it. O(validators).
 */
export function barCluster(challenge: Challenge, nowSecs: u64): void {
  count().barsCluster = 1;
  if (!isClustered(challenge.target)) return;
  addVoters(challenge, nowSecs);
  count().barsCluster = holdsLeast() ? 1 : 0;
}

function countsIn(challenge: Challenge, validator: u32): bool {
  return validatorAt(validator).status == VALIDATOR_ACTIVE && !isBarredFrom(challenge, validator);
}

// Counts those who may vote as judges; the whole network is asked.
function addVoters(challenge: Challenge, nowSecs: u64): void {
  beginJudges();
  for (let index: u32 = 0; index < header().validatorCount; index++) {
    addActive(validatorAt(index), countsIn(challenge, index), nowSecs, true);
  }
  endJudges(nowSecs);
}

// The weights that a resolved challenge was decided with.
function readCount(challenge: Challenge): void {
  const c = count();
  c.succeeded = challenge.forSucceeded;
  c.failed = challenge.forFailed;
  c.partial = challenge.forPartial;
  c.total = challenge.totalWeight;
  c.participants = challenge.participants;
}

/** Counts the votes on a challenge into `count()`. O(validators) while it is open. */
export function countChallenge(challenge: Challenge, nowSecs: u64): void {
  if (challenge.status != CHALLENGE_OPEN) {
    readCount(challenge);
    return;
  }
  const c = count();
  memory.fill(COUNT, 0, offsetof<Count>());
  barCluster(challenge, nowSecs);
  addVoters(challenge, nowSecs);
  for (let index: u32 = 0; index < header().validatorCount; index++) {
    if (countsIn(challenge, index)) c.total += voteWeight(validatorAt(index), nowSecs);
  }
  c.total = max<u64>(c.total, leastTotal());
  for (let link = challenge.voteHead; link != 0; link = voteAt(link - 1).next) {
    const vote = voteAt(link - 1);
    if (!countsIn(challenge, voterOf(vote))) continue;
    const weight = voteWeight(validatorAt(voterOf(vote)), nowSecs);
    c.participants++;
    if (vote.value == CHALLENGE_SUCCEEDED) c.succeeded += weight;
    else if (vote.value == CHALLENGE_FAILED) c.failed += weight;
    else c.partial += weight;
  }
}

/** After countChallenge: the outcome that a quorum decided, or CHALLENGE_OPEN. */
export function decidedOutcome(): u32 {
  const c = count();
  if (c.participants < param(PARAM_MIN_PARTICIPANTS)) return CHALLENGE_OPEN;
  if (reachesQuorum(c.succeeded, c.total)) return CHALLENGE_SUCCEEDED;
  if (reachesQuorum(c.failed, c.total)) return CHALLENGE_FAILED;
  return reachesQuorum(c.partial, c.total) ? CHALLENGE_PARTIAL : CHALLENGE_OPEN;
}
