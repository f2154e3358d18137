// API names of the core's numbers for challenges, replays and canaries (protocol 2).

import * as abi from '../../assembly/abi.ts';

type Names = Readonly<Record<number, string | undefined>>;

export const CHALLENGE_STATUS: Names = {
  [abi.CHALLENGE_OPEN]: 'open',
  [abi.CHALLENGE_SUCCEEDED]: 'succeeded',
  [abi.CHALLENGE_FAILED]: 'failed',
  [abi.CHALLENGE_PARTIAL]: 'partial',
};
/** The position numbers a status in stored lists: append only. */
export const CHALLENGE_STATUSES: readonly string[] = ['open', 'succeeded', 'failed', 'partial'];
export const OFFENSE: Names = {
  [abi.OFFENSE_FRAUDULENT_APPROVAL]: 'fraudulent_approval',
  [abi.OFFENSE_DISHONEST_REPLAY]: 'dishonest_replay',
  [abi.OFFENSE_COLLUSION]: 'collusion',
};
export const JOB_STATUS: Names = {
  [abi.JOB_PENDING]: 'pending',
  [abi.JOB_COMPLETED]: 'completed',
  [abi.JOB_FAILED]: 'failed',
};
/** The position numbers a status in stored lists: append only. */
export const JOB_STATUSES: readonly string[] = ['pending', 'completed', 'failed'];
export const REPLAY_REASON: Names = {
  [abi.REPLAY_SAMPLED]: 'sampled',
  [abi.REPLAY_PROBATION]: 'probation',
  [abi.REPLAY_CLUSTER]: 'cluster',
};
export const OUTCOME: Names = {
  [abi.OUTCOME_MATCH]: 'match',
  [abi.OUTCOME_PARTIAL_MATCH]: 'partial_match',
  [abi.OUTCOME_MISMATCH]: 'mismatch',
};
export const ACTION: Names = {
  [abi.ACTION_NONE]: 'no_action',
  [abi.ACTION_FLAG]: 'flag_for_review',
  [abi.ACTION_OPEN_CHALLENGE]: 'open_challenge',
  [abi.ACTION_SLASH]: 'slash_recommended',
};
export const CANARY_TYPE: Names = {
  [abi.CANARY_KNOWN_GOOD]: 'known_good',
  [abi.CANARY_KNOWN_BAD]: 'known_bad',
  [abi.CANARY_ADVERSARIAL]: 'adversarial',
  [abi.CANARY_EDGE_CASE]: 'edge_case',
};

/** The number of a name. Throws for a name that is not in the table. */
export function numberOf(names: Names, name: string): number {
  const found = Object.entries(names).find(([, known]) => known === name);
  if (!found) throw new Error(`no number for ${name}`);
  return Number(found[0]);
}
