// A full id with a button that copies it.

import { useState } from 'preact/hooks';
import { portableClock } from '../../world/portable.ts';

const SHOWN_MS = 2000;

export function CopyId({ id, what }: { id: string; what: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    // Pages over plain HTTP have no clipboard; there the id can be selected by hand.
    await navigator.clipboard?.writeText(id);
    setCopied(true);
    portableClock.setTimer(() => setCopied(false), SHOWN_MS);
  };
  return (
    <span class="copy">
      <code>{id}</code>
      {navigator.clipboard && (
        <button type="button" class="quiet" onClick={() => void copy()}>
          {isCopied ? 'Copied' : 'Copy'}
          <span class="unseen"> {what}</span>
        </button>
      )}
    </span>
  );
}
