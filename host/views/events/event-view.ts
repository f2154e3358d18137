// The Event object (protocol 3.6): the stored document; an open event gets its current votes from the core.

import type { State } from '../../core/state.ts';
import type { Identities } from '../../execution/identity.ts';
import type { EventDoc } from '../../store/documents.ts';
import { fromHex } from '../../wire/bytes.ts';
import { commitmentDocs, voterDocs, votesDoc, votingDoc } from '../projection/votes.ts';

export function eventObject(doc: EventDoc, state: State, ids: Identities): EventDoc {
  if (doc.settlement_state !== 'optimistic') return doc;
  const row = state.findItem(fromHex(doc.event_id)!);
  const item = row === undefined ? undefined : state.item(row);
  if (!item) return doc;
  const { voting } = votingDoc(item);
  const shown = { ...doc, votes: votesDoc(item), voters: voterDocs(item.voters, ids) };
  if (!voting) return shown;
  return { ...shown, deadline: item.deadline, voting, commitments: commitmentDocs(item, ids) };
}
