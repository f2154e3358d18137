// Votes on a dispute as validators give them: committed, waited for, revealed (protocol 15.8).

import type { KeyPair } from '../../../host/crypto/key-pair.ts';
import { type DisputeVote, voteCommitment } from '../../../host/wire/vote-commitment.ts';
import { type Parts, send } from './harness.ts';

export type CastVote = DisputeVote & { by: KeyPair };

const SALT = '5a'.repeat(32);
const itemOf = (p: Parts, event: string) => {
  const row = p.ids.state.findItem(Buffer.from(event, 'hex'));
  return row === undefined ? undefined : p.ids.state.item(row);
};

export const commit = (p: Parts, event: string, { by, ...vote }: CastVote) =>
  send(p, by, '/v1/verify/commit', {
    event_id: event,
    commitment: voteCommitment(event, by.publicKeyHex, vote, SALT),
  });

export const reveal = (p: Parts, event: string, { by, ...vote }: CastVote) =>
  send(p, by, '/v1/verify', { event_id: event, ...vote, salt: SALT });

/** The time of the commitments, or of the reveals, passes. */
export async function pastVotes(p: Parts, event: string): Promise<void> {
  const until = itemOf(p, event)!.deadline * 1000;
  await p.clock.advance(Math.max(0, until - p.clock.nowMs()) + 2000);
}

/** Commits and reveals votes, one after the other; throws at the first that is refused. */
export async function decide(p: Parts, event: string, votes: readonly CastVote[]): Promise<void> {
  const must = (what: unknown): void => {
    if (!Array.isArray(what)) throw new Error(`a vote was refused: ${what}`);
  };
  for (const vote of votes) must(await commit(p, event, vote));
  if (itemOf(p, event)?.stage === 1) await pastVotes(p, event);
  for (const vote of votes) must(await reveal(p, event, vote));
}
