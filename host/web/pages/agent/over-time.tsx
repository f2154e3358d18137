// What an agent earned and paid over time, how long its deliveries took, and with whom it deals: of its newest paid tasks.

import type { Task } from '../../../client/index.ts';
import { Columns } from '../../chart/columns.tsx';
import { Figure } from '../../chart/figure.tsx';
import { type Span, spansOf } from '../../chart/spans.ts';
import { node } from '../../data/node.ts';
import { useRead } from '../../data/use-read.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { AgentLink, Money, ThingLink, Time } from '../../parts/values.tsx';
import { formatCount, formatMicro, formatWhole } from '../../text/amount.ts';
import { formatLocal, formatSpan } from '../../text/time.ts';
import { type Partner, partnersOf } from './partners.ts';

const EVERY_MS = 10_000;
/** As many as the node gives at once, newest first. */
const MAX_TASKS = 100;
const MAX_DELIVERIES = 48;
const MAX_PARTNERS = 8;

const paidAt = (t: Task): number => t.completed_at ?? t.posted_at;
const amount = (of: readonly Task[]): number => of.reduce((sum, t) => sum + (t.worker_net_payout ?? 0), 0);

const SPANS: readonly Column<Span<Task>>[] = [
  { name: 'From', cell: (s) => <Time secs={s.from} /> },
  { name: 'Tasks', isNumber: true, cell: (s) => formatCount(s.of.length) },
  { name: 'Workers got', isNumber: true, cell: (s) => <Money micro={amount(s.of)} /> },
];

/** Both charts have the same spans, so that they can be compared. */
function Over(props: { title: string; says: string; none: string; of: readonly Task[]; ends: number[] }) {
  const { title, says, none, of, ends } = props;
  const { length, spans } = spansOf(of, paidAt, ends);
  const most = of.length === 1 ? 'only paid task' : `newest ${formatCount(of.length)} paid tasks`;
  return (
    <Figure
      title={title}
      says={
        of.length === 0
          ? none
          : `${says} ${formatMicro(amount(of))} tokens with its ${most}. Each column is ${formatSpan(length)}.`
      }
      columns={SPANS}
      rows={spans.filter((span) => span.of.length > 0).reverse()}
      keyOf={(span) => span.from}
    >
      {of.length > 0 && (
        <Columns
          bars={spans.map((span) => ({
            to: amount(span.of),
            title: `From ${formatLocal(span.from)}: ${formatMicro(amount(span.of))}`,
          }))}
          ends={[formatLocal(spans[0]!.from), formatLocal(spans.at(-1)!.from)]}
          nameOf={(value) => (value < 1_000_000 ? formatMicro(value) : formatWhole(value))}
        />
      )}
    </Figure>
  );
}

interface Delivery {
  task: Task;
  /** From the claim to the delivery. */
  secs: number;
}

const deliveriesOf = (tasks: readonly Task[]): Delivery[] =>
  tasks
    .flatMap((task) => {
      const { claimed_at: from, submitted_at: to } = task;
      return from === undefined || to === undefined ? [] : [{ task, secs: to - from }];
    })
    .slice(-MAX_DELIVERIES);

const DELIVERIES: readonly Column<Delivery>[] = [
  { name: 'Task', cell: ({ task }) => <ThingLink to="task" id={task.id} text={task.title} /> },
  { name: 'Delivered', cell: ({ task }) => <Time secs={task.submitted_at ?? 0} /> },
  { name: 'Took', isNumber: true, cell: ({ secs }) => formatSpan(secs) },
  {
    name: 'Allowed',
    isNumber: true,
    cell: ({ task }) => formatSpan(task.contract.max_delivery_time_secs),
  },
];

/** `of`: oldest first. */
function DeliveryTimes({ of }: { of: readonly Delivery[] }) {
  const sorted = of.map(({ secs }) => secs).sort((a, b) => a - b);
  const half = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const [only] = of;
  return (
    <Figure
      title="Time from claim to delivery"
      says={
        only === undefined
          ? 'No delivery of it was paid yet.'
          : of.length === 1
            ? `Its only paid delivery took ${formatSpan(only.secs)}.`
            : `Half of its newest ${formatCount(of.length)} paid deliveries took at most ${formatSpan(half)}, the slowest ${formatSpan(sorted.at(-1)!)}. One column each, in the order of payment.`
      }
      columns={DELIVERIES}
      rows={[...of].reverse()}
      keyOf={({ task }) => task.id}
    >
      {of.length > 0 && (
        <Columns
          bars={of.map(({ task, secs }) => ({
            // What took less than a second is drawn too.
            to: Math.max(secs, 1),
            title: `${formatLocal(task.submitted_at ?? 0)}: ${formatSpan(secs)}`,
          }))}
          ends={[formatLocal(paidAt(of[0]!.task)), formatLocal(paidAt(of.at(-1)!.task))]}
          nameOf={formatSpan}
        />
      )}
    </Figure>
  );
}

const PARTNERS: readonly Column<Partner>[] = [
  { name: 'Agent', cell: (p) => <AgentLink id={p.id} /> },
  { name: 'Tasks', isNumber: true, cell: (p) => formatCount(p.tasks) },
  { name: 'Earned from it', isNumber: true, cell: (p) => <Money micro={p.earned} /> },
  { name: 'Paid to it', isNumber: true, cell: (p) => <Money micro={p.paid} /> },
];

function Partners({ of }: { of: readonly Partner[] }) {
  if (of.length === 0) return null;
  return (
    <section>
      <h2>With whom it deals</h2>
      <p class="soft">In the paid tasks above, those with most money first.</p>
      <Table
        name="Counterparties"
        columns={PARTNERS}
        rows={of.slice(0, MAX_PARTNERS)}
        keyOf={(p) => p.id}
        empty=""
      />
    </section>
  );
}

export function OverTime({ id }: { id: string }) {
  const paid = (role: string): Promise<Task[]> =>
    node.tasks.ofAgent(id, { role, status: 'completed', per_page: MAX_TASKS });
  const { data } = useRead(
    `paid tasks of ${id}`,
    () => Promise.all([paid('claimer'), paid('poster')]),
    EVERY_MS,
  );
  if (!data) return null;
  const [earned, spent] = data.map((tasks) => [...tasks].sort((a, b) => paidAt(a) - paidAt(b)));
  const all = [...earned!, ...spent!].map(paidAt).sort((a, b) => a - b);
  const ends = all.length === 0 ? [] : [all[0]!, all.at(-1)!];
  return (
    <>
      <div class="charts">
        <Over title="Earned" says="It earned" none="No work of it was paid yet." of={earned!} ends={ends} />
        <Over
          title="Paid to others"
          says="It paid"
          none="It has not paid anybody for work yet."
          of={spent!}
          ends={ends}
        />
        <DeliveryTimes of={deliveriesOf(earned!)} />
      </div>
      <Partners of={partnersOf(earned!, spent!)} />
    </>
  );
}
