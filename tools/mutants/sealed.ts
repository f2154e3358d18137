// Broken rules of sealed deliveries: protocol 15.10.

import type { Mutant } from './mutant.ts';

const TESTS = ['test/host/contracts/sealed.test.ts'];

export const SEALED: readonly Mutant[] = [
  {
    room: 'sealed',
    rule: 'a worker contests without opening what it delivered',
    file: 'assembly/tasks/sealed.ts',
    from: 'isClosed(task) && !isKeyGiven() ? CONTENT_KEY_NEEDED : keyFault(task)',
    to: 'keyFault(task)',
    tests: TESTS,
  },
  {
    room: 'sealed',
    rule: 'any key opens, not only the one that was committed to',
    file: 'assembly/tasks/sealed.ts',
    from: '(field32(IN_OPEN_FLAGS) & OPEN_MATCHES) != 0 ? OK',
    to: 'true ? OK',
    tests: TESTS,
  },
  {
    room: 'sealed',
    rule: 'strangers open with a key that they were given',
    file: 'assembly/tasks/sealed.ts',
    from: 'return refuse(NOT_PARTY);',
    to: 'return commits() ? OK : OK;',
    tests: TESTS,
  },
  {
    room: 'sealed',
    rule: 'a box that its key does not make is a delivery',
    file: 'assembly/tasks/sealed.ts',
    from: 'task.flags &= ~TASK_FACTS_HOLD;',
    to: 'task.flags |= TASK_FACTS_HOLD;',
    tests: TESTS,
  },
  {
    room: 'sealed',
    rule: 'the contract of a sealed delivery never runs',
    file: 'assembly/tasks/sealed.ts',
    from: '  queueRun(task);\n  return true;',
    to: '  return false;',
    tests: TESTS,
  },
  {
    room: 'sealed',
    rule: 'content is sealed without a commitment',
    file: 'assembly/tasks/submission.ts',
    from: 'return refuse(NOT_SEALED);',
    to: 'return OK;',
    tests: TESTS,
  },
  {
    room: 'sealed',
    rule: 'a box opens whose wraps nobody can open',
    file: 'host/wire/sealed-box.ts',
    from: 'text !== undefined && sealBox(taskId, key, readers, text) === box ? text : undefined',
    to: 'text',
    tests: ['test/host/wire/sealed-box.test.ts', ...TESTS],
  },
  {
    room: 'sealed',
    rule: 'the key of a worker does not follow from the text',
    file: 'host/wire/sealed-box.ts',
    from: 'sha256Hex(utf8(text))',
    to: 'taskId',
    tests: ['test/host/wire/sealed-box.test.ts'],
  },
  {
    room: 'sealed',
    rule: 'judges are asked about a box',
    file: 'host/duties/judging/question.ts',
    from: 'return opening ? openedContent(task, opening.content_key, content) : content;',
    to: 'return opening ? content : content;',
    tests: ['test/host/duties/judging/judge-runner.test.ts'],
  },
];
