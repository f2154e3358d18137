// One event: its content, its position in the order, its verdicts.

import type { ComponentChildren } from 'preact';
import type { LedgerEvent, Voter } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { CopyId } from '../parts/copy.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Fault, Loading } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Title } from '../parts/title.tsx';
import { AgentId, Chip, Money, ThingLink, Time } from '../parts/values.tsx';
import { linkTo, type Place } from '../routes.ts';
import { formatCount } from '../text/amount.ts';
import { formatBp, words } from '../text/words.ts';
import { Sealed, Seals } from '../verify/seals.tsx';

const EVERY_MS = 5000;
const SIGNED_BY: Readonly<Record<string, string>> = {
  tx_v1: 'its author, over the whole request (SERVICE-TX-V1)',
  request_v1: 'its author, in the deprecated form (SERVICE-REQUEST-V1)',
  api_key: 'nobody: an API key vouched for it',
  unsigned: 'nobody',
  system: 'nobody: it follows from other events',
};

const approval = (shareBp: number | undefined): string =>
  shareBp === undefined ? 'Approves' : `Approves ${formatBp(shareBp)}`;

const VERDICTS: readonly Column<Voter>[] = [
  {
    name: 'Validator',
    cell: (v) => <a href={linkTo('validator', v.validator_id)}>{v.validator_id}</a>,
  },
  {
    name: 'Verdict',
    cell: (v) =>
      v.verdict
        ? approval(v.worker_share_bp)
        : ['Rejects', v.ground && words(v.ground)].filter(Boolean).join(': '),
  },
  { name: 'Weight', isNumber: true, cell: (v) => formatCount(v.weight) },
];

const money = (micro: number | undefined) => micro !== undefined && <Money micro={micro} />;

const sealed = (e: LedgerEvent, name: keyof LedgerEvent & string, shown: ComponentChildren) =>
  e[name] !== undefined && (
    <Sealed id={e.event_id} name={name}>
      {shown}
    </Sealed>
  );

function factsOf(e: LedgerEvent): Fact[] {
  const facts: [string, Fact[1] | false][] = [
    ['By', <AgentId key="by" id={e.agent_id} />],
    ['For', e.recipient_id && <AgentId key="for" id={e.recipient_id} />],
    ['Amount', sealed(e, 'amount', money(e.amount))],
    ['Claimed value', sealed(e, 'claimed_value', money(e.claimed_value))],
    ['Verified value', sealed(e, 'verified_value', money(e.verified_value))],
    ['Fee', sealed(e, 'fee', money(e.fee))],
    ['Memo', e.memo],
    ['Task', e.task_id && <ThingLink key="task" to="task" id={e.task_id} />],
    ['State', sealed(e, 'settlement_state', <Chip state={e.settlement_state} />)],
    ['Reason', e.settlement_reason && words(e.settlement_reason)],
    ['Verdicts until', e.deadline !== undefined && <Time key="until" secs={e.deadline} />],
    ['Time', <Time key="when" secs={e.timestamp} />],
    ['Event number', sealed(e, 'seq', formatCount(e.seq))],
    ['In vertex', <ThingLink key="vertex" to="vertex" id={e.vertex_hash} />],
    ['Order number', sealed(e, 'order', formatCount(e.order))],
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
        <Seals kind="events" docs={{ [data.event_id]: data }} one="event">
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
        </Seals>
      )}
    </>
  );
}
