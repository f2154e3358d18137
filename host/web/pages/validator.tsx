// One validator: how well it judges, what that brings in, what it was found wrong in.

import type { Calibration, Validator } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { CopyId } from '../parts/copy.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Fault, Loading } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Title } from '../parts/title.tsx';
import { AgentLink, Chip, Money, Time } from '../parts/values.tsx';
import type { Place } from '../routes.ts';
import { formatCount } from '../text/amount.ts';
import { formatBp, formatRatio, words } from '../text/words.ts';
import { Sealed, Seals } from '../verify/seals.tsx';
import { CasesOverTime } from './validator/cases.tsx';
import { Lately } from './validator/verdicts.tsx';

const EVERY_MS = 10_000;

const time = (secs: number | undefined) => secs !== undefined && <Time secs={secs} />;

function factsOf(v: Validator): Fact[] {
  const sealed = (name: keyof Validator & string, shown: Fact[1]): Fact[1] => (
    <Sealed id={v.id} name={name}>
      {shown}
    </Sealed>
  );
  const facts: [string, Fact[1] | false][] = [
    ['Status', sealed('status', <Chip state={v.status} />)],
    ['Stake', sealed('staked_amount', <Money micro={v.staked_amount} />)],
    ['Required stake', sealed('required_stake', <Money micro={v.required_stake} />)],
    ['Vote weight', sealed('vote_weight', <Money micro={v.vote_weight} />)],
    ['Reputation', sealed('reputation_bp', formatBp(v.reputation_bp))],
    ['Judged', sealed('tasks_processed', formatCount(v.tasks_processed))],
    ['Accuracy', v.tasks_processed > 0 ? sealed('accuracy', formatRatio(v.accuracy)) : '–'],
    ['Slashes', sealed('slash_count', formatCount(v.slash_count))],
    ['Of them for collusion', sealed('collusion_count', formatCount(v.collusion_count))],
    ['Run by', <AgentLink key="agent" id={v.agent_id} />],
    ['Judges', v.categories.length === 0 ? 'All categories' : v.categories.map(words).join(', ')],
    ['Suspended until', time(v.suspended_until)],
    ['Reason', v.suspension_reason !== undefined && words(v.suspension_reason)],
    ['Registered', <Time key="registered" secs={v.registered_at} />],
  ];
  return facts.filter((fact): fact is [string, Fact[1]] => fact[1] !== false);
}

type Signals = Calibration & { kind: string; category: string };

const signalsOf = ({ canary, calibration }: Validator): Signals[] =>
  Object.entries({ Canaries: canary, Judged: calibration }).flatMap(([kind, of]) =>
    Object.entries(of).map(([category, one]) => ({ kind, category, ...one })),
  );

const SIGNALS: readonly Column<Signals>[] = [
  { name: 'Category', cell: (s) => words(s.category) },
  { name: 'Measured by', cell: (s) => s.kind },
  { name: 'Votes', isNumber: true, cell: (s) => formatCount(s.signals) },
  { name: 'Right', isNumber: true, cell: (s) => formatCount(s.correct) },
  { name: 'Accuracy', isNumber: true, cell: (s) => (s.signals > 0 ? formatRatio(s.accuracy) : '–') },
];

export function ValidatorPage({ place }: { place: Place }) {
  const { data, error } = useRead(place.id, () => node.validators.get(place.id), EVERY_MS);
  return (
    <>
      <Title text={data ? `Validator ${data.id}` : 'Validator'} />
      <p>
        <CopyId id={data?.id ?? place.id} what="the validator ID" />
      </p>
      <Fault error={error} />
      {!data && !error && <Loading />}
      {data && (
        <Seals kind="validators" docs={{ [data.id]: data }}>
          <Facts of={factsOf(data)} />
          <Lately of={data} />
          <section>
            <h2>How well it judges</h2>
            <Table
              name="Accuracy by category"
              columns={SIGNALS}
              rows={signalsOf(data)}
              keyOf={(s) => `${s.kind} ${s.category}`}
              empty="Nothing that it judged was decided yet."
            />
          </section>
          <CasesOverTime of={data} />
        </Seals>
      )}
    </>
  );
}
