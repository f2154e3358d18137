import { describe, expect, test } from 'vitest';
import type { Preview } from '../../../host/core/consensus.ts';
import { type Emission, EmissionPolicy, type EmissionView } from '../../../host/ordering/emission.ts';

const NOW_MS = 1_800_000_000_000;
const id = (n: number): Uint8Array => new Uint8Array(32).fill(n);

const FRESH: Preview = {
  round: 5,
  isWitness: false,
  newWitnessCreators: [],
  timeMs: NOW_MS - 100,
  isRefusedByRun: false,
};

/** A weighted seat with nothing to do, changed as a test wishes. */
function view(changes: Partial<EmissionView> = {}, preview: Partial<Preview> = {}): EmissionView {
  return {
    nowMs: NOW_MS,
    seat: 0,
    hasWeight: true,
    own: { id: id(1), timeMs: NOW_MS - 50 },
    heads: [
      { id: id(3), creator: 2 },
      { id: id(2), creator: 1 },
    ],
    hasUnfinishedWork: false,
    hasPayload: false,
    isAnswering: false,
    fill: 0,
    causes: [],
    preview: () => ({ ...FRESH, ...preview }),
    leadersOf: () => [1],
    newestRound: () => 5,
    quorumWitnesses: () => true,
    followedRound: () => undefined,
    isAfterWork: () => false,
    nextWriter: () => undefined,
    seats: [0, 1, 2, 3],
    isQuorum: (seats) => seats.length >= 3,
    ...changes,
  };
}

const policy = (): EmissionPolicy => new EmissionPolicy({ minIntervalMs: 20, maxParents: 3 });
const reason = (emission: Emission | undefined): string | undefined => emission?.reason;

describe('emission', () => {
  test('makes nothing when there is nothing to do', () => {
    expect(policy().next(view({}, { isWitness: true }))).toBeUndefined();
  });

  describe('a leader of the round below', () => {
    const late = { hasUnfinishedWork: true, newestRound: () => 4 };
    const witness = { round: 6, isWitness: true };
    /** Has made two witnesses, the newer one just now. */
    const inStep = (roundMs: number): EmissionPolicy => {
      const p = policy();
      const busy = { hasUnfinishedWork: true };
      for (const nowMs of [NOW_MS - roundMs, NOW_MS]) p.made(p.next(view(busy, witness))!, nowMs);
      return p;
    };

    test('is waited for at most 100 ms, by payload as well; then the witness goes out', () => {
      const p = inStep(1500);
      expect(p.next(view(late, witness))).toBeUndefined();
      expect(p.dueMs(false, [])).toBe(NOW_MS + 100);
      expect(p.dueMs(true, ['late'])).toBe(NOW_MS + 100);
      const more = { ...late, nowMs: NOW_MS + 99, hasPayload: true };
      expect(p.next(view(more, witness))).toBeUndefined();
      const made = p.next(view({ ...late, nowMs: NOW_MS + 100 }, witness))!;
      expect(reason(made)).toBe('progress');
      p.made(made, NOW_MS + 100);
      expect(p.dueMs(false, [])).toBeUndefined();
    });

    test('is waited for a quarter of the time that the own round before took', () => {
      const p = inStep(80);
      expect(p.next(view(late, witness))).toBeUndefined();
      expect(p.dueMs(false, [])).toBe(NOW_MS + 20);
      expect(p.next(view({ ...late, nowMs: NOW_MS + 20 }, witness))).toBeDefined();
    });

    test('is waited for when it is any of them, until the last is here', () => {
      const of = (...late: number[]): Partial<EmissionView> => ({
        hasUnfinishedWork: true,
        leadersOf: () => [3, 0, 1],
        newestRound: (seat) => (late.includes(seat) ? 4 : 5),
      });
      const p = inStep(300);
      expect(p.next(view(of(1, 3), witness))).toBeUndefined();
      expect(p.next(view(of(1), witness))).toBeUndefined();
      // Seat 2 leads no slot there.
      expect(p.next(view(of(2), witness))).toBeDefined();
    });

    test('is not waited for any more once nothing is left to finish', () => {
      const p = inStep(300);
      expect(p.next(view(late, witness))).toBeUndefined();
      expect(p.next(view({ nowMs: NOW_MS + 10 }))).toBeUndefined();
      expect(p.dueMs(false, [])).toBeUndefined();
    });

    test('ends the wait when its witness is here, and each round has a wait of its own', () => {
      const p = inStep(300);
      expect(p.next(view(late, witness))).toBeUndefined();
      const here = { ...late, newestRound: () => 5, nowMs: NOW_MS + 10 };
      expect(reason(p.next(view(here, witness)))).toBe('progress');
      const later = { ...late, newestRound: () => 5, nowMs: NOW_MS + 150 };
      expect(p.next(view(later, { ...witness, round: 7 }))).toBeUndefined();
    });

    test.each([
      ['that is this seat', { leadersOf: () => [0] }],
      ['that is away', { newestRound: () => 1 }],
      ['that forked or has no vertex', { newestRound: () => undefined }],
      ['with a vertex of a higher round', { newestRound: () => 6 }],
      ['by a seat without weight, which makes no witness', { hasWeight: false, hasPayload: true }],
    ])('is not waited for: one %s', (_, changes) => {
      expect(inStep(300).next(view(late, witness))).toBeUndefined();
      expect(inStep(300).next(view({ ...late, ...changes }, witness))).toBeDefined();
    });

    test('holds back nothing after the clock was set back', () => {
      const p = inStep(300);
      expect(p.next(view(late, witness))).toBeUndefined();
      expect(p.next(view({ ...late, nowMs: NOW_MS - 5000 }, witness))).toBeDefined();
    });

    test('holds back no vertex that is no witness, and none after silence', () => {
      const step = { ...late, hasPayload: true };
      expect(reason(inStep(300).next(view(step, { round: 6 })))).toBe('payload');
      expect(reason(inStep(300).next(view({ ...step, hasUnfinishedWork: false }, witness)))).toBe('payload');
      expect(reason(inStep(300).next(view({ ...late, nowMs: NOW_MS + 1201 }, witness)))).toBe('progress');
      expect(inStep(300).next(view({ ...late, nowMs: NOW_MS + 1200 }, witness))).toBeUndefined();
      expect(reason(policy().next(view(late, witness)))).toBe('progress');
    });
  });

  describe('after work', () => {
    const witness = { round: 6, isWitness: true };
    /** Seat 0 leads no slot of the next round, so it goes ahead into it. */
    const idle = { leadersOf: () => [1, 2, 3] };
    const done = (): EmissionPolicy => {
      const p = policy();
      p.made(p.next(view({ hasUnfinishedWork: true, nowMs: NOW_MS - 80 }, witness))!, NOW_MS - 80);
      p.made(p.next(view({ hasUnfinishedWork: true }, witness))!, NOW_MS);
      return p;
    };

    test('(e) a seat goes ahead into the next round, once', () => {
      const p = done();
      const ahead = p.next(view(idle, witness))!;
      expect([ahead.reason, ahead.work, ahead.withPayload, ahead.isWitness]).toEqual([
        'ahead',
        false,
        false,
        true,
      ]);
      expect(ahead.parents).toEqual([id(1), id(2), id(3)]);
      p.made(ahead, NOW_MS);
      expect(p.next(view(idle, { ...witness, round: 7 }))).toBeUndefined();
    });

    test('(e) as soon as there is a quorum to begin it', () => {
      const p = done();
      expect(p.next(view(idle))).toBeUndefined();
      expect(reason(p.next(view(idle, witness)))).toBe('ahead');
    });

    test.each([
      ['that others go ahead into', { leadersOf: () => [0, 1, 2] }],
      ['in a large network', { ...idle, seats: [0, 1, 2, 3, 4, 5, 6, 7] }],
      ['while something is unfinished', { ...idle, hasUnfinishedWork: true }],
      ['of payload', { ...idle, hasPayload: true }],
    ])('(e) not into a round %s', (_, changes) => {
      expect(reason(done().next(view({ ...idle, ...changes }, witness)))).not.toBe('ahead');
    });

    test('(e) not before the writes came that follow answers, for the usual wait', () => {
      const p = done();
      p.answered(2, NOW_MS - 70);
      p.came(2, NOW_MS - 65);
      expect(p.next(view({ ...idle, isAnswering: true }, witness))).toBeUndefined();
      p.answered(2, NOW_MS);
      expect(p.next(view({ ...idle, nowMs: NOW_MS + 15 }, witness))).toBeUndefined();
      expect(p.dueMs(false, [])).toBe(NOW_MS + 16);
      expect(reason(p.next(view({ ...idle, nowMs: NOW_MS + 16 }, witness)))).toBe('ahead');
    });

    test('(e) decides once: who stays behind is not asked again', () => {
      const p = done();
      expect(p.next(view({ leadersOf: () => [0, 1, 2] }, witness))).toBeUndefined();
      expect(p.next(view(idle, witness))).toBeUndefined();
    });

    test('(e) not without weight, and not before there was work', () => {
      const p = done();
      p.next(view({ hasUnfinishedWork: true, hasWeight: false }));
      expect(p.next(view({ ...idle, hasWeight: false }, witness))).toBeUndefined();
      expect(policy().next(view(idle, witness))).toBeUndefined();
    });

    test('(e) the leaders of the round that it went ahead into are not awaited: they may make no witness in it', () => {
      const p = done();
      p.made(p.next(view(idle, witness))!, NOW_MS);
      const late = { hasUnfinishedWork: true, newestRound: () => 5 };
      expect(reason(p.next(view(late, { ...witness, round: 7 })))).toBe('progress');
    });
  });

  describe('work that came into a round after its seat had a witness there', () => {
    const next = { round: 6, isWitness: true };
    const followed = (newest: readonly number[], after: readonly number[]): Partial<EmissionView> => ({
      hasUnfinishedWork: true,
      followedRound: () => 5,
      leadersOf: () => [3, 1, 2],
      newestRound: (seat) => newest[seat],
      isAfterWork: (seat) => after.includes(seat),
    });
    const inStep = (roundMs: number): EmissionPolicy => {
      const p = policy();
      for (const nowMs of [NOW_MS - roundMs, NOW_MS])
        p.made(p.next(view({ hasUnfinishedWork: true, nowMs }, next))!, nowMs);
      return p;
    };

    test('is ordered with the first leader whose witness follows it: that is awaited for a round and a quarter', () => {
      const p = inStep(80);
      expect(p.next(view(followed([5, 5, 5, 4], [0]), next))).toBeUndefined();
      expect(p.dueMs(false, [])).toBe(NOW_MS + 100);
      expect(reason(p.next(view({ ...followed([5, 5, 5, 4], [0]), nowMs: NOW_MS + 100 }, next)))).toBe(
        'progress',
      );
      expect(reason(p.next(view(followed([5, 4, 4, 5], [3]), next)))).toBe('progress');
    });

    test('at most half a second, also after silence', () => {
      const p = policy();
      expect(p.next(view(followed([5, 5, 5, 4], []), next))).toBeUndefined();
      expect(p.dueMs(false, [])).toBe(NOW_MS + 500);
    });

    test('a silence is no round: who stayed behind waits for a round and a quarter as well, or for a half of one', () => {
      const woken = (): EmissionPolicy => {
        const p = inStep(80);
        expect(p.next(view({ leadersOf: () => [0, 1, 2] }, next))).toBeUndefined();
        const nowMs = NOW_MS + 3000;
        p.made(p.next(view({ ...followed([5, 5, 5, 5], []), nowMs }, next))!, nowMs);
        return p;
      };
      const due = (changes: Partial<EmissionView>): number | undefined => {
        const p = woken();
        expect(
          p.next(view({ ...followed([5, 5, 5, 4], []), nowMs: NOW_MS + 3000, ...changes }, next)),
        ).toBeUndefined();
        return p.dueMs(false, []);
      };
      expect(due({})).toBe(NOW_MS + 3100);
      expect(due({ followedRound: () => 4 })).toBe(NOW_MS + 3040);
    });

    test('only the first round after a silence waits for a half of one', () => {
      const p = inStep(80);
      expect(p.next(view({ leadersOf: () => [0, 1, 2] }, next))).toBeUndefined();
      for (const nowMs of [NOW_MS + 3000, NOW_MS + 3080])
        p.made(p.next(view({ hasUnfinishedWork: true, nowMs }, next))!, nowMs);
      const missing = { ...followed([5, 5, 5, 4], []), followedRound: () => 4, nowMs: NOW_MS + 3160 };
      expect(p.next(view(missing, next))).toBeUndefined();
      expect(p.dueMs(false, [])).toBe(NOW_MS + 3180);
    });

    test.each([
      ['one that went ahead itself, when none before the one that follows is missing', [5, 5, 4, 5], [1]],
      ['one that is away', [5, 5, 5, 1], [1]],
      ['the own witness, which this seat left out', [4, 5, 5, 5], []],
    ])('does not wait for %s', (_, newest, after) => {
      const here = { ...followed(newest, after), leadersOf: () => [0, 3, 1, 2] };
      expect(reason(inStep(80).next(view(here, next)))).toBe('progress');
    });

    test('waits for one that is missing before it, though a later one follows', () => {
      expect(inStep(80).next(view(followed([5, 4, 5, 5], [2]), next))).toBeUndefined();
    });

    test('waits for nobody in a large network, and not for the leaders of another round', () => {
      const large = { ...followed([5, 5, 5, 4], []), seats: [0, 1, 2, 3, 4, 5, 6, 7] };
      expect(reason(policy().next(view(large, next)))).toBe('progress');
      expect(
        reason(policy().next(view({ ...followed([5, 5, 5, 4], []), followedRound: () => 4 }, next))),
      ).toBe('progress');
    });
  });

  describe('a witness', () => {
    const busy = { hasUnfinishedWork: true };
    const witness = { round: 6, isWitness: true };
    /** Its writers write again within the wait of 20 ms. */
    const withRegulars = (): EmissionPolicy => {
      const p = policy();
      for (const nowMs of [NOW_MS - 200, NOW_MS - 100]) p.made(p.next(view(busy, witness))!, nowMs);
      p.answered(2, NOW_MS - 90);
      p.came(2, NOW_MS - 85);
      return p;
    };

    test('waits for the writes that follow answers, and takes them with it', () => {
      const p = withRegulars();
      expect(p.next(view({ ...busy, isAnswering: true }, witness))).toBeUndefined();
      p.answered(2, NOW_MS + 1);
      expect(p.next(view({ ...busy, nowMs: NOW_MS + 2 }, witness))).toBeUndefined();
      p.came(1, NOW_MS + 3);
      expect(p.next(view({ ...busy, nowMs: NOW_MS + 3, hasPayload: true }, witness))).toBeUndefined();
      expect(p.dueMs(true, ['late'])).toBe(NOW_MS + 21);
      p.came(1, NOW_MS + 4);
      const made = p.next(view({ ...busy, nowMs: NOW_MS + 4, hasPayload: true }, witness))!;
      expect([made.reason, made.isWitness]).toEqual(['payload', true]);
      p.made(made, NOW_MS + 4);
      expect(p.dueMs(false, [])).toBeUndefined();
    });

    test('waits no longer than that', () => {
      const p = withRegulars();
      p.answered(2, NOW_MS);
      expect(p.next(view({ ...busy, nowMs: NOW_MS + 19 }, witness))).toBeUndefined();
      expect(reason(p.next(view({ ...busy, nowMs: NOW_MS + 20 }, witness)))).toBe('progress');
    });

    test('waits for a late leader for longer, if that ends later', () => {
      const p = withRegulars();
      p.answered(2, NOW_MS - 5);
      expect(p.next(view({ ...busy, newestRound: () => 4 }, witness))).toBeUndefined();
      expect(p.dueMs(false, [])).toBe(NOW_MS + 25);
    });

    test('waits for no writes where its seat is a quorum alone', () => {
      const alone = { ...busy, isAnswering: true, isQuorum: () => true };
      expect(reason(withRegulars().next(view(alone, witness)))).toBe('progress');
    });

    test('is held back only while rounds follow each other, as where one seat is no quorum', () => {
      const answering = { isAnswering: true, hasPayload: true };
      expect(reason(withRegulars().next(view(answering, witness)))).toBe('payload');
      const late = { ...answering, ...busy, nowMs: NOW_MS + 1000 };
      expect(reason(withRegulars().next(view(late, witness)))).toBe('payload');
    });

    test('is held back alone: no other vertex waits, and none of a seat without weight', () => {
      const answering = { ...busy, isAnswering: true, hasPayload: true };
      expect(reason(withRegulars().next(view(answering)))).toBe('payload');
      expect(reason(withRegulars().next(view({ ...answering, hasWeight: false }, witness)))).toBe('payload');
    });
  });

  test('(a) payload is sent with work set, the own head as first parent and the others ascending', () => {
    expect(policy().next(view({ hasPayload: true }))).toEqual({
      reason: 'payload',
      parents: [id(1), id(2), id(3)],
      timeMs: NOW_MS,
      work: true,
      withPayload: true,
      isWitness: false,
    });
  });

  test('(a) waits for the minimum interval, and returns when it ends', () => {
    const p = policy();
    p.made(p.next(view({ hasPayload: true }))!, NOW_MS);
    expect(p.dueMs(true, [])).toBe(NOW_MS + 20);
    expect(p.next(view({ hasPayload: true, nowMs: NOW_MS + 19 }))).toBeUndefined();
    expect(reason(p.next(view({ hasPayload: true, nowMs: NOW_MS + 20 })))).toBe('payload');
  });

  test.each([
    [0.62, 20],
    [0.63, 100],
    [0.76, 1000],
  ])('(a) at a fill of %f payload waits %i ms for the last one', (fill, waitMs) => {
    const p = policy();
    const full = { hasPayload: true, fill };
    p.made(p.next(view(full))!, NOW_MS);
    expect(p.next(view({ ...full, nowMs: NOW_MS + waitMs - 1 }))).toBeUndefined();
    expect(p.dueMs(true, [])).toBe(NOW_MS + waitMs);
    expect(reason(p.next(view({ ...full, nowMs: NOW_MS + waitMs })))).toBe('payload');
  });

  test('(a) from seven eighths on payload waits for the next epoch, and what seals this one is made', () => {
    const p = policy();
    const full = { hasPayload: true, hasUnfinishedWork: true, fill: 0.875 };
    expect(p.next(view(full))).toBeUndefined();
    expect(p.dueMs(true, [])).toBeUndefined();
    expect(reason(p.next(view(full, { isWitness: true })))).toBe('progress');
    expect(reason(p.next(view({ ...full, causes: ['change'] })))).toBe('cause');
    expect(reason(p.next(view({ ...full, fill: 0 })))).toBe('payload');
  });

  test('(b) unfinished and a witness: an empty vertex without work', () => {
    const emission = policy().next(view({ hasUnfinishedWork: true }, { isWitness: true }))!;
    expect([emission.reason, emission.work, emission.withPayload]).toEqual(['progress', false, false]);
    expect(policy().next(view({ hasUnfinishedWork: true }))).toBeUndefined();
  });

  test('(c) merges only what is new, at the highest round, with a quorum in view', () => {
    const brings = { newWitnessCreators: [2] };
    expect(reason(policy().next(view({ hasUnfinishedWork: true }, brings)))).toBe('merge');
    expect(
      policy().next(view({ hasUnfinishedWork: true, quorumWitnesses: () => false }, brings)),
    ).toBeUndefined();
    // A round above that no head to choose has reached is a cheater's, and stops nobody.
    expect(reason(policy().next(view({ hasUnfinishedWork: true }, { ...brings, round: 4 })))).toBe('merge');
    expect(policy().next(view({ hasUnfinishedWork: true }))).toBeUndefined();
  });

  test('(d) one vertex a second for one cause', () => {
    const p = policy();
    const first = p.next(view({ causes: ['change', 'timer'] }))!;
    expect([first.reason, first.cause, first.work]).toEqual(['cause', 'change', true]);
    p.made(first, NOW_MS);
    const second = p.next(view({ causes: ['change', 'timer'] }))!;
    expect(second.cause).toBe('timer');
    p.made(second, NOW_MS);
    expect(p.next(view({ causes: ['change', 'timer'], nowMs: NOW_MS + 999 }))).toBeUndefined();
    expect(p.dueMs(false, ['change'])).toBe(NOW_MS + 1000);
    expect(reason(p.next(view({ causes: ['change'], nowMs: NOW_MS + 1000 })))).toBe('cause');
  });

  test('a vertex that run would refuse waits', () => {
    const busy = { hasPayload: true, hasUnfinishedWork: true, causes: ['change'] };
    expect(policy().next(view(busy, { isRefusedByRun: true, isWitness: true }))).toBeUndefined();
  });

  test('a seat without weight makes vertices for payload, and for its return alone of all causes', () => {
    const idle = { hasWeight: false, hasUnfinishedWork: true, causes: ['change'] };
    expect(policy().next(view(idle, { isWitness: true }))).toBeUndefined();
    expect(reason(policy().next(view({ ...idle, hasPayload: true })))).toBe('payload');
    const back = { ...idle, causes: ['change', 'return'] };
    expect(policy().next(view(back, { isWitness: true }))).toMatchObject({ cause: 'return', work: true });
    expect(policy().next(view({ ...back, hasUnfinishedWork: false }))).toMatchObject({ cause: 'return' });
  });

  test('time is never earlier than that of the own head', () => {
    const own = { id: id(1), timeMs: NOW_MS + 500 };
    expect(policy().next(view({ own, hasPayload: true }))!.timeMs).toBe(NOW_MS + 500);
  });
});

describe('a clock that is set back', () => {
  test('holds up neither payload nor causes', () => {
    const p = policy();
    const busy = { hasPayload: true, causes: ['idle'] };
    p.made(p.next(view({ causes: ['idle'] }))!, NOW_MS);
    p.made(p.next(view(busy))!, NOW_MS);
    const nowMs = NOW_MS - 3_600_000;
    const next = p.next(view({ ...busy, nowMs }))!;
    expect([next.reason, next.timeMs]).toEqual(['payload', NOW_MS - 50]);
    expect(reason(p.next(view({ causes: ['idle'], nowMs })))).toBe('cause');
  });
});

describe('wake-up', () => {
  const stale = { timeMs: NOW_MS - 4501 };

  test('with a stale time an empty work vertex is made first, once; payload follows with a fresh one', () => {
    const p = policy();
    const wake = p.next(view({ hasPayload: true }, stale))!;
    expect([wake.reason, wake.work, wake.withPayload]).toEqual(['wake', true, false]);
    p.made(wake, NOW_MS);
    expect(p.next(view({ hasPayload: true, hasUnfinishedWork: true }, stale))).toBeUndefined();
    expect(reason(p.next(view({ hasPayload: true, hasUnfinishedWork: true })))).toBe('payload');
  });

  test('after three own witnesses payload is sent in spite of a stale time', () => {
    const p = policy();
    p.made(p.next(view({ hasPayload: true }, stale))!, NOW_MS);
    const waiting = view({ hasPayload: true, hasUnfinishedWork: true }, { ...stale, isWitness: true });
    for (let i = 0; i < 3; i++) {
      const emission = p.next(waiting)!;
      expect(emission.reason).toBe('progress');
      p.made(emission, NOW_MS);
    }
    expect(reason(p.next(waiting))).toBe('payload');
  });

  test('a wake-up that became final without a fresh time is repeated', () => {
    const p = policy();
    p.made(p.next(view({ hasPayload: true }, stale))!, NOW_MS);
    expect(reason(p.next(view({ hasPayload: true }, stale)))).toBe('wake');
  });
});

describe('choice of parents', () => {
  const heads = [1, 2, 3, 4].map((creator) => ({ id: id(creator + 1), creator }));
  /** Which creators' witnesses each head brings, and the round a vertex over it would have. */
  const offers = new Map([
    [1, { round: 5, brings: [1] }],
    [2, { round: 5, brings: [2, 3] }],
    [3, { round: 4, brings: [3, 4, 6, 7] }],
    [4, { round: 5, brings: [4, 5, 6] }],
  ]);
  const preview = (parents: readonly Uint8Array[]): Preview => {
    const offer = parents.length === 2 ? offers.get(parents[1]![0]! - 1)! : { round: 5, brings: [2, 4] };
    return { ...FRESH, round: offer.round, newWitnessCreators: offer.brings };
  };
  const chosen = (leader: number): number[] => {
    const emission = policy().next(view({ heads, hasPayload: true, preview, leadersOf: () => [leader] }))!;
    return emission.parents.map((parent) => parent[0]! - 1);
  };

  test('with more heads than room, those of the highest round that bring most', () => {
    expect(chosen(9)).toEqual([0, 2, 4]);
  });

  test("the leader's witness comes first", () => {
    expect(chosen(1)).toEqual([0, 1, 4]);
  });

  test('a head that already has a quorum is chosen although it adds only its own witness', () => {
    const advance = (parents: readonly Uint8Array[]): Preview => {
      const carries = parents.some((parent) => parent[0] === 5);
      return {
        ...FRESH,
        round: carries ? 6 : 5,
        isWitness: carries,
        newWitnessCreators: carries ? [0] : [1, 2],
      };
    };
    const emission = new EmissionPolicy({ minIntervalMs: 0, maxParents: 2 }).next(
      view({ heads, hasUnfinishedWork: true, preview: advance }),
    )!;
    expect([emission.reason, emission.parents]).toEqual(['progress', [id(1), id(5)]]);
  });
});
