// The report of a verification: what is written is read again, nothing else is read, and what checking it says.

import { describe, expect, it } from 'vitest';
import { markOf } from '../../../host/web/verify/mark.ts';
import {
  commandOf,
  demandsOf,
  judge,
  MAX_REPORT_BYTES,
  readReport,
  reportOf,
} from '../../../host/web/verify/report.ts';
import type { VerifyVerdict } from '../../../host/web/verify/worker-messages.ts';

const CODE = '7K3M-9QXT-2B4C-6D8E-F0G1-H2J3-K4M5-N6P7';
const GOOD: VerifyVerdict = {
  isGood: true,
  network: 'cd'.repeat(32),
  way: 'genesis',
  order: 812,
  timeMs: 1_800_000_000_000,
  checkpoint: 8,
  checkpointCode: CODE,
  stateRoot: 'ab'.repeat(32),
  findings: [],
};
const made = (verdict: VerifyVerdict) =>
  reportOf({ node: 'http://127.0.0.1:1', verdict, progress: undefined, nowMs: 1_800_000_001_000 });
const REPORT = made(GOOD);

describe('a report', () => {
  it('is read as it was written', () => {
    expect(readReport(JSON.stringify(REPORT))).toEqual(REPORT);
    const fault = { kind: 'state', text: 'A state differs.' };
    const none = { network: '', stateRoot: '', checkpoint: 0, checkpointCode: '' };
    const bad = made({ ...GOOD, ...none, isGood: false, fault });
    expect(readReport(JSON.stringify(bad))).toEqual(bad);
  });

  it.each([
    ['no JSON', 'report'],
    ['null', 'null'],
    ['a list', '[]'],
    ['another kind', JSON.stringify({ ...REPORT, kind: 'vws-two-histories-1' })],
    ['a network that is no hash', JSON.stringify({ ...REPORT, network: '<b>' })],
    ['a code that is none', JSON.stringify({ ...REPORT, checkpoint_code: 'javascript:alert(1)' })],
    ['a height without a code', JSON.stringify({ ...REPORT, checkpoint_code: '' })],
    ['a code without a height', JSON.stringify({ ...REPORT, checkpoint: 0 })],
    ['a fraction', JSON.stringify({ ...REPORT, order: 1.5 })],
    ['findings that are no texts', JSON.stringify({ ...REPORT, findings: [{}] })],
    ['a long text', JSON.stringify({ ...REPORT, node: 'x'.repeat(501) })],
    ['a long file', JSON.stringify(REPORT) + ' '.repeat(MAX_REPORT_BYTES)],
  ])('is refused: %s', (_, text) => {
    expect(readReport(text)).toBeUndefined();
  });

  it('demands its network and its checkpoint of whoever checks it', () => {
    expect(demandsOf(REPORT)).toEqual({ genesisHash: GOOD.network, pin: `8:${CODE}` });
    expect(commandOf(REPORT)).toBe(`vws audit --genesis ${GOOD.network} --pin 8:${CODE}`);
    expect(demandsOf({ ...REPORT, checkpoint: 0 })).toEqual({ genesisHash: GOOD.network });
  });

  it('holds only where the same checkpoint was computed', () => {
    expect(judge(REPORT, GOOD)).toMatchObject({ tone: 'good' });
    const fault = { kind: 'pin', text: 'checkpoint 8 is AAAA here' };
    expect(judge(REPORT, { ...GOOD, isGood: false, fault })).toMatchObject({ tone: 'bad' });
    const missed = { kind: 'pin', text: 'the log does not reach checkpoint 8' };
    expect(judge(REPORT, { ...GOOD, findings: [missed] })).toMatchObject({ tone: '' });
    expect(judge({ ...REPORT, checkpoint: 0, checkpoint_code: '' }, GOOD)).toMatchObject({ tone: '' });
    const stale = { kind: 'stale', text: 'the log ends 9 min ago' };
    expect(judge(REPORT, { ...GOOD, findings: [stale] })).toMatchObject({ tone: 'good' });
  });
});

describe('a seal', () => {
  it('is set only beside the number that was computed', () => {
    expect(markOf({ balance: 7 }, { balance: 7 }, 'balance')).toBe('here');
    expect(markOf({ balance: 7 }, { balance: 8 }, 'balance')).toBe('says');
    expect(markOf({ balance: 7 }, { balance: '7' }, 'balance')).toBe('says');
    expect(markOf({}, { balance: 7 }, 'balance')).toBe('says');
    expect(markOf({ balance: undefined }, { balance: undefined }, 'balance')).toBe('says');
    expect(markOf(undefined, { balance: 7 }, 'balance')).toBe('says');
    expect(markOf({ balance: 7 }, {}, 'toString')).toBe('says');
  });
});
