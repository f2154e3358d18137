// Challenges and replays (protocol 4.7, 4.8).
// Keeps: a lost answer is rebuilt from the ids in its event; votes are those at the time of rebuilding.

import type { BodyOf } from './bodies.ts';
import { type Calls, type Query, segment } from './calls.ts';
import type * as o from './objects.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export class CaseCalls {
  constructor(private readonly calls: Calls) {}

  challenges = (query?: Query) => this.calls.get<o.Challenge[]>('/v1/challenges', query);
  challenge = async (id: string) => this.calls.get<o.Challenge>(`/v1/challenges/${segment(id)}`);
  jobs = (query?: Query) => this.calls.get<o.ReplayJob[]>('/v1/replay/jobs', query);
  job = async (id: string) => this.calls.get<o.ReplayJob>(`/v1/replay/jobs/${segment(id)}`);

  /** Challenges a verdict; the bond is held until the challenge is decided. */
  open = (body: BodyOf<'challengeOpen'>) =>
    this.calls.write<o.Challenge>('POST', '/v1/challenges', body, (event) =>
      this.challenge(text(event.payload.challenge_id)),
    );

  /** The vote of an active validator on a challenge. */
  vote = async (id: string, body: BodyOf<'challengeVote'>) =>
    this.calls.write<o.ChallengeVoted>(
      'POST',
      `/v1/challenges/${segment(id)}/resolve`,
      body,
      async (event) => {
        const { status, votes, ...rest } = await this.challenge(text(event.payload.challenge_id));
        return {
          event_id: event.event_id,
          challenge_id: rest.id,
          outcome: text(event.payload.outcome),
          status,
          votes,
          refunded_bond: rest.refunded_bond ?? 0,
          forfeit_amount: rest.forfeit_amount ?? 0,
          slash_amount: rest.slash_amount ?? 0,
          bounty: rest.bounty ?? 0,
        };
      },
    );

  /** Reports a replay check by check. */
  submitReplay = (body: BodyOf<'replaySubmit'>) =>
    this.calls.write<o.ReplaySubmitted>('POST', '/v1/replay/submit', body, async (event) => {
      const job = await this.job(text(event.payload.job_id));
      return {
        event_id: event.event_id,
        job,
        outcome: job.outcome ?? '',
        action: job.action ?? '',
        severity_bp: job.severity_bp ?? 0,
        mismatch_count: job.mismatch_count ?? 0,
        comparisons: job.comparisons ?? [],
      };
    });

  /** Reports a replay as a whole, or that it cannot be executed. */
  reportReplay = (body: BodyOf<'replayOutcome'>) =>
    this.calls.write<o.ReplayReported>('POST', '/v1/replay/outcome', body, async (event) => ({
      event_id: event.event_id,
      job: await this.job(text(event.payload.job_id)),
    }));
}
