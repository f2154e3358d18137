// What a verification in this browser has shown, in words that claim no more than that.

import { useEffect, useState } from 'preact/hooks';
import { CopyId } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { formatCount } from '../text/amount.ts';
import { keptProofs } from './proofs.ts';
import type { VerifyVerdict } from './worker-messages.ts';

const timeOf = (ms: number): string => (ms === 0 ? 'unknown' : new Date(ms).toUTCString());

const fileOf = (text: string): string => URL.createObjectURL(new Blob([text], { type: 'application/json' }));

/** Links to the proofs of two histories that this browser has met. */
function Proofs({ verdict }: { verdict: VerifyVerdict }) {
  const [texts, setTexts] = useState<readonly string[]>([]);
  useEffect(() => {
    const own = verdict.proof ? [JSON.stringify(verdict.proof)] : [];
    keptProofs().then((kept) => setTexts([...new Set([...own, ...kept])]));
  }, [verdict]);
  if (texts.length === 0) return null;
  return (
    <ul>
      {texts.map((text, i) => (
        <li key={text}>
          <a href={fileOf(text)} download={`two-histories-${i + 1}.json`}>
            Save the proof of two histories
          </a>
          : anybody can check it with <code>vws audit --proof</code>
        </li>
      ))}
    </ul>
  );
}

function Findings({ of }: { of: VerifyVerdict }) {
  if (of.findings.length === 0) return null;
  return (
    <ul>
      {of.findings.map(({ kind, text }) => (
        <li key={kind}>
          <b>Note:</b> {text}.
        </li>
      ))}
    </ul>
  );
}

function Good({ of, transactions }: { of: VerifyVerdict; transactions: number }) {
  const head = of.way === 'genesis' ? 'Checked.' : 'Proven at a checkpoint, then computed.';
  return (
    <div class={`notice ${of.findings.length === 0 ? 'good' : ''}`}>
      <p>
        <b>{head}</b> This browser checked the signatures and executed {formatCount(transactions)}{' '}
        transactions again. The log holds up to order {formatCount(of.order)}, {timeOf(of.timeMs)}.
      </p>
      {of.way === 'checkpoint' && <p>Events that were settled before the checkpoint were not looked into.</p>}
      <Findings of={of} />
      <Facts
        of={[
          ['Network', <CopyId key="network" id={of.network} what="the genesis hash" />],
          [
            'Checkpoint',
            of.checkpoint === 0 ? (
              'none that the validators signed was shown'
            ) : (
              <CopyId key="checkpoint" id={`${of.checkpoint}:${of.checkpointCode}`} what="the checkpoint" />
            ),
          ],
          ['State root', <CopyId key="root" id={of.stateRoot} what="the state root" />],
        ]}
      />
      <p>
        Compare network and checkpoint with somebody else's: who sees the same is shown the same history. That
        nothing newer exists is not shown.
      </p>
    </div>
  );
}

export function Verdict({ of, transactions }: { of: VerifyVerdict; transactions: number }) {
  if (of.isGood)
    return (
      <>
        <Good of={of} transactions={transactions} />
        <Proofs verdict={of} />
      </>
    );
  const { fault } = of;
  return (
    <div class="notice bad">
      <p>
        <b>Verification failed.</b> {fault?.text ?? 'The node provided no history that can be verified.'}
      </p>
      <p>
        {fault?.order !== undefined && <>At order number {formatCount(fault.order)}. </>}
        {fault?.checkpoint !== undefined && <>At checkpoint {formatCount(fault.checkpoint)}. </>}
        {fault?.vertex && (
          <>
            In vertex <code>{fault.vertex}</code>.
          </>
        )}
      </p>
      <Findings of={of} />
      <Proofs verdict={of} />
    </div>
  );
}
