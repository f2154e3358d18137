// A proof of one task or agent, made and checked on request: what the page shows of it leads to a root that the validators
// signed. Says what was proven, and of when; a proof that does not hold is named.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { LogFault, type Proven, partsOf } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Fault } from '../parts/notice.tsx';
import { Chip, Money, Time } from '../parts/values.tsx';
import { formatCount } from '../text/amount.ts';

type Kind = 'agent' | 'task';

/** The members of a task's documents that the page shows. */
interface TaskParts {
  text?: { title?: string };
  state?: { core?: { status: string; budget: number } };
}

function factsOf(kind: Kind, proven: Proven): Fact[] {
  if (kind === 'task') {
    const { text, state } = (partsOf(kind, proven) ?? {}) as TaskParts;
    const core = state?.core;
    return [
      ['Title, proven', text?.title],
      ['Status, proven', core && <Chip key="status" state={core.status} />],
      ['Budget, proven', core && <Money key="budget" micro={core.budget} />],
    ];
  }
  const account = proven.rows?.account;
  if (!account) return [];
  return [
    ['Balance, proven', <Money key="balance" micro={account.balance} />],
    ['Stake, proven', <Money key="stake" micro={account.staked_amount} />],
    ['Reserved, proven', <Money key="reserved" micro={account.reserved} />],
  ];
}

function Shown({ kind, proven }: { kind: Kind; proven: Proven }) {
  if (proven.documents.length === 0)
    return <p class="notice">Proven: at checkpoint {formatCount(proven.height)} there was none yet.</p>;
  const facts = factsOf(kind, proven);
  const rest =
    facts.length === 0 ? ' The balance cannot be shown as it was: ask again after the next one.' : '';
  return (
    <>
      <Facts of={[...facts, ['True at', <Time key="time" secs={Math.floor(proven.timeMs / 1000)} />]]} />
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
export function Prove({ kind, id, children }: { kind: Kind; id: string; children?: ComponentChildren }) {
  const [isAsking, setAsking] = useState(false);
  const [found, setFound] = useState<{ proven: Proven } | { error: Error }>();
  const ask = async (): Promise<void> => {
    setAsking(true);
    try {
      setFound({ proven: await node.verifyProof(kind, id) });
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
      {found && 'proven' in found && <Shown kind={kind} proven={found.proven} />}
      {found && 'error' in found && <Failed error={found.error} />}
    </div>
  );
}
