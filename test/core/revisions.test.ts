// The revision of the rules: it rises at a seal, by one, once a quorum of the seats with weight names the next.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { Net, TOKEN } from './fixture.ts';
import * as records from './records.ts';

const revisionOf = (net: Net): number =>
  Number(net.core.query(abi.QUERY_HEADER)!.getBigUint64(8 * abi.HEADER_REVISION, true));

/** A block with a vertex of each of these seats, which names this revision. */
function name(net: Net, named: Readonly<Record<number, number>>): void {
  net.nowMs += 1000;
  const [block, , end] = net.blockRecords([]);
  const vertices = Object.entries(named).map(([seat, revision]) =>
    records.vertex(++net.order, Number(seat), 0, revision),
  );
  net.core.apply(block!, ...vertices, end!);
}

function seal(net: Net): number {
  net.core.apply(records.epochEnd());
  return revisionOf(net);
}

test('a quorum raises it, at the seal only, by one only; nothing lowers it', () => {
  const net = new Net([{}, {}, {}, {}]);
  expect(revisionOf(net)).toBe(0);
  name(net, { 0: 1, 1: 1 });
  expect(seal(net)).toBe(0);
  name(net, { 2: 2 });
  expect(revisionOf(net)).toBe(0);
  expect(seal(net)).toBe(1);
  name(net, { 0: 9, 1: 9 });
  expect(seal(net)).toBe(2);
  expect(seal(net)).toBe(2);
  name(net, { 2: 9 });
  expect([seal(net), seal(net)]).toEqual([3, 4]);
  name(net, { 0: 0, 1: 0, 2: 0, 3: 0 });
  expect(seal(net)).toBe(4);
});

test('a seat that goes back to an older program before the seal is not counted any more', () => {
  const net = new Net([{}, {}, {}, {}]);
  name(net, { 0: 1, 1: 1, 2: 1 });
  name(net, { 1: 0 });
  expect(seal(net)).toBe(0);
});

test('weight counts, not seats; seats without weight do not count', () => {
  const heavy = new Net([{ stake: 100_000n * TOKEN }, {}, {}, {}]);
  name(heavy, { 1: 1, 2: 1, 3: 1 });
  expect(seal(heavy)).toBe(0);
  name(heavy, { 0: 1 });
  expect(seal(heavy)).toBe(1);
  const idle = new Net([{}, {}, { status: abi.VALIDATOR_PROBATION }, { status: abi.NO_STATUS }]);
  name(idle, { 0: 1, 2: 1, 3: 1 });
  expect(seal(idle)).toBe(0);
  name(idle, { 1: 1 });
  expect(seal(idle)).toBe(1);
});

test('what a seat names is under the root', () => {
  const [one, other] = [new Net([{}, {}]), new Net([{}, {}])];
  name(one, { 0: 1 });
  name(other, { 0: 2 });
  expect(one.core.stateHash()).not.toEqual(other.core.stateHash());
});
