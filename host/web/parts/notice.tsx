// Notices: errors, loading, success.

import type { ComponentChildren } from 'preact';
import { VwsError } from '../../client/index.ts';

const OPEN =
  'Whether it was carried out is not certain. Press again without changing anything: it cannot be carried out twice.';

/** One sentence, without jargon where possible. */
function faultText(error: Error): string {
  if (!(error instanceof VwsError)) return error.message;
  const text =
    error.code === 'unreachable'
      ? 'The node does not answer.'
      : `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)} (${error.code}).`;
  return error.request ? `${text} ${OPEN}` : text;
}

export function Fault({ error }: { error: Error | undefined }) {
  if (!error) return null;
  return (
    <p class="notice bad" role="alert">
      {faultText(error)}
    </p>
  );
}

export function Done({ children }: { children: ComponentChildren }) {
  return <div class="notice good">{children}</div>;
}

/** Placeholder of about the size of the content to come. */
export function Loading({ lines = 6 }: { lines?: number }) {
  return (
    <div class="loading" aria-busy="true">
      <span class="unseen">Loading</span>
      {Array.from({ length: lines }, (_, i) => (
        <div key={i} class="bar" />
      ))}
    </div>
  );
}
