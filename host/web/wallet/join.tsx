// The first two steps of a new key: register, then tokens to play with.

import { Money, Time } from '../parts/values.tsx';
import { maybeText } from './fields.ts';
import type { Account } from './keyring.ts';
import { Field, WriteForm } from './write-form.tsx';

export function Register({ account, onDone }: { account: Account; onDone(): void }) {
  return (
    <section class="card">
      <h2>Register</h2>
      <p>The network writes your key down and gives it a first allocation of tokens.</p>
      <WriteForm
        act="Register"
        onDone={onDone}
        send={async (fields) => {
          const result = await account.client.register({ display_name: maybeText(fields, 'name') });
          return (
            <>
              Registered. You hold <Money micro={result.balance} />.
            </>
          );
        }}
      >
        <Field name="name" label="Name to be shown (optional)" mostChars={64} />
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
