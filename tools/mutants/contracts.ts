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
    rule: 'what failed is kept as what is due',
    file: 'host/views/projection/task-events.ts',
    from: '  set.delete(rowKey.dueDelivery(id));',
    to: '',
    tests: TESTS,
  },
  {
    room: 'contracts',
    rule: 'what was due in a subtask outlives its parent',
    file: 'host/views/projection/task-events.ts',
    from: 'if (text.acceptance && !core!.acceptance_due) forgetDue',
    to: 'if (text.acceptance && core!.acceptance_due === false) forgetDue',
    tests: TESTS,
  },
];
