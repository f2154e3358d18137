// A full out buffer: the core stops before a record, and continues there after draining.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { command } from '../model/command.ts';
import { concat, type EventOutcome, type Outcome } from './driver.ts';
import { hash, Net } from './fixture.ts';

const ITEMS = 50_000;
/** Claims of value take half of the table of open events. */
const CAPACITIES = [1000, 2 * ITEMS + 2, 1000, 200_000, 100, 1000, 10, 20];

// Calls that it takes to apply records given in one piece, and all their outcomes.
function applyCounted(net: Net, parts: Uint8Array[]): { calls: number; outcomes: Outcome[] } {
  const before = net.core.x.core_apply!;
  let calls = 0;
  const counted = (length: number): number => {
    calls++;
    return before(length);
  };
  const core = net.core as { x: Record<string, unknown> };
  core.x = { ...core.x, core_apply: counted };
  const outcomes = net.core.apply(concat(parts));
  core.x = { ...core.x, core_apply: before };
  return { calls, outcomes };
}

test('deadlines that do not fit go on when the vertex is presented again', () => {
  const net = new Net([{}], { capacities: CAPACITIES });
  net.run([net.register('a')]);
  for (let from = 0; from < ITEMS; from += 10_000) {
    const claims = Array.from({ length: 10_000 }, () => net.generation('a', 5n));
    expect(new Set(net.codes(claims))).toEqual(new Set([abi.OK]));
  }
  net.nowMs += 301_000;
  const { calls, outcomes } = applyCounted(net, net.blockRecords([net.register('b')]));
  expect(calls).toBeGreaterThan(1);
  const events = outcomes.filter((o): o is EventOutcome => o.kind === 'event');
  expect(events.length).toBe(ITEMS);
  // Indexes follow the one entry of the vertex without a gap; the entry comes after all of them.
  expect(events.every((e, i) => e.index === 1 + i)).toBe(true);
  expect(events.every((e, i) => e.seq === events[0]!.seq + i)).toBe(true);
  const last = outcomes.findLast((o) => o.kind === 'tx');
  expect(last).toMatchObject({ code: abi.OK, seq: events.at(-1)!.seq + 1, index: 0 });
  expect(net.core.header(abi.HEADER_ITEMS)).toBe(0n);
});

test('many small records: whole records are consumed and none is told twice', () => {
  const net = new Net([{}], { capacities: CAPACITIES });
  const noise = Array.from({ length: 65_000 }, (_, i) =>
    command(abi.OP_INVALID, { txid: hash(`noise ${i}`) }),
  );
  net.nowMs += 1000;
  const { calls, outcomes } = applyCounted(net, net.blockRecords(noise));
  expect(calls).toBeGreaterThan(1);
  const told = outcomes.flatMap((o) => (o.kind === 'tx' ? [o.txid] : []));
  expect(told).toEqual(noise.map((c) => c.txid));
});
