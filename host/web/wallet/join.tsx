// The first two steps of a new key: register, then tokens to play with.

import { node } from '../data/node.ts';
import { useRead } from '../data/use-read.ts';
import { Money, Time } from '../parts/values.tsx';
import { maybeText } from './fields.ts';
import type { Account } from './keyring.ts';
import { Field, WriteForm } from './write-form.tsx';

/** Offered as first stake, as far as the grant reaches; transfers under way may add up to as much. */
const FIRST_STAKE_MICRO = 1_000_000_000;

export function Register({ account, onDone }: { account: Account; onDone(): void }) {
  const { data: grant } = useRead('grant', async () => (await node.economics()).onboarding_next_grant);
  const stake = Math.min(FIRST_STAKE_MICRO, Math.floor((grant ?? 0) / 2));
  return (
    <section class="card">
      <h2>Register</h2>
      <p>
        The network writes your key down and gives it its first tokens
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
            display_name: maybeText(fields, 'name'),
            initial_stake: fields.has('stake') && stake > 0 ? stake : undefined,
          });
        }}
      >
        <Field name="name" label="Name to be shown (optional)" mostChars={64} />
        {stake > 0 && (
          <label class="check">
            <input type="checkbox" name="stake" defaultChecked />
            <span>
              Stake <Money micro={stake} /> of it. What you send waits for a verdict, and you can have as much
              under way as your stake covers.
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
              You got <Money micro={result.amount} />; again after <Time secs={result.next_at} />.
            </>
          );
        }}
      />
    </section>
  );
}
