// Where all tokens are, as a sum that this browser checks, and what changed in the last day.

import type { Supply, SupplyParts } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { type Before, beforeOf, PART_NAMES, PARTS, type Part, share, sumOf } from '../data/supply.ts';
import { useRead } from '../data/use-read.ts';
import { Facts } from '../parts/facts.tsx';
import { Fault, Loading } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Title } from '../parts/title.tsx';
import { Money, Time } from '../parts/values.tsx';
import { formatCount, formatMicro, formatWhole } from '../text/amount.ts';
import { Sealed, Seals } from '../verify/seals.tsx';
import { FlowPicture } from './money/flow.tsx';
import { CirculatingPicture, WholePicture } from './money/picture.tsx';

const EVERY_MS = 5000;
const TREND_EVERY_MS = 60_000;

interface Row {
  key: string;
  name: string;
  about: string;
  amount: bigint;
  share: string;
  change: bigint | undefined;
}

function rowsOf({ parts, total_supply }: Supply, before: SupplyParts | undefined): Row[] {
  const whole = BigInt(total_supply);
  const row = (part: Part): Row => ({
    key: part,
    ...PARTS[part],
    amount: BigInt(parts[part]),
    share: share(BigInt(parts[part]), whole),
    change: before && BigInt(parts[part]) - BigInt(before[part]),
  });
  const sum = sumOf(parts);
  const change = before && sum - sumOf(before);
  return [
    ...PART_NAMES.map(row),
    {
      key: 'sum',
      name: 'Sum',
      about: 'Nothing is made or lost',
      amount: sum,
      share: share(sum, whole),
      change,
    },
  ];
}

const changeText = (change: bigint): string =>
  change > 0n ? `+${formatMicro(change)}` : formatMicro(change);

const columnsOf = (before: Before | undefined): Column<Row>[] => [
  { name: 'Where', cell: (r) => <b>{r.name}</b> },
  { name: 'What it is', cell: (r) => r.about },
  {
    name: 'Tokens',
    isNumber: true,
    cell: (r) =>
      r.key === 'sum' ? (
        <Money micro={r.amount} />
      ) : (
        <Sealed id="supply" name={r.key}>
          <Money micro={r.amount} />
        </Sealed>
      ),
  },
  { name: 'Share', isNumber: true, cell: (r) => r.share },
  ...(before
    ? [
        {
          name: `Last ${before.span}`,
          isNumber: true,
          cell: (r: Row) =>
            r.change === undefined || r.change === 0n ? (
              <span class="soft">–</span>
            ) : (
              <span class="money">{changeText(r.change)}</span>
            ),
        },
      ]
    : []),
];

/** The sum as this browser computes it, of the amounts of one answer. */
function Sum({ of, order }: { of: Supply; order: number | undefined }) {
  const [sum, supply] = [sumOf(of.parts), BigInt(of.total_supply)];
  const at = order === undefined ? '' : ` of order number ${formatCount(order)}`;
  const parts = Object.keys(of.parts).length;
  if (sum === supply) {
    return (
      <p class="notice good">
        Added up in this browser: the {parts} parts{at} are {formatMicro(sum)} tokens, exactly the supply.
      </p>
    );
  }
  return (
    <p class="notice bad" role="alert">
      The {parts} parts{at} are {formatMicro(sum)} tokens, but the supply is {formatMicro(supply)}. Do not
      believe this node.
    </p>
  );
}

/** What settlements cost, and what of it there was. */
function Fees() {
  const { data: of } = useRead('economics', () => node.economics(), EVERY_MS);
  if (!of) return null;
  return (
    <section>
      <h2>Fees</h2>
      <Facts
        of={[
          ['Fee of a settlement', `${of.fee_basis_points / 100} %`],
          ['Taken so far', <Money key="fees" micro={of.total_fees_collected} />],
          ['Next grant to a new agent', <Money key="grant" micro={of.onboarding_next_grant} />],
        ]}
      />
    </section>
  );
}

/** A day ago or less; of a node that has not recorded so long, an hour ago or less. */
const readBefore = async (): Promise<Before | undefined> =>
  beforeOf(await node.trend({ span: 'day' }), 'day') ?? beforeOf(await node.trend({ span: 'hour' }), 'hour');

export function MoneyPage() {
  const { data, error } = useRead('money', () => node.read<Supply>('/v1/economics/supply'), EVERY_MS);
  const { data: before } = useRead('money before', readBefore, TREND_EVERY_MS);
  const of = data?.body;
  return (
    <>
      <Title text="Money" />
      <p class="lead">
        There are {of ? formatWhole(of.total_supply) : '1,000,000,000'} tokens and there will never be more or
        fewer. This is where they are now.
      </p>
      <Fault error={error} />
      {!of && !error && <Loading />}
      {of && (
        <>
          <Sum of={of} order={data.order} />
          <section class="figure">
            <h2>The whole supply</h2>
            <WholePicture parts={of.parts} />
          </section>
          <section class="figure">
            <h2>What circulates</h2>
            <CirculatingPicture parts={of.parts} />
          </section>
          {before && <FlowPicture before={before} now={of.parts} />}
          <section>
            <h2>Every part</h2>
            {before && (
              <p class="soft">
                The last column is the change since <Time secs={before.time} />, the oldest that this node
                recorded of the last {before.span}.
              </p>
            )}
            <Seals kind="supply" docs={{ supply: of.parts }}>
              <Table
                name="Every part of the supply"
                columns={columnsOf(before)}
                rows={rowsOf(of, before?.parts)}
                keyOf={(r) => r.key}
                empty=""
              />
            </Seals>
          </section>
          <Fees />
        </>
      )}
    </>
  );
}
