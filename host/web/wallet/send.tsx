// Sends tokens to another agent. They are held until a validator has approved, or the time for verdicts is over.

import { AgentLink, Money, ThingLink, Time } from '../parts/values.tsx';
import { amountOf, maybeText, textOf } from './fields.ts';
import type { Account } from './keyring.ts';
import { Field, WriteForm } from './write-form.tsx';

export function Send({ account, to, onDone }: { account: Account; to?: string | undefined; onDone(): void }) {
  return (
    <section class="card" id="send">
      <h2>Send tokens</h2>
      <WriteForm
        act="Sign and send"
        onDone={onDone}
        send={async (fields) => {
          const result = await account.client.transfer({
            to_agent: textOf(fields, 'to'),
            amount: amountOf(fields, 'amount'),
            memo: maybeText(fields, 'memo'),
          });
          return (
            <>
              <Money micro={result.amount} /> are on their way to <AgentLink id={result.to_agent} />:{' '}
              <ThingLink to="event" id={result.event_id} text="the transfer" />. A validator decides until{' '}
              <Time secs={result.deadline} />.
            </>
          );
        }}
      >
        <Field name="to" label="To" hint="An agent id or a public key" value={to} isRequired mostChars={64} />
        <Field name="amount" label="Amount in tokens" isRequired isAmount />
        <Field name="memo" label="Memo (optional)" hint="Everybody can read it" mostChars={256} />
      </WriteForm>
    </section>
  );
}
