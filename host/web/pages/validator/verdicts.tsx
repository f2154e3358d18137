// The newest verdicts of a validator: how many were right and what they brought, over time.
// Keeps: a vote is read once, an event until it is decided; more of them are read only when somebody asks, up to a bound.

import { useRef, useState } from 'preact/hooks';
import type { LedgerEvent, Validator } from '../../../client/index.ts';
import { Columns } from '../../chart/columns.tsx';
import { Figure } from '../../chart/figure.tsx';
import { type Span, spansOf } from '../../chart/spans.ts';
import { node } from '../../data/node.ts';
import { useRead } from '../../data/use-read.ts';
import { Fault, Loading } from '../../parts/notice.tsx';
import type { Column } from '../../parts/table.tsx';
import { Money, ThingLink, Time } from '../../parts/values.tsx';
import { formatCount, formatMicro } from '../../text/amount.ts';
import { formatLocal, formatSpan } from '../../text/time.ts';
import { formatRatio, plural, words } from '../../text/words.ts';
import { type Tally, tallyOf, type Verdict, verdictOn } from '../../validators/sums.ts';

/** Verdicts of one step: two small reads each. */
const STEP = 20;
const MAX_VERDICTS = 100;

/** By event id: what a vote is about, and what is decided. */
interface Known {
  targets: Map<string, string>;
  decided: Map<string, LedgerEvent>;
}

async function verdictsOf({ id, agent_id }: Validator, count: number, known: Known): Promise<Verdict[]> {
  const rows = await node.recentEvents({ event_type: 'verification', agent_id, per_page: count });
  const readTarget = async (vote: string): Promise<string> => {
    const target = known.targets.get(vote) ?? String((await node.event(vote)).payload.target_event_id);
    known.targets.set(vote, target);
    return target;
  };
  const targets = new Set(await Promise.all(rows.map(({ event_id }) => readTarget(event_id))));
  const readEvent = async (target: string): Promise<LedgerEvent> => {
    const event = known.decided.get(target) ?? (await node.event(target));
    if (event.settlement_state !== 'optimistic') known.decided.set(target, event);
    return event;
  };
  const events = await Promise.all([...targets].map(readEvent));
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

interface Stretch extends Span<Verdict> {
  tally: Tally;
}

const STRETCHES: readonly Column<Stretch>[] = [
  { name: 'From', cell: (s) => <Time secs={s.from} /> },
  { name: 'Verdicts', isNumber: true, cell: (s) => formatCount(s.of.length) },
  { name: 'Decided', isNumber: true, cell: (s) => formatCount(s.tally.decided) },
  { name: 'With the outcome', isNumber: true, cell: (s) => formatCount(s.tally.right) },
  { name: 'Income', isNumber: true, cell: (s) => <Money micro={s.tally.income} /> },
];

const shareOf = ({ right, decided }: Tally): number => (decided === 0 ? 0 : right / decided);
const isWrong = ({ right, decided }: Tally): boolean => right < decided;

function Charts({ of }: { of: readonly Verdict[] }) {
  const { length, spans } = spansOf(of, (v) => v.timestamp);
  const stretches = spans.map((span): Stretch => ({ ...span, tally: tallyOf(span.of) }));
  const { right, decided, income } = tallyOf(of);
  const ends = [formatLocal(spans[0]!.from), formatLocal(spans.at(-1)!.from)] as const;
  const each = `Each column is ${formatSpan(length)}.`;
  return (
    <div class="charts">
      <Figure
        title="Its verdicts over time"
        says={`Of its newest ${of.length} ${plural(of.length, 'verdict')}, ${right} of ${decided} that were decided agree with the outcome. ${each} A red one has a verdict against the outcome.`}
        columns={STRETCHES}
        rows={stretches.filter((s) => s.of.length > 0).reverse()}
        keyOf={(s) => s.from}
      >
        <Columns
          bars={stretches.map(({ from, tally }) => ({
            to: shareOf(tally),
            title: `From ${formatLocal(from)}: ${tally.right} of ${tally.decided} with the outcome`,
          }))}
          ends={ends}
          nameOf={formatRatio}
          isBad={(i) => isWrong(stretches[i]!.tally)}
        />
      </Figure>
      <Figure
        title="What they brought"
        says={`${formatMicro(income)} tokens of fees of transfers and generations; fees of work are shared when its task is settled. ${each}`}
        columns={VERDICTS}
        rows={[...of].reverse()}
        keyOf={(v) => v.eventId}
      >
        <Columns
          bars={stretches.map(({ from, tally }) => ({
            to: tally.income,
            title: `From ${formatLocal(from)}: ${formatMicro(tally.income)}`,
          }))}
          ends={ends}
          nameOf={formatMicro}
        />
      </Figure>
    </div>
  );
}

/** Income and accuracy over its newest verdicts. */
export function Lately({ of }: { of: Validator }) {
  const [count, setCount] = useState(STEP);
  const known = useRef<Known>({ targets: new Map(), decided: new Map() });
  const key = `verdicts of ${of.id} ${of.tasks_processed} ${count}`;
  const { data, error } = useRead(key, () => verdictsOf(of, count, known.current));
  const last = useRef<Verdict[] | undefined>(undefined);
  last.current = data ?? last.current;
  const shown = last.current;
  if (!shown) return error ? <Fault error={error} /> : <Loading lines={3} />;
  if (shown.length === 0) return <p class="empty">It has given no verdict yet.</p>;
  const hasMore = shown.length >= count && count < MAX_VERDICTS;
  return (
    <>
      <Charts of={shown} />
      {hasMore && (
        <p>
          <button type="button" class="quiet" disabled={!data} onClick={() => setCount(count + STEP)}>
            Take {STEP} older verdicts into account
          </button>
        </p>
      )}
    </>
  );
}
