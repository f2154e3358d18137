// Broken rules of what an entry must be to execute, and of who is a quorum (protocol 1.2, 5.2, 5.7; consensus 4).

import type { Mutant } from './mutant.ts';

const ENTRIES = ['test/host/execution/translate.test.ts'];
const BATCHES = ['test/host/api/batch-order.test.ts'];
const CARRIED = ['test/world/admission.test.ts'];

export const ADMISSION: readonly Mutant[] = [
  {
    room: 'admission',
    rule: 'any number of requests of batches is under way',
    file: 'host/api/batch.ts',
    from: 'if (!this.#places.isFreeFor(charge, requests.length))',
    to: 'if (!this.#places.isFreeFor(charge))',
    tests: BATCHES,
  },
  {
    room: 'admission',
    rule: 'keys sign for which anybody can make signatures',
    file: 'host/execution/intake.ts',
    from: 'if (!signer || !isSigner(signer)) return undefined;',
    to: 'if (!signer) return undefined;',
    tests: ENTRIES,
  },
  {
    room: 'admission',
    rule: 'whoever carries a write adds a query to it',
    file: 'host/api/writes.ts',
    from: "if (req.query !== '') throw",
    to: 'if (false as boolean) throw',
    tests: CARRIED,
  },
  {
    room: 'admission',
    rule: 'whoever carries a write fills its body with white space',
    file: 'host/api/writes.ts',
    from: 'if (open.body.isPadded) throw',
    to: 'if (false as boolean) throw',
    tests: CARRIED,
  },
  {
    room: 'epochs',
    rule: 'weight alone is a quorum, without min_participants',
    file: 'host/ordering/epoch.ts',
    from: 'return count >= epoch.minParticipants && total',
    to: 'return total',
    tests: ['test/host/ordering/quorum.test.ts'],
  },
  {
    room: 'joining',
    rule: 'a quorum signs a seal that lies before its epoch',
    file: 'host/net/join-seals.ts',
    from: ' || statement.order < sealed.firstOrder)',
    to: ')',
    tests: ['test/host/net/join-seals.test.ts'],
  },
  {
    room: 'joining',
    rule: 'a third of the weight opens an epoch',
    file: 'host/net/join-seals.ts',
    from: 'return 3n * weightOf(epoch, seats) > totalWeight(epoch);',
    to: 'return 3n * weightOf(epoch, seats) >= totalWeight(epoch);',
    tests: ['test/host/net/join-seals.test.ts'],
  },
];
