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
    for (const said of [{ result_note: 'n' }, { evidence: { summary: 's', output_preview: 'p' } }]) {
      expect(gatesOf({ result_hash: 'ab', ...said }).has_output).toBe(false);
    }
    expect(gatesOf({ result_content: 'sealed', result_encrypted: true }).has_output).toBe(true);
  });

  it('min_length: ten bytes, of what can be read', () => {
    expect(gatesOf({ result_content: '123456789' }).min_length).toBe(false);
    expect(gatesOf({ result_content: '12345678é' }).min_length).toBe(true);
    expect(gatesOf({ result_content: '123', evidence: { output_size: 10 } }).min_length).toBe(false);
    expect(gatesOf({ result_content: '123', result_encrypted: true }).min_length).toBe(true);
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

  it('not_description: not the description or the title of the task, byte for byte', () => {
    const over = { title: 'Harbour', description: 'Count the vessels.' };
    for (const same of ['Harbour', 'Count the vessels.']) {
      expect(gatesOf({ result_content: same }, over).not_description, same).toBe(false);
    }
    for (const other of ['Count the vessels', 'count the vessels.', '港口']) {
      expect(gatesOf({ result_content: other }, over).not_description, other).toBe(true);
    }
    expect(gatesOf({ result_hash: 'ab' }, over).not_description).toBe(true);
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
    expect(run('relevance')).toMatchObject({ pass: true, factsHold: true, reasonCodes: [] });
    expect(run('own_words').pass).toBe(true);
    expect(run('syntax')).toMatchObject({
      pass: false,
      factsHold: true,
      reasonCodes: ['required_check_failed:syntax'],
    });
  });

  it('facts do not depend on the score: a text that fails it was delivered all the same', () => {
    const off = scoreSubmission(task(), { result_content: 'nothing that belongs here' });
    expect(off.gates.threshold).toBe(false);
    expect([off.factsHold, off.pass]).toEqual([true, false]);
    expect(scoreSubmission(task(), { result_hash: 'ab', result_note: GOOD }).factsHold).toBe(false);
    expect(scoreSubmission(task(), { result_hash: 'ab', result_uri: 'ipfs://x' }).factsHold).toBe(true);
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
  it('scores as an empty text: what the worker says about it is not the result', () => {
    const contract = task({ title: 'alpha beta gamma' });
    const evidence = {
      summary: 'alpha',
      output_preview: 'beta',
      output_type: 'image',
      output_size: 99_999,
    } as const;
    const sealed = { result_content: 'gamma', result_encrypted: true, evidence, result_note: 'alpha' };
    expect(scoreSubmission(contract, sealed)).toMatchObject({ relevanceBp: 0, completenessBp: 0 });
    expect(scoreSubmission(contract, { ...sealed, result_encrypted: false }).relevanceBp).toBe(3333);
  });
});
