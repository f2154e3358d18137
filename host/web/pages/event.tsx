// One event: its content, its position in the order, its verdicts.

import type { LedgerEvent, Voter } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { CopyId } from '../parts/copy.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Fault, Loading } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Title } from '../parts/title.tsx';
import { AgentLink, Chip, Money, ThingLink, Time } from '../parts/values.tsx';
import type { Place } from '../routes.ts';
import { formatCount } from '../text/amount.ts';
import { words } from '../text/words.ts';

const EVERY_MS = 5000;
const SIGNED_BY: Readonly<Record<string, string>> = {
  tx_v1: 'its author, over the whole request (SERVICE-TX-V1)',
  request_v1: 'its author, in the deprecated form (SERVICE-REQUEST-V1)',
  api_key: 'nobody: an API key vouched for it',
  unsigned: 'nobody',
  system: 'nobody: it follows from other events',
};

const VERDICTS: readonly Column<Voter>[] = [
  { name: 'Validator', cell: (v) => v.validator_id },
  { name: 'Verdict', cell: (v) => (v.verdict ? 'Approves' : 'Rejects') },
  { name: 'Weight', isNumber: true, cell: (v) => formatCount(v.weight) },
];

const money = (micro: number | undefined) => micro !== undefined && <Money micro={micro} />;

function factsOf(e: LedgerEvent): Fact[] {
  const facts: [string, Fact[1] | false][] = [
    ['By', <AgentLink key="by" id={e.agent_id} />],
    ['For', e.recipient_id && <AgentLink key="for" id={e.recipient_id} />],
    ['Amount', money(e.amount)],
    ['Claimed value', money(e.claimed_value)],
    ['Verified value', money(e.verified_value)],
    ['Fee', money(e.fee)],
    ['Memo', e.memo],
    ['Task', e.task_id && <ThingLink key="task" to="task" id={e.task_id} />],
    ['State', <Chip key="state" state={e.settlement_state} />],
    ['Reason', e.settlement_reason && words(e.settlement_reason)],
    ['Verdicts until', e.deadline !== undefined && <Time key="until" secs={e.deadline} />],
    ['Time', <Time key="when" secs={e.timestamp} />],
    ['Event number', formatCount(e.seq)],
    ['In vertex', <ThingLink key="vertex" to="vertex" id={e.vertex_hash} />],
    ['Order number', formatCount(e.order)],
    ['Signed by', SIGNED_BY[e.auth] ?? e.auth],
  ];
  return facts.filter((fact): fact is [string, Fact[1]] => fact[1] !== false);
}

export function EventPage({ place }: { place: Place }) {
  const { data, error } = useRead(place.id, () => node.event(place.id), EVERY_MS);
  return (
    <>
      <Title text={data ? words(data.event_type) : 'Event'} />
      <p>
        <CopyId id={place.id} what="the event ID" />
      </p>
      <Fault error={error} />
      {!data && !error && <Loading />}
      {data && (
        <>
          <Facts isWide of={factsOf(data)} />
          {data.voters && (
            <section>
              <h2>Verdicts</h2>
              <Table
                name="Verdicts"
                columns={VERDICTS}
                rows={data.voters}
                keyOf={(v) => v.validator_id}
                empty="No verdicts yet."
              />
            </section>
          )}
          <section>
            <h2>{data.auth === 'system' ? 'Data' : 'Request'}</h2>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long texts must scroll by keyboard too. */}
            <pre tabIndex={0}>{JSON.stringify(data.payload, null, 2)}</pre>
          </section>
        </>
      )}
    </>
  );
}
