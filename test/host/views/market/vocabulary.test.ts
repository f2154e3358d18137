import { expect, it } from 'vitest';
import { Vocabulary } from '../../../../host/views/market/vocabulary.ts';

const COUNT = 40_000;
const textOf = (number: number): string => ` ${number * 3}`;

function numbered(): Vocabulary {
  const vocabulary = new Vocabulary();
  for (let number = 0; number < COUNT; number++) vocabulary.add(number, textOf(number));
  return vocabulary;
}
const allWith = (part: string, except: (number: number) => boolean = () => false): number[] =>
  Array.from({ length: COUNT }, (_, number) => number).filter(
    (number) => textOf(number).includes(part) && !except(number),
  );
const found = (vocabulary: Vocabulary, part: string): number[] =>
  [...vocabulary.candidates(part).numbers]
    .filter((number) => textOf(number).includes(part))
    .sort((a, b) => a - b);

it('no text that contains the part is missing, however common its trigrams are', () => {
  const vocabulary = numbered();
  const parts = ['123', ' 12', '1234', '12345', ' 12345', '99999', '11111', '2121', ' 3', '119997', '70000'];
  for (const part of parts.filter((p) => p.length > 2))
    expect(found(vocabulary, part)).toEqual(allWith(part));
});

it('few candidates remain where each trigram is in hundreds of texts', () => {
  const vocabulary = numbered();
  for (const run of ['123', '234', '345']) expect(allWith(run).length).toBeGreaterThan(80);
  expect(vocabulary.candidates('12345').numbers.length).toBeLessThan(20);
  expect(vocabulary.candidates('123').isExact).toBe(true);
  expect(vocabulary.candidates('1234').isExact).toBe(false);
});

it('a long prefix is found by its first characters, a short one like any part', () => {
  const vocabulary = numbered();
  const beginning = (part: string): number[] =>
    [...vocabulary.beginning(part)].filter((number) => textOf(number).startsWith(part)).sort((a, b) => a - b);
  for (const part of [' 12', ' 123', ' 1234', ' 11999', ' 119997', ' 99999', ' 999990']) {
    expect(beginning(part)).toEqual(allWith(part, (number) => !textOf(number).startsWith(part)));
  }
  expect(vocabulary.beginning(' 119997').length).toBeLessThan(5);
  expect(vocabulary.beginning('1199977')).toHaveLength(0);
});
