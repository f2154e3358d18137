// What became of a validator's verdicts afterwards, over time: challenges, slashes, and work it was drawn to run again.

import type { Challenge, ReplayJob, Validator } from '../../../client/index.ts';
import { Columns } from '../../chart/columns.tsx';
import { Figure } from '../../chart/figure.tsx';
import { spansOf } from '../../chart/spans.ts';
import { node } from '../../data/node.ts';
import { useRead } from '../../data/use-read.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Chip, Money, ThingLink, Time } from '../../parts/values.tsx';
import { formatCount } from '../../text/amount.ts';
import { formatLocal, formatSpan } from '../../text/time.ts';
import { plural, words } from '../../text/words.ts';

const EVERY_MS = 30_000;
/** Newest of each kind. */
const MAX_CASES = 100;
/** Slashes of the whole network that are opened to find those of one validator. */
const MAX_SLASHES = 40;

/** Something that happened to a validator. */
export interface Case {
  id: string;
  time: number;
  kind: 'Challenge' | 'Replay' | 'Slash';
  what: string;
  outcome: string;
  /** Micro-units: slashed, or the reward of a replay. */
  amount: number | undefined;
  link: readonly ['task' | 'event', string];
}

const ofChallenge = (c: Challenge): Case => ({
  id: c.id,
  time: c.created_at,
  kind: 'Challenge',
  what: words(c.offense),
  outcome: c.status,
  amount: c.slash_amount,
  link: ['task', c.task_id],
});

const ofReplay = (j: ReplayJob): Case => ({
  id: j.id,
  time: j.created_at,
  kind: 'Replay',
  what: words(j.reason),
  outcome: j.outcome ?? j.status,
  amount: j.reward,
  link: ['task', j.task_id],
});

/** Slashes have no list of their own by agent: the newest of the network are looked through. */
async function slashesOf({ agent_id, slash_count: count }: Validator): Promise<Case[]> {
  if (count === 0) return [];
  const rows = await node.recentEvents({ event_type: 'slash', per_page: MAX_SLASHES });
  const events = await Promise.all(rows.map(({ event_id }) => node.event(event_id)));
  return events.flatMap(({ event_id, timestamp, payload }): Case[] => {
    if (payload.target_agent !== agent_id) return [];
    const [what, amount] = [words(String(payload.reason)), Number(payload.amount)];
    return [
      {
        ...{ id: event_id, time: timestamp, kind: 'Slash', what, outcome: 'slashed', amount },
        link: ['event', event_id],
      },
    ];
  });
}

async function casesOf(of: Validator): Promise<Case[]> {
  const [challenges, replays, slashes] = await Promise.all([
    node.cases.challenges({ target_id: of.id, per_page: MAX_CASES }),
    node.cases.jobs({ executor_id: of.id, per_page: MAX_CASES }),
    slashesOf(of),
  ]);
  return [...challenges.map(ofChallenge), ...replays.map(ofReplay), ...slashes].sort(
    (a, b) => b.time - a.time,
  );
}

const CASES: readonly Column<Case>[] = [
  { name: 'When', cell: (c) => <Time secs={c.time} /> },
  { name: 'What', cell: (c) => <ThingLink to={c.link[0]} id={c.link[1]} text={`${c.kind}: ${c.what}`} /> },
  { name: 'Outcome', cell: (c) => <Chip state={c.outcome} /> },
  { name: 'Slash or reward', isNumber: true, cell: (c) => <Money micro={c.amount} /> },
];

/** `2 challenges, 1 slash, 3 replays`. */
export function countsOf(cases: readonly Case[]): string {
  const names = [
    ['Challenge', 'challenge', 'challenges'],
    ['Slash', 'slash', 'slashes'],
    ['Replay', 'replay', 'replays'],
  ] as const;
  return names
    .map(([kind, one, many]) => {
      const count = cases.filter((c) => c.kind === kind).length;
      return `${formatCount(count)} ${plural(count, one, many)}`;
    })
    .join(', ');
}

export function CasesOverTime({ of }: { of: Validator }) {
  const { data: cases } = useRead(`cases of ${of.id} ${of.slash_count}`, () => casesOf(of), EVERY_MS);
  if (!cases) return null;
  if (cases.length === 0) {
    const text = 'Nobody has challenged it, it was not drawn for a replay, and it lost no stake.';
    return <Table name="Cases" columns={CASES} rows={[]} keyOf={(c) => c.id} empty={text} />;
  }
  const { length, spans } = spansOf(cases, (c) => c.time);
  const found = cases.filter(({ kind }) => kind === 'Slash').length;
  const missing = of.slash_count > found ? ` It was slashed ${of.slash_count} times in all.` : '';
  return (
    <Figure
      title="Challenges, slashes and replays"
      says={`${countsOf(cases)}, the newest of each.${missing} Each column is ${formatSpan(length)}; a red one has a slash.`}
      columns={CASES}
      rows={cases}
      keyOf={(c) => `${c.kind} ${c.id}`}
    >
      <Columns
        bars={spans.map((span) => ({
          to: span.of.length,
          title: `From ${formatLocal(span.from)}: ${countsOf(span.of)}`,
        }))}
        ends={[formatLocal(spans[0]!.from), formatLocal(spans.at(-1)!.from)]}
        nameOf={formatCount}
        isBad={(i) => spans[i]!.of.some(({ kind }) => kind === 'Slash')}
      />
    </Figure>
  );
}
