// The wallet: a key created in this page, and everything it can do on a testnet.

import { useEffect } from 'preact/hooks';
import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { Facts } from '../parts/facts.tsx';
import { Fault, Loading } from '../parts/notice.tsx';
import { Title } from '../parts/title.tsx';
import { Money } from '../parts/values.tsx';
import type { Place } from '../routes.ts';
import { Begin, ToyWarning } from '../wallet/begin.tsx';
import { useFocusAfterPress } from '../wallet/focus-after-press.ts';
import { Faucet, Register } from '../wallet/join.tsx';
import { KeyCard } from '../wallet/key-card.tsx';
import type { Account } from '../wallet/keyring.ts';
import { OpenWork } from '../wallet/open-work.tsx';
import { Post } from '../wallet/post.tsx';
import { Send } from '../wallet/send.tsx';
import { Stake } from '../wallet/stake.tsx';
import { useKeyring, useStanding } from '../wallet/use-keyring.ts';

function Desk({ account, place }: { account: Account; place: Place }) {
  const { data, error, refresh } = useStanding(account);
  const { do: action, to, hire } = place.query;
  const isRegistered = data?.profile !== undefined;

  useEffect(() => {
    if (isRegistered && action) document.getElementById(action)?.scrollIntoView({ block: 'center' });
  }, [isRegistered, action]);

  const pressed = useFocusAfterPress(isRegistered);

  if (!data) return error ? <Fault error={error} /> : <Loading lines={3} />;
  if (!data.profile || !data.balance)
    return (
      <div {...pressed}>
        <Register account={account} onDone={refresh} />
      </div>
    );
  const { balance, staked_amount: staked, reserved } = data.balance;
  return (
    <div {...pressed}>
      <Facts
        of={[
          ['Balance', <Money key="balance" micro={balance} />],
          ['Staked', <Money key="staked" micro={staked} />],
          ['Reserved', <Money key="held" micro={reserved} />],
          ['Trust limit', <Money key="limit" micro={data.profile.trust_limit} />],
        ]}
      />
      <div class="columns even">
        <div>
          <Send account={account} to={to} onDone={refresh} />
          <Stake account={account} onDone={refresh} />
          <Faucet account={account} onDone={refresh} />
        </div>
        <div>
          <Post account={account} hire={hire} onDone={refresh} />
          <OpenWork self={data.profile.agent_id} />
        </div>
      </div>
    </div>
  );
}

export function WalletPage({ place }: { place: Place }) {
  const ring = useKeyring();
  const { data: chain, error } = useRead('chain', () => node.chainId());
  const isTestnet = chain?.includes('testnet');
  const pressed = useFocusAfterPress(ring.active?.id);
  return (
    <>
      <Title text="Wallet" />
      <Fault error={error} />
      {chain && !isTestnet && (
        <p class="notice">
          This is {chain}. Keys created in a page are for testnets only; use the command line, where a key
          never touches a browser.
        </p>
      )}
      {isTestnet && (
        <>
          <ToyWarning />
          <div {...pressed}>{ring.active ? <KeyCard ring={ring} active={ring.active} /> : <Begin />}</div>
          {ring.active && <Desk key={ring.active.id} account={ring.active} place={place} />}
        </>
      )}
    </>
  );
}
