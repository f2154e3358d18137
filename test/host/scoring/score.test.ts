// The score of protocol 6.14: its worked example, each component at its limits, gates, reasons, verdict.

import { describe, expect, it } from 'vitest';
import { scoreSubmission, verificationResult, verificationScore } from '../../../host/scoring/index.ts';
import { task } from './tasks.ts';

const score = (over: Parameters<typeof task>[0], content: string) =>
  scoreSubmission(task(over), { result_content: content });
const componentsOf = (category: string, content: string, over: Parameters<typeof task>[0] = {}) =>
  score({ category, ...over }, content).components;

describe('the worked example', () => {
  it('language 8000, completeness 10000, cov 6000, formatting 6000 make 7600: pass', () => {
    const contract = task({
      category: 'content',
      title: 'alpha beta gamma delta epsilon',
      success_criteria: ['alpha'],
    });
    // Three of five terms. Six distinct of 25 words are 24 %, that is 6000 of the 40 % for full marks, and 25 words
    // make a sentence of natural length: (6000 + 10000) / 2. One paragraph, no list, a full stop at the end.
    const words = ['alpha', 'beta', 'gamma', 'the', 'old', 'mill'];
    const text = Array.from({ length: 25 }, (_, i) => words[i % 6]).join(' ');
    const verification = scoreSubmission(contract, { result_content: `${text}.` });
    expect(verification.components).toEqual({
      language: 8000,
      completeness: 10_000,
      relevance: 6000,
      formatting: 6000,
    });
    expect(verification).toMatchObject({
      overallBp: 7600,
      thresholdBp: 5000,
      relevanceBp: 6000,
      qualityBp: 7000,
    });
    expect(verification.gates.threshold).toBe(true);
  });
});

describe('verifier and threshold by category', () => {
  it.each([
    ['code', 'code', 6500],
    ['code-review', 'code', 6500],
    ['technical', 'code', 6500],
    ['security', 'code', 6500],
    ['data', 'data', 7000],
    ['data-analysis', 'data', 7000],
    ['data-validation', 'data', 7000],
    ['research', 'data', 7000],
    ['analysis', 'data', 6000],
    ['content', 'content', 5000],
    ['writing', 'content', 5000],
    ['documentation', 'content', 5000],
    ['translation', 'content', 5000],
    ['creative', 'keyword', 6000],
    ['general', 'keyword', 6000],
    ['constructor', 'keyword', 6000],
  ])('%s: %s, %i', (category, verifier, thresholdBp) => {
    expect(score({ category }, 'x')).toMatchObject({ verifier, thresholdBp });
  });
});

describe('code', () => {
  it('syntax: 2500 off for each uneven kind of bracket and for lacking any operator', () => {
    const syntax = (content: string) => componentsOf('code', content).syntax;
    expect(syntax('a = (b)')).toBe(10_000);
    expect(syntax('a b c')).toBe(7500);
    expect(syntax('a = (b')).toBe(7500);
    expect(syntax('a = (b]')).toBe(5000);
    expect(syntax('a = (b]}')).toBe(2500);
    expect(syntax(')]}')).toBe(0);
    for (const sign of ['()', '{}', '=', ';', ':']) expect(syntax(`a ${sign}`), sign).toBe(10_000);
  });

  it('quality: 4000, and 1500 each for comment, keyword, test word, three short lines', () => {
    const quality = (content: string) => componentsOf('code', content).quality;
    expect(quality('x')).toBe(4000);
    for (const comment of ['// x', '# x', '/* x']) expect(quality(comment), comment).toBe(5500);
    expect(quality('/ x')).toBe(4000);
    for (const word of 'function def class fn func const let import'.split(' '))
      expect(quality(word), word).toBe(5500);
    expect(quality('functional latest')).toBe(4000);
    for (const word of ['test', 'assert', 'EXPECT']) expect(quality(word), word).toBe(5500);
    expect(quality('a\nb')).toBe(4000);
    expect(quality('a\nb\n')).toBe(5500);
    expect(quality(`a\nb\n${'c'.repeat(200)}`)).toBe(5500);
    expect(quality(`a\nb\n${'c'.repeat(201)}`)).toBe(4000);
    expect(quality('// function test\na\nb')).toBe(10_000);
  });
});

describe('data', () => {
  const structure = (content: string) => componentsOf('data', content).structure;

  it('structure: JSON, even columns, list lines, else', () => {
    expect(structure('{"a": [1, 2.5e-3, "x\\u00e9", null]}')).toBe(10_000);
    expect(structure(' [] \n')).toBe(10_000);
    for (const no of ['"text"', '12', '{"a":1} x', '{a:1}', '[1,]', '{"a"}', '[01]', '["\t"]', '[1', '']) {
      expect(structure(no), no).toBe(3000);
    }
    expect(structure('a,b\r\nc,d\r\n')).toBe(8000);
    expect(structure('a;b\n\nc;d')).toBe(8000);
    expect(structure('a\tb\nc\td')).toBe(8000);
    expect(structure('a,b\nc,d,e')).toBe(3000);
    expect(structure('a,b')).toBe(3000);
    for (const line of ['| a', '- a', '* a', '# a']) expect(structure(`x\n${line}`), line).toBe(6000);
    expect(structure(' - a')).toBe(3000);
  });

  it('depth: 1000 for each distinct number, at most 10', () => {
    const depth = (content: string) => componentsOf('data', content).depth;
    expect(depth('none')).toBe(0);
    expect(depth('1 1 01 a1b')).toBe(2000);
    expect(depth('1.5')).toBe(2000);
    expect(depth('1 2 3 4 5 6 7 8 9')).toBe(9000);
    expect(depth('1 2 3 4 5 6 7 8 9 10 11')).toBe(10_000);
  });

  it('citations: 2500 for each URL and each [n]', () => {
    const citations = (content: string) => componentsOf('data', content).citations;
    expect(citations('http:/x https//y [a] [] [1 1]')).toBe(0);
    expect(citations('http://x')).toBe(2500);
    expect(citations('https://x [12]')).toBe(5000);
    expect(citations('[1][2][[3] http://a https://b')).toBe(10_000);
  });

  it('coverage under 2000 caps the score at 3000', () => {
    const title = 'aaa bbb ccc ddd eee fff';
    const rich =
      '[1][2][3][4] 5 6 7 8 9 10\n- x\n- y and so on until it is one hundred bytes long, which takes a while to write down here';
    expect(score({ category: 'data', title }, `aaa ${rich}`)).toMatchObject({
      relevanceBp: 1666,
      overallBp: 3000,
    });
    expect(score({ category: 'data', title }, `aaa bbb ${rich}`).overallBp).toBeGreaterThan(3000);
  });
});

describe('content', () => {
  it('formatting: paragraphs, list or heading line, last sign', () => {
    const formatting = (content: string) => componentsOf('content', content).formatting;
    expect(formatting('a')).toBe(4000);
    expect(formatting('a\n\nb')).toBe(6000);
    expect(formatting('a\r\n \r\nb')).toBe(6000);
    expect(formatting('a\nb')).toBe(4000);
    for (const line of ['# a', '- a', '* a', '12. a']) expect(formatting(line), line).toBe(6000);
    for (const line of ['12 a', '. a', 'a - b']) expect(formatting(line), line).toBe(4000);
    for (const end of ['.', '!', '?']) expect(formatting(`a${end}`), end).toBe(6000);
    expect(formatting('a.\n')).toBe(4000);
    expect(formatting('# a\n\nb.')).toBe(10_000);
  });

  it('language: diversity to 4000, and 4 to 40 words a sentence', () => {
    const language = (content: string) => componentsOf('content', content).language;
    expect(language('')).toBe(2000);
    expect(language('one two three four')).toBe(10_000);
    expect(language('one two three')).toBe(7000);
    const words = (n: number) => Array.from({ length: n }, (_, i) => `w${i}`).join(' ');
    expect(language(words(40))).toBe(10_000);
    expect(language(words(41))).toBe(7000);
    expect(language('a a a a a a a a a a')).toBe((2500 + 10_000) / 2);
  });

  it('coverage under 2500 caps the score at 3000', () => {
    const text =
      'This is a long and well formed sentence about nothing in particular.\n\n- And it has a list item as well, of course.';
    expect(score({ category: 'content', title: 'aaa bbb ccc ddd eee' }, `aaa ${text}`).overallBp).toBe(3000);
    expect(score({ category: 'content', title: 'aaa bbb ccc ddd' }, `aaa ${text}`).overallBp).toBeGreaterThan(
      3000,
    );
  });
});

describe('keyword', () => {
  it('quality: over 100 bytes, two sentences, diversity from 4000', () => {
    const quality = (content: string) => componentsOf('general', content).quality;
    expect(quality('a a a')).toBe(4000);
    expect(quality('one two three')).toBe(6000);
    expect(quality('one. two.')).toBe(8000);
    expect(quality(`a. ${'a '.repeat(48)}a`)).toBe(6000);
    expect(quality(`a. ${'a '.repeat(49)}a`)).toBe(8000);
  });
});

describe('measures', () => {
  it('terms: distinct words of three bytes without the stop words; none give 5000', () => {
    const cov = (title: string, content: string) => score({ title }, content).relevanceBp;
    expect(cov('The cat, a CAT and the dog', 'cat')).toBe(5000);
    expect(cov('the for and a b', 'x')).toBe(5000);
    expect(cov('é ü', 'x')).toBe(5000);
    expect(cov('né', 'né')).toBe(10_000);
    expect(cov('one two three', 'ONE two-three')).toBe(10_000);
    expect(cov('Ärger', 'ärger')).toBe(0);
  });

  it('crit: a criterion is met with half of its terms; without criteria the length counts', () => {
    const complete = (criteria: string[], content: string) =>
      score({ success_criteria: criteria }, content).completenessBp;
    expect(complete(['red green', 'blue white black'], 'red white')).toBe(5000);
    expect(complete(['red green', 'blue white black'], 'green black blue')).toBe(10_000);
    expect(complete(['the a'], 'x')).toBe(10_000);
    expect(complete([], 'x'.repeat(99))).toBe(9900);
    expect(complete([], 'x'.repeat(101))).toBe(10_000);
  });

  it('only the first 262,144 bytes are read, even when that tears a character', () => {
    const padding = 'x'.repeat(262_143);
    expect(score({ title: 'kitten' }, `${padding} kitten`).relevanceBp).toBe(0);
    expect(score({ title: 'kitten' }, `kitten ${padding}`).relevanceBp).toBe(10_000);
    expect(score({ title: 'kitten' }, `${padding}é kitten`).relevanceBp).toBe(0);
  });
});

describe('API objects', () => {
  it('show ratios of four decimals', () => {
    const verification = score({ category: 'general', title: 'one two three' }, 'one two');
    expect(verificationScore(verification)).toEqual({
      relevance: 0.6666,
      completeness: 0.07,
      quality: 0.6,
      overall: 0.4079,
    });
    expect(verificationResult(verification)).toMatchObject({
      verdict: 'fail',
      policy_version: 'v1',
      trust_proof: '',
      threshold: 0.6,
      deterministic_report: {
        verifier: 'keyword',
        components: { relevance: 0.6666, completeness: 0.07, quality: 0.6 },
      },
    });
  });
});
