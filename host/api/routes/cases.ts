// Routes of challenges and replays (protocol 4.7, 4.8).

import { CHALLENGE_STATUSES, JOB_STATUSES } from '../../core/case-names.ts';
import type { ReadContext } from '../context.ts';
import * as cases from '../handlers/cases.ts';
import type { ReadRoute, WriteRoute } from '../route.ts';
import { get, PAGE } from './get.ts';

export const CASE_READS: ReadRoute<ReadContext>[] = [
  get('/v1/challenges', 'challenges_list', 'Challenges, newest first', 'Challenge[]', cases.challenges, {
    query: [
      { kind: 'enum', name: 'status', values: CHALLENGE_STATUSES },
      { kind: 'text', name: 'task_id' },
      { kind: 'text', name: 'target_id' },
      { kind: 'text', name: 'challenger_id' },
      PAGE,
    ],
  }),
  get('/v1/challenges/{id}', 'challenges_get', 'One challenge', 'Challenge', cases.challenge, {
    errors: ['challenge_not_found'],
  }),
  get('/v1/replay/jobs', 'replay_jobs', 'Replay jobs, newest first', 'ReplayJob[]', cases.jobs, {
    query: [
      { kind: 'enum', name: 'status', values: JOB_STATUSES },
      { kind: 'text', name: 'task_id' },
      { kind: 'text', name: 'executor_id' },
      PAGE,
    ],
  }),
  get('/v1/replay/jobs/{id}', 'replay_job', 'One replay job', 'ReplayJob', cases.job, {
    errors: ['replay_job_not_found'],
  }),
];

export const CASE_WRITES: WriteRoute[] = [
  {
    method: 'POST',
    path: '/v1/challenges',
    id: 'challenges_open',
    summary: 'Challenge a verdict with a bond',
    operation: 'challengeOpen',
    reply: 'Challenge',
    errors: [
      'task_not_found',
      'validator_not_found',
      'not_challengeable',
      'self_dealing',
      'already_challenged',
      'bond_below_minimum',
      'insufficient_balance',
    ],
    limit: 'challenges',
  },
  {
    method: 'POST',
    path: '/v1/challenges/{id}/resolve',
    id: 'challenges_vote',
    summary: "A validator's vote on a challenge",
    operation: 'challengeVote',
    reply: 'ChallengeVoted',
    errors: ['challenge_not_found', 'invalid_state', 'self_dealing', 'not_a_validator', 'already_voted'],
    limit: 'resolve',
  },
  {
    method: 'POST',
    path: '/v1/replay/submit',
    id: 'replay_submit',
    summary: "An executor's report with check results",
    operation: 'replaySubmit',
    reply: 'ReplaySubmitted',
    errors: ['replay_job_not_found', 'invalid_state', 'not_assigned'],
    limit: 'replaySubmit',
  },
  {
    method: 'POST',
    path: '/v1/replay/outcome',
    id: 'replay_report',
    summary: "An executor's report without check results",
    operation: 'replayOutcome',
    reply: 'ReplayReported',
    errors: ['replay_job_not_found', 'invalid_state', 'not_assigned', 'use_replay_submit'],
    limit: 'replayOutcome',
  },
];
