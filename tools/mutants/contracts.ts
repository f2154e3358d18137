// Broken rules of contracts: what happens to a delivery that fails (protocol 14.9, 14.12).

import type { Mutant } from './mutant.ts';

const TESTS = ['test/host/contracts/flow.test.ts'];

export const CONTRACTS: readonly Mutant[] = [
  {
    room: 'contracts',
    rule: 'the event of a submission that waits for its run has all that was sent',
    file: 'host/views/projection/tasks.ts',
    from: 'doc.payload = { task_id: doc.task_id, result_hash: due.submission.result_hash };',
    to: 'doc.payload = { ...due, task_id: doc.task_id };',
    tests: TESTS,
  },
  {
    room: 'contracts',
    rule: 'what failed is kept as what passed',
    file: 'host/views/projection/task-events.ts',
    from: 'if (o.isPassed && !state.opening) {',
    to: 'if (!state.opening) {',
    tests: TESTS,
  },
  {
    room: 'contracts',
    rule: 'what waited for a run stays after it',
    file: 'host/views/projection/task-events.ts',
    from: 'if (set.get(key)) set.delete(key);',
    to: '',
    tests: TESTS,
  },
];
