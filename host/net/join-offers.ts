// Asks several peers for proofs of seals until they together can prove no more, and keeps what state each offers.
// Keeps: each peer is asked on by itself, so whoever answers slowly delays the others by two answers at most, however many
// seals there are; each is asked at last for what lies behind the newest proven seal.

import type { Logger } from '../log.ts';
import type { JoinPeer } from './join-peer.ts';
import type { SealChain } from './join-seals.ts';
import type { Message } from './messages.ts';

export interface Offer {
  peer: JoinPeer;
  answer: Extract<Message, { type: 'sealed' }>;
}

/** Proves seals as far as the peers together can; the last answer of each that gives one. */
export async function provenOffers(
  peers: readonly JoinPeer[],
  chain: SealChain,
  log: Logger,
): Promise<Offer[]> {
  const answers = new Map<JoinPeer, Offer['answer']>();
  let open: readonly JoinPeer[] = peers;
  do {
    await Promise.all(open.map((peer) => follow(peer, answers, chain, log)));
    // Others have proven more since.
    open = [...answers].flatMap(([peer, { from }]) => (from < chain.length ? [peer] : []));
  } while (open.length > 0);
  return [...answers].map(([peer, answer]) => ({ peer, answer }));
}

/** Asks one peer on, until its answer and the last ones of the others prove nothing more. */
async function follow(
  peer: JoinPeer,
  answers: Map<JoinPeer, Offer['answer']>,
  chain: SealChain,
  log: Logger,
): Promise<void> {
  for (;;) {
    const from = chain.length;
    const answer = await peer.seals(from);
    if (!answer) {
      answers.delete(peer);
      return;
    }
    answers.set(peer, answer);
    const before = chain.length;
    while (isNextProven(answers, chain)) {}
    if (chain.length > before) log.info({ seals: chain.length }, 'seals proven');
    if (chain.length === from) return;
  }
}

/** Do the answers together prove the next seal. */
function isNextProven(answers: ReadonlyMap<JoinPeer, Offer['answer']>, chain: SealChain): boolean {
  for (const [peer, { from, proofs }] of answers) {
    const proof = proofs[chain.length - from];
    if (proof && chain.add(proof, peer.key)) return true;
  }
  return false;
}
