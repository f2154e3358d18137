// The validators: who judges, with what weight, and how accurately.

import type { NetworkState, Validator } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { Facts } from '../parts/facts.tsx';
import { Fault, Loading } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Title } from '../parts/title.tsx';
import { AgentLink, Chip, Money } from '../parts/values.tsx';
import { formatCount } from '../text/amount.ts';
import { formatRatio } from '../text/words.ts';

const EVERY_MS = 10_000;
const MAX_VALIDATORS = 200;

const columnsOf = (total: number): Column<Validator>[] => [
  { name: 'Validator', cell: (v) => <b>{v.id}</b> },
  { name: 'Run by', cell: (v) => <AgentLink id={v.agent_id} /> },
  { name: 'Status', cell: (v) => <Chip state={v.status} /> },
  { name: 'Role', cell: (v) => (v.is_genesis ? 'Orders and judges' : 'Judges') },
  { name: 'Judged', isNumber: true, cell: (v) => formatCount(v.tasks_processed) },
  { name: 'Accuracy', isNumber: true, cell: (v) => (v.tasks_processed > 0 ? formatRatio(v.accuracy) : '–') },
  { name: 'Stake', isNumber: true, cell: (v) => <Money micro={v.staked_amount} /> },
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

export function ValidatorsPage() {
  const state = useRead('network state', node.networkState, EVERY_MS);
  const list = useRead('validators', () => node.validators.list({ per_page: MAX_VALIDATORS }), EVERY_MS);
  const total = state.data?.total_vote_weight ?? 0;
  return (
    <>
      <Title text="Validators" />
      <p class="soft">
        Validators stake their own tokens and judge transfers and completed work. Those with a seat also agree
        on the order of all transactions; two thirds of the vote weight decide.
      </p>
      <Totals of={state.data} />
      <Fault error={list.error} />
      {list.data ? (
        <Table
          name="Validators"
          columns={columnsOf(total)}
          rows={list.data}
          keyOf={(v) => v.id}
          empty="There are no validators."
        />
      ) : (
        !list.error && <Loading />
      )}
    </>
  );
}
