// One validator: how well it judges, what that brings in, what it was found wrong in.

import type { Calibration, Challenge, ReplayJob, Validator } from '../../client/index.ts';
import { Columns } from '../chart/columns.tsx';
import { Figure } from '../chart/figure.tsx';
import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { CopyId } from '../parts/copy.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Fault, Loading } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Title } from '../parts/title.tsx';
import { AgentLink, Chip, Money, ThingLink, Time } from '../parts/values.tsx';
import type { Place } from '../routes.ts';
import { formatCount, formatMicro } from '../text/amount.ts';
import { formatLocal } from '../text/time.ts';
import { formatBp, formatRatio, plural, words } from '../text/words.ts';
import { type Verdict, verdictOn } from '../validators/sums.ts';
import { Sealed, Seals } from '../verify/seals.tsx';

const EVERY_MS = 10_000;
/** Newest verdicts that are looked into: two small reads each, once. */
const MAX_VERDICTS = 20;
const SHOWN = 10;

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

async function verdictsOf({ id, agent_id }: Validator): Promise<Verdict[]> {
  const rows = await node.recentEvents({ event_type: 'verification', agent_id, per_page: MAX_VERDICTS });
  const votes = await Promise.all(rows.map(({ event_id }) => node.event(event_id)));
  const targets = [...new Set(votes.map(({ payload }) => String(payload.target_event_id)))];
  const events = await Promise.all(targets.map((target) => node.event(target)));
  return events.flatMap((event) => verdictOn(event, id) ?? []).sort((a, b) => a.timestamp - b.timestamp);
}

const OUTCOMES = new Map([
  [true, 'With the outcome'],
  [false, 'Against the outcome'],
  [undefined, 'Not decided by a quorum'],
]);

const VERDICTS: readonly Column<Verdict>[] = [
  { name: 'On', cell: (v) => <ThingLink to="event" id={v.eventId} text={words(v.type)} /> },
  { name: 'When', cell: (v) => <Time secs={v.timestamp} /> },
  { name: 'Verdict', cell: (v) => (v.approves ? 'Approves' : 'Rejects') },
  { name: 'Outcome', cell: (v) => OUTCOMES.get(v.isRight) },
  { name: 'Income', isNumber: true, cell: (v) => <Money micro={v.income} /> },
];

/** Income and accuracy over its newest verdicts. */
function Lately({ of }: { of: Validator }) {
  const { data, error } = useRead(`verdicts of ${of.id} ${of.tasks_processed}`, () => verdictsOf(of));
  if (!data) return error ? <Fault error={error} /> : <Loading lines={3} />;
  const decided = data.filter(({ isRight }) => isRight !== undefined);
  const right = decided.filter(({ isRight }) => isRight).length;
  const income = data.reduce((sum, v) => sum + (v.income ?? 0), 0);
  return (
    <Figure
      title="Its newest verdicts"
      says={
        data.length === 0
          ? 'It has given no verdict yet.'
          : `Of its newest ${data.length} ${plural(data.length, 'verdict')}, ${right} of ${decided.length} that were decided agree with the outcome. They brought ${formatMicro(income)} tokens of fees of transfers and generations; fees of work are shared when its task is settled. Red columns are verdicts against the outcome.`
      }
      columns={VERDICTS}
      rows={[...data].reverse()}
      keyOf={(v) => v.eventId}
    >
      {data.length > 0 && (
        <Columns
          bars={data.map((v) => ({
            to: v.income ?? 0,
            title: `${formatLocal(v.timestamp)}: ${formatMicro(v.income ?? 0)}`,
          }))}
          ends={[formatLocal(data[0]!.timestamp), formatLocal(data.at(-1)!.timestamp)]}
          nameOf={formatMicro}
          isBad={(i) => data[i]?.isRight === false}
        />
      )}
    </Figure>
  );
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

const CHALLENGES: readonly Column<Challenge>[] = [
  { name: 'Opened', cell: (c) => <Time secs={c.created_at} /> },
  { name: 'For', cell: (c) => words(c.offense) },
  { name: 'Status', cell: (c) => <Chip state={c.status} /> },
  { name: 'Task', cell: (c) => <ThingLink to="task" id={c.task_id} /> },
  { name: 'Slashed', isNumber: true, cell: (c) => <Money micro={c.slash_amount} /> },
];

const REPLAYS: readonly Column<ReplayJob>[] = [
  { name: 'Task', cell: (j) => <ThingLink to="task" id={j.task_id} /> },
  { name: 'Status', cell: (j) => <Chip state={j.status} /> },
  { name: 'Outcome', cell: (j) => (j.outcome ? words(j.outcome) : '–') },
  { name: 'Due', cell: (j) => <Time secs={j.submission_deadline} /> },
  { name: 'Reward', isNumber: true, cell: (j) => <Money micro={j.reward} /> },
];

function Cases({ id }: { id: string }) {
  const challenges = useRead(
    `challenges of ${id}`,
    () => node.cases.challenges({ target_id: id, per_page: SHOWN }),
    EVERY_MS,
  );
  const replays = useRead(
    `replays of ${id}`,
    () => node.cases.jobs({ executor_id: id, per_page: SHOWN }),
    EVERY_MS,
  );
  return (
    <>
      <section>
        <h2>Challenges of its verdicts</h2>
        <Fault error={challenges.error} />
        <Table
          name="Challenges"
          columns={CHALLENGES}
          rows={challenges.data ?? []}
          keyOf={(c) => c.id}
          empty="Nobody has challenged a verdict of it."
        />
      </section>
      <section>
        <h2>Work it ran again</h2>
        <Fault error={replays.error} />
        <Table
          name="Replays"
          columns={REPLAYS}
          rows={replays.data ?? []}
          keyOf={(j) => j.id}
          empty="It was not drawn for a replay yet."
        />
      </section>
    </>
  );
}

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
          <Cases id={data.id} />
        </Seals>
      )}
    </>
  );
}
