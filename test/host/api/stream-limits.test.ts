// Limits on clients of the stream (protocol 8.2, 9): slowness, silence, their number.

import { describe, expect, it } from 'vitest';
import { STREAMS_PER_IP, STREAMS_PER_NODE } from '../../../host/api/stream-hub.ts';
import { openBudget } from './charges.ts';
import { range, setUp, turns } from './stream-fakes.ts';

describe('a slow reader', () => {
  const SMALL = 1000;

  it('that leaves more than 1,024 messages is closed with 1013, and nothing was skipped before', async () => {
    const { source, open } = setUp();
    const socket = open({}, '10.0.0.1', SMALL);
    let groups = 0;
    for (; socket.code === undefined && groups < 100; groups++) {
      await source.add(100);
      await turns(2);
    }
    expect([socket.code, source.slow, source.hub.size]).toEqual([1013, 1, 0]);
    const got = socket.received.length;
    expect(socket.seqs).toEqual(range(1, got));
    expect(groups * 100 - got).toBeGreaterThan(1024);
    expect(groups * 100 - got).toBeLessThan(1024 + 300);
  });

  it('that leaves up to 1,024 is not closed, and gets all when it reads on', async () => {
    const { source, open } = setUp();
    const socket = open({}, '10.0.0.1', SMALL);
    for (let i = 0; i < 12; i++) {
      await source.add(100);
      await turns(2);
    }
    expect(socket.code).toBeUndefined();
    socket.open();
    await turns();
    expect(socket.seqs).toEqual(range(1, 1200));
  });

  it('is found by bytes too, and by the clock when no events come', async () => {
    const { clock, source, open } = setUp();
    const socket = open({}, '10.0.0.1', SMALL);
    await source.add(1);
    await turns(2);
    socket.waiting = 5 << 20;
    await source.add(400);
    await turns(2);
    expect(socket.code).toBeUndefined();
    clock.advance(1000);
    expect([socket.code, source.slow]).toEqual([1013, 1]);
  });

  it('a burst alone does not close a client that reads it in time', async () => {
    const { source, open } = setUp();
    const socket = open({}, '10.0.0.1', SMALL);
    await source.add(5000);
    await turns(2);
    socket.open();
    await source.add(1);
    await turns();
    expect(socket.code).toBeUndefined();
    expect(socket.seqs).toEqual(range(1, 5001));
  });

  it('catching up from the store has a separate pace', async () => {
    const { clock, source, open } = setUp();
    await source.add(5000);
    const socket = open({ since: 0 }, '10.0.0.1', SMALL);
    for (let i = 0; i < 20; i++) {
      await source.add(200);
      await turns(2);
      clock.advance(1000);
    }
    expect([socket.code, source.slow]).toEqual([undefined, 0]);
    expect(socket.received.length).toBeLessThan(1000);
    socket.open();
    await turns(100);
    expect(socket.seqs).toEqual(range(1, 9000));
  });

  it('counts only the types it subscribed to', async () => {
    const { source, open } = setUp();
    const socket = open({ filter: 'transfer' }, '10.0.0.1', 0);
    await source.add(500, 'transfer');
    await turns(2);
    for (let i = 0; i < 50; i++) await source.add(500);
    expect(socket.code).toBeUndefined();
    socket.open();
    await turns();
    expect(socket.seqs).toEqual(range(1, 500));
  });
});

describe('liveness', () => {
  it('pings every 30 s; a client that does not answer for 60 s is closed', () => {
    const { clock, source, open } = setUp();
    const [alive, dead] = [open(), open()];
    for (let secs = 1; secs <= 59; secs++) {
      clock.advance(1000);
      if (secs % 30 === 0) alive.listener.pong();
    }
    expect([alive.pings, dead.pings, dead.code]).toEqual([1, 1, undefined]);
    clock.advance(1000);
    alive.listener.pong();
    expect([alive.pings, alive.code, dead.code, source.hub.size]).toEqual([2, undefined, 1006, 1]);
    clock.advance(30_000);
    expect(alive.pings).toBe(3);
  });
});

describe('how many (protocol 8.2)', () => {
  const refusal = (run: () => unknown): unknown => {
    try {
      run();
    } catch (error) {
      const { code, status, headers } = error as { code: string; status: number; headers: object };
      return [code, status, Object.keys(headers)];
    }
    return undefined;
  };

  it('20 for an address, 1,000 for the node; a place is free again when a stream ends', () => {
    const { source, open } = setUp();
    const first = range(1, STREAMS_PER_IP).map(() => open());
    const full = ['too_many_streams', 503, ['Retry-After']];
    expect(refusal(() => open())).toEqual(full);
    first[0]!.listener.closed();
    first[0]!.listener.closed();
    open();
    expect(refusal(() => open())).toEqual(full);
    for (let i = STREAMS_PER_IP; i < STREAMS_PER_NODE; i++) open({}, `10.${1 + (i >> 8)}.${i & 255}.1`);
    expect(source.hub.size).toBe(STREAMS_PER_NODE);
    expect(refusal(() => open({}, '10.200.0.1'))).toEqual(full);
    first[1]!.listener.closed();
    expect(refusal(() => open({}, '10.200.0.1'))).toBeUndefined();
  });

  it('the addresses of one IPv6 network share the 20', () => {
    const { open } = setUp();
    const readers = range(1, STREAMS_PER_IP).map((i) => open({}, `2001:db8:1:2::${i.toString(16)}`));
    const full = ['too_many_streams', 503, ['Retry-After']];
    expect(refusal(() => open({}, '2001:db8:1:2:ffff::1'))).toEqual(full);
    expect(refusal(() => open({}, '2001:db8:1:3::1'))).toBeUndefined();
    readers[0]!.listener.closed();
    expect(refusal(() => open({}, '2001:db8:1:2:ffff::1'))).toBeUndefined();
  });

  it('one network, with as many addresses as it likes, leaves places to others', () => {
    const { source, open } = setUp();
    let refused = 0;
    for (let i = 0; i < 1500; i++) if (refusal(() => open({}, `10.0.0.${i % 250}`))) refused++;
    expect(source.hub.size).toBe(250);
    expect(refused).toBe(1250);
    expect(refusal(() => open({}, '10.0.1.1'))).toBeUndefined();
  });
});

describe('what the past costs', () => {
  it('a reader that has spent what it may goes on when it has paid, and misses nothing', async () => {
    const { clock, source, open } = setUp();
    await source.add(5000);
    const { budget, time } = openBudget('page');
    const charge = budget.open('10.0.0.1', 5);
    charge.add(900);
    const [poor, other] = [open({ since: 0 }, '10.0.0.1', Infinity, charge), open({ since: 0 })];
    await turns(100);
    expect([poor.received.length, other.received.length]).toEqual([0, 5000]);
    time.ms += 3_600_000;
    clock.advance(1000);
    await turns(100);
    expect(poor.seqs).toEqual(range(1, 5000));
  });
});
