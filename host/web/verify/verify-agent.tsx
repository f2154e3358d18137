// On an agent's page: the verification, then the agent's balance as computed here beside the one that the node reports.

import { useEffect, useState } from 'preact/hooks';
import type { Balance } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { Facts } from '../parts/facts.tsx';
import { Fault } from '../parts/notice.tsx';
import { Money } from '../parts/values.tsx';
import { formatCount } from '../text/amount.ts';
import { type Comparison, compare, type Reported } from './compare.ts';
import { VerifyPanel } from './panel.tsx';
import { useSession, verifier } from './session.ts';
import type { CheckedAgent, VerifyVerdict } from './worker-messages.ts';

const RESULTS: Readonly<Record<Comparison, readonly [tone: string, text: string]>> = {
  equal: ['good', 'Equal: the node reports this balance correctly.'],
  different: ['bad', 'Not equal: the node reports another balance than its own history gives.'],
  moved_on: [
    '',
    'The account has changed since the verified order number. Verify again to compare; if the difference remains, the node reports a wrong balance.',
  ],
  unknown: ['', 'At the verified order number this account did not exist yet. Verify again to compare.'],
};

interface Pair {
  reported: Reported;
  checked: CheckedAgent | undefined;
}

async function readPair(id: string): Promise<Pair> {
  const checked = await verifier()?.agent(id);
  const { body, order = 0 } = await node.read<Balance>(`/v1/agents/${encodeURIComponent(id)}/balance`);
  return { checked, reported: { balance: body.balance, staked: body.staked_amount, order } };
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
  const [tone, text] = RESULTS[compare(reported, checked)];
  return (
    <>
      <Facts
        of={[
          ['Balance, computed here', <Money key="checked" micro={checked?.balance} />],
          ['Balance, reported by the node', <Money key="reported" micro={reported.balance} />],
          ['Stake, computed here', <Money key="staked" micro={checked?.staked} />],
          ['Stake, reported by the node', <Money key="stake" micro={reported.staked} />],
          ['Computed up to order number', checked && formatCount(checked.order)],
        ]}
      />
      <p class={`notice ${tone}`}>{text}</p>
    </>
  );
}

export function VerifyAgent({ id }: { id: string }) {
  const { verdict } = useSession();
  return (
    <section class="card">
      <h2>Verify this balance</h2>
      <p>
        You do not need to trust this node. Your browser can fetch the whole history, check every signature
        and execute every transaction again. It then knows this balance on its own.
      </p>
      <VerifyPanel act="Verify in this browser">
        {verdict?.isGood && <Comparing id={id} verdict={verdict} />}
      </VerifyPanel>
    </section>
  );
}
