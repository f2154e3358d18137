// The facts of one vertex, in words.

import type { Vertex } from '../../client/index.ts';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Chip, ThingLink, Time } from '../parts/values.tsx';
import { formatCount } from '../text/amount.ts';
import { shortId } from '../text/words.ts';

/** `seat`: name of the author's validator. */
export function VertexFacts({ of, seat }: { of: Vertex; seat: string | undefined }) {
  const isFinal = of.order !== undefined;
  const facts: Fact[] = [
    ['State', <Chip key="state" state={isFinal ? 'final' : 'not_final_yet'} />],
    ['Made by', seat ?? <span key="author">{shortId(of.author)}</span>],
    ['Epoch and round', `${of.epoch}, ${of.round}`],
    ['Order', isFinal ? formatCount(of.order as number) : undefined],
    ['Block', of.block === undefined ? undefined : formatCount(of.block)],
    ['Leader', of.is_leader === undefined ? undefined : of.is_leader ? 'Yes: it closes its block' : 'No'],
    ["Author's clock", <Time key="clock" secs={of.timestamp} />],
    ['Parents', <Links key="parents" to="vertex" ids={of.parents} none="None: the first of its epoch" />],
    ['Transactions', <Links key="txs" to="event" ids={of.tx_ids} none="None" />],
  ];
  return <Facts isWide of={facts} />;
}

function Links({ to, ids, none }: { to: 'vertex' | 'event'; ids: readonly string[]; none: string }) {
  if (ids.length === 0) return <>{none}</>;
  return (
    <span class="links">
      {ids.map((id) => (
        <ThingLink key={id} to={to} id={id} />
      ))}
    </span>
  );
}
