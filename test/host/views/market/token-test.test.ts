import { expect, it } from 'vitest';
import { END, TokenTest } from '../../../../host/views/market/token-test.ts';

it('tests each token once', () => {
  const asked: number[] = [];
  const test = new TokenTest().start(10, (token) => {
    asked.push(token);
    return token % 2 === 1;
  });
  expect([3, 4, 3, 4, 9].map((token) => test.holds(token))).toEqual([true, false, true, false, true]);
  expect(asked).toEqual([3, 4, 9]);
  expect(test.holds(END)).toBe(false);
  expect(asked).toHaveLength(3);
});

it('accepts a list of the tokens that match', () => {
  const test = new TokenTest().start(5, [1, 4]);
  expect([0, 1, 2, 3, 4, END].map((token) => test.holds(token))).toEqual([
    false,
    true,
    false,
    false,
    true,
    false,
  ]);
});

it('does not confuse the answers of a thousand queries', () => {
  const test = new TokenTest();
  for (let question = 0; question < 1000; question++) {
    // The column grows now and then.
    const end = 8 + Math.floor(question / 100) * 30;
    const multiple = 2 + (question % 5);
    const isTrue = (token: number): boolean => token % multiple === 0;
    const all = Array.from({ length: end }, (_, token) => token);
    test.start(end, question % 3 === 0 ? all.filter(isTrue) : isTrue);
    expect(all.filter((token) => test.holds(token))).toEqual(all.filter(isTrue));
  }
});
