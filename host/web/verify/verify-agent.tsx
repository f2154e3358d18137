// On an agent's page: the check, then the agent's balance as worked out here beside the one the node tells.

import { useEffect, useState } from 'preact/hooks';
import type { Balance } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { Facts } from '../parts/facts.tsx';
import { Fault } from '../parts/notice.tsx';
import { Money } from '../parts/values.tsx';
import { formatCount } from '../text/amount.ts';
import type { CheckedAgent, VerifyVerdict } from '../verify-link.ts';
import { type Comparison, compare, type Told } from './compare.ts';
import { VerifyPanel } from './panel.tsx';
import { verifier } from './session.ts';
import { useSession } from './use-session.ts';

const SAID: Readonly<Record<Comparison, readonly [mood: string, text: string]>> = {
  equal: ['good', 'Equal: the node tells the truth about this balance.'],
  different: ['bad', 'Not equal: the node tells another balance than its own history gives.'],
  moved_on: [
    '',
    'The account has changed since the order that was checked. Check again to compare; if it stays so, the node lies.',
  ],
  unknown: ['', 'At the order that was checked there was no such account yet. Check again to compare.'],
};

interface Pair {
  told: Told;
  checked: CheckedAgent | undefined;
}

async function readPair(id: string): Promise<Pair> {
  const checked = await verifier()?.agent(id);
  const { body, order = 0 } = await node.read<Balance>(`/v1/agents/${encodeURIComponent(id)}/balance`);
  return { checked, told: { balance: body.balance, staked: body.staked_amount, order } };
}

function Comparing({ id, verdict }: { id: string; verdict: VerifyVerdict }) {
  const [pair, setPair] = useState<Pair>();
  const [error, setError] = useState<Error>();
  // Each verdict is another comparison.
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
  const { told, checked } = pair;
  const [mood, text] = SAID[compare(told, checked)];
  return (
    <>
      <Facts
        of={[
          ['Balance, worked out here', <Money key="checked" micro={checked?.balance} />],
          ['Balance, says the node', <Money key="told" micro={told.balance} />],
          ['Stake, worked out here', <Money key="staked" micro={checked?.staked} />],
          ['Stake, says the node', <Money key="stake" micro={told.staked} />],
          ['Worked out up to order', checked && formatCount(checked.order)],
        ]}
      />
      <p class={`notice ${mood}`}>{text}</p>
    </>
  );
}

export function VerifyAgent({ id }: { id: string }) {
  const { verdict } = useSession();
  return (
    <section class="card">
      <h2>Do not trust this node</h2>
      <p>
        Your browser can read the whole history from this node, check every signature and execute everything
        again. Then it knows this balance by itself.
      </p>
      <VerifyPanel act="Verify in this browser">
        {verdict?.isGood && <Comparing id={id} verdict={verdict} />}
      </VerifyPanel>
    </section>
  );
}
