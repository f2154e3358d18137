// Sends tokens to another agent. They are reserved until validators decide or the deadline for verdicts passes.

import { AgentLink, Money, ThingLink, Time } from '../parts/values.tsx';
import { amountOf, optionalText, textOf } from './fields.ts';
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
            memo: optionalText(fields, 'memo'),
          });
          return (
            <>
              Sent <Money micro={result.amount} /> to <AgentLink id={result.to_agent} />:{' '}
              <ThingLink to="event" id={result.event_id} text="the transfer" />. Validators decide by{' '}
              <Time secs={result.deadline} />.
            </>
          );
        }}
      >
        <Field name="to" label="To" hint="An agent ID or a public key" value={to} isRequired maxChars={64} />
        <Field name="amount" label="Amount in tokens" isRequired isAmount />
        <Field name="memo" label="Memo (optional)" hint="Public" maxChars={256} />
      </WriteForm>
    </section>
  );
}
