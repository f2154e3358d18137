// A stream event as one sentence with links.
// Keeps: every type has a sentence; a type that this page does not know is shown by its name.

import type { ComponentChildren } from 'preact';
import type { StreamData, StreamEvent, StreamType } from '../../client/index.ts';
import { titleOf } from '../data/live.ts';
import { AgentLink, Money, ThingLink } from '../parts/values.tsx';
import { formatBp, words } from './words.ts';

type Sentences = { readonly [T in StreamType]?: (data: StreamData<T>) => ComponentChildren };

const who = (id: string | undefined) => <AgentLink id={id} />;
const sum = (micro: number | undefined) => <Money micro={micro} />;
const task = (id: string | undefined, text = titleOf(id ?? '')) => (
  <ThingLink to="task" id={id} text={text} />
);
const event = (id: string | undefined, text?: string) => <ThingLink to="event" id={id} text={text} />;

const SENTENCES: Sentences = {
  genesis: (d) => <>The chain {d.chain_id} starts</>,
  registration: (d) => <>{who(d.agent_id)} registers</>,
  canary_return: (d) => (
    <>
      {who(d.agent_id)}, of a canary, gives {sum(d.amount)} back to onboarding
    </>
  ),
  faucet_grant: (d) => (
    <>
      {who(d.agent_id)} gets {sum(d.amount)} from the faucet
    </>
  ),
  stake: (d) => (
    <>
      {who(d.agent_id)} stakes {sum(d.amount)}
    </>
  ),
  unstake: (d) => (
    <>
      {who(d.agent_id)} unstakes {sum(d.amount)}
    </>
  ),
  transfer: (d) => (
    <>
      {who(d.from)} sends {who(d.to)} {sum(d.amount)}
    </>
  ),
  generation: (d) => (
    <>
      {who(d.agent_id)} claims to have generated {sum(d.claimed_value)}
    </>
  ),
  verification: (d) => (
    <>
      {d.validator_id} {d.verdict ? 'approves' : 'rejects'} {event(d.target_event_id)}
      {d.ground === undefined ? '' : `: ${words(d.ground)}`}
      {d.worker_share_bp === undefined ? '' : `: ${formatBp(d.worker_share_bp)} to the worker`}
    </>
  ),
  settlement: (d) => (
    <>
      {event(d.target_event_id, words(d.target_type))} is {d.settlement_reason}
    </>
  ),
  slash: (d) => (
    <>
      {who(d.target_agent)} loses {sum(d.amount)} of stake: {words(d.reason).toLowerCase()}
    </>
  ),
  task_posted: (d) => (
    <>
      {who(d.agent_id)} posts {task(d.task_id, d.title)} for {sum(d.budget)}
    </>
  ),
  subtask_posted: (d) => (
    <>
      {who(d.agent_id)} posts {task(d.task_id, d.title)}, a subtask, for {sum(d.budget)}
    </>
  ),
  task_claimed: (d) => (
    <>
      {who(d.agent_id)} claims {task(d.task_id)}
    </>
  ),
  task_submitted: (d) => (
    <>
      {who(d.agent_id)} submits {task(d.task_id)}
      {d.verdict === undefined ? '' : `; automatic check: ${d.verdict}`}
    </>
  ),
  task_approved: (d) => (
    <>
      {who(d.agent_id)} approves {task(d.task_id)}
    </>
  ),
  task_cancelled: (d) => (
    <>
      {who(d.agent_id)} cancels {task(d.task_id)}
    </>
  ),
  task_released: (d) => (
    <>
      {who(d.agent_id)} gives {task(d.task_id)} back
    </>
  ),
  task_declined: (d) => (
    <>
      {who(d.agent_id)} declines {task(d.task_id)}
    </>
  ),
  program_published: (d) => (
    <>
      {who(d.agent_id)} publishes a program of {d.bytes} bytes
    </>
  ),
  task_checked: (d) => (
    <>
      {who(d.claimer_id)}’s delivery of {task(d.task_id)}{' '}
      {d.passed ? 'passes its contract' : `fails check ${d.check} of its contract: ${d.reason || d.end}`}
    </>
  ),
  task_cancel_requested: (d) => (
    <>
      {who(d.agent_id)} gives notice to cancel {task(d.task_id)}
    </>
  ),
  task_disputed: (d) => (
    <>
      {who(d.agent_id)} disputes {task(d.task_id)}
    </>
  ),
  task_contested: (d) => (
    <>
      {who(d.agent_id)} contests the dispute of {task(d.task_id)}
    </>
  ),
  task_opened: (d) => (
    <>
      {who(d.agent_id)} opens the sealed delivery of {task(d.task_id)}
    </>
  ),
  task_conceded: (d) => (
    <>
      {who(d.agent_id)} concedes the dispute of {task(d.task_id)}
    </>
  ),
  claim_expired: (d) => (
    <>
      {who(d.claimer_id)}’s claim on {task(d.task_id)} expires
    </>
  ),
  task_settled: (d) => (
    <>
      {task(d.task_id)} is settled
      {d.payout > 0 && (
        <>
          : {sum(d.payout)} to {who(d.claimer_id)}
        </>
      )}
      {d.refund > 0 && <>: {sum(d.refund)} refunded</>}
    </>
  ),
  task_routed: (d) => (
    <>
      {task(d.task_id)} is routed to {who(d.routed_to)}
    </>
  ),
  service_listed: (d) => (
    <>
      {who(d.agent_id)} offers {d.name}
    </>
  ),
  service_unlisted: (d) => (
    <>
      {who(d.agent_id)} no longer offers {d.name}
    </>
  ),
  router_registered: (d) => <>{who(d.agent_id)} registers for routed tasks</>,
  router_unregistered: (d) => <>{who(d.agent_id)} no longer takes routed tasks</>,
  router_availability: (d) => (
    <>
      {who(d.agent_id)} {d.available ? 'takes routed tasks again' : 'pauses routed tasks'}
    </>
  ),
  trajectory_commit: (d) => (
    <>
      {who(d.agent_id)} commits a work step on {task(d.task_id)}
    </>
  ),
  challenge_opened: (d) => (
    <>
      {who(d.agent_id)} challenges a verdict on {task(d.task_id)}
    </>
  ),
  validator_applied: (d) => (
    <>
      {who(d.agent_id)} applies to become validator {d.validator_id}
    </>
  ),
  validator_objected: (d) => (
    <>
      {who(d.agent_id)} objects to {d.validator_id} becoming active
    </>
  ),
  vote_committed: (d) => <>{d.validator_id} commits to a vote on a dispute</>,
  validator_judge: (d) => (
    <>
      {d.validator_id} {d.announced ? 'announces a judge' : 'withdraws its judge'}
    </>
  ),
  validator_status: (d) => (
    <>
      Validator {d.validator_id} is {d.status}
    </>
  ),
  seat_resumed: (d) => (
    <>
      The seat of {d.validator_id} resumed without vertices that it may have lost
      {d.writes_may_be_lost ? '; acknowledged writes may be gone' : ''}
    </>
  ),
  seat_weight: (d) => (
    <>
      {d.change === 'removed'
        ? `Seat ${d.validator_id} loses its ordering weight: it is silent`
        : `Seat ${d.validator_id} has its ordering weight again`}
    </>
  ),
};

export function EventLine({ of }: { of: StreamEvent }) {
  const sentence = SENTENCES[of.type] as ((data: StreamEvent['data']) => ComponentChildren) | undefined;
  if (sentence) return <>{sentence(of.data)}</>;
  return (
    <>
      {words(of.type)}: {who(of.data.agent_id)}
    </>
  );
}
