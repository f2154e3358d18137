// The rules of votes on disputes (protocol 15.8).

import type { Mutant } from './mutant.ts';

export const VOTES: readonly Mutant[] = [
  {
    room: 'votes',
    rule: 'another vote is revealed than was committed',
    file: 'assembly/settlement/verify.ts',
    from: ': refuse(COMMITMENT_DIFFERS);',
    to: ': OK;',
    tests: ['test/core/commitments.test.ts'],
  },
  {
    room: 'votes',
    rule: 'a vote is revealed while others commit',
    file: 'assembly/settlement/verify.ts',
    from: 'if (item.isRevealing == 0) return refuse(REVEAL_EARLY',
    to: 'if (item.isRevealing == 2) return refuse(REVEAL_EARLY',
    tests: ['test/core/commitments.test.ts'],
  },
  {
    room: 'votes',
    rule: 'a vote is committed while others are revealed',
    file: 'assembly/settlement/verify.ts',
    from: 'if (item.isRevealing != 0) return refuse(COMMITMENTS_OVER',
    to: 'if (item.isRevealing == 2) return refuse(COMMITMENTS_OVER',
    tests: ['test/core/commitments.test.ts'],
  },
  {
    room: 'votes',
    rule: 'a commitment does not name its validator',
    file: 'assembly/settlement/commitments.ts',
    from: "changetype<usize>(operator) + offsetof<Agent>('key0')",
    to: 'eventIdOfItem(item)',
    tests: ['test/core/commitments.test.ts'],
  },
  {
    room: 'votes',
    rule: 'a vote that is not revealed is no miss',
    file: 'assembly/tasks/voting.ts',
    from: '    missPanel(voterOf(voteAt(link - 1)), category);',
    to: '    voterOf(voteAt(link - 1));',
    tests: ['test/core/commitments.test.ts'],
  },
  {
    room: 'votes',
    rule: 'a task does not show who has committed',
    file: 'host/views/projection/task-events.ts',
    from: "if (doc?.event_type !== 'task_disputed') return;",
    to: 'return;',
    tests: ['test/host/sequencer/panels.test.ts'],
  },
  {
    room: 'votes',
    rule: 'a judge sends its commitment before its vote is on disk',
    file: 'host/duties/judging/judge-runner.ts',
    from: '    await this.options.store.write([{ key: rowKey.judgement(fromHex(event)!), value }]);\n    this.#answers.set(event, answer);',
    to: '    this.#answers.set(event, answer);',
    tests: ['test/host/duties/judging/judge-runner.test.ts'],
  },
];
