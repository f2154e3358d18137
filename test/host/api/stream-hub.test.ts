// The event stream without sockets (protocol 9): who gets what, and in which order.

import { describe, expect, it } from 'vitest';
import { parseFilter } from '../../../host/api/stream-hub.ts';
import { EVENT_TYPES } from '../../../host/store/event-types.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { range, setUp, turns } from './stream-fakes.ts';
import { TIME } from './stream-source.ts';

describe('what a reader gets', () => {
  it('live only: every event after it came, once, in order', async () => {
    const { source, open } = setUp();
    await source.add(10);
    const socket = open();
    for (let i = 0; i < 40; i++) {
      await source.add(13);
      if (i % 3 === 0) await turns(1);
    }
    await turns();
    expect(socket.seqs).toEqual(range(11, 530));
    expect(source.sent).toBe(520);
  });

  it('a filter: only the types named, gap alone matches nothing, no names match all, unknown names are refused', async () => {
    const { source, open } = setUp();
    const [two, none, all] = ['stake, unstake ,', 'gap', ' , '].map((filter) => open({ filter }));
    for (const type of ['stake', 'faucet_grant', 'unstake', 'transfer'] as const) await source.add(2, type);
    await turns();
    expect(two!.messages.map((m) => m.type)).toEqual(['stake', 'stake', 'unstake', 'unstake']);
    expect(none!.received).toEqual([]);
    expect(all!.seqs).toEqual(range(1, 8));
    for (const bad of ['nonsense', 'transfer,nonsense']) {
      expect(() => open({ filter: bad })).toThrow('filter: no event type nonsense');
    }
    expect(parseFilter('')).toBeUndefined();
    expect(parseFilter('transfer')!.filter((flag) => flag === 1)).toHaveLength(1);
    expect(parseFilter(EVENT_TYPES.join(','))!.reduce((a, b) => a + b)).toBe(EVENT_TYPES.length);
  });

  it('since: stored events first, then live ones, without a gap, under any load', async () => {
    const { source, open } = setUp();
    await source.add(1500);
    const sockets = [0, 1, 700, 1499, 1500].map((since) => open({ since }));
    for (let i = 0; i < 100; i++) {
      await source.add(7);
      await turns(1);
    }
    await turns();
    for (const [i, since] of [0, 1, 700, 1499, 1500].entries()) {
      expect(sockets[i]!.seqs).toEqual(range(since + 1, 2200));
    }
  });

  it('since and filter together', async () => {
    const { source, open } = setUp();
    for (let i = 0; i < 300; i++) await source.add(1, i % 3 === 0 ? 'transfer' : 'stake');
    const socket = open({ since: 100, filter: 'transfer' });
    await turns();
    await source.add(1, 'transfer');
    await turns();
    expect(socket.seqs).toEqual([...range(101, 300).filter((seq) => seq % 3 === 1), 301]);
  });

  it('since and a filter of rare types: the events in between are not read', async () => {
    const { source, open } = setUp();
    const rare = new Set([1, 900, 901, 9_000, 19_999, 20_000]);
    for (let seq = 1; seq <= 20_000; ) {
      const isRare = rare.has(seq);
      let count = 1;
      while (!isRare && seq + count <= 20_000 && !rare.has(seq + count)) count++;
      await source.add(count, isRare ? (seq % 2 === 0 ? 'slash' : 'settlement') : 'stake');
      seq += count;
    }
    const loads = source.feed.loads;
    const filters = ['slash,settlement', 'slash', 'task_posted', 'gap'];
    const [both, one, none, nothing] = filters.map((filter) => open({ since: 0, filter }));
    await turns();
    expect(both!.seqs).toEqual([...rare]);
    expect(one!.seqs).toEqual([900, 9_000, 20_000]);
    expect(source.feed.loads - loads).toBeLessThan(8);
    await source.add(2, 'task_posted');
    await turns();
    expect(none!.seqs).toEqual([20_001, 20_002]);
    expect(nothing!.received).toEqual([]);
    expect(both!.seqs).toEqual([...rare]);
  });

  it('since above the head: one gap, then live from the head on', async () => {
    const { source, open } = setUp();
    await source.add(5);
    const socket = open({ since: 1000, filter: 'transfer' });
    await source.add(3, 'transfer');
    await turns();
    expect(socket.messages[0]).toEqual({ seq: 5, type: 'gap', timestamp: TIME, data: { from: 1000, to: 5 } });
    expect(socket.seqs).toEqual([5, 6, 7, 8]);
  });

  it('events that are no longer stored: one gap that names them, then those after it', async () => {
    const { source, open } = setUp();
    await source.add(1000);
    await source.prune(600);
    const socket = open({ since: 100 });
    await turns();
    expect(socket.messages[0]).toEqual({
      seq: 600,
      type: 'gap',
      timestamp: TIME,
      data: { from: 100, to: 600 },
    });
    expect(socket.seqs).toEqual([600, ...range(601, 1000)]);
    const all = open({ since: 0, filter: 'slash' });
    await turns();
    expect(all.messages).toEqual([{ seq: 600, type: 'gap', timestamp: TIME, data: { from: 0, to: 600 } }]);
  });

  it('is the same bytes for all, encoded once', async () => {
    const { source, open } = setUp();
    const [one, other] = [open(), open({}, '10.0.0.2')];
    await source.add(3);
    await turns();
    for (const i of [0, 1, 2]) expect(one.received[i]).toBe(other.received[i]);
  });

  it('is not delayed by another that reads the whole history', async () => {
    const { source, open } = setUp();
    await source.add(20_000);
    const old = open({ since: 0 });
    const live = open();
    await source.add(1);
    await turns(2);
    expect(live.seqs).toEqual([20_001]);
    expect(old.received.length).toBeLessThan(5000);
    await turns(200);
    expect(old.seqs).toEqual(range(1, 20_001));
  });

  it('is closed with 1011 when an event cannot be read, and others continue', async () => {
    const { source, open } = setUp();
    await source.add(600);
    await source.store.write([{ key: rowKey.event(20), value: undefined }]);
    const bad = open({ since: 0 });
    const good = open();
    // What was in memory is pushed out by what is read in between.
    for (let seq = 300; seq < 600; seq++) source.feed.chunk(seq);
    await source.add(1);
    await turns();
    expect([bad.code, source.logged.length]).toEqual([1011, 1]);
    expect([good.seqs, source.hub.size]).toEqual([[601], 1]);
  });
});
