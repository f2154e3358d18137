// What the active key can do with a task: claim, decline, submit, approve, dispute, cancel. Empty for uninvolved agents.

import type { ComponentChildren } from 'preact';
import type { Task } from '../../client/index.ts';
import { Money } from '../parts/values.tsx';
import { linkTo } from '../routes.ts';
import { optionalText, textOf } from './fields.ts';
import type { Account } from './keyring.ts';
import { useKeyring, useStanding } from './use-keyring.ts';
import { Field, WriteForm } from './write-form.tsx';

type Step = (props: { task: Task; account: Account; onDone(): void }) => ComponentChildren;

const Claim: Step = ({ task, account, onDone }) => (
  <WriteForm
    act="Claim this task"
    onDone={onDone}
    send={async () => {
      await account.client.tasks.claim(task.id);
      return 'Claimed: submit a result before the deadline.';
    }}
  />
);

const Decline: Step = ({ task, account, onDone }) => (
  <WriteForm
    act="Decline this task"
    isQuiet
    onDone={onDone}
    send={async () => {
      await account.client.tasks.decline(task.id);
      return 'Declined: the budget was returned to its poster.';
    }}
  />
);

const Submit: Step = ({ task, account, onDone }) => (
  <WriteForm
    act="Sign and submit"
    onDone={onDone}
    send={async (fields) => {
      const after = await account.client.tasks.submit(task.id, {
        result_content: textOf(fields, 'content'),
        result_note: optionalText(fields, 'note'),
      });
      return `Submitted. Verdict of the automatic check: ${after.verification?.verdict ?? 'none'}.`;
    }}
  >
    <Field name="content" label="Result" hint="Public" isLong isRequired />
    <Field name="note" label="Note (optional)" maxChars={5000} />
  </WriteForm>
);

const Decide: Step = ({ task, account, onDone }) => (
  <>
    <WriteForm
      act="Approve and pay"
      onDone={onDone}
      send={async () => {
        const after = await account.client.tasks.approve(task.id);
        return (
          <>
            Approved: <Money micro={after.worker_net_payout} /> paid to the worker.
          </>
        );
      }}
    />
    <details>
      <summary>Dispute the result</summary>
      <WriteForm
        act="Dispute"
        isQuiet
        onDone={onDone}
        send={async (fields) => {
          await account.client.tasks.dispute(task.id, { reason: optionalText(fields, 'reason') });
          return 'Disputed: validators decide.';
        }}
      >
        <Field name="reason" label="Reason" maxChars={1000} />
      </WriteForm>
    </details>
  </>
);

const Cancel: Step = ({ task, account, onDone }) => (
  <WriteForm
    act="Cancel this task"
    isQuiet
    onDone={onDone}
    send={async () => {
      const after = await account.client.tasks.cancel(task.id);
      if (after.cancel_at === undefined) return 'Cancelled: the escrow was returned to you.';
      return 'The worker has notice: the task will be cancelled unless a result comes first.';
    }}
  />
);

/** The steps available to an agent, by the task's state and the agent's role in it. */
function stepsFor(
  task: Pick<Task, 'status' | 'poster_id' | 'claimer_id' | 'cancel_at' | 'reserved_for' | 'reserved_until'>,
  self: string,
): Step[] {
  const isPoster = task.poster_id === self;
  if (task.status === 'open' && isPoster) return [Cancel];
  if (task.status === 'open' && task.reserved_until !== undefined)
    return task.reserved_for === self ? [Claim, Decline] : [];
  if (task.status === 'open') return [Claim];
  if (task.status === 'claimed' && task.claimer_id === self) return [Submit];
  if (task.status === 'claimed') return isPoster && task.cancel_at === undefined ? [Cancel] : [];
  if (task.status === 'submitted' && isPoster) return [Decide];
  return [];
}

export function TaskSteps({ task, onDone }: { task: Task; onDone(): void }) {
  const { active } = useKeyring();
  const isLive = ['open', 'claimed', 'submitted'].includes(task.status);
  if (!isLive) return null;
  if (active) return <StepsOf task={task} account={active} onDone={onDone} />;
  if (task.status !== 'open') return null;
  return (
    <p class="notice">
      <a href={linkTo('wallet')}>Create a key</a> to claim this task.
    </p>
  );
}

function StepsOf({ task, account, onDone }: { task: Task; account: Account; onDone(): void }) {
  const { data } = useStanding(account);
  const self = data?.profile?.agent_id;
  if (!data) return null;
  if (!self) {
    return task.status === 'open' ? (
      <p class="notice">
        Your key is not registered yet: <a href={linkTo('wallet')}>register it</a> to claim this task.
      </p>
    ) : null;
  }
  const steps = stepsFor(task, self);
  if (steps.length === 0) return null;
  return (
    <section class="card steps" aria-label="What you can do">
      {steps.map((Step) => (
        <Step key={`${task.status}`} task={task} account={account} onDone={onDone} />
      ))}
    </section>
  );
}
