// P4, P7, P8, P11 and P15 of consensus 8.1 on drawn DAGs: the anchor's distance, silence of a quorum,
// lying clocks, a chain that comes late, and a scheduler that knows every leader.

import { describe, expect, test } from 'vitest';
import { Dice } from '../model/consensus/random-dag.ts';
import { SOUND } from '../model/consensus/rules.ts';
import { BASE_MS, Drawing, equalSeats, seatsLedBy } from './drawing.ts';
import { coreEngine, type EngineMaker, oracleEngine } from './engine.ts';
import { blocksOf, conflict, drain, explainAll } from './outcome.ts';

const core = coreEngine();
const engines: EngineMaker[] = [core, oracleEngine()];
const name = (round: number, seat: number): string => `${round}.${seat}`;

/** A round in which each named seat takes the same seats' vertices of the round below. */
function addRound(drawing: Drawing, round: number, seats: readonly number[], takes = seats): void {
  for (const seat of seats)
    drawing.add(
      name(round, seat),
      seat,
      takes.map((other) => name(round - 1, other)),
    );
}

/**
 * Leader 0 of round 1 is certified in round 4 by 0, 1 and 2, and 0's certifier stays hidden from the
 * rest; the leader of round 4 is 3, the one that does not certify.
 */
function hiddenCertifier(): Drawing {
  const drawing = new Drawing(seatsLedBy(4, [0, undefined, undefined, 3]));
  for (const seat of [0, 1, 2, 3]) drawing.add(name(1, seat), seat, []);
  drawing.add(name(2, 0), 0, ['1.1', '1.2']);
  for (const seat of [1, 2, 3]) drawing.add(name(2, seat), seat, ['1.1', '1.2', '1.3']);
  for (const seat of [0, 1, 2]) drawing.add(name(3, seat), seat, ['2.0', '2.1', '2.2']);
  drawing.add(name(3, 3), 3, ['2.1', '2.2']);
  for (const seat of [0, 1, 2]) drawing.add(name(4, seat), seat, ['3.0', '3.1', '3.2']);
  drawing.add(name(4, 3), 3, ['3.1', '3.2']);
  for (let round = 5; round <= 12; round++) addRound(drawing, round, [1, 2, 3]);
  return drawing;
}

describe('P4, P16: the anchor stands above the certificates', () => {
  const drawing = hiddenCertifier();
  const tops = ['12.1', '12.2', '12.3'];
  const views = [drawing.view('4.0', '4.1', '4.2'), drawing.view(...tops), drawing.view('4.0', ...tops)];

  for (const maker of engines) {
    test(`${maker.name}: a view without the third certifier commits the leader as well`, () => {
      const [direct, indirect, both] = views.map((view) => blocksOf(maker, drawing.config, view));
      expect(direct!.length).toBeGreaterThan(0);
      expect(conflict(direct!, indirect!)).toBe(-1);
      expect(indirect!.length).toBeGreaterThan(1);
      expect(both).toEqual(indirect);
    });
  }

  test('mutant: an anchor one round nearer skips it', () => {
    const mutant = oracleEngine({ ...SOUND, anchorGap: 1 });
    const [direct, indirect] = views.map((view) => blocksOf(mutant, drawing.config, view));
    expect(conflict(direct!, indirect!)).toBe(0);
  });
});

/**
 * Leader 0 of round 1 forks. In round 2 seats 0, 1 and 2 have the first branch alone, seat 3 the second. In round 3 seats
 * 0, 1 and 2 have all three near votes beside the second branch, so they certify and vote no more; seat 3 has two of them.
 */
function forkedLeader(): Drawing {
  const drawing = new Drawing(seatsLedBy(4, [0, undefined, undefined, undefined, 3]));
  for (const seat of [0, 1, 2, 3]) drawing.add(name(1, seat), seat, []);
  drawing.add('fork', 0, [], undefined, 1);
  for (const seat of [0, 1, 2]) drawing.add(name(2, seat), seat, ['1.0', '1.1', '1.2']);
  drawing.add(name(2, 3), 3, ['fork', '1.1', '1.2']);
  for (const seat of [0, 1, 2]) drawing.add(name(3, seat), seat, ['2.0', '2.1', '2.2', '2.3']);
  drawing.add(name(3, 3), 3, ['2.1', '2.2']);
  for (const seat of [1, 2]) drawing.add(name(4, seat), seat, ['3.1', '3.2', '3.3']);
  drawing.add(name(4, 3), 3, ['3.1', '3.2']);
  for (let round = 5; round <= 12; round++) addRound(drawing, round, [1, 2, 3]);
  return drawing;
}

describe('P4, P16: a certificate of near votes decides beside a second branch of the leader', () => {
  const drawing = forkedLeader();
  const tops = ['12.1', '12.2', '12.3'];
  // The third certifier, seat 0 in round 3, is hidden from the rest.
  const views = [drawing.view('3.0', '3.1', '3.2'), drawing.view(...tops), drawing.view('3.0', ...tops)];
  const outcome = (maker: EngineMaker): string[][] =>
    views.map((view) => blocksOf(maker, drawing.config, view));

  for (const maker of engines) {
    test(`${maker.name}: with the third certifier and without it the leader is committed`, () => {
      const [direct, indirect, both] = outcome(maker);
      expect(direct!.length).toBe(1);
      expect(conflict(direct!, indirect!)).toBe(-1);
      expect(indirect!.length).toBeGreaterThan(1);
      expect(both).toEqual(indirect);
    });
  }

  test('mutant: an anchor that looks for certificates of far votes alone skips it', () => {
    const [direct, indirect] = outcome(oracleEngine({ ...SOUND, reachesAll: false }));
    expect(conflict(direct!, indirect!)).toBe(0);
  });
});

describe('P4, P16: voters that see two branches of the leader do not skip it', () => {
  // As above, but only seat 1 certifies in round 3; seats 2 and 3 and the second branch of seat 0 see both branches.
  const drawing = new Drawing(seatsLedBy(4, [0, undefined, undefined, undefined, 3]));
  for (const seat of [0, 1, 2, 3]) drawing.add(name(1, seat), seat, []);
  drawing.add('fork', 0, [], undefined, 1);
  for (const seat of [0, 1, 2]) drawing.add(name(2, seat), seat, ['1.0', '1.1', '1.2']);
  drawing.add(name(2, 3), 3, ['fork', '1.1', '1.2']);
  drawing.add('fork 2', 0, ['1.1', '1.2'], undefined, 1);
  drawing.add('fork 3', 0, ['2.1', '2.3'], undefined, 1);
  drawing.add(name(3, 1), 1, ['2.0', '2.2']);
  drawing.add(name(3, 2), 2, ['2.1', '2.3']);
  drawing.add(name(3, 3), 3, ['2.1', '2.2']);
  for (let round = 4; round <= 12; round++) addRound(drawing, round, [1, 2, 3]);
  const tops = ['12.1', '12.2', '12.3'];
  const views = [drawing.view(...tops), drawing.view('fork 3', ...tops)];
  const outcome = (maker: EngineMaker): string[][] =>
    views.map((view) => blocksOf(maker, drawing.config, view));

  for (const maker of engines) {
    test(`${maker.name}: with the third of them and without it the leader is committed`, () => {
      const [without, all] = outcome(maker);
      expect(without!.length).toBeGreaterThan(1);
      expect(all).toEqual(without);
      const engine = maker.create(drawing.config);
      engine.insert(views[1]!);
      expect(engine.slotStatus(1, 0)).toBe('commit');
    });
  }

  test('mutant: they blame, and one view skips it', () => {
    const [without, all] = outcome(oracleEngine({ ...SOUND, blamesForks: true }));
    expect(conflict(without!, all!)).toBe(0);
  });
});

describe('P7: a partition without a quorum', () => {
  for (const seats of [2, 3, 4]) {
    test(`${seats} equal seats: nothing is final without a quorum, everything after the heal`, () => {
      const drawing = new Drawing(equalSeats(seats));
      const quorum = seats === 4 ? 3 : seats;
      const few = Array.from({ length: quorum - 1 }, (_, seat) => seat);
      for (const seat of few) drawing.add(name(1, seat), seat, []);
      for (let round = 2; round <= 9; round++) addRound(drawing, round, few);
      const engine = core.create(drawing.config);
      engine.insert(drawing.vertices);
      expect(engine.maxRound()).toBe(1);
      expect(drain(engine)).toEqual([]);

      const before = drawing.vertices.length;
      const all = [...few, quorum - 1];
      drawing.add(
        name(9, quorum - 1),
        quorum - 1,
        few.map((seat) => name(9, seat)),
      );
      for (let round = 10; round <= 16; round++) addRound(drawing, round, all);
      engine.insert(drawing.vertices.slice(before));
      expect(drain(engine).length).toBeGreaterThan(0);
      for (const vertex of drawing.vertices.slice(0, before)) {
        expect(engine.explain(vertex.id)!.isOrdered).toBe(true);
      }
    });
  }

  test('two seats that meet again while the third of three is away still order nothing', () => {
    const drawing = new Drawing(equalSeats(3));
    for (const seat of [0, 1]) drawing.add(name(1, seat), seat, []);
    for (let round = 2; round <= 40; round++) addRound(drawing, round, [0, 1]);
    expect(blocksOf(core, drawing.config, drawing.vertices)).toEqual([]);
  });
});

describe('P8: consensus time', () => {
  const HOUR_MS = 3_600_000;

  /** 4 seats in step; seat `liar` is off by `lieMs`. */
  function clocks(liar: number, lieMs: number, leaders: readonly (number | undefined)[] = []): Drawing {
    const drawing = new Drawing({ ...seatsLedBy(4, leaders), previousTimeMs: BASE_MS });
    for (let round = 1; round <= 20; round++) {
      for (const seat of [0, 1, 2, 3]) {
        const timeMs = BASE_MS + 100 * round + 7 * seat + (seat === liar ? lieMs : 0);
        const others = round === 1 ? [] : [0, 1, 2, 3].map((other) => name(round - 1, other));
        drawing.add(name(round, seat), seat, others, timeMs);
      }
    }
    return drawing;
  }

  for (const lieMs of [HOUR_MS, -HOUR_MS]) {
    for (const liar of [0, 1, 2, 3]) {
      test(`liar ${liar}, off by ${lieMs} ms: between honest clocks, never back`, () => {
        const drawing = clocks(liar, lieMs, [liar]);
        const engine = core.create(drawing.config);
        engine.insert(drawing.vertices);
        let previous = BASE_MS;
        let blocks = 0;
        for (let block = engine.nextBlock(); block; block = engine.nextBlock()) {
          const round = block.leaderRound;
          // Witnesses of the round below, and the leader's own clock in its own round.
          const low = round === 1 ? BASE_MS : BASE_MS + 100 * (round - 1);
          expect(block.timeMs).toBeGreaterThanOrEqual(low);
          expect(block.timeMs).toBeLessThanOrEqual(BASE_MS + 100 * round + 21);
          expect(block.timeMs).toBeGreaterThanOrEqual(previous);
          previous = block.timeMs;
          blocks += 1;
        }
        expect(blocks).toBeGreaterThan(12);
      });
    }
  }

  test('a leader of round 1 alone cannot move time', () => {
    const drawing = clocks(2, HOUR_MS, [2]);
    const engine = core.create(drawing.config);
    engine.insert(drawing.vertices);
    const first = engine.nextBlock()!;
    expect([first.leaderRound, first.timeMs]).toEqual([1, BASE_MS]);
  });

  test('10,000 vertices a second at N = 1 do not push time past the clock', () => {
    const drawing = new Drawing({ ...equalSeats(1), previousTimeMs: BASE_MS });
    for (let i = 0; i < 5000; i++) drawing.add(name(i, 0), 0, [], BASE_MS + Math.floor(i / 10));
    const engine = core.create(drawing.config);
    engine.insert(drawing.vertices);
    let last = BASE_MS;
    let blocks = 0;
    for (let block = engine.nextBlock(); block; block = engine.nextBlock()) {
      expect(block.timeMs).toBeGreaterThanOrEqual(last);
      last = block.timeMs;
      blocks += 1;
    }
    expect(blocks).toBe(5000);
    expect(last).toBe(BASE_MS + 499);
  });
});

describe('P11: a chain that comes late', () => {
  /**
   * 4 seats make rounds; seat 3 withholds a chain that starts over round 1 and climbs one round a
   * step over old vertices. In the end it is shown, and honest vertices stand on it.
   */
  function late(): { drawing: Drawing; honest: number } {
    const drawing = new Drawing(equalSeats(4));
    for (const seat of [0, 1, 2]) drawing.add(name(1, seat), seat, []);
    for (let round = 2; round <= 220; round++) addRound(drawing, round, [0, 1, 2]);
    const honest = drawing.vertices.length;
    for (let round = 1; round <= 210; round++) {
      drawing.add(
        name(round, 3),
        3,
        [0, 1, 2].map((seat) => name(round, seat)),
      );
    }
    drawing.add(name(221, 0), 0, ['220.1', '220.2', '210.3']);
    drawing.add(name(221, 1), 1, ['220.0', '220.2', '221.0']);
    drawing.add(name(221, 2), 2, ['220.0', '220.1', '221.0']);
    for (let round = 222; round <= 230; round++) addRound(drawing, round, [0, 1, 2]);
    return { drawing, honest };
  }

  test('shown at once or 200 rounds later: same rounds, blocks and time', () => {
    const { drawing, honest } = late();
    const { vertices, config } = drawing;
    const atOnce = core.create(config);
    const tail = vertices.slice(honest);
    const chain = tail.filter((vertex) => vertex.creator === 3);
    for (let i = 0; i < honest; i++) {
      atOnce.insert([vertices[i]!]);
      // Its i-th vertex stands on the i-th round, which is complete after 3 i vertices.
      if (i % 3 === 2 && chain.length > (i - 2) / 3) atOnce.insert([chain[(i - 2) / 3]!]);
    }
    const early: string[] = [];
    atOnce.insert(tail.filter((vertex) => vertex.creator !== 3));
    early.push(...drain(atOnce));

    const afterwards = core.create(config);
    const blocks: string[] = [];
    for (const vertex of vertices) {
      afterwards.insert([vertex]);
      blocks.push(...drain(afterwards));
    }
    expect(early.length).toBeGreaterThan(150);
    expect(blocks).toEqual(early);
    expect(explainAll(afterwards, vertices)).toEqual(explainAll(atOnce, vertices));
  });

  test('an arena that is too small says so and keeps what it has', () => {
    const { drawing } = late();
    const engine = core.create({ ...drawing.config, maxVertices: 100 });
    const results = engine.insert(drawing.vertices);
    expect(results.slice(0, 100).every((result) => result === 'inserted')).toBe(true);
    expect(results.includes('full')).toBe(true);
    expect(new Set(results.slice(100))).toEqual(new Set(['full', 'missing_parent']));
  });
});

describe('P15: a scheduler that controls every message and knows the leaders', () => {
  const SEATS = 7;
  const ROUNDS = 60;

  /**
   * Two seats see a leader's vertex in the round after it: its own and the next leader. Four of seven
   * then vote for it and three blame it, and neither is a quorum of five.
   */
  function scheduled(config = equalSeats(SEATS), schedule = core.create(config)): Drawing {
    const drawing = new Drawing(config);
    const all = Array.from({ length: SEATS }, (_, seat) => seat);
    for (const seat of all) drawing.add(name(1, seat), seat, []);
    for (let round = 2; round <= ROUNDS; round++) {
      const leader = schedule.leadersOf(round - 1)[0]!;
      const next = schedule.leadersOf(round)[0]!;
      const before = round > 2 ? schedule.leadersOf(round - 2)[0]! : undefined;
      // Who may see the leader of the round below: itself and the next leader.
      const seers = new Set([leader, next]);
      if (seers.size < 2) seers.add(all.find((seat) => seat !== leader)!);
      // Who shall see the leader two rounds below through the two that saw it: four seats.
      const yes = new Set([...(before === undefined ? [] : [before]), leader, next]);
      for (const seat of all) if (yes.size < 4) yes.add(seat);
      for (const seat of all) {
        const avoid = new Set<number>(seers.has(seat) ? [] : [leader]);
        if (!yes.has(seat) && before !== undefined) avoid.add(before);
        const want = yes.has(seat) && before !== undefined ? [before] : [];
        const order = [...want, ...all.filter((other) => !want.includes(other))];
        const takes = order.filter((other) => other !== seat && !avoid.has(other)).slice(0, 4);
        drawing.add(
          name(round, seat),
          seat,
          takes.map((other) => name(round - 1, other)),
        );
      }
    }
    return drawing;
  }

  test('lets nothing be committed, and still nobody disagrees', () => {
    const drawing = scheduled();
    const engine = core.create(drawing.config);
    engine.insert(drawing.vertices);
    expect(engine.maxRound()).toBe(ROUNDS);
    expect(drain(engine)).toEqual([]);
  });

  test('the same DAG under leaders it could not predict commits most slots', () => {
    const known = core.create(equalSeats(SEATS));
    let commits = 0;
    let slots = 0;
    for (let epoch = 1; epoch <= 5; epoch++) {
      const drawing = scheduled(equalSeats(SEATS, epoch), known);
      const engine = core.create(drawing.config);
      engine.insert(drawing.vertices);
      commits += drain(engine).length;
      slots += ROUNDS - 2;
    }
    expect(commits / slots).toBeGreaterThan(0.5);
  });
});

test('dice give the same numbers for the same seed', () => {
  const [a, b] = [new Dice(5), new Dice(5)];
  expect([a.u32(), a.below(100), a.between(3, 9)]).toEqual([b.u32(), b.below(100), b.between(3, 9)]);
});
