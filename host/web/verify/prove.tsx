// A proof of one task or agent, made and checked on request: what the page shows of it leads to a root that the validators
// signed. Says what was proven, and of when; a proof that does not hold is named.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { LogFault, type Proven } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Fault } from '../parts/notice.tsx';
import { Time } from '../parts/values.tsx';
import { formatCount } from '../text/amount.ts';
import type { ProvenKind } from './proven-facts.tsx';

interface Found {
  proven: Proven;
  facts: readonly Fact[];
}

function Shown({ proven, facts }: Found) {
  const at = <Time key="time" secs={Math.floor(proven.timeMs / 1000)} />;
  if (proven.documents.length === 0)
    return (
      <p class="notice">
        Proven: at checkpoint {formatCount(proven.height)}, {at}, there was none yet.
      </p>
    );
  const rest =
    facts.length === 0 ? ' The balance cannot be shown as it was: ask again after the next one.' : '';
  return (
    <>
      <Facts of={[...facts, ['True at', at]]} />
      <p class="notice good">
        Proven: a quorum of the validators signed this, at checkpoint {formatCount(proven.height)}, up to
        order number {formatCount(proven.order)}.{rest}
      </p>
    </>
  );
}

function Failed({ error }: { error: Error }) {
  if (!(error instanceof LogFault)) return <Fault error={error} />;
  return (
    <p class="notice bad" role="alert">
      Not proven, the node lies or its data is damaged: {error.message}.
    </p>
  );
}

/** `children`: what is said of it before it was asked for. */
export function Prove({
  kind,
  id,
  children,
}: {
  kind: ProvenKind;
  id: string;
  children?: ComponentChildren;
}) {
  const [isAsking, setAsking] = useState(false);
  const [found, setFound] = useState<Found | { error: Error }>();
  const ask = async (): Promise<void> => {
    setAsking(true);
    try {
      const proven = await node.verifyProof(kind, id);
      // Reads what came with the proof, so it is loaded with what checked it.
      const { factsOf } = await import('./proven-facts.tsx');
      setFound({ proven, facts: factsOf(kind, proven) });
    } catch (error) {
      setFound({ error: error as Error });
    } finally {
      setAsking(false);
    }
  };
  return (
    <div class="prove">
      {children}
      <p class="row">
        <button type="button" disabled={isAsking} onClick={() => void ask()}>
          {isAsking ? 'Checking the proof' : 'Check a proof'}
        </button>
      </p>
      {found && 'proven' in found && <Shown {...found} />}
      {found && 'error' in found && <Failed error={found.error} />}
    </div>
  );
}
