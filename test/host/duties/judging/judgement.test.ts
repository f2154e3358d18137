// Which answers of a judge are verdicts, and that everything else is an abstention.

import { expect, it } from 'vitest';
import { readJudgement } from '../../../../host/duties/judging/judgement.ts';

const Q = 'a'.repeat(32);
const BASE = { question: Q, verdict: 'poster', reason: 'wrong sums', confidence_bp: 9000 };
const read = (answer: unknown) =>
  readJudgement(Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer)), Q);

it('reads the three verdicts', () => {
  expect(read(BASE)).toEqual({
    verdict: 'poster',
    worker_share_bp: 0,
    reason: 'wrong sums',
    confidence_bp: 9000,
  });
  expect(read({ ...BASE, verdict: 'worker' })).toMatchObject({ worker_share_bp: 10_000 });
  expect(read({ ...BASE, verdict: 'split', worker_share_bp: 3000 })).toMatchObject({ worker_share_bp: 3000 });
  expect(read({ ...BASE, ground: 'fraud', model: 'm1' })).toMatchObject({ ground: 'fraud' });
  expect(read(` ${JSON.stringify(BASE)}\n`)).toMatchObject({ verdict: 'poster' });
});

it('takes an abstention as one', () => {
  expect(read({ question: Q, verdict: 'abstain' })).toEqual({ abstains: 'abstained' });
});

it.each([
  ['nothing', ''],
  ['a word', 'worker'],
  ['a list', [BASE]],
  ['two objects', `${JSON.stringify(BASE)}${JSON.stringify(BASE)}`],
  ['no question', { ...BASE, question: undefined }],
  ['another question', { ...BASE, question: 'b'.repeat(32) }],
  ['an unknown verdict', { ...BASE, verdict: 'approve' }],
  ['a split without a share', { ...BASE, verdict: 'split' }],
  ['a split of all', { ...BASE, verdict: 'split', worker_share_bp: 10_000 }],
  ['a split between steps', { ...BASE, verdict: 'split', worker_share_bp: 3500 }],
  ['a share that contradicts', { ...BASE, verdict: 'worker', worker_share_bp: 0 }],
  ['an unknown ground', { ...BASE, ground: 'ugly' }],
  ['a ground for the worker', { ...BASE, verdict: 'worker', ground: 'fraud' }],
  ['no reason', { ...BASE, reason: '' }],
  ['a long reason', { ...BASE, reason: 'ü'.repeat(251) }],
  ['no confidence', { ...BASE, confidence_bp: undefined }],
  ['a fraction', { ...BASE, confidence_bp: 0.9 }],
  ['a text as confidence', { ...BASE, confidence_bp: '9000' }],
])('abstains for %s', (_, answer) => {
  expect(read(answer)).toMatchObject({ abstains: 'malformed' });
});
