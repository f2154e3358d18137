// The steps of a dispute, and reading what is sealed: by poster and worker, with their keys (protocol 15.5, 15.10).
// Keeps: a content key is sent only by a step that says that everybody can read the result afterwards.

import { Delivered } from '../pages/task/content.tsx';
import { optionalText } from './fields.ts';
import { isClosed, type Step } from './step.ts';
import { Field, Switch, WriteForm } from './write-form.tsx';

const PUBLIC = 'Everybody can read it from then on, for ever.';

export const Read: Step = ({ task, account }) => (
  <WriteForm
    act="Read the result with your key"
    isQuiet
    send={async () => {
      const { tasks } = account.client;
      return <Delivered text={await tasks.textOf(await tasks.result(task.id))} category={task.category} />;
    }}
  />
);

export const Dispute: Step = ({ task, account, onDone }) => (
  <details>
    <summary>Dispute the result</summary>
    <WriteForm
      act="Dispute"
      isQuiet
      onDone={onDone}
      send={async (fields) => {
        const { tasks } = account.client;
        const opening = fields.has('open') ? await tasks.openingOf(await tasks.get(task.id)) : {};
        const reason = optionalText(fields, 'reason');
        await tasks.dispute(task, { reason, ...opening });
        return 'Disputed: the worker answers, or gives in by silence; then judges decide.';
      }}
    >
      <Field name="reason" label="Reason" hint="Public" maxChars={1000} />
      {isClosed(task) && <Switch name="open" label={`Open the sealed result at once. ${PUBLIC}`} />}
    </WriteForm>
  </details>
);

export const Contest: Step = ({ task, account, onDone }) => (
  <WriteForm
    act={isClosed(task) ? 'Open the result and contest' : 'Contest the dispute'}
    onDone={onDone}
    send={async (fields) => {
      const { tasks } = account.client;
      const opening = await tasks.openingOf(await tasks.get(task.id));
      await tasks.contest(task.id, { reason: optionalText(fields, 'reason'), ...opening });
      return 'Contested: judges decide.';
    }}
  >
    <p class="soft">
      You stand by the result; judges decide, and the loser pays. Silence loses your whole bond.
      {isClosed(task) && ` Judges must read the sealed result, so this opens it. ${PUBLIC}`}
    </p>
    <Field name="reason" label="What the judges should know (optional)" hint="Public" maxChars={1000} />
  </WriteForm>
);

export const Concede: Step = ({ task, account, onDone }) => (
  <WriteForm
    act="Give in: the poster gets the budget back"
    isQuiet
    onDone={onDone}
    send={async () => {
      await account.client.tasks.concede(task.id);
      return 'Conceded: the budget went back, and a quarter of your bond to you.';
    }}
  />
);

export const Open: Step = ({ task, account, onDone }) => (
  <WriteForm
    act="Open the sealed result"
    isQuiet
    onDone={onDone}
    send={async () => {
      const { tasks } = account.client;
      const { content_key } = await tasks.openingOf(await tasks.get(task.id));
      if (content_key === undefined) throw new Error('The result is not sealed.');
      await tasks.open(task.id, { content_key });
      return 'Opened: everybody can read it.';
    }}
  >
    <p class="soft">You need not open it: a worker who wants to be paid must. {PUBLIC}</p>
  </WriteForm>
);
