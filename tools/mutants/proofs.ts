// Broken rules of proofs: what a node without a quorum could leave out of an answer, or show in the place of it (consensus 5.18).

import type { Mutant } from './mutant.ts';

const LIARS = ['test/host/audit/proof-liars.test.ts'];

export const PROOFS: readonly Mutant[] = [
  {
    room: 'proofs',
    rule: 'a part of the range is only a hash, and what is in it is left out',
    file: 'host/proofs/proof-reader.ts',
    from: 'if (!shown.covers(first, last)) throw',
    to: 'if (false as boolean) throw',
    tests: LIARS,
  },
  {
    room: 'proofs',
    rule: 'a page shows nothing and does not end',
    file: 'host/proofs/proof-reader.ts',
    from: 'if (!isEnd && documents.length === 0) throw',
    to: 'if (false as boolean) throw',
    tests: LIARS,
  },
  {
    room: 'proofs',
    rule: 'an answer is of more than was asked for',
    file: 'host/proofs/proof-reader.ts',
    from: ' && compareBytes(last, range.last) <= 0',
    to: '',
    tests: LIARS,
  },
  {
    room: 'proofs',
    rule: 'a page of validators ends before it begins, so that the list never does',
    file: 'host/proofs/proof-reader.ts',
    from: 'compareBytes(first, last) <= 0 && ',
    to: '',
    tests: ['test/host/audit/row-proofs.test.ts'],
  },
  {
    room: 'proofs',
    rule: 'any open event is shown for the id of another',
    file: 'host/proofs/proofs.ts',
    from: '!== id.toLowerCase())',
    to: '=== undefined)',
    tests: ['test/host/audit/proofs.test.ts'],
  },
];
