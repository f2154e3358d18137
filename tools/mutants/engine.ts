// Broken rules of the engine: consensus 7, row 3; of incarnations: consensus 5.1, 5.7.

import type { Mutant } from './mutant.ts';

const ENGINE_TESTS = [
  'test/consensus/core/directed.test.ts',
  'test/sim/election.test.ts',
  'test/sim/views.test.ts',
  'test/sim/core-oracle.test.ts',
];

const INCARNATION_TESTS = ['test/consensus/core/incarnations.test.ts', ...ENGINE_TESTS];

export const ENGINE: readonly Mutant[] = [
  {
    room: 'consensus',
    rule: 'a quorum is a simple majority',
    file: 'assembly/dag/seats.ts',
    from: '(667 * d.totalWeight + 999) / 1000',
    to: '(500 * d.totalWeight + 999) / 1000',
    tests: ENGINE_TESTS,
  },
  {
    room: 'consensus',
    rule: 'no certificates: all visible votes count, not those in the past of the certifier',
    file: 'assembly/consensus/votes.ts',
    from: 'load<u64>(mask + i) & load<u64>(support.votes + i)',
    to: 'load<u64>(support.votes + i)',
    tests: ENGINE_TESTS,
  },
  {
    room: 'consensus',
    rule: 'the anchor is one round too near',
    file: 'assembly/consensus/decide.ts',
    from: 'const ANCHOR_DISTANCE: u32 = 4;',
    to: 'const ANCHOR_DISTANCE: u32 = 3;',
    tests: ENGINE_TESTS,
  },
  {
    room: 'consensus',
    rule: 'a voter that sees several candidates blames',
    file: 'assembly/consensus/votes.ts',
    from: 'if (candidate == SEVERAL || distance != FAR) return false;',
    to: 'if (distance != FAR) return false;',
    tests: ENGINE_TESTS,
  },
  {
    room: 'consensus',
    rule: 'the round above the leader blames as well',
    file: 'assembly/consensus/votes.ts',
    from: 'if (candidate == SEVERAL || distance != FAR) return false;',
    to: 'if (candidate == SEVERAL) return false;',
    tests: ENGINE_TESTS,
  },
  {
    room: 'consensus',
    rule: 'near and far votes are added up',
    file: 'assembly/consensus/votes.ts',
    from: 'distance == NEAR ? candidate.near : candidate.far',
    to: 'candidate.far',
    tests: ENGINE_TESTS,
  },
  {
    room: 'consensus',
    rule: 'an anchor does not look for certificates of near votes',
    file: 'assembly/consensus/decide.ts',
    from: 'if (chosen == 0 && slotOf(round(r)).first != 0) {',
    to: 'if (false) {',
    tests: ENGINE_TESTS,
  },
  {
    room: 'consensus',
    rule: 'an anchor looks for certificates of near votes one round too high',
    file: 'assembly/consensus/decide.ts',
    from: 'lowerReach(round(reachRound--));\n      chosen',
    to: 'chosen',
    tests: ENGINE_TESTS,
  },
  {
    room: 'incarnations',
    rule: 'the walk ignores incarnations: only the next vertex of a branch takes effect',
    file: 'assembly/consensus/order.ts',
    from: '(head != 0 && incarnationOf(v.seq) > incarnationOf(vertex(head).seq))',
    to: 'false',
    tests: INCARNATION_TESTS,
  },
  {
    room: 'incarnations',
    rule: 'an older incarnation takes effect as well',
    file: 'assembly/consensus/order.ts',
    from: '(head != 0 && incarnationOf(v.seq) > incarnationOf(vertex(head).seq))',
    to: '(head != 0 && incarnationOf(v.seq) != incarnationOf(vertex(head).seq))',
    tests: INCARNATION_TESTS,
  },
  {
    room: 'incarnations',
    rule: 'whatever is void beside a higher incarnation is evidence',
    file: 'assembly/consensus/order.ts',
    from: '!= incarnationOf(v.seq)) return 0;',
    to: '!= incarnationOf(v.seq)) return load<u32>(e.heads + seat);',
    tests: INCARNATION_TESTS,
  },
  {
    room: 'incarnations',
    rule: 'evidence is looked for in the newest incarnation alone',
    file: 'assembly/consensus/order.ts',
    from: 'while (first != 0 && ',
    to: 'while (false && first != 0 && ',
    tests: INCARNATION_TESTS,
  },
  {
    room: 'incarnations',
    rule: 'an incarnation may begin anywhere',
    file: 'assembly/dag/insert.ts',
    from: 'if (numberOf(seq) > 1) return',
    to: 'if (incarnationOf(seq) == 0 && numberOf(seq) > 1) return',
    tests: INCARNATION_TESTS,
  },
  {
    room: 'incarnations',
    rule: 'an incarnation may follow itself',
    file: 'assembly/dag/insert.ts',
    from: 'incarnationOf(seq) > incarnationOf(vertex(self).seq);',
    to: 'incarnationOf(seq) >= incarnationOf(vertex(self).seq);',
    tests: INCARNATION_TESTS,
  },
];
