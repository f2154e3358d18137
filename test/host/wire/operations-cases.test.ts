// Bodies of challenges, replays and canaries: limits of protocol 4.7 and 4.8.

import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../host/api/routes.ts';
import { jsonSchemaOf } from '../../../host/wire/fields.ts';
import { matchOperation, OPERATIONS, type Operation, parseOperation } from '../../../host/wire/operations.ts';

const parse = (path: string, body: unknown) => parseOperation(matchOperation('POST', path)!, body);
const isTaken = (path: string, body: unknown): boolean => {
  try {
    parse(path, body);
    return true;
  } catch {
    return false;
  }
};
const check = (over: object = {}) => ({ check_type: 'c', pass: true, ...over });

describe('a challenge', () => {
  const base = { task_id: 't', target_id: 'v' };
  it.each([
    [base, true],
    [{ ...base, bond: 0, reason: 'x'.repeat(2000), evidence_hash: 'h'.repeat(128) }, true],
    [{ ...base, evidence_uri: '' }, true],
    [{ ...base, offense: '' }, true],
    [{ target_id: 'v' }, false],
    [{ task_id: 't' }, false],
    [{ ...base, target_id: '' }, false],
    [{ ...base, offense: 'rudeness' }, false],
    [{ ...base, bond: -1 }, false],
    [{ ...base, reason: 'x'.repeat(2001) }, false],
    [{ ...base, evidence_hash: 'h'.repeat(129) }, false],
    [{ ...base, evidence_uri: 'ftp://x' }, false],
    [{ ...base, evidence_uri: `https://x/${'y'.repeat(2040)}` }, false],
  ])('%j: %s', (body, taken) => expect(isTaken('/v1/challenges', body)).toBe(taken));

  it('names who acts and the challenge in its path', () => {
    const vote = parse('/v1/challenges/chal-1/resolve', { outcome: 'failed', validator_id: 'v1' });
    expect(vote).toMatchObject({ path: { id: 'chal-1' }, actors: [{ field: 'validator_id', value: 'v1' }] });
    expect(isTaken('/v1/challenges/chal-1/resolve', { outcome: 'open' })).toBe(false);
    expect(isTaken('/v1/challenges/chal-1/resolve', { outcome: 'failed', note: 'n'.repeat(1001) })).toBe(
      false,
    );
  });
});

describe('a report of a replay', () => {
  const submit = (check_results: unknown) => isTaken('/v1/replay/submit', { job_id: 'j', check_results });

  it('has 1 to 50 checks, each a checked object', () => {
    expect(submit([check()])).toBe(true);
    expect(submit(Array(50).fill(check()))).toBe(true);
    expect(submit([check({ exit_code: -1, artifact_hash: 'h', value_bp: 0, notes: '' })])).toBe(true);
    expect(submit([check({ notes: null })])).toBe(true);
    const bad = [undefined, null, [], {}, [1], [null], [[check()]], Array(51).fill(check())];
    for (const results of bad) expect([results, submit(results)]).toEqual([results, false]);
    for (const over of [
      { pass: 'true' },
      { pass: null },
      { check_type: '' },
      { check_type: 'x'.repeat(65) },
      { exit_code: 1.5 },
      { value_bp: -1 },
      { artifact_hash: 'h'.repeat(129) },
      { notes: 'n'.repeat(1001) },
    ]) {
      expect([over, submit([check(), check(over)])]).toEqual([over, false]);
    }
  });

  it('has no unknown member in a check', () => {
    expect(submit([check({ unknown: 1 })])).toBe(false);
  });

  it('is described as a list of objects', () => {
    expect(jsonSchemaOf(OPERATIONS.replaySubmit.fields)).toMatchObject({
      properties: {
        check_results: {
          type: 'array',
          minItems: 1,
          maxItems: 50,
          items: { type: 'object', required: ['check_type', 'pass'] },
        },
      },
      required: ['job_id', 'check_results'],
    });
  });

  it('names an outcome exactly when it can be needed', () => {
    const report = (body: object) => isTaken('/v1/replay/outcome', { job_id: 'j', ...body });
    expect(report({ status: 'failed' })).toBe(true);
    expect(report({ status: 'completed', outcome: 'match' })).toBe(true);
    expect(report({ status: 'completed' })).toBe(false);
    expect(report({ status: 'pending' })).toBe(false);
    expect(report({ status: 'completed', outcome: 'perfect' })).toBe(false);
  });
});

describe('writes that nodes make by themselves', () => {
  it('have no endpoint, no actor and no scope', () => {
    const own = Object.values<Operation>(OPERATIONS).filter((op) => op.isNodeOnly);
    expect(own.map((op) => op.event)).toEqual(['canary_commit', 'canary_reveal', 'canary_return']);
    for (const { path, actors, scope } of own) {
      expect([actors, scope]).toEqual([[], undefined]);
      expect(ROUTES.some((route) => route.path === path)).toBe(false);
    }
    const routed = Object.entries<Operation>(OPERATIONS).filter(([, op]) => !op.isNodeOnly);
    for (const [name, { method, path }] of routed) {
      expect(
        ROUTES.some(
          (r) => r.method === method && r.path === path && 'operation' in r && r.operation === name,
        ),
      ).toBe(true);
    }
  });
});
