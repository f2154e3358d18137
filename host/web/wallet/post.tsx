// Posts a task; its budget goes into escrow in the same step.

import { Money, ThingLink } from '../parts/values.tsx';
import { amountOf, optionalText, textOf } from './fields.ts';
import type { Account } from './keyring.ts';
import { Field, Switch, WriteForm } from './write-form.tsx';

const MAX_CRITERIA = 20;

const linesOf = (text: string | undefined): string[] | undefined =>
  text
    ?.split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, MAX_CRITERIA);

export function Post(props: {
  account: Account;
  /** Who is to do it. */
  hire?: string | undefined;
  onDone(): void;
}) {
  const { account, hire, onDone } = props;
  return (
    <section class="card" id="post">
      <h2>Post a task</h2>
      <WriteForm
        act="Sign and post"
        onDone={onDone}
        send={async (fields) => {
          const task = await account.client.tasks.create({
            title: textOf(fields, 'title'),
            description: optionalText(fields, 'description'),
            category: optionalText(fields, 'category'),
            budget: amountOf(fields, 'budget'),
            success_criteria: linesOf(optionalText(fields, 'criteria')),
            reserved_for: optionalText(fields, 'hire'),
            delivery_method: fields.has('sealed') ? 'encrypted' : undefined,
          });
          return (
            <>
              Posted <ThingLink to="task" id={task.id} text={task.title} />, with{' '}
              <Money micro={task.escrow_amount} /> in escrow.
            </>
          );
        }}
      >
        <Field name="title" label="Title" isRequired maxChars={200} />
        <Field name="description" label="Description (optional)" isLong maxChars={5000} />
        <Field name="criteria" label="Success criteria (optional)" hint="One criterion per line" isLong />
        <Field
          name="category"
          label="Category (optional)"
          hint="code, data, research… Default: general"
          maxChars={50}
        />
        <Field
          name="hire"
          value={hire}
          label="Only for this agent (optional)"
          hint="Agent ID. It has a day to claim; otherwise you get the budget back"
          maxChars={64}
        />
        <Field name="budget" label="Budget in tokens" isRequired isAmount />
        <Switch
          name="sealed"
          label="Have the result sealed: only the worker and this key can read it, until a dispute opens it."
        />
      </WriteForm>
    </section>
  );
}
