import { describe, expect, it } from 'vitest';
import { labelOf, normalName, tagLabels, taskCategory } from '../../../host/wire/category.ts';
import { jsonSchemaOf } from '../../../host/wire/fields.ts';
import { matchOperation, OPERATIONS, type Parsed, parseOperation } from '../../../host/wire/operations.ts';

const ID = 'ab'.repeat(16);
const parse = (path: string, body: unknown): Parsed => parseOperation(matchOperation('POST', path)!, body);
const refusal = (path: string, body: unknown): string => {
  try {
    parse(path, body);
    return 'taken';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

const TASK = { title: 'T', budget: 100_000 };

describe('POST /v1/tasks', () => {
  it('accepts all fields at their limits', () => {
    const body = {
      ...TASK,
      title: 'x'.repeat(200),
      description: 'd'.repeat(5000),
      category: ' Code-Review ',
      delivery_method: 'encrypted',
      success_criteria: Array(20).fill('a'.repeat(500)),
      required_checks: ['has_output', 'relevance'],
      assurance_lane: 'high_assurance',
      allow_downgrade: false,
      generation_eligible: true,
      challenge_window_secs: 604_800,
      max_delivery_time_secs: 2_592_000,
      policy_version: 'v1',
      routing: 'exclusive',
      tags: Array(10).fill('t'.repeat(50)),
    };
    expect(parse('/v1/tasks', body)).toMatchObject({ name: 'taskCreate', args: body });
  });

  it('an empty enumeration value is absent', () => {
    const { args } = parse('/v1/tasks', { ...TASK, assurance_lane: '', routing: '', delivery_method: '' });
    expect(args).toEqual(TASK);
  });

  it('refuses what protocol 4.4 does not allow', () => {
    const wrong = [
      { title: '' },
      { title: 'x'.repeat(201) },
      { description: 'd'.repeat(5001) },
      { category: 'c'.repeat(51) },
      { category: 'Transfer' },
      { category: ' generation ' },
      { delivery_method: 'pigeon' },
      { success_criteria: Array(21).fill('a') },
      { required_checks: ['no_such_gate'] },
      { assurance_lane: 'gold' },
      { allow_downgrade: 'no' },
      { challenge_window_secs: 0 },
      { challenge_window_secs: 604_801 },
      { max_delivery_time_secs: 2_592_001 },
      { policy_version: 'v2' },
      { tags: ['t'.repeat(51)] },
      { budget: null },
    ];
    for (const over of wrong) expect(refusal('/v1/tasks', { ...TASK, ...over })).toBe('invalid_request');
  });

  it('takes no contract that pays for a sealed delivery at once, since it runs when that is opened', () => {
    const contract = { ...TASK, acceptance: [{ program: 'size' }] };
    const answers = { review: 'taken', on_pass: 'invalid_request' };
    for (const [settle, answer] of Object.entries(answers)) {
      expect(refusal('/v1/tasks', { ...contract, settle })).toBe('taken');
      expect(refusal('/v1/tasks', { ...contract, settle, delivery_method: 'encrypted' })).toBe(answer);
    }
    expect(refusal('/v1/tasks', { ...contract, delivery_method: 'encrypted' })).toBe('taken');
  });

  it('says in true that few judges are accepted', () => {
    expect(parse('/v1/tasks', { ...TASK, accept_no_judges: true }).args).toMatchObject({
      accept_no_judges: true,
    });
    expect(refusal('/v1/tasks', { ...TASK, accept_no_judges: 'yes' })).toBe('invalid_request');
  });

  it('a subtask has no lane of its own', () => {
    const { args, path } = parse(`/v1/tasks/${ID}/subtask`, TASK);
    expect([args, path]).toEqual([TASK, { id: ID }]);
    expect(refusal(`/v1/tasks/${ID}/subtask`, { ...TASK, assurance_lane: 'gold' })).toBe('invalid_request');
  });
});

describe('POST /v1/tasks/{id}/submit', () => {
  const path = `/v1/tasks/${ID}/submit`;
  it('needs a hash or content', () => {
    expect(refusal(path, {})).toBe('invalid_request');
    expect(refusal(path, { result_content: '' })).toBe('invalid_request');
    expect(refusal(path, { result_hash: 'h' })).toBe('taken');
    expect(refusal(path, { result_content: 'c' })).toBe('taken');
  });

  it('accepts http, https and ipfs URLs', () => {
    for (const uri of ['http://a', 'HTTPS://b.example/x?y=1#z', 'ipfs://bafy']) {
      expect(refusal(path, { result_hash: 'h', result_uri: uri })).toBe('taken');
    }
    for (const uri of [
      'ftp://x',
      'ipfs:bafy',
      'https://',
      'https:///x',
      'https://a b',
      `https://e/${'u'.repeat(2048)}`,
    ]) {
      expect(refusal(path, { result_hash: 'h', result_uri: uri })).toBe('invalid_request');
    }
    expect(parse(path, { result_hash: 'h', result_uri: '' }).args).toEqual({ result_hash: 'h' });
  });

  it('reads evidence as an object of its own', () => {
    const evidence = { output_type: 'code', output_size: 5, metrics: { a: 'b' } };
    expect(parse(path, { result_hash: 'h', evidence }).args).toMatchObject({
      evidence,
    });
    const metrics = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`m${i}`, 'v']));
    for (const wrong of [
      [],
      'text',
      { output_type: 'music' },
      { summary: 's'.repeat(2001) },
      { output_preview: 's'.repeat(2001) },
      { metrics },
      { metrics: { a: 1 } },
      { metrics: [] },
      { metrics: { a: 'v'.repeat(1025) } },
      { output_size: -1 },
    ]) {
      expect(refusal(path, { result_hash: 'h', evidence: wrong })).toBe('invalid_request');
    }
  });
});

describe('POST /v1/tasks/{id}/trajectory/commit', () => {
  const path = `/v1/tasks/${ID}/trajectory/commit`;
  it('refuses what is too long or of another type', () => {
    expect(refusal(path, { outcome: 'progress', parameters: { a: 'b' } })).toBe('taken');
    for (const body of [
      {},
      { outcome: '' },
      { outcome: 'o'.repeat(33) },
      { outcome: 'p', branch_id: 'b'.repeat(65) },
      { outcome: 'p', parameters: { a: 1 } },
      { outcome: 'p', parameters: { ['k'.repeat(65)]: 'v' } },
      { outcome: 'p', quality_score_bp: 10_001 },
      { outcome: 'p', error_detail: 'e'.repeat(16_385) },
    ]) {
      expect(refusal(path, body)).toBe('invalid_request');
    }
  });
});

describe('categories and tags', () => {
  it('have one form, folded for ASCII only', () => {
    expect(normalName('\t Code-Review\n')).toBe('code-review');
    expect(normalName('ÄRZTE')).toBe('Ärzte');
    expect([taskCategory(undefined), taskCategory('  ')]).toEqual(['general', 'general']);
  });

  it('a name of any length, as a reader may ask for, is put into this form in one pass', () => {
    const before = process.cpuUsage();
    const asked = `a${' '.repeat(60_000)}b`;
    expect(normalName(`\v\f ${asked.toUpperCase()}\r\n`)).toBe(asked);
    expect(normalName(' '.repeat(60_000))).toBe('');
    // It took two and a half seconds.
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  });

  it('labels are the first 8 bytes of the SHA-256 of that form', () => {
    expect(Buffer.from(labelOf(' CODE ')).toString('hex')).toBe('5694d08a2e53ffca');
    expect(tagLabels(['a', '', ' '])).toHaveLength(1);
  });
});

it('tables of fields have a JSON schema, nested ones too', () => {
  const schema = jsonSchemaOf(OPERATIONS.taskSubmit.fields) as { properties: Record<string, unknown> };
  expect(schema.properties.evidence).toMatchObject({
    type: ['object', 'null'],
    properties: { metrics: { type: ['object', 'null'], maxProperties: 50 } },
  });
});
