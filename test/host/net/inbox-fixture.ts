// An inbox under test: its requests, its reports of faults, and a stand-in for the sequencer.

import { expect } from 'vitest';
import type { SignatureVerifier } from '../../../host/crypto/verifier.ts';
import { Holding } from '../../../host/net/holding.ts';
import { Inbox } from '../../../host/net/inbox.ts';
import { VertexChecks } from '../../../host/net/vertex-checks.ts';
import type { EntryProof } from '../../../host/ordering/entry-proof.ts';
import type { Epoch } from '../../../host/ordering/epoch.ts';
import { SeatNumbers } from '../../../host/ordering/seat-numbers.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { FIRST, type Made } from './dag-fixture.ts';

/** For tests that are about something else than signatures. */
export const trusting: Pick<SignatureVerifier, 'verify'> = { verify: async () => true };
type Prove = (entries: readonly Uint8Array[]) => EntryProof[];
/** All are well signed. */
const ALL_GOOD: Prove = (entries) => entries.map(() => ({ verdict: 'good' }) as EntryProof);

/** While no seats are a quorum, nobody is held back. */
const NOBODY_HELD = new Holding({
  clock: { monotonicMs: () => 0 },
  ownSeat: -1,
  connected: () => [],
  isQuorum: () => false,
  isBehind: () => false,
  hasUnfinishedWork: () => false,
  unordered: () => ({ count: 0, bytes: 0 }),
});

const NOTHING = { newest: 0, incarnations: 0, forks: { count: 0, bytes: 0 }, isCheater: false };

interface Options {
  verifier?: Pick<SignatureVerifier, 'verify'>;
  epoch?: () => Epoch;
  holding?: Holding;
  proofs?: Prove;
}

export function makeInbox(o: Options = {}) {
  const admitted = new Set<string>();
  const numbers = new Map<number, typeof NOTHING>();
  const seqs = new SeatNumbers();
  const missing: [ids: string[], from: string][] = [];
  const faults: [from: string, what: string][] = [];
  const inbox = new Inbox({
    epoch: o.epoch ?? (() => FIRST),
    isAdmitted: (id) => admitted.has(toHex(id)),
    admittedBy: (seat) => numbers.get(seat) ?? NOTHING,
    hasSeq: (seat, seq) => seqs.has(seat, seq),
    checks: new VertexChecks({
      prove: async (seal, entries) => ({
        isGood: await (o.verifier ?? trusting).verify(seal),
        proofs: (o.proofs ?? ALL_GOOD)(entries),
      }),
    }),
    holding: o.holding ?? NOBODY_HELD,
    onReady() {},
    onMissing: (ids, from) => missing.push([ids.map(toHex), from]),
    onFault: (from, what) => faults.push([from, what]),
  });
  /** As the sequencer: takes ready vertices, checks that their parents were admitted, admits them. */
  const admit = (most = 1000): string[] => {
    const taken = inbox.takeReady(most);
    for (const { vertex } of taken) {
      for (const parent of vertex.header.parents) expect(admitted.has(toHex(parent))).toBe(true);
      admitted.add(toHex(vertex.id));
      const { creator, seq } = vertex.header;
      const { newest, forks, isCheater } = numbers.get(creator) ?? NOTHING;
      const { count, bytes } = forks;
      const more = { count: count + 1, bytes: bytes + vertex.header.payloadBytes };
      const kind = seqs.add(creator, seq);
      numbers.set(creator, {
        newest: Math.max(newest, seq),
        incarnations: seqs.incarnations(creator),
        forks: kind === 'newest' ? forks : more,
        isCheater: isCheater || kind === 'repeated',
      });
    }
    inbox.markAdmitted(taken.map(({ vertex }) => vertex.id));
    return taken.map(({ vertex }) => toHex(vertex.id));
  };
  return { inbox, admitted, missing, faults, admit };
}

export const checked = (): Promise<void> => new Promise((done) => setImmediate(done));
export const offerAll = (inbox: Inbox, made: readonly Made[], from = 'peer'): void => {
  for (const { bytes } of made) inbox.offer(bytes, from);
};
