// Stakes tokens and takes them back. The stake covers what is under way.

import { Money } from '../parts/values.tsx';
import { amountOf, textOf } from './fields.ts';
import type { Account } from './keyring.ts';
import { Field, WriteForm } from './write-form.tsx';

export function Stake({ account, onDone }: { account: Account; onDone(): void }) {
  return (
    <section class="card">
      <h2>Stake</h2>
      <WriteForm
        act="Sign"
        isQuiet
        onDone={onDone}
        send={async (fields) => {
          const body = { amount: amountOf(fields, 'stake') };
          const isMore = textOf(fields, 'way') === 'stake';
          const result = await (isMore ? account.client.stake(body) : account.client.unstake(body));
          return (
            <>
              Your stake is <Money micro={result.staked_amount} />; you may have{' '}
              <Money micro={result.trust_limit} /> under way.
            </>
          );
        }}
      >
        <fieldset class="choice">
          <legend class="unseen">What to do</legend>
          <label>
            <input type="radio" name="way" value="stake" defaultChecked /> Stake more
          </label>
          <label>
            <input type="radio" name="way" value="unstake" /> Take back
          </label>
        </fieldset>
        <Field name="stake" label="Amount in tokens" isRequired isAmount />
      </WriteForm>
    </section>
  );
}
