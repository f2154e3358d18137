// The newest state that a quorum of seats has signed.

import { node } from '../../data/node.ts';
import { useRead } from '../../data/use-read.ts';
import { Facts } from '../../parts/facts.tsx';
import { formatCount } from '../../text/amount.ts';

const EVERY_MS = 15_000;
/** Before the first one the node has none to show (DECISIONS 3.10). */
const FIRST_ORDER = 100;

export function LatestCheckpoint({ order }: { order: number }) {
  const isThere = order >= FIRST_ORDER;
  const { data } = useRead(
    `checkpoint ${isThere}`,
    async () => (isThere ? await node.latestCheckpoint() : undefined),
    EVERY_MS,
  );
  if (!data) return null;
  return (
    <Facts
      isWide
      of={[
        ['Newest checkpoint', `${formatCount(data.height)}, order ${formatCount(data.order)}`],
        ['Signed by', `${formatCount(data.signatures.length)} of the seats`],
        ['State root', <code key="root">{data.state_root}</code>],
      ]}
    />
  );
}
