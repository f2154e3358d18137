// The newest checkpoint: a state root signed by a quorum of seats.

import { node } from '../../data/node.ts';
import { useRead } from '../../data/use-read.ts';
import { Facts } from '../../parts/facts.tsx';
import { formatCount } from '../../text/amount.ts';
import { plural } from '../../text/words.ts';

const EVERY_MS = 15_000;
/** The first checkpoint is at this order number; before it the node has none (protocol 3.10). */
const FIRST_ORDER = 100;

export function LatestCheckpoint({ order }: { order: number }) {
  const exists = order >= FIRST_ORDER;
  const { data } = useRead(
    `checkpoint ${exists}`,
    async () => (exists ? await node.latestCheckpoint() : undefined),
    EVERY_MS,
  );
  if (!data) return null;
  return (
    <Facts
      isWide
      of={[
        ['Newest checkpoint', `${formatCount(data.height)}, order number ${formatCount(data.order)}`],
        ['Signed by', `${formatCount(data.signatures.length)} ${plural(data.signatures.length, 'seat')}`],
        ['State root', <code key="root">{data.state_root}</code>],
      ]}
    />
  );
}
