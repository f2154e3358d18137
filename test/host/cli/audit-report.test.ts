// What `vws audit` says of a result, and its exit code: each result has its own, the weakest counts, and the last line
// claims no more than was shown.

import { describe, expect, it } from 'vitest';
import { SHOWN, type Shown } from '../../../host/audit/index.ts';
import { exitOf, printReport } from '../../../host/cli/audit-report.ts';
import type { Io } from '../../../host/cli/io.ts';
import type { Report } from '../../../host/cli/log-audit.ts';

const REPORT: Report = {
  node: 'http://n',
  genesis_hash: 'ab'.repeat(32),
  way: 'genesis',
  isPinned: true,
  isGood: true,
  shown: 'checked',
  order: 2441,
  timeMs: 1_800_000_000_000,
  stateRoot: 'cd'.repeat(32),
  checkpoint: 24,
  checkpointCode: '0123-4567-89AB-CDEF-GHJK-MNPQ-RSTV-WXYZ',
  nodeOrder: 2441,
  findings: [],
  transactions: 9,
  signatures: 12,
  seconds: 1,
  answers: [],
};
const about = (id: string, shown: Shown): Report['answers'][number] => ({
  kind: 'agent',
  id,
  shown,
  order: 2441,
});
const STALE = [{ kind: 'stale' as const, text: 'the log ends 9 min ago' }];

describe('exit codes', () => {
  it('each result has its own', () => {
    const codes = (Object.keys(SHOWN) as Shown[]).map((shown) =>
      exitOf([{ ...REPORT, answers: [about('a', shown)] }]),
    );
    expect(codes).toEqual([0, 6, 7, 8, 10]);
    expect(exitOf([{ ...REPORT, findings: STALE }])).toBe(9);
  });

  it('the weakest of all nodes and answers counts; a finding hides no lie', () => {
    const lie = { ...REPORT, findings: STALE, answers: [about('a', 'lie'), about('b', 'checked')] };
    expect(exitOf([REPORT, lie])).toBe(10);
    expect(exitOf([REPORT, { ...REPORT, shown: 'lie' }])).toBe(10);
    expect(
      exitOf([
        { ...REPORT, findings: STALE },
        { ...REPORT, answers: [about('a', 'not_comparable')] },
      ]),
    ).toBe(9);
    expect(exitOf([{ ...REPORT, shown: 'proven', answers: [about('a', 'as_the_node_says')] }])).toBe(7);
  });
});

describe('the report', () => {
  const printed = (report: Partial<Report>): string => {
    const lines: string[] = [];
    printReport({ out: (line) => lines.push(line) } as Partial<Io> as Io, { ...REPORT, ...report });
    return lines.join('\n');
  };

  it('ends with up to where the log holds and what was compared', () => {
    expect(printed({}).split('\n').at(-1)).toBe(
      'The log holds up to order 2441, time 2027-01-15T08:00:00Z, checkpoint 24:0123-4567-89AB-CDEF-GHJK-MNPQ-RSTV-WXYZ; compared: nothing.',
    );
    const answers = [about('alice', 'checked'), about('bob', 'not_comparable'), about('carol', 'checked')];
    expect(printed({ answers })).toMatch(
      /compared: agent alice, agent carol: checked; agent bob: not comparable\.$/,
    );
  });

  it('says from a checkpoint on what it rests on', () => {
    expect(printed({ way: 'checkpoint', shown: 'proven' }).split('\n').at(-1)).toMatch(
      /^The log after a state that a quorum signed holds up to order 2441/,
    );
  });

  it('calls nothing checked where the node gave no vertex, as one whose history begins later', () => {
    const pruned = [{ kind: 'pruned' as const, text: 'the node does not have the vertices of epoch 0' }];
    const text = printed({ order: 0, timeMs: 0, checkpoint: 0, checkpointCode: '', findings: pruned });
    expect(text).toContain('log         no vertex was given');
    expect(text.split('\n').at(-1)).toBe('Nothing of the log was checked; compared: nothing.');
    expect(text).not.toMatch(/holds|checked: every vertex/);
  });

  it('does not say that a log holds in which there is a lie', () => {
    const wrong = printed({ isGood: false, shown: 'lie', fault: { kind: 'order', text: 'other order' } });
    expect(wrong).toContain('LIE         order: other order');
    expect(wrong).not.toContain('holds');
    const fault = { kind: 'signature' as const, text: 'a vertex is not signed by its creator' };
    const early = printed({ isGood: false, shown: 'lie', fault, order: 0, timeMs: 0, checkpoint: 0 });
    expect(early).toContain('log         no vertex was executed');
    expect(printed({ answers: [about('a', 'lie')] })).not.toContain('holds');
    expect(printed({ findings: STALE })).toContain('FINDING     stale: the log ends 9 min ago');
  });
});
