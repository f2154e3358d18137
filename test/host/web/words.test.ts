// What the page says of deliveries and of trouble: kinds of content, alarms, times in the reader's zone.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NetworkState, Status, Voter } from '../../../host/client/index.ts';
import { alarmsOf } from '../../../host/web/pages/overview/alarms-of.ts';
import { lampOf } from '../../../host/web/pages/overview/lamp.ts';
import { contentOf } from '../../../host/web/text/content-kind.ts';
import { judgeRows, judgingOf, voteText } from '../../../host/web/text/judging.ts';
import { formatAge, formatLocal } from '../../../host/web/text/time.ts';

describe('content of a delivery', () => {
  it.each([
    [
      'Week one had 41 vessels, week two 67.\nBusy, as ever: the second, not the first, of course.',
      'general',
      'text',
    ],
    ['', 'general', 'text'],
    ['{"a": 1}', 'general', 'JSON'],
    ['{"a": ', 'general', 'text'],
    ['week,vessels\n1,41\n2,67', 'data', 'table'],
    ['name\t"a ""b"", c"\nx\ty', 'data', 'table'],
    ['week,vessels\n1,41,3', 'data', 'text'],
    ['a,a\n1,2', 'data', 'text'],
    ['const x = 1;', 'general', 'code'],
    ['anything', 'code', 'code'],
    ['<img src=x onerror=alert(1)>', 'general', 'text'],
    ['data:image/png;base64,AAAA', 'general', 'text'],
  ])('%j in %s is %s', (text, category, kind) => {
    expect(contentOf(text, category).kind).toBe(kind);
  });

  it('is never an error, and a table keeps every cell', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const content = contentOf(text, 'general');
        if (content.kind === 'table') {
          for (const row of content.rows) expect(row.length).toBe(content.head.length);
        }
      }),
    );
    expect(contentOf('week,"two\nlines"\n1,2', 'data').kind).not.toBe('table');
  });

  it.each([
    ['flat in deep brackets', 2500, 90_000],
    ['brackets alone', 99_000, 0],
  ])('is laid out only where that stays small: %s', (_, depth, count) => {
    const text = `${'['.repeat(depth)}${'1,'.repeat(count)}1${']'.repeat(depth)}`;
    expect(contentOf(text, 'data').kind).toBe('text');
  });

  it('brackets in strings make nothing deep', () => {
    const text = JSON.stringify({ a: '[{"\\"'.repeat(10_000), b: [1, { c: ',' }] });
    expect(contentOf(text, 'data').kind).toBe('JSON');
  });
});

describe('alarms', () => {
  const status = (over: object): Status =>
    ({ consensus_time: 1000, not_ready: [], ...over }) as unknown as Status;
  const network = (silent_seats: object[] = []): NetworkState =>
    ({ silent_seats }) as unknown as NetworkState;
  const heads = (over: Partial<Parameters<typeof alarmsOf>[0]>): string[] =>
    alarmsOf({
      status: status({}),
      network: network(),
      isSilent: false,
      seenSecs: undefined,
      nowSecs: 1060,
      ...over,
    }).map(({ headline }) => headline);

  it('none while all is well', () => {
    expect(heads({})).toEqual([]);
  });

  it.each([
    [['nothing was ordered for 30 s'], 'No quorum: nothing is being settled'],
    [
      ['it is connected to fewer seats than a quorum', 'it catches up with its peers'],
      'No quorum: nothing is being settled',
    ],
    [['it catches up with its peers'], 'This node lags behind by 1,200 order numbers'],
    [['the disk has less than 1024 MiB left'], 'This node is not ready'],
  ])('%j: %s', (not_ready, headline) => {
    expect(heads({ status: status({ not_ready, orders_behind: 1200 }) })).toEqual([headline]);
  });

  it('an outage says of when the page is, and hides what the node said before it', () => {
    const [alarm, ...others] = alarmsOf({
      status: status({ not_ready: ['it catches up with its peers'] }),
      network: network(),
      isSilent: true,
      seenSecs: 1_800_000_000,
      nowSecs: 1_800_000_060,
    });
    expect(alarm).toMatchObject({ headline: 'This node does not answer' });
    expect(alarm!.means).toContain(formatLocal(1_800_000_000));
    expect(others).toEqual([]);
  });

  it('silent seats are named', () => {
    expect(heads({ network: network([{ validator_id: 'v3' }]) })).toEqual(['v3 is silent']);
  });
});

it('the lamp is green only where the node is ready', () => {
  const status = (...not_ready: string[]): Status => ({ not_ready }) as unknown as Status;
  expect(lampOf('live', false, status())).toEqual(['good', 'Live']);
  expect(lampOf('live', false, status('nothing was ordered for 30 s'))).toEqual([
    'wait',
    'Connected, not ready',
  ]);
  expect(lampOf('lost', false, status('nothing was ordered for 30 s'))[0]).toBe('bad');
  expect(lampOf('live', true, status())[0]).toBe('bad');
});

it.each([
  [1000, 'now'],
  [999, 'now'],
  [1005, 'now'],
  [1007, 'in 7 s'],
  [940, '1 min ago'],
  [8200, 'in 2 h'],
])('the age of %i at 1000 is "%s": consensus time may be a little ahead', (secs, text) => {
  expect(formatAge(secs, 1000)).toBe(text);
});

it('a time names the zone that it is in', () => {
  expect(formatLocal(1_800_000_000)).toMatch(/^2027-01-15 \d\d:\d\d:00 \S+$/);
});

describe('judges of a dispute', () => {
  const judges = (...votes: string[]) => votes.map((vote, i) => ({ validator_id: `v${i}`, vote }));

  it.each([
    [1, judges('none', 'none', 'none'), 'Judges decide: 0 of 3 have committed a vote'],
    [
      1,
      judges('committed', 'none', 'committed', 'none', 'none'),
      'Judges decide: 2 of 5 have committed a vote',
    ],
    [1, judges('committed'), 'Judges decide: 1 of 1 has committed a vote'],
    [1, judges('revealed', 'committed'), 'Judges decide: 2 of 2 have committed a vote, 1 of them revealed'],
    [2, judges('revealed', 'committed'), 'Judges decide: 2 so far have committed a vote, 1 of them revealed'],
    [undefined, judges('committed'), 'Judges decide: 1 so far has committed a vote'],
    [undefined, [], 'Judges decide: nobody has committed a vote'],
  ])('with panel %s and %j: %s', (panels, all, text) => {
    expect(judgingOf({ dispute_judges: all, ...(panels ? { dispute_panels: panels } : {}) })).toBe(text);
  });
});

describe('the judges of an event', () => {
  const voter = (id: string, over: object = {}): Voter =>
    ({ validator_id: id, verdict: true, weight: 5, ...over }) as unknown as Voter;
  const statesOf = (event: object, ...more: unknown[]): Record<string, string> => {
    const rows = judgeRows(...([event, ...more] as unknown as Parameters<typeof judgeRows>));
    return Object.fromEntries(rows.map(({ validatorId, state }) => [validatorId, state]));
  };
  const open = { settlement_state: 'optimistic', event_type: 'task_disputed' };
  const judges = ['none', 'committed', 'revealed'].map((vote, i) => ({ validator_id: 'abc'[i], vote }));

  it('of a dispute are drawn, commit, reveal or miss', () => {
    const commit = { ...open, assigned_to: ['d'], voting: { stage: 'commit' }, voters: [voter('c')] };
    expect(statesOf(commit, judges)).toEqual({ a: 'drawn', b: 'committed', c: 'revealed' });
    const reveal = { ...commit, voting: { stage: 'reveal' } };
    expect(statesOf(reveal, judges)).toEqual({ a: 'missed', b: 'committed', c: 'revealed' });
    const over = { ...open, settlement_state: 'settled', voters: [voter('c')] };
    expect(statesOf(over, undefined, ['b'])).toEqual({ b: 'missed', c: 'revealed' });
  });

  it('of a delivery are drawn, vote or miss', () => {
    const event = { ...open, event_type: 'task_submitted', assigned_to: ['a', 'b'], voters: [voter('b')] };
    expect(statesOf(event)).toEqual({ a: 'drawn', b: 'revealed' });
    expect(statesOf({ ...event, settlement_state: 'settled' })).toEqual({ a: 'missed', b: 'revealed' });
  });

  it('say for whom they are, with a share or a ground', () => {
    expect(voteText(voter('a'))).toBe('For the worker');
    expect(voteText(voter('a', { worker_share_bp: 4000 }))).toBe('40 % to the worker');
    expect(voteText(voter('a', { verdict: false }))).toBe('For the poster');
    expect(voteText(voter('a', { verdict: false, ground: 'nothing_delivered' }))).toBe(
      'For the poster: nothing delivered',
    );
  });
});
