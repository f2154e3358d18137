// What the core does to be fast: looking ahead, growing indexes, forgetting TxIDs in runs. None of it may show.

import type { Mutant } from './mutant.ts';

export const KERNEL: readonly Mutant[] = [
  {
    room: 'look-ahead',
    rule: 'an agent that registered in the same run is not found',
    file: 'assembly/run/look-ahead.ts',
    from: 'f.actor = actor != NO_AGENT ? actor : <u32>findAgent(f.record + IN_ACTOR);',
    to: 'f.actor = actor;',
    tests: ['test/core/look-ahead.test.ts'],
  },
  {
    room: 'look-ahead',
    rule: 'a command is taken for one of the agent before it',
    file: 'assembly/run/look-ahead.ts',
    from: 'aheadAt(run.passed).record < f.record) run.passed++;',
    to: 'aheadAt(run.passed + 1).record < f.record) run.passed++;',
    tests: ['test/core/look-ahead.test.ts'],
  },
  {
    room: 'look-ahead',
    rule: 'a dry run has the actor of the last command',
    file: 'assembly/run/commands.ts',
    from: '  frame().actor = <u32>findAgent(actorKey());\n',
    to: '',
    tests: ['test/core/look-ahead.test.ts'],
  },
  {
    room: 'state hash',
    rule: 'the fourth of four leaves is hashed as the third',
    file: 'assembly/lib/sha256-four.ts',
    from: 'compressFour(m.from0 + at, m.from1 + at, m.from2 + at, m.from3 + at);',
    to: 'compressFour(m.from0 + at, m.from1 + at, m.from2 + at, m.from2 + at);',
    tests: ['test/core/snapshot.test.ts'],
  },
  {
    room: 'TxIDs',
    rule: 'those forgotten in a run still fill the window',
    file: 'assembly/access/seen.ts',
    from: 'h.seenCount -= count;',
    to: 'h.seenCount -= 1;',
    tests: ['test/core/differential.test.ts'],
  },
  {
    room: 'TxIDs',
    rule: 'a TxID hides those before it in its bucket',
    file: 'assembly/access/seen-index.ts',
    from: 'store<u32>(linkAt(number), load<u32>(head), 4);',
    to: 'store<u32>(linkAt(number), 0, 4);',
    tests: ['test/core/duplicates.test.ts'],
  },
  {
    room: 'TxIDs',
    rule: 'a ring that doubles leaves its oldest rows where they are',
    file: 'assembly/access/seen.ts',
    from: '  memory.copy(to, from, bytes);\n',
    to: '',
    tests: ['test/core/duplicates.test.ts', 'test/core/differential.test.ts'],
  },
  {
    room: 'key index',
    rule: 'what an entry finds in its place is lost when the slots double',
    file: 'assembly/lib/key-index.ts',
    from: 'while (entry != 0) entry = place(index, entry & ~unmoved);',
    to: 'place(index, entry & ~unmoved);',
    tests: ['test/core/look-ahead.test.ts', 'test/core/differential.test.ts'],
  },
];
