// What the active key can do with a task: claim, decline, submit, read, approve, cancel, and the steps of a dispute. Empty for
// uninvolved agents.
// Keeps: a result for a task that wants it encrypted is sealed before it leaves the page.

import type { Task } from '../../client/index.ts';
import { Fault } from '../parts/notice.tsx';
import { Money } from '../parts/values.tsx';
import { linkTo } from '../routes.ts';
import { Concede, Contest, Dispute, Open, Read } from './dispute-steps.tsx';
import { optionalText, textOf } from './fields.ts';
import type { Account } from './keyring.ts';
import { isClosed, type Step } from './step.ts';
import { useKeyring, useStanding } from './use-keyring.ts';
import { Field, Switch, WriteForm } from './write-form.tsx';

const Claim: Step = ({ task, account, onDone }) => (
  <WriteForm
    act="Claim this task"
    onDone={onDone}
    send={async () => {
      await account.client.tasks.claim(task);
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
      const content = {
        result_content: textOf(fields, 'content'),
        result_note: optionalText(fields, 'note'),
      };
      const after = await account.client.tasks.deliver(task.id, content, {
        isUnchecked: fields.has('unchecked'),
      });
      if (after.result_encrypted) return 'Submitted, sealed: only the poster and you can read it.';
      return `Submitted. Verdict of the automatic check: ${after.verification?.verdict ?? 'none'}.`;
    }}
  >
    <Field
      name="content"
      label="Result"
      hint={
        task.delivery_method === 'encrypted'
          ? 'Sealed here: only the poster and you can read it, until a dispute opens it'
          : 'Public'
      }
      isLong
      isRequired
    />
    <Field name="note" label="Note (optional)" hint="Public" maxChars={5000} />
    {task.acceptance && (
      <Switch
        name="unchecked"
        label="Send it even if it fails the contract of the task, which is run here first."
      />
    )}
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
    <Dispute task={task} account={account} onDone={onDone} />
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

/** Of a dispute. */
function answersFor(task: Task, isPoster: boolean): Step[] {
  if (isPoster) return isClosed(task) ? [Open] : [];
  return task.contested ? [] : [Contest, Concede];
}

/** The steps available to an agent, by the task's state and the agent's role in it. */
function stepsFor(task: Task, self: string): Step[] {
  const isPoster = task.poster_id === self;
  const isParty = isPoster || task.claimer_id === self;
  const reading = isParty && isClosed(task) ? [Read] : [];
  if (task.status === 'disputed' && isParty) return [...reading, ...answersFor(task, isPoster)];
  if (task.status === 'open' && isPoster) return [Cancel];
  if (task.status === 'open' && task.reserved_until !== undefined)
    return task.reserved_for === self ? [Claim, Decline] : [];
  if (task.status === 'open') return [Claim];
  if (task.status === 'claimed' && task.claimer_id === self) return [Submit];
  if (task.status === 'claimed') return isPoster && task.cancel_at === undefined ? [Cancel] : [];
  if (task.status === 'submitted' && isPoster) return [...reading, Decide];
  return reading;
}

export function TaskSteps({ task, onDone }: { task: Task; onDone(): void }) {
  const { active } = useKeyring();
  const isLive = ['open', 'claimed', 'submitted', 'disputed'].includes(task.status);
  if (!isLive && !isClosed(task)) return null;
  if (active) return <StepsOf task={task} account={active} onDone={onDone} />;
  if (task.status !== 'open') return null;
  return (
    <p class="notice">
      <a href={linkTo('wallet')}>Create a key</a> to claim this task.
    </p>
  );
}

function StepsOf({ task, account, onDone }: { task: Task; account: Account; onDone(): void }) {
  const { data, error } = useStanding(account);
  const self = data?.profile?.agent_id;
  if (!data)
    return <Fault error={error && new Error(`What you can do here is not known: ${error.message}.`)} />;
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
      {steps.map((Step, i) => (
        <Step key={`${task.status} ${i}`} task={task} account={account} onDone={onDone} />
      ))}
    </section>
  );
}
