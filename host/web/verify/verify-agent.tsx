// On an agent's page: the verification, then the agent's balance as computed here beside the one that the node reports.

import { useEffect, useState } from 'preact/hooks';
import type { Balance } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { Facts } from '../parts/facts.tsx';
import { Fault } from '../parts/notice.tsx';
import { Money } from '../parts/values.tsx';
import { formatCount } from '../text/amount.ts';
import { VerifyPanel } from './panel.tsx';
import { Prove } from './prove.tsx';
import { useSession, verifier } from './session.ts';
import type { Compared, Shown, VerifyVerdict } from './worker-messages.ts';

const RESULTS: Readonly<Record<Shown, readonly [tone: string, text: string]>> = {
  checked: ['good', 'Checked: the node reports this balance as it was computed here.'],
  proven: ['good', 'Proven: a quorum of the validators signed this balance.'],
  as_the_node_says: [
    '',
    'As the node says: nothing contradicts it, but it follows from texts that this node gave. Verify from the first vertex to check it.',
  ],
  not_comparable: ['', 'Not comparable: no answer came at an order that was computed here. Verify again.'],
  lie: ['bad', 'Not equal: the node contradicts its own history.'],
};

interface Pair {
  reported: Balance | undefined;
  checked: Compared;
}

async function readPair(id: string): Promise<Pair> {
  const checked = await verifier()!.compare('agent', id);
  const path = `/v1/agents/${encodeURIComponent(id)}/balance`;
  const reported = await node.read<Balance>(path).catch(() => undefined);
  return { checked, reported: reported?.body };
}

function Comparing({ id, verdict }: { id: string; verdict: VerifyVerdict }) {
  const [pair, setPair] = useState<Pair>();
  const [error, setError] = useState<Error>();
  // Each verdict starts a new comparison.
  useEffect(() => {
    let isOver = false;
    readPair(id).then(
      (found) => !isOver && setPair(found),
      (cause) => !isOver && setError(cause as Error),
    );
    return () => {
      isOver = true;
    };
  }, [id, verdict]);
  if (!pair) return <Fault error={error} />;
  const { reported, checked } = pair;
  const [tone, text] = RESULTS[checked.shown];
  const own = checked.own as Partial<Balance> | undefined;
  return (
    <>
      <Facts
        of={[
          ['Balance, computed here', <Money key="checked" micro={own?.balance} />],
          ['Balance, reported by the node', <Money key="reported" micro={reported?.balance} />],
          ['Stake, computed here', <Money key="staked" micro={own?.staked_amount} />],
          ['Stake, reported by the node', <Money key="stake" micro={reported?.staked_amount} />],
          ['Computed up to order number', formatCount(checked.order)],
        ]}
      />
      <p class={`notice ${tone}`}>
        {text} {checked.text && `(${checked.text}.)`}
      </p>
    </>
  );
}

export function VerifyAgent({ id }: { id: string }) {
  const { verdict } = useSession();
  return (
    <section class="card">
      <h2>Verify this balance</h2>
      <p>
        Your browser can fetch the whole history, check every signature and execute every transaction again.
        The code that does so comes from this node as well: to trust nobody, take it{' '}
        <a href="#/verify">from elsewhere</a>.
      </p>
      <VerifyPanel act="Verify in this browser">
        {verdict?.isGood && <Comparing id={id} verdict={verdict} />}
      </VerifyPanel>
      <Prove kind="agent" id={id}>
        <p>Or check a proof of the balance at the newest checkpoint, which takes a moment:</p>
      </Prove>
    </section>
  );
}
