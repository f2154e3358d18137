// Properties of every submission, drawn at random. VWS_SEED repeats a run.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Submission, scoreSubmission, type TaskContract } from '../../../host/scoring/index.ts';
import { isJsonContainer } from '../../../host/scoring/json-check.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
import { GATE_NAMES } from '../../../host/wire/check-names.ts';
import { testSeed } from '../../e2e/seed.ts';
import { task } from './tasks.ts';

const SEED = testSeed();
console.log(`verification properties: VWS_SEED=${SEED}`);
const RUNS = { seed: SEED, numRuns: 400 };

const word = fc.constantFrom(
  ...'harbour traffic vessels the of a is and test function 12 7 http://a [1] {"a":1} ( ] naïve 船 . ! , ; - # |'.split(
    ' ',
  ),
  '\n',
  '\r\n',
  '\t',
  '\n\n',
);
const text = fc.oneof(
  fc.array(word, { maxLength: 120 }).map((words) => words.join(' ')),
  fc.array(word, { maxLength: 40 }).map((words) => words.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.json(),
);
const contract: fc.Arbitrary<TaskContract> = fc.record({
  title: text,
  description: text,
  category: fc.constantFrom('code', 'data', 'analysis', 'content', 'general'),
  success_criteria: fc.array(text, { maxLength: 3 }),
  required_checks: fc.subarray(['has_output', 'relevance', 'syntax', 'own_words', 'threshold']),
});
const evidence = fc.record(
  {
    hash: text,
    output_type: fc.constantFrom('text', 'json', 'code', 'data', 'image'),
    output_size: fc.nat(2 ** 31 - 1),
    summary: text,
    output_preview: text,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Submission['evidence']>;

describe('every submission', () => {
  it('gets integers in 0..10000, all gates, and a verdict that follows from its reasons', () => {
    const submission = fc.record(
      {
        result_content: text,
        result_encrypted: fc.boolean(),
        result_hash: text,
        result_note: text,
        evidence,
      },
      { requiredKeys: [] },
    );
    const check = (task: TaskContract, sent: Submission): void => {
      const v = scoreSubmission(task, sent);
      const figures = [v.overallBp, v.relevanceBp, v.completenessBp, v.qualityBp, v.thresholdBp];
      for (const bp of [...figures, ...Object.values(v.components)]) {
        expect(Number.isInteger(bp) && bp >= 0 && bp <= 10_000, `${bp}`).toBe(true);
      }
      expect(Object.keys(v.gates)).toEqual([...GATE_NAMES]);
      expect(v.pass).toBe(v.reasonCodes.length === 0);
      expect(v.factsHold).toBe(v.gates.has_output && v.gates.hash_valid && v.gates.not_description);
      expect(v.gates.threshold).toBe(v.overallBp >= v.thresholdBp);
      expect(scoreSubmission(task, sent)).toEqual(v);
    };
    fc.assert(fc.property(contract, submission, check), RUNS);
  });

  it('is scored alike whatever the worker reports about it', () => {
    const check = (
      task: TaskContract,
      sent: Submission,
      said: Submission['evidence'],
      note: string,
    ): void => {
      const bare = scoreSubmission(task, sent);
      const talked = scoreSubmission(task, { ...sent, evidence: said, result_note: note });
      expect(talked).toEqual(bare);
    };
    const sent = fc.record(
      { result_content: text, result_encrypted: fc.boolean(), result_hash: text },
      { requiredKeys: [] },
    );
    fc.assert(fc.property(contract, sent, evidence, text, check), RUNS);
  });
});

it('the JSON check agrees with JSON.parse', () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', '[', '\\', '0', ' '))
    .map(([json, at, put]) => {
      const i = at % (json.length + 1);
      return json.slice(0, i) + put + json.slice(i + 1);
    });
  const check = (source: string): void => {
    let expected = false;
    try {
      const value: unknown = JSON.parse(source);
      expected = typeof value === 'object' && value !== null;
    } catch {}
    expect(isJsonContainer(utf8(source)), source).toBe(expected);
  };
  fc.assert(fc.property(fc.oneof(fc.json(), broken, fc.string()), check), { seed: SEED, numRuns: 3000 });
});

it('nesting depth does not use the stack', () => {
  const deep = '['.repeat(131_072) + ']'.repeat(131_072);
  expect(scoreSubmission(task({ category: 'data' }), { result_content: deep }).components.structure).toBe(
    10_000,
  );
});
