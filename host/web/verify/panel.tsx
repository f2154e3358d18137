// The check in this browser: how far it is, and what it found, in words anybody understands.

import type { ComponentChildren } from 'preact';
import { Facts } from '../parts/facts.tsx';
import { Fault } from '../parts/notice.tsx';
import { ThingLink } from '../parts/values.tsx';
import { formatCount } from '../text/amount.ts';
import { formatSpan } from '../text/time.ts';
import type { VerifyProgress, VerifyVerdict } from '../verify-link.ts';
import { paceOf } from './pace.ts';
import { resetCheck, startCheck, verifier } from './session.ts';
import { useSession } from './use-session.ts';

const PHASES: Readonly<Record<VerifyProgress['phase'], string>> = {
  loading: 'Fetching the verifier',
  running: 'Checking',
  paused: 'Paused',
  done: 'Done',
  failed: 'Stopped',
};
const MEGABYTE = 1_000_000;

function Progress({ first, now }: { first: VerifyProgress; now: VerifyProgress }) {
  const { share, transactionsPerSec, secsLeft } = paceOf(first, now);
  const isRunning = now.phase === 'running' || now.phase === 'paused';
  return (
    <>
      <label class="progress">
        <span>
          {PHASES[now.phase]}: {Math.floor(share * 100)} %
          {now.phase === 'running' && secsLeft !== undefined && `, about ${formatSpan(secsLeft)} left`}
        </span>
        <progress value={share} max={1} />
      </label>
      <Facts
        of={[
          ['Transactions executed again', formatCount(now.transactions)],
          ['Signatures checked', formatCount(now.signatures)],
          ['Checkpoints compared', formatCount(now.checkpoints)],
          ['Transactions a second', formatCount(transactionsPerSec)],
          ['Order', `${formatCount(now.order)} of ${formatCount(now.toOrder)}`],
          ['Read', `${(now.bytes / MEGABYTE).toFixed(1)} MB`],
        ]}
      />
      {isRunning && (
        <p>
          {now.phase === 'paused' ? (
            <button type="button" class="quiet" onClick={() => verifier()?.resume()}>
              Go on
            </button>
          ) : (
            <button type="button" class="quiet" onClick={() => verifier()?.pause()}>
              Pause
            </button>
          )}
        </p>
      )}
    </>
  );
}

export function Verdict({ of, transactions }: { of: VerifyVerdict; transactions: number }) {
  if (of.isGood) {
    return (
      <div class="notice good">
        <p>
          <b>Everything holds.</b> This browser checked every signature and executed{' '}
          {formatCount(transactions)} transactions again, up to order {formatCount(of.order)}, and comes to
          the same state as the validators signed at checkpoint {formatCount(of.checkpoint)}.
        </p>
        <p>
          State root <code>{of.stateRoot}</code>
        </p>
      </div>
    );
  }
  const { fault } = of;
  return (
    <div class="notice bad">
      <p>
        <b>Something does not hold.</b> {fault?.text ?? 'The node gave no history that can be checked.'}
      </p>
      <p>
        {fault?.order !== undefined && <>At order {formatCount(fault.order)}. </>}
        {fault?.checkpoint !== undefined && <>At checkpoint {formatCount(fault.checkpoint)}. </>}
        {fault?.vertex && (
          <>
            In vertex <ThingLink to="vertex" id={fault.vertex} />.
          </>
        )}
      </p>
    </div>
  );
}

/** `act`: text of the button. `children`: what a good verdict allows to say besides. */
export function VerifyPanel({ act, children }: { act: string; children?: ComponentChildren }) {
  const { way, first, progress, verdict, error } = useSession();
  const isUnderWay = way !== undefined && !verdict && !error;
  return (
    <div class="verify">
      {!isUnderWay && (
        <p class="row">
          <button type="button" onClick={() => void startCheck('genesis')}>
            {verdict ? 'Check again' : act}
          </button>
          <button type="button" class="quiet" onClick={() => void startCheck('checkpoint')}>
            From the newest checkpoint
          </button>
          {verdict && (
            <button type="button" class="quiet" onClick={() => void resetCheck()}>
              Forget what was checked
            </button>
          )}
        </p>
      )}
      {isUnderWay && !progress && <p role="status">Fetching the verifier…</p>}
      {first && progress && <Progress first={first} now={progress} />}
      <Fault error={error && new Error(`The check could not be made: ${error.message}.`)} />
      <div role="status">
        {verdict && <Verdict of={verdict} transactions={progress?.transactions ?? 0} />}
        {verdict?.isGood && children}
      </div>
    </div>
  );
}
