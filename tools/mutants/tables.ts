// Broken rules of tables with a fixed number of rows: what is cheap must not fill them for others (protocol 6.18, 7.1).

import type { Mutant } from './mutant.ts';

const FILLED = ['test/attacks/r07-tables-filled.test.ts'];
const BARS = ['test/attacks/r18-filled-bars.test.ts'];

export const TABLES: readonly Mutant[] = [
  {
    room: 'tables',
    rule: 'a task keeps all of its bars',
    file: 'assembly/tasks/bars.ts',
    from: 'count == MAX_BARS || !hasBarRow()',
    to: '!hasBarRow()',
    tests: BARS,
  },
  {
    room: 'tables',
    rule: 'a task gives up no bar for a newer one where the table is full',
    file: 'assembly/tasks/bars.ts',
    from: 'count == MAX_BARS || !hasBarRow()',
    to: 'count == MAX_BARS',
    tests: BARS,
  },
  {
    room: 'tables',
    rule: 'an applicant takes its stake away at once',
    file: 'assembly/validators/applying.ts',
    from: 'noteDuty(validatorAt(index), nowSecs);',
    to: '',
    tests: FILLED,
  },
  {
    room: 'tables',
    rule: 'a registration with the router has as many labels as it likes for one deposit',
    file: 'assembly/router/operations.ts',
    from: 'return (labels + OFFERS_PER_ROW - 1) / OFFERS_PER_ROW;',
    to: 'return min<u32>(labels, 1);',
    tests: FILLED,
  },
  {
    room: 'tables',
    rule: 'labels do not raise the price of a registration',
    file: 'assembly/router/operations.ts',
    from: 'max<u32>(others, otherOffers(row) / OFFERS_PER_ROW)',
    to: 'others',
    tests: FILLED,
  },
  {
    room: 'tables',
    rule: 'claims of value fill all open events',
    file: 'assembly/settlement/opening.ts',
    from: '1 + capacity(ITEMS) / KEPT_FROM_CLAIMS',
    to: '1',
    tests: ['test/core/tasks.test.ts'],
  },
  {
    room: 'tables',
    rule: 'transfers fill all open events',
    file: 'assembly/settlement/opening.ts',
    from: '1 + capacity(ITEMS) / KEPT_FROM_TRANSFERS',
    to: '1',
    tests: ['test/core/tasks.test.ts'],
  },
  {
    room: 'tables',
    rule: 'the last rows of validators cost nothing',
    file: 'assembly/validators/applying.ts',
    from: 'return mulDiv(required, rows, twiceFree) - required;',
    to: 'return 0;',
    tests: FILLED,
  },
  {
    room: 'tables',
    rule: 'an applicant pays more for its row than it allows',
    file: 'assembly/validators/applying.ts',
    from: 'if (row > field64(IN_APPLY_MAX_FEE)) return',
    to: 'if (row == u64.MAX_VALUE) return',
    tests: FILLED,
  },
  {
    room: 'canaries',
    rule: 'a planted task has any answer that was committed to',
    file: 'host/wire/canary.ts',
    from: 'return posting.endsWith(end) && ',
    to: 'return ',
    tests: ['test/host/wire/canary.test.ts'],
  },
  {
    room: 'canaries',
    rule: 'one seat keeps all others out of a category',
    file: 'assembly/validators/calibration.ts',
    from: 'if (isCrowdedOut(category, nowSecs)) return;',
    to: '',
    tests: ['test/attacks/r21-lying-canaries.test.ts'],
  },
];
