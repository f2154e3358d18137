// An agent as somebody to hire: how reliably it delivers, how it treats those who work for it, what it has at stake.

import type { Agent, StakeInfo } from '../../../client/index.ts';
import { Stack } from '../../chart/stack.tsx';
import { node } from '../../data/node.ts';
import { useRead } from '../../data/use-read.ts';
import { Facts } from '../../parts/facts.tsx';
import { Money } from '../../parts/values.tsx';
import { formatCount, formatMicro } from '../../text/amount.ts';
import { formatSpan } from '../../text/time.ts';
import { formatRatio, plural } from '../../text/words.ts';

const EVERY_MS = 10_000;

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
