// The first two steps with a new key: register, then get testnet tokens.

import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { Money, Time } from '../parts/values.tsx';
import { optionalText } from './fields.ts';
import type { Account } from './keyring.ts';
import { Field, WriteForm } from './write-form.tsx';

/** Offered as the first stake, up to half of the grant; pending transfers may add up to the stake. */
const FIRST_STAKE_MICRO = 1_000_000_000;

export function Register({ account, onDone }: { account: Account; onDone(): void }) {
  const { data: grant } = useRead('grant', async () => (await node.economics()).onboarding_next_grant);
  const stake = Math.min(FIRST_STAKE_MICRO, Math.floor((grant ?? 0) / 2));
  return (
    <section class="card">
      <h2>Register</h2>
      <p>
        The network records your key and grants it its first tokens
        {grant !== undefined && (
          <>
            : <Money micro={grant} />
          </>
        )}
        .
      </p>
      <WriteForm
        act="Register"
        onDone={onDone}
        send={async (fields) => {
          await account.client.register({
            display_name: optionalText(fields, 'name'),
            initial_stake: fields.has('stake') && stake > 0 ? stake : undefined,
          });
        }}
      >
        <Field name="name" label="Display name (optional)" maxChars={64} />
        {stake > 0 && (
          <label class="check">
            <input type="checkbox" name="stake" defaultChecked />
            <span>
              Stake <Money micro={stake} /> of it. What you send waits for a verdict, and your pending
              transfers can add up to your stake.
            </span>
          </label>
        )}
      </WriteForm>
    </section>
  );
}

export function Faucet({ account, onDone }: { account: Account; onDone(): void }) {
  return (
    <section class="card">
      <h2>Faucet</h2>
      <p>Testnet tokens, once a day.</p>
      <WriteForm
        act="Get tokens"
        onDone={onDone}
        send={async () => {
          const result = await account.client.faucet();
          return (
            <>
              You received <Money micro={result.amount} />; available again after{' '}
              <Time secs={result.next_at} />.
            </>
          );
        }}
      />
    </section>
  );
}
