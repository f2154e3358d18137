// Gates, reason codes, required checks, and the rule that self-reported values never help work that can be read.

import { describe, expect, it } from 'vitest';
import {
  CHECK_NAMES,
  resultHash,
  resultHashMatches,
  type Submission,
  scoreSubmission,
  submittedEvidence,
} from '../../../host/scoring/index.ts';
import { VERIFIERS } from '../../../host/scoring/verifiers.ts';
import { COMPONENT_NAMES, GATE_NAMES } from '../../../host/wire/check-names.ts';
import { sha256Hex } from '../../../host/wire/hash.ts';
import { task } from './tasks.ts';

const GOOD =
  'The harbour traffic of the week: forty vessels came in, most of them at night, and two had to wait outside for a berth.';
const gatesOf = (submission: Submission, over: Parameters<typeof task>[0] = {}) =>
  scoreSubmission(task(over), submission).gates;

it('the tables of gates, components and names agree', () => {
  expect(Object.keys(gatesOf({}))).toEqual([...GATE_NAMES]);
  const components = Object.values(VERIFIERS).flatMap((verifier) =>
    verifier.components.map(({ name }) => name),
  );
  expect(new Set(components)).toEqual(new Set(COMPONENT_NAMES));
  for (const { components } of Object.values(VERIFIERS)) {
    expect(components.reduce((sum, { weightBp }) => sum + weightBp, 0)).toBe(10_000);
  }
  expect(CHECK_NAMES).toEqual([...GATE_NAMES, ...COMPONENT_NAMES]);
});

describe('the gates of policy v1', () => {
  it('has_output: text or a URL', () => {
    expect(gatesOf({ result_hash: 'ab' }).has_output).toBe(false);
    expect(gatesOf({ result_hash: 'ab', result_uri: 'ipfs://x' }).has_output).toBe(true);
    expect(gatesOf({ result_note: 'n' }).has_output).toBe(true);
  });

  it('min_length: ten bytes, or declared ones where there is nothing to count', () => {
    expect(gatesOf({ result_content: '123456789' }).min_length).toBe(false);
    expect(gatesOf({ result_content: '12345678é' }).min_length).toBe(true);
    expect(gatesOf({ result_content: '123', evidence: { output_size: 10 } }).min_length).toBe(false);
    expect(gatesOf({ result_hash: 'ab', evidence: { output_size: 9 } }).min_length).toBe(false);
    expect(gatesOf({ result_hash: 'ab', evidence: { output_size: 10 } }).min_length).toBe(true);
  });

  it('hash_valid: equal to the content, else just given', () => {
    const hash = sha256Hex(GOOD);
    for (const given of [undefined, '', hash, `sha256:${hash.toUpperCase()}`]) {
      expect(gatesOf({ result_content: GOOD, result_hash: given }).hash_valid, given).toBe(true);
    }
    expect(gatesOf({ result_content: GOOD, result_hash: 'ab' }).hash_valid).toBe(false);
    expect(gatesOf({ result_content: GOOD, result_encrypted: true, result_hash: 'ab' }).hash_valid).toBe(
      false,
    );
    expect(gatesOf({ result_hash: 'ab' }).hash_valid).toBe(true);
    expect(gatesOf({}).hash_valid).toBe(false);
    expect(gatesOf({ result_hash: 'sha256:' }).hash_valid).toBe(false);
  });

  it('not_echo: less than 80 % of the sequences are copied from the task, from eight words on', () => {
    const title = 'one two three four five six seven eight nine ten';
    const echo = (content: string) => gatesOf({ result_content: content }, { title }).not_echo;
    expect(echo('one two three four five six seven')).toBe(true);
    expect(echo('one two three four five six seven eight')).toBe(false);
    expect(echo('one two three four five six seven xxx')).toBe(false);
    expect(echo('one two three four five six xxx yyy')).toBe(true);
  });

  it('not_repetitive: 15 % distinct words, from fifty words on', () => {
    const repeat = (times: number, distinct: number) =>
      Array.from({ length: times }, (_, i) => `w${i % distinct}`).join(' ');
    expect(gatesOf({ result_content: repeat(49, 1) }).not_repetitive).toBe(true);
    expect(gatesOf({ result_content: repeat(50, 7) }).not_repetitive).toBe(false);
    expect(gatesOf({ result_content: repeat(50, 8) }).not_repetitive).toBe(true);
  });
});

describe('reasons and verdict', () => {
  it('come in the order of the gates, the threshold after them, then the required checks', () => {
    const required_checks = ['relevance', 'has_output', 'depth', 'not_echo', 'threshold', 'has_output'];
    expect(scoreSubmission(task({ required_checks }), { result_hash: 'ab' }).reasonCodes).toEqual([
      'gate_failed:has_output',
      'gate_failed:min_length',
      'below_threshold',
      'required_check_failed:relevance',
      'required_check_failed:has_output',
      'required_check_failed:depth',
      'required_check_failed:threshold',
      'required_check_failed:has_output',
    ]);
  });

  it('a required component needs 5000, a required gate must pass', () => {
    const run = (check: string) =>
      scoreSubmission(task({ required_checks: [check] }), { result_content: GOOD });
    expect(run('relevance')).toMatchObject({ pass: true, gatesOk: true, reasonCodes: [] });
    expect(run('own_words').pass).toBe(true);
    expect(run('syntax')).toMatchObject({
      pass: false,
      gatesOk: true,
      reasonCodes: ['required_check_failed:syntax'],
    });
  });

  it('gatesOk includes the threshold', () => {
    const { gates, gatesOk, pass } = scoreSubmission(task(), { result_content: 'nothing that belongs here' });
    expect(gates.threshold).toBe(false);
    expect([gatesOk, pass]).toEqual([false, false]);
  });
});

describe('evidence', () => {
  it('size, preview and hash are computed by the node where the content can be read', () => {
    const content = `${'😀'.repeat(499)}é and more`;
    const evidence = submittedEvidence({
      result_content: content,
      evidence: {
        hash: 'f'.repeat(64),
        output_size: 9,
        output_preview: 'lies',
        summary: 's',
        metrics: { a: 'b' },
      },
    });
    expect(evidence).toEqual({
      hash: `sha256:${sha256Hex(content)}`,
      output_type: 'text',
      output_size: 499 * 4 + 2 + 9,
      output_preview: `${'😀'.repeat(499)}é`,
      summary: 's',
      metrics: { a: 'b' },
    });
  });

  it('are reported by the worker where it cannot', () => {
    const evidence = {
      hash: 'SHA256:AB',
      output_size: 9,
      output_preview: 'p',
      output_type: 'image',
    } as const;
    expect(submittedEvidence({ result_content: 'sealed', result_encrypted: true, evidence })).toEqual({
      ...evidence,
      hash: 'sha256:ab',
    });
    expect(submittedEvidence({ result_hash: 'CD' })).toEqual({
      hash: 'sha256:cd',
      output_type: 'text',
      output_size: 0,
    });
  });

  it('the hash of the content as sent, with or without prefix, in any case', () => {
    const hash = sha256Hex('ä');
    expect(resultHash({ result_content: 'ä' })).toBe(hash);
    expect(resultHash({ result_hash: 'own' })).toBe('own');
    for (const given of [undefined, hash, `SHA256:${hash}`, hash.toUpperCase()]) {
      expect(resultHashMatches({ result_content: 'ä', result_hash: given })).toBe(true);
    }
    expect(resultHashMatches({ result_content: 'ä', result_hash: sha256Hex('a') })).toBe(false);
    expect(resultHashMatches({ result_hash: 'anything' })).toBe(true);
  });
});

describe('what is not readable', () => {
  it('is scored by summary, preview and note, joined by line feeds', () => {
    const contract = task({ title: 'alpha beta gamma' });
    const evidence = { summary: 'alpha', output_preview: 'beta' };
    const sealed = { result_content: 'gamma', result_encrypted: true, evidence, result_note: 'x' };
    expect(scoreSubmission(contract, sealed).relevanceBp).toBe(6666);
    expect(scoreSubmission(contract, { ...sealed, result_encrypted: false }).relevanceBp).toBe(3333);
  });

  it('has the declared size and type', () => {
    const len = (evidence: Submission['evidence']) =>
      scoreSubmission(task(), { result_hash: 'ab', evidence }).completenessBp;
    expect(len({ output_type: 'json', output_size: 49 })).toBe(9800);
    expect(len({ output_type: 'code', output_size: 100 })).toBe(5000);
    expect(len({ output_type: 'image', output_size: 9999 })).toBe(9999);
    expect(len({ output_type: 'data', output_size: 2 ** 53 - 1 })).toBe(10_000);
  });
});
