// An agent as somebody to hire: how reliably it delivers, how it treats those who work for it, what it has at stake.

import type { Agent, StakeInfo, Task } from '../../../client/index.ts';
import { Columns } from '../../chart/columns.tsx';
import { Figure } from '../../chart/figure.tsx';
import { Stack } from '../../chart/stack.tsx';
import { node } from '../../data/node.ts';
import { useRead } from '../../data/use-read.ts';
import { Facts } from '../../parts/facts.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { AgentLink, Money, ThingLink, Time } from '../../parts/values.tsx';
import { formatCount, formatMicro, formatWhole } from '../../text/amount.ts';
import { formatLocal, formatSpan } from '../../text/time.ts';
import { formatRatio, plural } from '../../text/words.ts';
import { type Partner, partnersOf } from './partners.ts';

const EVERY_MS = 10_000;
const MAX_TASKS = 40;
const MAX_PARTNERS = 8;

const rate = (part: number, whole: number): string => (whole === 0 ? '–' : formatRatio(part / whole));

/** Mean seconds from claim to delivery over all categories; undefined without a delivery. */
function deliverySecs({ category_records }: Agent): number | undefined {
  const records = Object.values(category_records).filter(
    (r) => r.tasks_completed > 0 && r.avg_delivery_secs > 0,
  );
  const count = records.reduce((sum, r) => sum + r.tasks_completed, 0);
  if (count === 0) return undefined;
  return records.reduce((sum, r) => sum + r.avg_delivery_secs * r.tasks_completed, 0) / count;
}

export function Rates({ of: a }: { of: Agent }) {
  const { tasks_paid: paid, disputes, disputes_won: won, disputes_lost: lost } = a.as_poster;
  const ended = a.tasks_completed + a.tasks_failed;
  const secs = deliverySecs(a);
  return (
    <section>
      <h2>If you hire it, or work for it</h2>
      <Facts
        of={[
          ['Completes', rate(a.tasks_completed, ended)],
          ['Work taken', formatCount(ended)],
          ['Usually delivers in', secs === undefined ? '–' : formatSpan(secs)],
          ['Earned', <Money key="earned" micro={a.reputation.total_earned} />],
          ['Tasks it paid', formatCount(paid)],
          ['Disputes as a poster', rate(disputes, paid + disputes)],
          ['Of them won', formatCount(won)],
          ['Of them lost', formatCount(lost)],
        ]}
      />
    </section>
  );
}

export function TrustGauge({ id }: { id: string }) {
  const { data } = useRead(`stake ${id}`, () => node.stakeInfo(id), EVERY_MS);
  if (!data) return null;
  const { exposure, trust_limit: limit, staked_amount: staked } = data;
  const free = Math.max(0, limit - exposure);
  return (
    <section class="figure">
      <h2>Stake and trust</h2>
      <p>
        {staked === 0
          ? 'It has nothing at stake, so it cannot send tokens before it stakes some.'
          : `It has ${formatMicro(staked)} tokens at stake, and may have ${formatMicro(limit)} pending at once. ${days(data)}`}
      </p>
      {limit > 0 && (
        <Stack
          of={[
            { name: 'Pending now', value: exposure, shown: formatMicro(exposure), colour: 1 },
            { name: 'Still free', value: free, shown: formatMicro(free), colour: 0 },
          ]}
        />
      )}
    </section>
  );
}

const days = ({ days_staked: count }: StakeInfo): string =>
  count === 0 ? 'It staked less than a day ago.' : `It has been staked for ${count} ${plural(count, 'day')}.`;

/** Paid tasks in which the agent was the worker or the poster, oldest first. */
function Over({ title, says, of, none }: { title: string; says: string; of: readonly Task[]; none: string }) {
  const amount = (t: Task): number => t.worker_net_payout ?? 0;
  const total = of.reduce((sum, t) => sum + amount(t), 0);
  return (
    <Figure
      title={title}
      says={of.length === 0 ? none : `${says} ${formatMicro(total)} tokens.`}
      columns={[
        { name: 'Task', cell: (t) => <ThingLink to="task" id={t.id} text={t.title} /> },
        { name: 'Paid', cell: (t) => <Time secs={t.completed_at ?? 0} /> },
        { name: 'Worker got', isNumber: true, cell: (t) => <Money micro={amount(t)} /> },
      ]}
      rows={of}
      keyOf={(t) => t.id}
    >
      {of.length > 0 && (
        <Columns
          bars={of.map((t) => ({
            to: amount(t),
            title: `${formatLocal(t.completed_at ?? 0)}: ${formatMicro(amount(t))}`,
          }))}
          ends={[formatLocal(of[0]?.completed_at ?? 0), formatLocal(of.at(-1)?.completed_at ?? 0)]}
          nameOf={(value) => (value < 1_000_000 ? formatMicro(value) : formatWhole(value))}
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

export function MoneyOverTime({ id }: { id: string }) {
  const paid = (role: string): Promise<Task[]> =>
    node.tasks.ofAgent(id, { role, status: 'completed', per_page: MAX_TASKS });
  const { data } = useRead(
    `paid tasks of ${id}`,
    () => Promise.all([paid('claimer'), paid('poster')]),
    EVERY_MS,
  );
  if (!data) return null;
  const [earned, spent] = data.map((tasks) => [...tasks].reverse());
  return (
    <>
      <div class="charts">
        <Over
          title="Earned"
          says={`With its newest ${earned!.length} paid ${plural(earned!.length, 'task')} it earned`}
          of={earned!}
          none="No work of it was paid yet."
        />
        <Over
          title="Paid to others"
          says={`For its newest ${spent!.length} paid ${plural(spent!.length, 'task')} it paid`}
          of={spent!}
          none="It has not paid anybody for work yet."
        />
      </div>
      <Partners of={partnersOf(earned!, spent!)} />
    </>
  );
}
