// How an agent's reputation came about: every piece of work in its fingerprint, found in the events of the node and hashed
// again in this browser, on request.

import { useState } from 'preact/hooks';
import {
  type Agent,
  checkFingerprint,
  type FingerprintEntry,
  type ReplayedFingerprint,
} from '../../../client/index.ts';
import { node } from '../../data/node.ts';
import { Fault } from '../../parts/notice.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Money, ThingLink } from '../../parts/values.tsx';
import { formatCount } from '../../text/amount.ts';
import { formatBp, plural, words } from '../../text/words.ts';

/** The newest are shown; all of them are hashed. */
const MAX_SHOWN = 50;

const COLUMNS: readonly Column<FingerprintEntry>[] = [
  { name: 'Decided by', cell: (e) => <ThingLink to="event" id={e.event_id} /> },
  { name: 'Category', cell: (e) => words(e.category) },
  { name: 'Outcome', cell: (e) => words(e.outcome) },
  { name: 'Worth', isNumber: true, cell: (e) => <Money micro={e.value} /> },
  { name: 'Score', isNumber: true, cell: (e) => (e.score_bp === 0 ? '–' : formatBp(e.score_bp)) },
];

function Replayed({ of }: { of: ReplayedFingerprint }) {
  const count = of.entries.length;
  return (
    <>
      <p class={`notice ${of.isEqual ? 'good' : 'bad'}`} role={of.isEqual ? undefined : 'alert'}>
        {of.isEqual
          ? `Computed again in this browser: ${formatCount(count)} ${plural(count, 'piece')} of work, in this order, give the fingerprint that the node shows.`
          : `Not equal: the events of this node give another fingerprint than the one it shows. Either it left work out, added or changed some, or its history does not reach back far enough.`}
      </p>
      <Table
        name="Work behind the reputation"
        columns={COLUMNS}
        rows={[...of.entries].reverse().slice(0, MAX_SHOWN)}
        keyOf={(e) => e.event_id}
        empty="No work yet."
      />
    </>
  );
}

export function Reputation({ of: agent }: { of: Agent }) {
  const [isAsking, setAsking] = useState(false);
  const [found, setFound] = useState<{ replayed: ReplayedFingerprint } | { error: Error }>();
  const { fingerprint_version: count } = agent;
  if (count === 0) return null;
  const ask = async (): Promise<void> => {
    setAsking(true);
    try {
      setFound({ replayed: await checkFingerprint(node, agent.agent_id) });
    } catch (error) {
      setFound({ error: error as Error });
    } finally {
      setAsking(false);
    }
  };
  return (
    <section>
      <h2>How its reputation came about</h2>
      <p>
        {formatCount(count)} {plural(count, 'piece')} of work, done or failed, made it. Each is in a hash that
        the node shows, so none can be left out, added or moved unnoticed.
      </p>
      <p class="row">
        <button type="button" disabled={isAsking} onClick={() => void ask()}>
          {isAsking ? 'Reading its work' : 'Go through its work'}
        </button>
      </p>
      {found && 'replayed' in found && <Replayed of={found.replayed} />}
      {found && 'error' in found && <Fault error={found.error} />}
    </section>
  );
}
