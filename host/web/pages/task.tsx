// One task: the work, the money, its history, and what the active key can do with it.

import type { ComponentChildren } from 'preact';
import type { Task, VerificationResult } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { Contract } from '../parts/contract.tsx';
import { CopyId } from '../parts/copy.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Fault, Loading } from '../parts/notice.tsx';
import { Title } from '../parts/title.tsx';
import { AgentId, AgentLink, Chip, Money, ThingLink, Time } from '../parts/values.tsx';
import type { Place } from '../routes.ts';
import { formatBp, formatRatio, words } from '../text/words.ts';
import { Prove } from '../verify/prove.tsx';
import { Sealed, Seals } from '../verify/seals.tsx';
import { TaskSteps } from '../wallet/task-steps.tsx';
import { BeforeClaim, NO_QUORUM } from './task/before-claim.tsx';
import { Delivered, Plain } from './task/content.tsx';
import { Flow } from './task/flow.tsx';
import { Dispute, Panel } from './task/judges.tsx';
import { Story } from './task/story.tsx';

const EVERY_MS = 4000;

const money = (micro: number | undefined) => micro !== undefined && <Money micro={micro} />;
const time = (secs: number | undefined) => secs !== undefined && <Time secs={secs} />;

const sealed = (t: Task, name: keyof Task & string, shown: ComponentChildren) =>
  t[name] !== undefined && (
    <Sealed id={t.id} name={name}>
      {shown}
    </Sealed>
  );

function factsOf(t: Task): Fact[] {
  const facts: [string, Fact[1] | false][] = [
    ['Status', sealed(t, 'status', <Chip state={t.status} />)],
    ['Budget', sealed(t, 'budget', money(t.budget))],
    ['Worker receives', sealed(t, 'worker_net_payout', money(t.worker_net_payout))],
    ['Posted by', <AgentId key="poster" id={t.poster_id} />],
    ['Claimed by', t.claimer_id && <AgentId key="claimer" id={t.claimer_id} />],
    ['Reserved for', t.reserved_for && <AgentId key="hired" id={t.reserved_for} />],
    ['Reserved until', time(t.reserved_until)],
    ['Category', words(t.category)],
    ['Assurance', t.assurance_lane ? words(t.assurance_lane) : 'None: the poster decides'],
    ['Payout', words(t.payout_status)],
    ['A claim reserves', sealed(t, 'worker_bond', money(t.worker_bond))],
    ['A dispute reserves', sealed(t, 'dispute_bond', money(t.dispute_bond))],
    ['Judges without a quorum', NO_QUORUM[t.no_quorum] ?? words(t.no_quorum)],
    ["Worker's share", t.worker_share_bp !== undefined && formatBp(t.worker_share_bp)],
    ['Judges', t.accept_no_judges === true && 'Few are announced: the poster accepts that'],
    ['Subtask of', t.parent_task_id && <ThingLink key="parent" to="task" id={t.parent_task_id} />],
    ['Result due', t.status === 'claimed' && time(t.claim_deadline)],
    ['Will be cancelled', time(t.cancel_at)],
    ['Review until', t.status === 'submitted' && time(t.review_deadline)],
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
        <Seals kind="tasks" docs={{ [task.id]: task }} one="task">
          {task.description && <p class="text">{task.description}</p>}
          {task.status === 'open' && <BeforeClaim of={task} />}
          <TaskSteps task={task} onDone={refresh} />
          <Story of={task} />
          <Panel of={task} />
          <Dispute of={task} />
          <Flow of={task} />
          <section>
            <h2>The terms</h2>
            <Facts isWide of={factsOf(task)} />
          </section>
          <Criteria of={task.success_criteria} />
          <Contract of={task} />
          <Result of={task} />
          {task.verification && <Check of={task.verification} />}
          <section>
            <h2>Proof</h2>
            <Prove kind="task" id={task.id}>
              <p>
                Your browser can check that the validators signed this task as it was at the newest
                checkpoint. The code that does so comes from this node as well: to trust nobody, take it{' '}
                <a href="#/verify">from elsewhere</a>.
              </p>
            </Prove>
          </section>
        </Seals>
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
      {of.result_encrypted && <SealedBox of={of} />}
      <Content of={of} />
      {of.result_note && <p class="text">{of.result_note}</p>}
      <Facts
        isWide
        of={[['Hash', of.result_hash && <CopyId key="hash" id={of.result_hash} what="the hash" />]]}
      />
    </section>
  );
}

/** What was delivered. A sealed box says nothing to a reader: it is there for who wants to check its hash. */
function Content({ of }: { of: Task }) {
  if (of.opened_content !== undefined) return <Delivered text={of.opened_content} category={of.category} />;
  if (!of.result_content) return null;
  if (!of.result_encrypted) return <Delivered text={of.result_content} category={of.category} />;
  return (
    <details>
      <summary>The box as it was sent</summary>
      <Plain text={of.result_content} />
    </details>
  );
}

/** Of a delivery that is sealed: who can read it, and who opened it and when. */
function SealedBox({ of: task }: { of: Task }) {
  if (task.opened_by === undefined) {
    return (
      <p class="soft">
        Sealed: only the poster and the worker can read it. In a dispute it is opened, so that judges can.
      </p>
    );
  }
  return (
    <p class="soft">
      It was sealed. <AgentLink id={task.opened_by} /> opened it {time(task.opened_at)}, for a dispute
      {task.opened_content === undefined
        ? ': the box is not one that its key makes, or holds nothing. That is no delivery.'
        : '. The hash is that of the sealed box.'}
    </p>
  );
}

function Check({ of }: { of: VerificationResult }) {
  const { gates, components, overall } = of.deterministic_report;
  return (
    <section>
      <h2>Automatic check</h2>
      <p>
        <Chip state={of.verdict} /> {formatRatio(overall)}, threshold: {formatRatio(of.threshold)}. Every node
        computes the same result, from the text alone. It is advice and moves no money: its contract, the
        poster, judges or the end of the review window do.
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
