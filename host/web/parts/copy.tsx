// A full id with a button that copies it.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { portableClock } from '../../world/portable.ts';

const SHOWN_MS = 2000;

/** `children`: what is shown instead of the id itself, such as a link. */
export function CopyId({ id, what, children }: { id: string; what: string; children?: ComponentChildren }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    // Pages over plain HTTP have no clipboard; there the id can be selected by hand.
    await navigator.clipboard?.writeText(id);
    setCopied(true);
    portableClock.setTimer(() => setCopied(false), SHOWN_MS);
  };
  return (
    <span class="copy">
      {children ?? <code>{id}</code>}
      {navigator.clipboard && (
        <button type="button" class="quiet" onClick={() => void copy()}>
          {isCopied ? 'Copied' : 'Copy'}
          <span class="unseen"> {what}</span>
        </button>
      )}
    </span>
  );
}
