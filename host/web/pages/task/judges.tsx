// Who judged a delivery or its dispute: each judge with its state, vote, weight and reason, and what both parties said.

import type { LedgerEvent, Task } from '../../../client/index.ts';
import { node } from '../../data/node.ts';
import { useRead } from '../../data/use-read.ts';
import { Facts } from '../../parts/facts.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Chip, ThingLink, Time } from '../../parts/values.tsx';
import { linkTo } from '../../routes.ts';
import { formatCount } from '../../text/amount.ts';
import { type JudgeRow, judgeRows, judgingOf, voteText } from '../../text/judging.ts';
import { plural, words } from '../../text/words.ts';
import { answerOf, missedOf, reasonsOf } from './said.ts';

const EVERY_MS = 5000;
/** Of disputes that the system opened, whose reasons are names and no sentences. */
const SYSTEM_REASONS = new Set(['nothing_delivered', 'panel_rejected']);

/** What somebody wrote, with its line breaks. */
const written = (text: string) => <span class="text">{text}</span>;

const columnsOf = (reasons: ReadonlyMap<string, string> | undefined): Column<JudgeRow>[] => [
  { name: 'Judge', cell: (j) => <a href={linkTo('validator', j.validatorId)}>{j.validatorId}</a> },
  { name: 'State', cell: (j) => <Chip state={j.state} /> },
  { name: 'Vote', cell: (j) => (j.vote ? voteText(j.vote) : '–') },
  { name: 'Weight', isNumber: true, cell: (j) => (j.vote ? formatCount(j.vote.weight) : '–') },
  {
    name: 'Reason, as written',
    cell: (j) => {
      if (!j.vote) return '–';
      if (!reasons) return <span class="soft">…</span>;
      const reason = reasons.get(j.validatorId);
      if (reason === undefined) return <a href={linkTo('validator', j.validatorId)}>Among its verdicts</a>;
      return reason === '' ? <span class="soft">None given</span> : written(reason);
    },
  },
  { name: 'When', cell: (j) => (j.vote ? <Time secs={j.vote.timestamp} /> : '–') },
];

function saysOf({ settlement_reason: end }: LedgerEvent, rows: readonly JudgeRow[]): string {
  const count = rows.filter(({ vote }) => vote).length;
  const of = rows.length > count ? ` of ${rows.length} ${plural(rows.length, 'judge')}` : '';
  return `${count} ${plural(count, 'vote')}${of}${end ? `: ${words(end).toLowerCase()}` : ''}.`;
}

function Decision({ id, task, title }: { id: string; task: Task; title: string }) {
  const { data: event } = useRead(id, () => node.event(id), EVERY_MS);
  return event ? <Judges of={event} task={task} title={title} /> : null;
}

function Judges({ of, task, title }: { of: LedgerEvent; task: Task; title: string }) {
  const { event_id: id, voters = [] } = of;
  const isOver = of.settlement_state !== 'optimistic' && of.event_type === 'task_disputed' && task.contested;
  const { data: reasons } = useRead(`reasons ${id} ${voters.length}`, () => reasonsOf(id, voters));
  const { data: missed } = useRead(`missed ${id} ${isOver}`, async () => (isOver ? missedOf(task, of) : []));
  const rows = judgeRows(of, task.dispute_judges, missed);
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <p>
        {saysOf(of, rows)} <ThingLink to="event" id={id} text="All about this decision" />
      </p>
      <Table name={title} columns={columnsOf(reasons)} rows={rows} keyOf={(j) => j.validatorId} empty="" />
    </section>
  );
}

/** Those who judge a delivery before its poster does, of an assured task. */
export function Panel({ of: task }: { of: Task }) {
  const { submission_event_id: id } = task;
  return id ? <Decision id={id} task={task} title="The judges of the delivery" /> : null;
}

/** The worker's answer, which is in its request alone. */
function Answer({ of: task }: { of: Task }) {
  const { data } = useRead(`answer ${task.id}`, async () => ({ text: await answerOf(task) }));
  if (!data) return <span class="soft">…</span>;
  if (data.text === undefined) return <>It contests the dispute.</>;
  return data.text === '' ? <>It contests the dispute, and says no more.</> : written(data.text);
}

const unanswered = ({ status, resolution }: Task): string => {
  if (status === 'disputed') return 'Nothing so far';
  return resolution === 'conceded' ? 'It conceded, or did not answer in time' : 'Nothing';
};

/** What both parties of a dispute say, and who judges it. */
export function Dispute({ of: task }: { of: Task }) {
  const { dispute_reason: reason = '', dispute_event_id: id, contested } = task;
  if (task.disputed_at === undefined) return null;
  const isSystem = SYSTEM_REASONS.has(reason);
  return (
    <>
      <section>
        <h2>The dispute</h2>
        {task.status === 'disputed' && contested && <p>{judgingOf(task)}.</p>}
        <Facts
          isWide
          of={[
            [
              isSystem ? 'Opened by the rules' : 'The poster says',
              isSystem ? words(reason) : reason === '' ? 'No reason given' : written(reason),
            ],
            ['The worker answers', contested ? <Answer key="answer" of={task} /> : unanswered(task)],
          ]}
        />
      </section>
      {id && <Decision id={id} title="The judges of the dispute" task={task} />}
    </>
  );
}
