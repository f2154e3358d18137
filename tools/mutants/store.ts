// Broken rules of the store: what a crash leaves of it, and what a start makes of that.

import type { Mutant } from './mutant.ts';

const LOG_CHECK = ['test/host/world/log-check.test.ts'];

export const STORE: readonly Mutant[] = [
  {
    room: 'store',
    rule: 'bytes in a torn record are taken for a later one whatever their number',
    file: 'host/world/system/log-check.ts',
    from: 'next === undefined || (rows.first >= next && rows.first - next <= bytesBetween / MIN_ROW_BYTES);',
    to: 'true;',
    tests: LOG_CHECK,
  },
  {
    room: 'store',
    rule: 'a record without a head is taken for a later one',
    file: 'host/world/system/log-check.ts',
    from: 'if (rows && badAt !== undefined && canFollow(rows, next, at - badAt)) return badAt;',
    to: 'if (piece && badAt !== undefined && (!rows || canFollow(rows, next, at - badAt))) return badAt;',
    tests: LOG_CHECK,
  },
  {
    room: 'store',
    rule: 'no record behind a bad one is found',
    file: 'host/world/system/log-check.ts',
    from: 'rows.first - next <= bytesBetween / MIN_ROW_BYTES',
    to: 'rows.first < next',
    tests: LOG_CHECK,
  },
];
