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
  {
    room: 'contracts',
    rule: 'runs of vectors pay for their instructions only',
    file: 'host/programs/vectors.ts',
    from: 'const used = this.used + fuel * weight + instance + bytes;',
    to: 'const used = this.used + fuel * weight;',
    tests: ['test/host/programs/vectors.test.ts'],
  },
  {
    room: 'contracts',
    rule: 'elements are counted for each segment alone',
    file: 'host/programs/module.ts',
    from: 'this.elementCount += length;',
    to: 'this.elementCount = length;',
    tests: ['test/host/programs/admit.test.ts'],
  },
  {
    room: 'contracts',
    rule: 'the run of the poster is made for one worker without money after the other',
    file: 'assembly/tasks/due-runs.ts',
    from: '    contract.isPaidRunSpent = 1;\n',
    to: '',
    tests: TESTS,
  },
  {
    room: 'contracts',
    rule: 'what a run costs may leave while it is due',
    file: 'assembly/tasks/due-runs.ts',
    from: '  move(balanceOf(worker), escrowOf(worker), runFee(contract.fuel));\n  contract.isFeeHeld = 1;\n',
    to: '',
    tests: TESTS,
  },
  {
    room: 'contracts',
    rule: 'one agent may have as many trials as it likes',
    file: 'host/execution/trials.ts',
    from: 'if (this.#underWay.of(owner) >= MAX_OF_OWNER)',
    to: 'if (this.#underWay.of(owner) > 64)',
    tests: ['test/host/contracts/trials.test.ts'],
  },
];
