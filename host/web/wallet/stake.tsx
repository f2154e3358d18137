// Stakes and unstakes tokens. The stake limits what the agent may have pending.

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
          const isStake = textOf(fields, 'action') === 'stake';
          const result = await (isStake ? account.client.stake(body) : account.client.unstake(body));
          return (
            <>
              Your stake is <Money micro={result.staked_amount} />; your trust limit is{' '}
              <Money micro={result.trust_limit} />.
            </>
          );
        }}
      >
        <fieldset class="choice">
          <legend class="unseen">Action</legend>
          <label>
            <input type="radio" name="action" value="stake" defaultChecked /> Stake
          </label>
          <label>
            <input type="radio" name="action" value="unstake" /> Unstake
          </label>
        </fieldset>
        <Field name="stake" label="Amount in tokens" isRequired isAmount />
      </WriteForm>
    </section>
  );
}
