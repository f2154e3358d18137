// The time that a node uses (consensus 5.8): jumps of its own clock, clocks of other seats that confirm it or not, liars.

import { expect, it } from 'vitest';
import type { Epoch } from '../../../host/ordering/epoch.ts';
import { CLOCK_TOLERANCE_MS, GuardedClock } from '../../../host/ordering/guarded-clock.ts';
import { EPOCH_LIMITS } from '../../../host/wire/block.ts';
import { FakeClock } from '../one-node/harness.ts';

const HOUR_MS = 3_600_000;

const epochOf = (weights: readonly bigint[]): Epoch => ({
  number: 0,
  id: new Uint8Array(32),
  digest: new Uint8Array(32),
  seats: weights.map((weight, i) => ({ key: new Uint8Array(32).fill(i + 1), weight })),
  minParticipants: 1,
  maxParents: weights.length,
  limits: EPOCH_LIMITS,
  sealBlock: new Uint8Array(32),
  firstBlock: 1,
  firstOrder: 1,
  previousTimeMs: 0,
});

function clockOf(seats: number, weights = Array<bigint>(seats).fill(10n)) {
  const base = new FakeClock();
  const logged: string[] = [];
  const keep = (_: unknown, text: string): void => void logged.push(text);
  let probes = 0;
  let trusted = 0;
  const clock = new GuardedClock({
    clock: base,
    log: { debug() {}, info: keep, warn: keep, error: keep } as never,
    seat: 0,
    epoch: () => epochOf(weights),
    probe: () => {
      probes += 1;
    },
    onTrusted: () => {
      trusted += 1;
    },
  });
  clock.start();
  /** A seat's clocks, off by so much from true time; `usedMs` undefined: it trusts none yet. */
  const hear = (seat: number, wallMs: number, usedMs?: number, roundTripMs = 0): void =>
    clock.onReading(
      seat,
      { wallMs: base.ms + wallMs, usedMs: usedMs === undefined ? 0 : base.ms + usedMs },
      roundTripMs,
    );
  const offMs = (): number => clock.nowMs() - base.ms;
  return { base, clock, logged, hear, offMs, probes: () => probes, trusted: () => trusted };
}

/** A clock of seat 0 of four that three others confirmed. */
function running() {
  const w = clockOf(4);
  for (const seat of [1, 2, 3]) w.hear(seat, 0, 0);
  expect(w.clock.isTrusted).toBe(true);
  return w;
}

it('alone: it is trusted at once, and small steps are followed slowly', async () => {
  const w = clockOf(1);
  expect(w.clock.isTrusted).toBe(true);
  w.base.skewMs = 900;
  expect(w.offMs()).toBe(0);
  await w.base.advance(3000);
  expect(w.offMs()).toBe(300);
  await w.base.advance(6000);
  expect(w.offMs()).toBe(900);
  expect(w.clock.fault).toBeUndefined();
});

it.each([HOUR_MS, -HOUR_MS])(
  'alone: a jump by %i ms is followed after it has held for a minute',
  async (jumpMs) => {
    const w = clockOf(1);
    w.base.skewMs = jumpMs;
    await w.base.advance(59_000);
    expect(w.offMs()).toBe(0);
    expect(w.clock.offsetMs).toBe(jumpMs);
    expect(w.clock.fault).toContain('3600 s');
    await w.base.advance(3000);
    expect(w.offMs()).toBe(jumpMs);
    expect(w.clock.fault).toBeUndefined();
    expect(w.logged).toContain('the time in use was set');
  },
);

it('alone: a clock that does not keep its pace is never followed', async () => {
  const w = clockOf(1);
  for (let i = 0; i < 200; i++) {
    w.base.skewMs += 2000;
    await w.base.advance(1000);
  }
  expect(w.offMs()).toBe(0);
});

it('of four: it is trusted when a quorum of wall clocks agrees, not before', () => {
  const w = clockOf(4);
  expect(w.clock.isTrusted).toBe(false);
  expect(w.clock.reading().usedMs).toBe(0);
  w.hear(1, CLOCK_TOLERANCE_MS + 1);
  w.hear(2, 0);
  expect(w.clock.refusal).toContain('the clocks of the seats differ');
  w.hear(3, -CLOCK_TOLERANCE_MS);
  expect(w.clock.isTrusted).toBe(true);
  expect(w.clock.refusal).toBeUndefined();
  expect(w.trusted()).toBe(1);
  expect(w.clock.reading().usedMs).toBe(w.base.ms);
});

it('of four: at a start one liar decides nothing, two seats that use one time do', async () => {
  const w = clockOf(4);
  w.base.skewMs = HOUR_MS;
  w.hear(1, 5 * HOUR_MS, 5 * HOUR_MS);
  expect(w.clock.isTrusted).toBe(false);
  w.hear(2, 0, 0);
  w.hear(3, 0, 0);
  expect(w.clock.isTrusted).toBe(true);
  expect(w.offMs()).toBe(0);
  expect(w.clock.peersOffsetMs).toBe(HOUR_MS);
  await w.base.advance(1000);
  expect(w.clock.fault).toContain('3600 s ahead');
  await w.base.advance(600_000);
  expect(w.offMs()).toBe(0);
});

it('of four: a jump is followed when other seats use that time already', async () => {
  const w = running();
  w.base.skewMs = 600_000;
  await w.base.advance(1000);
  expect(w.offMs()).toBe(0);
  expect(w.probes()).toBeGreaterThan(0);
  for (const seat of [1, 2]) w.hear(seat, 600_000, 600_000);
  await w.base.advance(1000);
  expect(w.offMs()).toBe(600_000);
});

it('of four: two wrong clocks are never followed, three are after a minute', async () => {
  const w = running();
  w.base.skewMs = HOUR_MS;
  await w.base.advance(1000);
  w.hear(1, HOUR_MS, 0);
  for (const seat of [2, 3]) w.hear(seat, 0, 0);
  await w.base.advance(600_000);
  expect(w.offMs()).toBe(0);
  w.hear(2, HOUR_MS, 0);
  await w.base.advance(59_000);
  expect(w.offMs()).toBe(0);
  await w.base.advance(3000);
  expect(w.offMs()).toBe(HOUR_MS);
});

it('of four: without peers a jump is never followed', async () => {
  const w = running();
  for (const seat of [1, 2, 3]) w.clock.forget(seat);
  w.base.skewMs = HOUR_MS;
  await w.base.advance(600_000);
  expect(w.offMs()).toBe(0);
});

it('of four: a node whose clock stood still takes the time that more of the others use', async () => {
  const w = running();
  for (const seat of [1, 2]) w.hear(seat, 600_000, 600_000);
  await w.base.advance(1000);
  expect(w.offMs()).toBe(0);
  w.hear(3, 600_000, 600_000);
  await w.base.advance(1000);
  expect(w.offMs()).toBe(600_000);
  expect(w.clock.fault).toContain('600 s behind');
});

it('an answer that was too long on its way says nothing, half a round trip is allowed for', () => {
  const w = clockOf(4);
  w.hear(1, -500, undefined, 1000);
  w.hear(2, 0, undefined, 6000);
  expect(w.clock.isTrusted).toBe(false);
  w.hear(2, -500, undefined, 1000);
  expect(w.clock.isTrusted).toBe(true);
});

it('a start believes seats of a third of the weight, and none of a grain less', () => {
  const offBy = (liar: bigint): number => {
    const w = clockOf(4, [2n * 10n ** 6n, 2n * 10n ** 6n, 2n * 10n ** 6n, liar]);
    w.hear(3, HOUR_MS, HOUR_MS);
    return w.offMs();
  };
  expect(offBy(3n * 10n ** 6n)).toBe(HOUR_MS);
  expect(offBy(3n * 10n ** 6n - 1n)).toBe(0);
});
