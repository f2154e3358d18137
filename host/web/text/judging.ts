// How far the judges of a contested dispute are, in words.
// Keeps: of a panel it is known how many it has; where all announced judges or all validators may vote it is not.

import type { LedgerEvent, Task, Voter } from '../../client/index.ts';
import { formatBp, words } from './words.ts';

type Judged = Pick<Task, 'dispute_judges' | 'dispute_panels'>;

/** How far the judges of a dispute are: "2 of 5 have committed a vote", then how many have shown theirs. */
export function judgingOf({ dispute_judges: judges = [], dispute_panels: panels }: Judged): string {
  if (judges.length === 0) return 'Judges decide: nobody has committed a vote';
  const committed = judges.filter(({ vote }) => vote !== 'none').length;
  const revealed = judges.filter(({ vote }) => vote === 'revealed').length;
  const of = panels === 1 ? `${committed} of ${judges.length}` : `${committed} so far`;
  const have = committed === 1 ? 'has' : 'have';
  return `Judges decide: ${of} ${have} committed a vote${revealed > 0 ? `, ${revealed} of them revealed` : ''}`;
}

export type JudgeState = 'drawn' | 'committed' | 'revealed' | 'missed';

export interface JudgeRow {
  validatorId: string;
  state: JudgeState;
  /** Of those whose votes are revealed. */
  vote?: Voter;
}

/**
 * Everybody who was asked about a delivery or a dispute, or has voted on it. `judges`: `dispute_judges` of the task, while
 * its dispute is open. `missed`: who committed a vote and never revealed it, once the dispute is decided. Who was drawn and
 * can vote no more has missed: the delivery is decided, or others reveal by now.
 */
export function judgeRows(
  event: LedgerEvent,
  judges: Task['dispute_judges'] = [],
  missed: readonly string[] = [],
): JudgeRow[] {
  const { voters = [], assigned_to: drawn = [], voting } = event;
  const isOpen = event.settlement_state === 'optimistic';
  const silent: JudgeState = isOpen && voting?.stage !== 'reveal' ? 'drawn' : 'missed';
  const rows = new Map<string, JudgeRow>();
  const add = (validatorId: string, state: JudgeState, vote?: Voter): void => {
    rows.set(validatorId, { validatorId, state, ...(vote && { vote }) });
  };
  // Of a dispute they are only named, among those who may all vote.
  if (event.event_type === 'task_submitted') for (const id of drawn) add(id, silent);
  for (const id of missed) add(id, 'missed');
  for (const { validator_id: id, vote } of isOpen ? judges : [])
    add(id, vote === 'none' ? silent : 'committed');
  for (const vote of voters) add(vote.validator_id, 'revealed', vote);
  return [...rows.values()];
}

/** What a vote says, for a delivery or a dispute. */
export function voteText({ verdict, worker_share_bp: share, ground }: Voter): string {
  if (!verdict) return `For the poster${ground === undefined ? '' : `: ${words(ground).toLowerCase()}`}`;
  return share === undefined ? 'For the worker' : `${formatBp(share)} to the worker`;
}
