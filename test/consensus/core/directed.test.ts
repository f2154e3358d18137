// P16: each branch of voting and deciding (consensus 5.5, 5.6), drawn by hand; the oracle runs beside the core.

import { describe, expect, test } from 'vitest';
import { denseRounds, EQUAL_4, epochLedBy, idOf, Pair } from './drawn-dag.ts';

/** The vertex of a seat over all seats' vertices with this number. */
const denseLine = (seat: string, seats: string, number: number): string =>
  [
    `${seat}${number + 1}`,
    ...[...seats].filter((other) => other !== seat).map((other) => `${other}${number}`),
  ].join(' ');

describe('P16: direct decisions', () => {
  test('a leader that the round above it sees commits with the third certificate, two rounds above', () => {
    const pair = new Pair(epochLedBy('abcd', EQUAL_4));
    expect(pair.add(...denseRounds('abcd', 1, 2))).toEqual([]);
    expect(pair.add('a3 b2 c2 d2', 'b3 a2 c2 d2')).toEqual([]);
    expect(pair.slot('a1')).toBe('undecided');
    expect(pair.add('c3 a2 b2 d2')).toEqual(['a1']);
    expect(pair.order(0)).toEqual(['a1']);
    expect(pair.core.explain(idOf('a1'))).toMatchObject({ isOrdered: true, isVoid: false, block: 1 });
  });

  test('a leader that all see one round later commits with the third certificate, three rounds above', () => {
    const pair = new Pair(epochLedBy('abcd', EQUAL_4));
    // Two of round 2 see a1, no quorum; each of round 3 sees it through one of them.
    pair.add(...denseRounds('abcd', 1, 1), 'a2 b1 c1', 'b2 a1 c1', 'c2 b1 d1', 'd2 b1 c1');
    expect(pair.add('a3 b2 c2', 'b3 c2 d2', 'c3 a2 d2', 'd3 b2 c2')).toEqual([]);
    expect(pair.add('a4 b3 c3 d3', 'b4 a3 c3 d3')).toEqual([]);
    expect(pair.slot('a1')).toBe('undecided');
    expect(pair.add('c4 a3 b3 d3')[0]).toBe('a1');
  });

  test('a silent leader is skipped with the third blame, two rounds above', () => {
    const pair = new Pair(epochLedBy('dabc', EQUAL_4));
    pair.add(...denseRounds('abc', 1, 2), 'a3 b2 c2', 'b3 a2 c2');
    expect(pair.slot('a1')).toBe('undecided');
    pair.add('c3 a2 b2');
    expect(pair.slot('a1')).toBe('skip');
    expect(pair.add(...denseRounds('abc', 4, 4))).toEqual(['a2']);
  });

  test('a voter that sees two forks of the leader neither votes nor blames, one that sees one votes for it', () => {
    const pair = new Pair(epochLedBy('abcd', EQUAL_4));
    pair.add('a1', "a1'", 'b1', 'c1', 'd1');
    // Each fork is taken by some; in round 3 all see both but c, who sees a1 alone.
    pair.add("b2 a1' c1", 'c2 a1 b1 d1', 'd2 a1 c1');
    pair.add('b3 c2 d2', 'd3 b2 c2');
    pair.add('a2 b1 c1', 'c3 a2 d2');
    expect(pair.slot('a1')).toBe('undecided');
    expect(pair.add(...['b4 c3 d3', 'c4 b3 d3', 'd4 b3 c3'])).toEqual([]);
    expect(pair.slot('a1')).toBe('undecided');
  });

  test('no quorum of voters that see two forks skips a slot: one of them may have a certificate beside it', () => {
    const pair = new Pair(epochLedBy('abcdb', EQUAL_4));
    // Near votes for a1: a2, b2, c2. Only b3 has all three; c3, d3 and the other branch of a see both forks.
    pair.add('a1', "a1'", 'b1', 'c1', 'd1', 'a2 b1 c1', 'b2 a1 c1', 'c2 a1 b1', "d2 a1' b1");
    pair.add("a2'<a1' b1 c1", "a3'<a2' b2 d2", 'b3 a2 c2', 'c3 b2 d2', 'd3 b2 c2');
    expect(pair.slot('a1')).toBe('undecided');
    pair.add('b4 c3 d3', 'c4 b3 d3', 'd4 b3 c3', ...denseRounds('bcd', 5, 7));
    expect(pair.slot('a1')).toBe('commit');
    expect(pair.blocks[0]!.leader).toEqual(idOf('a1'));
  });

  test('a seat with two voters blames once', () => {
    const pair = new Pair(epochLedBy('dabc', EQUAL_4));
    pair.add(...denseRounds('abc', 1, 2), 'a3 b2 c2', 'b3 a2 c2', "b3' a2 c2");
    expect(pair.round("b3'")).toBe(3);
    expect(pair.slot('a1')).toBe('undecided');
    pair.add('c3 a2 b2');
    expect(pair.slot('a1')).toBe('skip');
  });

  test('seats without weight vote, blame and certify for nothing', () => {
    const pair = new Pair(epochLedBy('abc', [10n, 10n, 10n, 0n, 0n]));
    pair.add(...denseRounds('abde', 1, 3));
    expect(pair.core.maxRound()).toBe(1);
    pair.add('c1', 'a4 c1', 'b4 c1', 'c2 a1 b1');
    expect(pair.core.maxRound()).toBe(2);
    expect(pair.slot('a1')).toBe('undecided');
  });

  test('minParticipants counts seats with weight, beside the weight itself', () => {
    const config = epochLedBy('aa', [1000n, 1n, 1n, 0n], 3);
    const pair = new Pair(config);
    pair.add('a1', 'b1', 'd1', 'a2 b1 d1');
    expect(pair.round('a2')).toBe(1);
    pair.add('c1', 'a3 c1');
    expect(pair.round('a3')).toBe(2);
  });
});

describe('P16: near and far votes', () => {
  test('are not added up: a seat that votes a round later makes no certificate of near votes', () => {
    const pair = new Pair(epochLedBy('a', new Array(7).fill(10n)));
    pair.add(...denseRounds('abcdefg', 1, 1));
    // Four of seven see a1 in round 2, one fewer than a quorum; in round 3 all do.
    pair.add('a2 b1 c1 d1 e1', 'b2 a1 c1 d1 e1', 'c2 a1 b1 d1 e1', 'd2 a1 b1 c1 e1');
    pair.add('e2 b1 c1 d1 f1', 'f2 b1 c1 d1 e1', 'g2 b1 c1 d1 e1');
    expect(pair.add(...[...'efgabcd'].map((seat) => denseLine(seat, 'abcdefg', 2)))).toEqual([]);
    expect(pair.slot('a1')).toBe('undecided');
    pair.add(...denseRounds('abcd', 4, 4).map((line) => `${line} e3 f3 g3`));
    expect(pair.slot('a1')).toBe('undecided');
    pair.add('e4 a3 b3 c3 d3');
    expect(pair.slot('a1')).toBe('commit');
  });

  test('an anchor reaches a certificate of near votes two rounds above its slot, whatever became of its seat', () => {
    const pair = new Pair(epochLedBy('abcdc', EQUAL_4));
    // As where two forks are seen: b3 alone certifies a1. c5, the anchor, has c4, d4 and the fork's a4', not b4.
    pair.add('a1', "a1'", 'b1', 'c1', 'd1', 'a2 b1 c1', 'b2 a1 c1', 'c2 a1 b1', "d2 a1' b1");
    pair.add("a2'<a1' b1 c1", "a3'<a2' b2 d2", 'b3 a2 c2', 'c3 b2 d2', 'd3 b2 c2');
    pair.add("a4'<a3' c3 d3", 'b4 c3 d3', 'c4 b3 d3', 'd4 b3 c3', "c5 d4 a4'");
    pair.add('b5 c4 d4', 'd5 b4 c4', ...denseRounds('bcd', 6, 8));
    expect(pair.slot('c5')).toBe('commit');
    expect(pair.slot('a1')).toBe('commit');
  });
});

describe('P16: indirect decisions', () => {
  // Far votes for a1: a3, b3, c3, not d3. Only a4 sees the three votes, so slot 1 stays open by itself.
  const splitVotes = [
    ...['a1', 'b1', 'c1', 'd1', 'a2 b1 c1', 'b2 c1 d1', 'c2 b1 d1', 'd2 b1 c1'],
    ...['a3 b2 c2', 'b3 a2 c2', 'c3 a2 b2', 'd3 b2 c2'],
    ...['a4 b3 c3', 'b4 c3 d3', 'c4 b3 d3', 'd4 b3 c3 a3'],
  ];
  const oneCertificate = [...splitVotes.slice(0, -1), 'd4 b3 a3'];

  test('an anchor exactly at r + 4 commits a leader whose one certificate it reaches', () => {
    const pair = new Pair(epochLedBy('abcbbc', EQUAL_4));
    expect(pair.add(...oneCertificate)).toEqual([]);
    expect(pair.slot('a1')).toBe('undecided');
    expect(pair.add('a5 b4 c4 d4', 'b5 a4 c4 d4', 'c5 a4 b4 d4', 'd5 a4 b4 c4')).toEqual([]);
    // Slot 2 is decided while slot 1 is open: nothing leaves.
    expect(pair.slot('b2')).toBe('commit');
    expect(pair.slot('a1')).toBe('undecided');
    const leaders = pair.add(...denseRounds('abcd', 6, 8));
    expect(leaders.slice(0, 2)).toEqual(['a1', 'b2']);
    expect(pair.slot('a1')).toBe('commit');
  });

  test('an anchor that reaches no certificate skips the leader, also when an earlier slot is a committed one', () => {
    const pair = new Pair(epochLedBy('abcbbc', EQUAL_4));
    pair.add(...oneCertificate);
    // b5, leader of round 5, takes b4, c4, d4: the certifier a4 is not in its past.
    pair.add('b5 c4 d4', 'c5 b4 d4', 'd5 b4 c4', 'a5 b4 c4 d4');
    pair.add('a6 b5 c5 d5', 'b6 a5 c5 d5', 'c6 a5 b5 d5', 'd6 a5 b5 c5');
    const leaders = pair.add(...denseRounds('abcd', 7, 8));
    expect(pair.slot('a1')).toBe('skip');
    expect(leaders[0]).toBe('b2');
  });

  test('the anchor of round r + 3 must not decide: it has no certificate in its past, a higher one has', () => {
    // Round 4 is led by b: b4 commits directly and does not see a4. Were it an anchor, slot 1 would be skipped.
    const pair = new Pair(epochLedBy('abcbac', EQUAL_4));
    pair.add(...oneCertificate);
    pair.add('a5 b4 c4 d4', 'b5 a4 c4 d4', 'c5 a4 b4 d4', 'd5 a4 b4 c4');
    const leaders = pair.add(...denseRounds('abcd', 6, 8));
    expect(pair.slot('b4')).toBe('commit');
    expect(leaders.slice(0, 2)).toEqual(['a1', 'b2']);
  });

  test('an undecided slot above keeps a slot open; a skipped one is passed over', () => {
    // Slot 5 is led by d, who stops after round 4: skipped; the anchor of slot 1 is then that of round 6.
    const pair = new Pair(epochLedBy('abcbda', EQUAL_4));
    pair.add(...oneCertificate);
    pair.add('a5 b4 c4', 'b5 a4 c4', 'c5 a4 b4', ...denseRounds('abc', 6, 7));
    expect(pair.slot('a5')).toBe('skip');
    expect(pair.slot('a1')).toBe('undecided');
    const leaders = pair.add(...denseRounds('abc', 8, 8));
    expect(pair.slot('a6')).toBe('commit');
    expect(leaders.slice(0, 2)).toEqual(['a1', 'b2']);
  });
});

describe('P16: several slots in a round', () => {
  test('each leads to a block, in the order of the slots, and all are certified by the same witnesses', () => {
    const pair = new Pair(epochLedBy(['cabd', 'dbca', 'abcd'], EQUAL_4));
    pair.add(...denseRounds('abcd', 1, 2), 'a3 b2 c2 d2', 'b3 a2 c2 d2');
    expect(pair.blocks).toEqual([]);
    expect(pair.add('c3 a2 b2 d2')).toEqual(['c1', 'a1', 'b1', 'd1']);
    // What the first leader of a round does not order is left to the next ones: here each is alone.
    expect([0, 1, 2, 3].map((block) => pair.order(block))).toEqual([['c1'], ['a1'], ['b1'], ['d1']]);
    pair.add('d3 a2 b2 c2', ...denseRounds('abcd', 4, 4));
    expect(pair.blocks.slice(4, 8).map(({ leader }) => pair.drawing.name(leader))).toEqual([
      ...['d2', 'b2', 'c2', 'a2'],
    ]);
    expect(pair.blocks.map(({ leaderRound }) => leaderRound)).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
  });

  test('a silent leader is skipped while the others commit: nothing waits for it', () => {
    const pair = new Pair(epochLedBy(['adbc', 'bdac'], EQUAL_4));
    pair.add(...denseRounds('abc', 1, 2), 'a3 b2 c2', 'b3 a2 c2');
    expect([0, 1, 2, 3].map((place) => pair.slot('a1', place))).toEqual(Array(4).fill('undecided'));
    expect(pair.add('c3 a2 b2')).toEqual(['a1', 'b1', 'c1']);
    expect([0, 1, 2, 3].map((place) => pair.slot('a1', place))).toEqual([
      'commit',
      'skip',
      'commit',
      'commit',
    ]);
  });

  // Far votes for a1: a3, b3, c3; only a4 sees the three, and only who has a4 in its past commits a1.
  const oneCertificate = [
    ...['a1', 'b1', 'c1', 'd1', 'a2 b1 c1', 'b2 c1 d1', 'c2 b1 d1', 'd2 b1 c1'],
    ...['a3 b2 c2', 'b3 a2 c2', 'c3 a2 b2', 'd3 b2 c2'],
    ...['a4 b3 c3', 'b4 c3 d3', 'c4 b3 d3', 'd4 b3 a3'],
  ];

  test('a slot that is open holds back those behind it, though they are decided, not those before', () => {
    const pair = new Pair(epochLedBy(['bacd'], EQUAL_4));
    expect(pair.add(...oneCertificate)).toEqual(['b1']);
    const ofRound1 = (): unknown[] => [0, 1, 2, 3].map((place) => pair.slot('a1', place));
    expect(ofRound1()).toEqual(['commit', 'undecided', 'commit', 'commit']);
    const leaders = pair.add(
      'a5 b4 c4 d4',
      'b5 a4 c4 d4',
      'c5 a4 b4 d4',
      'd5 a4 b4 c4',
      ...denseRounds('abcd', 6, 8),
    );
    expect(ofRound1()).toEqual(['commit', 'commit', 'commit', 'commit']);
    expect(leaders.slice(0, 3)).toEqual(['a1', 'c1', 'd1']);
  });

  test('a leader that another one of its round has in its past is ordered with that one, and leads no block', () => {
    const pair = new Pair(epochLedBy(['ba'], EQUAL_4));
    // b1 is over a1, both of round 1.
    pair.add('a1', 'b1 a1', 'c1', 'd1', ...denseRounds('abcd', 2, 6));
    expect([pair.round('a1'), pair.round('b1')]).toEqual([1, 1]);
    expect([pair.slot('a1', 0), pair.slot('a1', 1)]).toEqual(['commit', 'commit']);
    expect(pair.order(0)).toEqual(['a1', 'b1']);
    expect(pair.blocks.every(({ vertices }) => vertices.length > 0)).toBe(true);
    expect(pair.blocks[1]!.leaderRound).toBe(2);
  });

  test('the anchor is the first slot of a round four above that is not skipped, not the first that is committed', () => {
    // b5 leads the first slot of round 5 and reaches no certificate; c5, of the second one, reaches that of a4.
    for (const [order, expected] of [
      ['bc', 'skip'],
      ['cb', 'commit'],
    ] as const) {
      const pair = new Pair(epochLedBy(['ab', 'bc', 'cb', 'bc', order], EQUAL_4));
      pair.add(...oneCertificate, 'b5 c4 d4', 'c5 a4 b4 d4', 'd5 b4 c4', 'a5 b4 c4 d4');
      pair.add(...denseRounds('abcd', 6, 6));
      expect(pair.slot('a1')).toBe('undecided');
      pair.add(...denseRounds('abcd', 7, 8));
      expect([pair.slot('b5', 0), pair.slot('b5', 1)]).toEqual(['commit', 'commit']);
      expect(pair.slot('a1')).toBe(expected);
    }
  });

  test('a skipped slot of the anchor round is passed over within the round', () => {
    // d leads the first slot of round 5 and is silent from then on; b5, of the second one, decides.
    const pair = new Pair(epochLedBy(['ab', 'bc', 'cb', 'bc', 'db'], EQUAL_4));
    pair.add(...oneCertificate, 'b5 a4 c4 d4', 'c5 a4 b4 d4', 'a5 b4 c4 d4', ...denseRounds('abc', 6, 7));
    expect([pair.slot('b5', 0), pair.slot('b5', 1)]).toEqual(['skip', 'commit']);
    expect(pair.slot('a1')).toBe('commit');
  });

  test('leaders of a round are different seats of weight; a round has as many slots as the epoch says', () => {
    const weights = [5n, 0n, 90n, 5n];
    const pair = new Pair({ ...epochLedBy('', weights), leaders: 3 });
    for (let round = 1; round <= 200; round++) {
      const leaders = pair.core.leadersOf(round);
      expect(leaders).toEqual(pair.oracle.leadersOf(round));
      expect([...leaders].sort()).toEqual([0, 2, 3]);
    }
    for (const leaders of [0, 4]) {
      expect(() => new Pair({ ...epochLedBy('', weights), leaders })).toThrow(/bad_config/);
    }
  });
});

describe('P16: what comes late or out of line', () => {
  test('a seat may pass over rounds: its next vertex takes the round of its parents', () => {
    const pair = new Pair(epochLedBy('abca', EQUAL_4));
    pair.add(...denseRounds('abc', 1, 3), 'd1', 'd2 a3 b3 c3');
    expect(pair.core.explain(idOf('d2'))).toMatchObject({ round: 4, isWitness: true });
    pair.add(...denseRounds('abc', 4, 5));
    expect(pair.blocks.length).toBeGreaterThan(0);
  });

  test('a late vertex of an old round gets that round, and is ordered by the leader that takes it in', () => {
    const pair = new Pair(epochLedBy('abcabc', EQUAL_4));
    pair.add(...denseRounds('abc', 1, 6));
    const decided = pair.slot('a1');
    pair.add('d1', 'd2 a1 b1 c1', 'd3 a2 b2 c2');
    expect(['d1', 'd2', 'd3'].map((name) => pair.round(name))).toEqual([1, 2, 3]);
    expect(pair.slot('a1')).toBe(decided);
    pair.add('a7 b6 c6 d3', 'b7 a6 c6 d3', 'c7 a6 b6 d3', ...denseRounds('abc', 8, 12));
    expect(pair.core.explain(idOf('d1'))).toMatchObject({ isOrdered: true, isVoid: false });
  });

  test('a candidate that arrives after its slot was skipped changes nothing there', () => {
    const pair = new Pair(epochLedBy('dabcab', EQUAL_4));
    pair.add(...denseRounds('abc', 1, 3));
    expect(pair.slot('a1')).toBe('skip');
    pair.add('d1', 'd2 a1 b1', 'a4 b3 c3 d2', 'b4 a3 c3 d2', 'c4 a3 b3 d2', ...denseRounds('abc', 5, 9));
    expect(pair.slot('d1')).toBe('skip');
    expect(pair.blocks.some((block) => pair.drawing.name(block.leader) === 'd1')).toBe(false);
    expect(pair.core.explain(idOf('d1'))?.isOrdered).toBe(true);
  });

  test('a second seq 1 in a late round is a witness there, void in the order, and the evidence names both', () => {
    const pair = new Pair(epochLedBy('abcabc', EQUAL_4));
    pair.add(...denseRounds('abcd', 1, 4), "d1' a4 b4 c4");
    expect(pair.core.explain(idOf("d1'"))).toMatchObject({ round: 5, isWitness: true });
    pair.add('a5 b4 c4 d4', 'b5 a4 c4 d4', 'c5 a4 b4 d4');
    pair.add("a6 b5 c5 d1'", "b6 a5 c5 d1'", "c6 a5 b5 d1'", ...denseRounds('abc', 7, 11));
    expect(pair.core.explain(idOf("d1'"))).toMatchObject({ isOrdered: true, isVoid: true });
    const evidence = pair.blocks.flatMap((block) => block.evidence);
    expect(evidence).toHaveLength(1);
    expect(evidence[0]).toMatchObject({ creator: 3, seq: 1, effective: idOf('d1'), void: idOf("d1'") });
  });

  test('of two branches one counts whole: what stands on the void one is void', () => {
    const pair = new Pair(epochLedBy('abcabc', EQUAL_4));
    pair.add(...denseRounds('abcd', 1, 1), 'd2 a1', "d2' b1", "d3'<d2' c1", 'd3 b1');
    pair.add('a2 b1 c1 d3', "b2 a1 c1 d3'", 'c2 a1 b1 d3', ...denseRounds('abc', 3, 9));
    const state = (name: string): boolean | undefined => pair.core.explain(idOf(name))?.isVoid;
    expect(state('d1')).toBe(false);
    expect([state('d2'), state('d3')].includes(state("d2'"))).toBe(false);
    expect(state('d2')).toBe(state('d3'));
    expect(state("d2'")).toBe(state("d3'"));
    expect(pair.blocks.flatMap((block) => block.evidence)).toHaveLength(1);
  });
});

describe('order and time', () => {
  test('depth inside the block comes first, then id XOR the leader', () => {
    const pair = new Pair(epochLedBy('abcd', EQUAL_4));
    pair.add(...denseRounds('abcd', 1, 5));
    // The block of b2 holds b1, c1, d1 at one depth, then b2.
    expect(pair.order(1).at(-1)).toBe('b2');
    expect([...pair.order(1)].sort()).toEqual(['b1', 'b2', 'c1', 'd1']);
  });

  test('T is the weighted lower median below the leader; in round 1 that of the seal before', () => {
    const times: Record<string, number> = { a1: 9_000_000, b1: 5_000_000, c1: 3_000_000, d1: 1_000 };
    const pair = new Pair(epochLedBy('abcd', EQUAL_4), (name) => times[name]);
    pair.add(...denseRounds('abcd', 1, 5));
    expect(pair.blocks[0]!.timeMs).toBe(1_000_000);
    // b2 itself says 5,000,000 (not before b1); of b1's seat that is its only voice: 1,000 3,000,000 5,000,000 9,000,000.
    expect(pair.blocks[1]!.timeMs).toBe(3_000_000);
  });

  test('T never goes back, whatever clocks say', () => {
    const pair = new Pair(epochLedBy('abcd', EQUAL_4), (_, lamport) => Math.max(0, 900_000 - 1000 * lamport));
    pair.add(...denseRounds('abcd', 1, 10));
    for (const block of pair.blocks) expect(block.timeMs).toBe(1_000_000);
  });

  test('a vertex that brings nothing new is refused after 64 of a run, and taken again with something new', () => {
    const pair = new Pair(epochLedBy('a', EQUAL_4));
    pair.add(...denseRounds('ab', 1, 1), ...Array.from({ length: 64 }, (_, i) => `a${i + 2}`));
    const last = pair.drawing.get('a65');
    expect(pair.core.preview(0, [last.id], last.timeMs).isRefusedByRun).toBe(true);
    const refused = { ...last, id: idOf('a66'), seq: 66, lamport: 66, parents: [last.id] };
    expect(pair.core.insert([refused])).toEqual(['invalid']);
    expect(pair.core.lastFault()).toBe('run');
    expect(pair.core.explain(refused.id)).toBeUndefined();
    pair.add('a66 b1');
    expect(pair.round('a66')).toBe(1);
  });
});
