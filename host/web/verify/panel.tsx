// The verification in this browser: its progress and its result, in plain words.

import type { ComponentChildren } from 'preact';
import { Facts } from '../parts/facts.tsx';
import { Fault } from '../parts/notice.tsx';
import { ThingLink } from '../parts/values.tsx';
import { formatCount } from '../text/amount.ts';
import { formatSpan } from '../text/time.ts';
import { paceOf } from './pace.ts';
import { resetCheck, startCheck, useSession, verifier } from './session.ts';
import type { VerifyProgress, VerifyVerdict } from './worker-messages.ts';

const PHASES: Readonly<Record<VerifyProgress['phase'], string>> = {
  loading: 'Loading the verifier',
  running: 'Verifying',
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
          ['Transactions per second', formatCount(transactionsPerSec)],
          ['Order number', `${formatCount(now.order)} of ${formatCount(now.toOrder)}`],
          ['Downloaded', `${(now.bytes / MEGABYTE).toFixed(1)} MB`],
        ]}
      />
      {isRunning && (
        <p>
          {now.phase === 'paused' ? (
            <button type="button" class="quiet" onClick={() => verifier()?.resume()}>
              Resume
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
          <b>Verified.</b> This browser checked every signature and executed {formatCount(transactions)}{' '}
          transactions again, up to order {formatCount(of.order)}, and computed the same state that the
          validators signed at checkpoint {formatCount(of.checkpoint)}.
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
        <b>Verification failed.</b> {fault?.text ?? 'The node provided no history that can be verified.'}
      </p>
      <p>
        {fault?.order !== undefined && <>At order number {formatCount(fault.order)}. </>}
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

/** `act`: label of the button. `children`: shown below a good verdict. */
export function VerifyPanel({ act, children }: { act: string; children?: ComponentChildren }) {
  const { way, first, progress, verdict, error } = useSession();
  const isRunning = way !== undefined && !verdict && !error;
  return (
    <div class="verify">
      {!isRunning && (
        <p class="row">
          <button type="button" onClick={() => void startCheck('genesis')}>
            {verdict ? 'Verify again' : act}
          </button>
          <button type="button" class="quiet" onClick={() => void startCheck('checkpoint')}>
            From the newest checkpoint
          </button>
          {verdict && (
            <button type="button" class="quiet" onClick={() => void resetCheck()}>
              Delete stored progress
            </button>
          )}
        </p>
      )}
      {isRunning && !progress && <p role="status">Loading the verifier…</p>}
      {first && progress && <Progress first={first} now={progress} />}
      <Fault error={error && new Error(`The verification could not run: ${error.message}.`)} />
      <div role="status">
        {verdict && <Verdict of={verdict} transactions={progress?.transactions ?? 0} />}
        {verdict?.isGood && children}
      </div>
    </div>
  );
}
