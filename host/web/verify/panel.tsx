// The verification in this browser: its progress and its result, in plain words.

import type { ComponentChildren } from 'preact';
import { Facts } from '../parts/facts.tsx';
import { Fault } from '../parts/notice.tsx';
import { formatCount } from '../text/amount.ts';
import { formatSpan } from '../text/time.ts';
import { plural } from '../text/words.ts';
import { paceOf } from './pace.ts';
import { SaveReport } from './report-card.tsx';
import {
  cancelCheck,
  isRunning,
  type Known,
  resetCheck,
  startCheck,
  useSession,
  verifier,
} from './session.ts';
import { Verdict } from './verdict.tsx';
import type { VerifyProgress } from './worker-messages.ts';

const PHASES: Readonly<Record<VerifyProgress['phase'], string>> = {
  loading: 'Loading the verifier',
  running: 'Verifying',
  paused: 'Paused',
  done: 'Done',
  failed: 'Stopped',
};
const MEGABYTE = 1_000_000;

function Progress({ first, now }: { first: VerifyProgress; now: VerifyProgress }) {
  const { share, ordersLeft, transactionsPerSec, secsLeft } = paceOf(first, now);
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
          ['Left', `${formatCount(ordersLeft)} ${plural(ordersLeft, 'order number')}`],
          ['Downloaded', `${(now.bytes / MEGABYTE).toFixed(1)} MB`],
        ]}
      />
    </>
  );
}

/** Pauses and ends the verification that runs. */
function Controls({ phase }: { phase: VerifyProgress['phase'] | undefined }) {
  return (
    <p class="row">
      {phase === 'paused' && (
        <button type="button" class="quiet" onClick={() => verifier()?.resume()}>
          Resume
        </button>
      )}
      {phase === 'running' && (
        <button type="button" class="quiet" onClick={() => verifier()?.pause()}>
          Pause
        </button>
      )}
      <button type="button" class="quiet" onClick={cancelCheck}>
        Cancel
      </button>
    </p>
  );
}

interface PanelProps {
  /** Label of the button. */
  act: string;
  /** Which node, and what is known from elsewhere; default: the node of this page, and nothing. */
  known?: Known;
  /** Shown below a good verdict. */
  children?: ComponentChildren;
}

export function VerifyPanel({ act, known, children }: PanelProps) {
  const session = useSession();
  const { first, progress, verdict, error, isStopped } = session;
  const isGoing = isRunning(session);
  return (
    <div class="verify">
      {isStopped && (
        <p class="notice">
          Cancelled{progress && ` at order number ${formatCount(progress.order)}`}. What was verified is
          stored in this browser: the next run resumes there.
        </p>
      )}
      {!isGoing && (
        <p class="row">
          <button type="button" onClick={() => void startCheck('genesis', known)}>
            {verdict ? 'Verify again' : isStopped ? 'Resume the verification' : act}
          </button>
          <button type="button" class="quiet" onClick={() => void startCheck('checkpoint', known)}>
            From the newest checkpoint
          </button>
          {(verdict || isStopped || error) && (
            <button type="button" class="quiet" onClick={() => void resetCheck()}>
              Delete stored progress
            </button>
          )}
        </p>
      )}
      {isGoing && !progress && <p role="status">Loading the verifier…</p>}
      {first && progress && <Progress first={first} now={progress} />}
      {isGoing && <Controls phase={progress?.phase} />}
      <Fault error={error && new Error(`The verification could not run: ${error.message}.`)} />
      <div role="status">
        {verdict && <Verdict of={verdict} transactions={progress?.transactions ?? 0} />}
        {verdict?.isGood && children}
      </div>
      <SaveReport node={known?.node} />
    </div>
  );
}
