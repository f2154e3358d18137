// What somebody has to know before a claim, at a glance: time, bonds, who judges, what happens when nobody does, and how
// the poster treats those who work for it.

import type { PosterRecord, Task } from '../../../client/index.ts';
import { node } from '../../data/node.ts';
import { useRead } from '../../data/use-read.ts';
import { type Fact, Facts } from '../../parts/facts.tsx';
import { Money } from '../../parts/values.tsx';
import { formatCount } from '../../text/amount.ts';
import { formatSpan } from '../../text/time.ts';
import { formatRatio } from '../../text/words.ts';

const EVERY_MS = 30_000;
const MAX_VALIDATORS = 200;

/** Who is paid when the judges of a dispute reach no quorum. */
export const NO_QUORUM: Readonly<Record<string, string>> = {
  split: 'Half goes to the worker, half back to the poster',
  worker: 'The worker is paid',
  poster: 'The poster gets the budget back',
};

function recordText({
  tasks_paid: paid,
  disputes,
  disputes_won: won,
  disputes_lost: lost,
}: PosterRecord): string {
  if (paid + disputes === 0) return 'It has paid for no work yet';
  const said = disputes === 0 ? 'no dispute' : `${disputes} disputed (${won} won, ${lost} lost)`;
  return `${formatCount(paid)} paid, ${said}`;
}

function judgesText(count: number | undefined): string {
  if (count === undefined) return '–';
  return count === 0 ? 'None is announced: all validators vote' : `${formatCount(count)} announced`;
}

const readFor = async (poster: string) => {
  const [{ as_poster: record }, validators] = await Promise.all([
    node.agent(poster),
    node.validators.list({ per_page: MAX_VALIDATORS }),
  ]);
  return { record, judges: validators.filter(({ is_judge: isJudge }) => isJudge).length };
};

export function BeforeClaim({ of: t }: { of: Task }) {
  const { data } = useRead(`before a claim ${t.poster_id}`, () => readFor(t.poster_id), EVERY_MS);
  const { poster_runs: runs = 0, poster_runs_passed: passed = 0 } = t;
  const facts: Fact[] = [
    ['Time to deliver', formatSpan(t.contract.max_delivery_time_secs)],
    ['Then reviewed within', formatSpan(t.contract.challenge_window_secs)],
    ['You reserve', <Money key="bond" micro={t.worker_bond} />],
    ['A dispute costs the poster', <Money key="dispute" micro={t.dispute_bond} />],
    ['Judges', judgesText(data?.judges)],
    ['If they reach no quorum', NO_QUORUM[t.no_quorum] ?? t.no_quorum],
    ['The poster so far', data && recordText(data.record)],
    [
      'Deliveries that passed its checks',
      runs > 0 && `${formatRatio(passed / runs)} of ${formatCount(runs)}`,
    ],
  ];
  return (
    <section class="card">
      <h2>Before you claim it</h2>
      <Facts isWide of={facts.filter(([, value]) => value !== false)} />
    </section>
  );
}
