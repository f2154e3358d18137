// vws challenge and vws replay against a fake node: what each verb sends, prints, and refuses before sending.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FakeNode } from '../../client/fake-node.ts';
import { fakeAgent } from '../fake-agent.ts';
import { scratch, vws } from '../harness.ts';

let node: FakeNode;
let keyPath: string;
beforeEach(async () => {
  ({ node, keyPath } = await fakeAgent());
});

const signed = (...args: string[]) => vws([...args, '--node', node.url, '--key', keyPath]);
const sentBody = (): unknown => JSON.parse(node.writes().at(-1)?.body ?? 'null');

const VOTES = { succeeded_weight: 0, failed_weight: 7, partial_weight: 0, total_weight: 9, participants: 1 };
const CHALLENGE = {
  id: 'chal-1',
  event_id: 'e',
  task_id: 't',
  challenger_id: 'alice',
  target_id: 'v2',
  offense: 'collusion',
  status: 'open',
  bond: 2_500_000,
  created_at: 1_800_000_000,
  deadline: 1_800_259_200,
  votes: VOTES,
};
const JOB = {
  id: 'j',
  task_id: 't',
  category: 'code',
  policy_version: 'v1',
  acceptance_contract_hash: 'sha256:a',
  status: 'completed',
  reason: 'sampled',
  attempt: 1,
  reward: 5_000_000,
  created_at: 1_800_000_000,
  submission_deadline: 1_800_007_200,
  executor_id: 'v3',
  outcome: 'partial_match',
  checks: [
    { check_type: 'has_output', pass: true },
    { check_type: 'syntax', pass: true, value_bp: 9000 },
  ],
  comparisons: [
    { check_type: 'has_output', delta_bp: 0, anomaly: false },
    { check_type: 'syntax', delta_bp: 10_000, anomaly: true },
  ],
};

describe('vws challenge', () => {
  it('open sends the given fields, amounts in micro-units', async () => {
    node.on('POST /v1/challenges', { status: 201, body: CHALLENGE });
    const ran = await signed(
      ...['challenge', 'open', '--task', 't', '--target', 'v2', '--offense', 'collusion'],
      ...['--bond', '2.5t', '--reason', 'r', '--evidence-uri', 'https://x.org', '--evidence-hash', 'h'],
    );
    expect(ran.code).toBe(0);
    expect(sentBody()).toEqual({
      task_id: 't',
      target_id: 'v2',
      offense: 'collusion',
      bond: 2_500_000,
      reason: 'r',
      evidence_uri: 'https://x.org',
      evidence_hash: 'h',
    });
    expect(ran.io.outLines).toContain('Bond: 2500000 (2.5t)');
    expect(ran.io.outLines).toContain('Votes failed weight: 7');
  });

  it('vote names its challenge in the path', async () => {
    const answer = {
      event_id: 'e',
      challenge_id: 'chal-1',
      outcome: 'failed',
      status: 'failed',
      votes: VOTES,
    };
    node.on('POST /v1/challenges/chal-1/resolve', { body: answer });
    const ran = await signed(
      'challenge',
      'vote',
      '--id',
      'chal-1',
      '--outcome',
      'failed',
      '--note',
      'n',
      '--json',
    );
    expect(JSON.parse(ran.out)).toEqual(answer);
    expect(sentBody()).toEqual({ outcome: 'failed', note: 'n' });
  });

  it('list prints a table, show prints lines', async () => {
    node.on('GET /v1/challenges', { body: [CHALLENGE] });
    node.on('GET /v1/challenges/chal-1', { body: CHALLENGE });
    const listed = await signed('challenge', 'list', '--status', 'open', '--target', 'v2', '--limit', '5');
    expect(node.received.at(-1)?.url).toBe('/v1/challenges?status=open&target_id=v2&limit=5');
    expect(listed.io.outLines[1]).toMatch(/^chal-1 +open +v2 +collusion +alice +t +2\.5t? +2027-/);
    const shown = await signed('challenge', 'show', 'chal-1');
    expect(shown.io.outLines).toContain('Deadline: 2027-01-18T08:00:00Z');
  });

  it.each([
    [['challenge'], 'challenge takes one of open, vote, list, show'],
    [['challenge', 'close'], 'not "close"'],
    [['challenge', 'open', '--task', 't'], 'challenge open needs --target'],
    [['challenge', 'vote', '--id', 'c'], 'challenge vote needs --outcome'],
    [['challenge', 'vote', '--id', 'c', '--outcome', 'maybe'], '--outcome: "maybe" is not one of'],
    [['challenge', 'open', '--task', 't', '--target', 'v', '--offense', 'x'], '--offense: "x" is not one of'],
    [['challenge', 'show'], 'challenge show needs --id, or the same as a word: vws challenge show <id>'],
    [['replay', 'submit', '--job', 'j'], 'replay submit needs --results'],
    [['replay', 'submit', '--job', 'j', '--results', '/nowhere'], '--results: /nowhere'],
    [['replay', 'outcome', '--job', 'j', '--status', 'pending'], '--status: "pending" is not one of'],
  ])('%s: exit 2 before anything is sent', async (args, text) => {
    const ran = await signed(...args);
    expect([ran.code, node.writes()]).toEqual([2, []]);
    expect(ran.err).toContain(text);
  });
});

describe('vws replay', () => {
  it('jobs prints a table; show prints the checks with their results', async () => {
    node.on('GET /v1/replay/jobs', { body: [JOB] });
    node.on('GET /v1/replay/jobs/j', { body: JOB });
    const listed = await signed('replay', 'jobs', '--executor', 'v3');
    expect(node.received.at(-1)?.url).toBe('/v1/replay/jobs?executor_id=v3');
    expect(listed.io.outLines[1]).toMatch(/^j +partial_match +v3 +1 +code +t +5t? +2027-/);
    const shown = (await signed('replay', 'show', 'j')).io.outLines;
    expect(shown).toContain('Reward: 5000000 (5t)');
    expect(shown.at(-1)).toMatch(/^syntax +pass +9000 +10000 anomaly$/);
    const raw = await signed('replay', 'show', '--job', 'j', '--json');
    expect(JSON.parse(raw.out)).toEqual(JOB);
  });

  it('submit sends the results of a file and shows what differs', async () => {
    const path = join(scratch(), 'results.json');
    const check_results = [{ check_type: 'syntax', pass: false }];
    writeFileSync(path, JSON.stringify(check_results));
    const figures = {
      outcome: 'partial_match',
      action: 'open_challenge',
      severity_bp: 6000,
      mismatch_count: 1,
    };
    node.on('POST /v1/replay/submit', {
      body: { event_id: 'e', job: JOB, ...figures, comparisons: JOB.comparisons },
    });
    const ran = await signed('replay', 'submit', '--job', 'j', '--results', path);
    expect(sentBody()).toEqual({ job_id: 'j', check_results });
    expect(ran.io.outLines).toContain('Severity bp: 6000 of 10000');
    expect(ran.io.outLines.at(-1)).toMatch(/^syntax +10000 +yes$/);
    writeFileSync(path, '{}');
    expect((await signed('replay', 'submit', '--job', 'j', '--results', path)).err).toContain(
      'does not contain an array',
    );
  });

  it('outcome sends the report as a whole', async () => {
    const { outcome: _, ...pending } = JOB;
    node.on('POST /v1/replay/outcome', {
      body: { event_id: 'e', job: { ...pending, status: 'pending', attempt: 2 } },
    });
    const ran = await signed('replay', 'outcome', '--job', 'j', '--status', 'failed', '--notes', 'sealed');
    expect(sentBody()).toEqual({ job_id: 'j', status: 'failed', notes: 'sealed' });
    expect(ran.io.outLines).toEqual([
      'Event ID: e',
      'Job ID: j',
      'Status: pending',
      'Attempt: 2',
      'Executor ID: v3',
    ]);
  });
});
