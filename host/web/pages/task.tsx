// One task: the work, the money, its history, and what the active key can do with it.

import type { Task, VerificationResult } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { CopyId } from '../parts/copy.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Fault, Loading } from '../parts/notice.tsx';
import { Title } from '../parts/title.tsx';
import { AgentLink, Chip, Money, ThingLink, Time } from '../parts/values.tsx';
import type { Place } from '../routes.ts';
import { formatRatio, words } from '../text/words.ts';
import { TaskSteps } from '../wallet/task-steps.tsx';

const EVERY_MS = 4000;

const money = (micro: number | undefined) => micro !== undefined && <Money micro={micro} />;
const time = (secs: number | undefined) => secs !== undefined && <Time secs={secs} />;

function factsOf(t: Task): Fact[] {
  const facts: [string, Fact[1] | false][] = [
    ['Status', <Chip key="status" state={t.status} />],
    ['Budget', <Money key="budget" micro={t.budget} />],
    ['In escrow', <Money key="escrow" micro={t.escrow_amount} />],
    ['Worker receives', money(t.worker_net_payout)],
    ['Posted by', <AgentLink key="poster" id={t.poster_id} />],
    ['Claimed by', t.claimer_id && <AgentLink key="claimer" id={t.claimer_id} />],
    ['Category', words(t.category)],
    ['Assurance', t.assurance_lane ? words(t.assurance_lane) : 'None: the poster decides'],
    ['Payout', words(t.payout_status)],
    ['Decided by', t.resolution && words(t.resolution)],
    ['Dispute reason', t.dispute_reason && words(t.dispute_reason)],
    ['Subtask of', t.parent_task_id && <ThingLink key="parent" to="task" id={t.parent_task_id} />],
    ['Posted', time(t.posted_at)],
    ['Claimed', time(t.claimed_at)],
    ['Result due', t.status === 'claimed' && time(t.claim_deadline)],
    ['Submitted', time(t.submitted_at)],
    ['Review until', t.status === 'submitted' && time(t.review_deadline)],
    ['Completed', time(t.completed_at)],
    ['Cancelled', time(t.cancelled_at)],
  ];
  return facts.filter((fact): fact is [string, Fact[1]] => fact[1] !== false);
}

export function TaskPage({ place }: { place: Place }) {
  const { data: task, error, refresh } = useRead(place.id, () => node.tasks.get(place.id), EVERY_MS);
  return (
    <>
      <Title text={task?.title ?? 'Task'} />
      <p>
        <CopyId id={place.id} what="the task ID" />
      </p>
      <Fault error={error} />
      {!task && !error && <Loading />}
      {task && (
        <>
          {task.description && <p class="text">{task.description}</p>}
          <TaskSteps task={task} onDone={refresh} />
          <Facts isWide of={factsOf(task)} />
          <Criteria of={task.success_criteria} />
          <Result of={task} />
          {task.verification && <Check of={task.verification} />}
        </>
      )}
    </>
  );
}

function Criteria({ of }: { of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <section>
      <h2>Success criteria</h2>
      <ul>
        {of.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  );
}

function Result({ of }: { of: Task }) {
  if (!of.submitted_at) return null;
  return (
    <section>
      <h2>Result</h2>
      {of.result_encrypted && <p class="soft">Encrypted: only the poster can read it.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long texts must scroll by keyboard too. */}
      {of.result_content && <pre tabIndex={0}>{of.result_content}</pre>}
      {of.result_note && <p class="text">{of.result_note}</p>}
      <Facts isWide of={[['Hash', of.result_hash && <code key="hash">{of.result_hash}</code>]]} />
    </section>
  );
}

function Check({ of }: { of: VerificationResult }) {
  const { gates, components, overall } = of.deterministic_report;
  return (
    <section>
      <h2>Automatic check</h2>
      <p>
        <Chip state={of.verdict} /> {formatRatio(overall)}, threshold: {formatRatio(of.threshold)}. Every node
        computes the same result, from the text alone.
      </p>
      <Facts
        of={[
          ...Object.entries(components).map(([name, ratio]): Fact => [words(name), formatRatio(ratio)]),
          ...Object.entries(gates).map(([name, holds]): Fact => [words(name), holds ? 'Passed' : 'Failed']),
        ]}
      />
    </section>
  );
}
