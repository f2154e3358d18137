// What happened to a task, from posted to paid: who, when, and how long each step took.

import type { ComponentChildren } from 'preact';
import type { Task } from '../../../client/index.ts';
import { AgentLink, Money, Time } from '../../parts/values.tsx';
import { judgingOf } from '../../text/judging.ts';
import { formatSpan } from '../../text/time.ts';
import { words } from '../../text/words.ts';

export interface Step {
  secs: number;
  title: string;
  body?: ComponentChildren;
  tone?: 'good' | 'bad' | undefined;
}

const lower = (name: string): string => words(name).toLowerCase();

function ended(t: Task): Step[] {
  if (t.completed_at !== undefined) {
    const body = (
      <>
        <AgentLink id={t.claimer_id} /> got <Money micro={t.worker_net_payout} />
        {t.resolution && `, as decided by: ${lower(t.resolution)}`}.
      </>
    );
    return [{ secs: t.completed_at, title: 'Paid', body, tone: 'good' }];
  }
  if (t.cancelled_at === undefined) return [];
  const why = t.resolution ? `${words(t.resolution)}. ` : '';
  const body = `${why}The budget went back to the poster.`;
  return [{ secs: t.cancelled_at, title: 'Cancelled', body, tone: 'bad' }];
}

/** What is known of the task's past, oldest first. */
export function stepsOf(t: Task): Step[] {
  const steps: Step[] = [
    {
      secs: t.posted_at,
      title: 'Posted',
      body: (
        <>
          By <AgentLink id={t.poster_id} />, with <Money micro={t.budget} /> put into escrow.
        </>
      ),
    },
  ];
  if (t.claimed_at !== undefined) {
    const bond = t.worker_bond > 0 && (
      <>
        , with a bond of <Money micro={t.worker_bond} />
      </>
    );
    const body = (
      <>
        By <AgentLink id={t.claimer_id} />
        {bond}.
      </>
    );
    steps.push({ secs: t.claimed_at, title: 'Claimed', body });
  }
  if (t.submitted_at !== undefined) {
    const passed = t.acceptance_report?.passed;
    const body =
      passed === undefined
        ? 'The work was handed in.'
        : `The work was handed in and ${passed ? 'passed' : 'did not pass'} the checks of the contract.`;
    steps.push({
      secs: t.submitted_at,
      title: 'Delivered',
      body,
      tone: passed === false ? 'bad' : undefined,
    });
  }
  if (t.disputed_at !== undefined) {
    const body = t.contested ? 'The worker contests it: judges decide.' : undefined;
    steps.push({ secs: t.disputed_at, title: 'Disputed', body, tone: 'bad' });
  }
  if (t.opened_at !== undefined) {
    const body = (
      <>
        By <AgentLink id={t.opened_by} />: the delivery was sealed, and is public now.
      </>
    );
    steps.push({ secs: t.opened_at, title: 'Opened', body });
  }
  return [...steps, ...ended(t)].sort((a, b) => a.secs - b.secs);
}

/** What has to happen next, and until when. */
function Next({ of: t }: { of: Task }) {
  const next: readonly [number | undefined, string] | undefined = (
    {
      open: [t.reserved_until ?? t.expires_at, 'Somebody has to claim it'],
      claimed: [t.claim_deadline, 'The worker has to deliver'],
      submitted: [t.review_deadline, 'The poster may approve or dispute; silence pays'],
      disputed: [t.dispute_deadline, t.contested ? judgingOf(t) : 'The worker has to answer the dispute'],
    } as const
  )[t.status as 'open'];
  if (!next) return null;
  const [until, text] = next;
  return (
    <li class="next">
      <b>Next</b>
      <p>
        {text}
        {until !== undefined && (
          <>
            {' '}
            until <Time secs={until} />
          </>
        )}
        .
      </p>
    </li>
  );
}

export function Story({ of: task }: { of: Task }) {
  const steps = stepsOf(task);
  return (
    <section>
      <h2>What happened</h2>
      <ol class="story">
        {steps.map((step, i) => {
          const before = steps[i - 1];
          return (
            <li key={step.title} class={step.tone}>
              <b>{step.title}</b>{' '}
              <span class="soft">
                {before && `after ${formatSpan(step.secs - before.secs)}, `}
                <Time secs={step.secs} />
              </span>
              {step.body && <p>{step.body}</p>}
            </li>
          );
        })}
        <Next of={task} />
      </ol>
    </section>
  );
}
