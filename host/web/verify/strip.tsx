// On every page while a verification runs or has ended: how far it is, what the seals mean, and a way to end it.

import { linkTo } from '../routes.ts';
import { formatCount } from '../text/amount.ts';
import { formatSpan } from '../text/time.ts';
import { paceOf } from './pace.ts';
import { SealKey } from './seals.tsx';
import { cancelCheck, isRunning, useSession } from './session.ts';

export function VerifyStrip() {
  const session = useSession();
  const { first, progress, verdict } = session;
  if (isRunning(session)) {
    const pace = first && progress && paceOf(first, progress);
    return (
      <p class="strip">
        <a href={linkTo('verify')}>This browser verifies the chain</a>
        {pace && `: ${Math.floor(pace.share * 100)} %`}
        {pace && pace.ordersLeft > 0 && `, ${formatCount(pace.ordersLeft)} order numbers left`}
        {pace?.secsLeft !== undefined && `, about ${formatSpan(pace.secsLeft)}`}{' '}
        <button type="button" class="quiet" onClick={cancelCheck}>
          Cancel<span class="unseen"> the verification</span>
        </button>
      </p>
    );
  }
  if (verdict?.isGood)
    return (
      <p class="strip good">
        <a href={linkTo('verify')}>Verified in this browser</a>, and followed since: <SealKey />
      </p>
    );
  if (verdict)
    return (
      <p class="strip bad" role="alert">
        <a href={linkTo('verify')}>Verification failed</a>:{' '}
        {verdict.fault?.text ?? 'do not believe this node'}
      </p>
    );
  return null;
}
