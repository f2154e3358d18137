// The validators: who judges, with what weight, and how accurately.

import type { ComponentChildren } from 'preact';
import type { NetworkState, Validator } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { Facts } from '../parts/facts.tsx';
import { Filter } from '../parts/filter.tsx';
import { Fault, Loading } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Title } from '../parts/title.tsx';
import { AgentLink, Chip, Money } from '../parts/values.tsx';
import { linkTo, type Place } from '../routes.ts';
import { formatCount } from '../text/amount.ts';
import { formatRatio } from '../text/words.ts';
import { Become } from '../validators/become.tsx';
import { byId, Sealed, Seals } from '../verify/seals.tsx';

const EVERY_MS = 10_000;
const MAX_VALIDATORS = 200;
const STATUSES = ['probation', 'active', 'suspended', 'excluded'];

const sealed = (v: Validator, name: keyof Validator & string, shown: ComponentChildren) => (
  <Sealed id={v.id} name={name}>
    {shown}
  </Sealed>
);

const columnsOf = (total: number): Column<Validator>[] => [
  {
    name: 'Validator',
    cell: (v) => (
      <a href={linkTo('validator', v.id)}>
        <b>{v.id}</b>
      </a>
    ),
  },
  { name: 'Run by', cell: (v) => <AgentLink id={v.agent_id} /> },
  { name: 'Status', cell: (v) => <Chip state={v.status} /> },
  { name: 'Role', cell: (v) => (v.is_genesis ? 'Orders and judges' : 'Judges') },
  {
    name: 'Judged',
    isNumber: true,
    cell: (v) => sealed(v, 'tasks_processed', formatCount(v.tasks_processed)),
  },
  {
    name: 'Accuracy',
    isNumber: true,
    cell: (v) => (v.tasks_processed > 0 ? sealed(v, 'accuracy', formatRatio(v.accuracy)) : '–'),
  },
  {
    name: 'Stake',
    isNumber: true,
    cell: (v) => sealed(v, 'staked_amount', <Money micro={v.staked_amount} />),
  },
  { name: 'Vote share', isNumber: true, cell: (v) => formatRatio(total > 0 ? v.vote_weight / total : 0) },
];

function Totals({ of }: { of: NetworkState | undefined }) {
  const count = (n: number | undefined): string => (n === undefined ? '–' : formatCount(n));
  return (
    <Facts
      of={[
        ['Seats', count(of?.seats)],
        ['Active', count(of?.active_validators)],
        ['On probation', count(of?.probation_validators)],
        ['Minimum participants', count(of?.min_participants)],
      ]}
    />
  );
}

export function ValidatorsPage({ place }: { place: Place }) {
  const { status } = place.query;
  const state = useRead('network state', node.networkState, EVERY_MS);
  const list = useRead(
    `validators ${status}`,
    () => node.validators.list({ per_page: MAX_VALIDATORS, status: status || undefined }),
    EVERY_MS,
  );
  const total = state.data?.total_vote_weight ?? 0;
  return (
    <>
      <Title text="Validators">
        <div class="filters">
          <Filter place={place} name="status" label="Status" values={STATUSES} all="All" />
        </div>
      </Title>
      <p class="soft">
        Validators stake their own tokens and judge transfers and completed work. Those with a seat also agree
        on the order of all transactions; two thirds of the vote weight decide.
      </p>
      <Totals of={state.data} />
      <Fault error={list.error} />
      {list.data ? (
        <Seals kind="validators" docs={byId(list.data, (v) => v.id)}>
          <Table
            name="Validators"
            columns={columnsOf(total)}
            rows={list.data}
            keyOf={(v) => v.id}
            empty={
              <>
                No validator is like that. <a href={linkTo('validators')}>Show all</a>.
              </>
            }
          />
        </Seals>
      ) : (
        !list.error && <Loading />
      )}
      {state.data && list.data && <Become network={state.data} list={list.data} />}
    </>
  );
}
