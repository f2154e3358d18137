// The filler gates: each refuses what it is for, lets honest work pass, and judges nothing that fails anyway.

import { describe, expect, it } from 'vitest';
import { fillerGates } from '../../../../host/scoring/filler/gates.ts';
import { repetition } from '../../../../host/scoring/filler/templates.ts';
import { LINE, NO_BREAK, PHRASE, SENTENCE, type Text, textOf } from '../../../../host/scoring/filler/text.ts';
import { neighbours } from '../../../../host/scoring/filler/together.ts';
import { wordOrder } from '../../../../host/scoring/filler/word-order.ts';
import { scoreSubmission, type TaskContract } from '../../../../host/scoring/index.ts';
import { outputOf, Reading } from '../../../../host/scoring/reading.ts';
import type { Work } from '../../../../host/scoring/verifiers.ts';
import { task } from '../tasks.ts';

function workOf(contract: TaskContract, content: string): Work {
  const output = outputOf({ result_content: content });
  return {
    contract,
    output,
    reading: new Reading(contract, output),
    measures: { cov: 0, len: 0, crit: 0, div: 0, echo: 0 },
  };
}
function textFor(content: string, over: Partial<TaskContract> = {}): Text {
  const { reading, output } = workOf(task(over), content);
  return textOf(reading, output);
}
/** Names of the filler gates that do not hold, judged as if the rest had passed. */
function failed(content: string, over: Partial<TaskContract> = {}): string[] {
  const gates = fillerGates(workOf(task(over), content), true);
  return Object.entries(gates).flatMap(([name, holds]) => (holds ? [] : [name]));
}

const REPORT = {
  title: 'Harbour traffic report',
  description: 'Describe vessels, berths, pilots, delays, cargo, weather, cranes and customs in the harbour.',
};
const HONEST =
  'Harbour traffic was lighter than in spring. Forty vessels asked for pilots, and the delays at the two northern berths came from ' +
  'the weather rather than from customs. Cargo for the inland mills waited a day, because one of the cranes had lost a cable.';

it('honest work passes all of them', () => {
  expect(failed(HONEST, REPORT)).toEqual([]);
});

describe('own_words', () => {
  it('requires half as many words of the worker as terms', () => {
    const over = { title: 'alpha beta gamma delta epsilon' };
    expect(failed('alpha beta gamma delta epsilon kitten puppy', over)).toContain('own_words');
    expect(failed('alpha beta gamma delta epsilon kitten puppy foal', over)).not.toContain('own_words');
  });

  it('figures, small words and short ones do not count', () => {
    expect(
      failed('alpha beta gamma delta 100 200 x1 the and of is ab', { title: 'alpha beta gamma delta' }),
    ).toContain('own_words');
  });
});

describe('own_context', () => {
  const over = { title: 'alpha beta gamma delta epsilon zeta eta theta' };
  const prose =
    'The children built a wall around the school yard and nobody spoke of anything else for a week.';

  it('a list of keywords below copied prose gives no context', () => {
    expect(failed(`${prose}\nalpha beta gamma delta epsilon zeta eta theta`, over)).toContain('own_context');
  });

  it('neither do copies of the task', () => {
    const copied = `${prose}\nWell alpha beta gamma delta\nor gamma delta epsilon zeta eta theta again`;
    expect(failed(copied, over)).toContain('own_context');
  });

  it('nor lines that differ only in the term', () => {
    const lines = over.title.split(' ').map((term) => `here is ${term} as it was wanted`);
    expect(failed(lines.join('\n'), over)).toContain('own_context');
  });

  it('sentences written by the worker do, and so do rows with distinct figures', () => {
    expect(failed('The alpha was found near a beta in the evening.', over)).not.toContain('own_context');
    expect(failed('alpha,100,7\nbeta,200,8\ngamma,300,9', over)).not.toContain('own_context');
  });
});

describe('not_templated', () => {
  const terms = 'harbour traffic vessels berths pilots delays cargo weather cranes customs'.split(' ');

  it('one sentence with the terms filled in is a template', () => {
    const text = terms.map((term) => `It is well known that ${term} has to be considered in full.`).join(' ');
    expect(failed(text, REPORT)).toContain('not_templated');
  });

  it('from 40 % of repeated sequences on', () => {
    const unique = (n: number) =>
      Array.from({ length: n }, (_, i) => `word${String.fromCharCode(97 + (i % 26), 97 + i / 26)}`);
    const text = (n: number) => `${unique(n).join(' ')} ${unique(n).join(' ')}`;
    const half = repetition(textFor(text(30)));
    expect(half).toEqual({ sequences: 57, repeatedBp: Math.floor((27 * 10_000) / 57) });
    expect(failed(text(30))).toContain('not_templated');
    expect(failed(`${text(30)} ${unique(60).slice(30).join(' ')}`)).not.toContain('not_templated');
  });

  it('tables, lists and code may repeat themselves', () => {
    const rows = terms.map((term, i) => `| ${term} | ${i} | open | north |`);
    expect(failed(rows.join('\n'), REPORT)).not.toContain('not_templated');
    expect(repetition(textFor('a = f(x); b = f(x); c = f(x); a = f(x); b = f(x);')).sequences).toBe(0);
  });
});

describe('plain_language', () => {
  const words = (n: number, word: (i: number) => string) =>
    Array.from({ length: n }, (_, i) => word(i)).join(' ');
  const noun = (i: number) => `noun${'abcdefghijklmnopqrstuvwxyz'[i % 26]}`;

  it('prose of thirty words needs a quarter of small words; more than three in five are padding', () => {
    expect(failed(words(30, noun))).toContain('plain_language');
    expect(failed(words(29, noun))).not.toContain('plain_language');
    expect(failed(words(32, (i) => (i % 4 === 0 ? 'the' : noun(i))))).not.toContain('plain_language');
    expect(failed(words(30, (i) => (i % 3 === 0 ? noun(i) : 'it')))).toContain('plain_language');
  });

  it.each([
    'Der Hafen war im Sommer ruhig, weil die großen Schiffe wegen der niedrigen Pegel nicht einlaufen konnten und viele Lotsen deshalb frei hatten oder auf anderen Flüssen aushalfen.',
    'Le port est resté calme pendant tout le mois, car les grands navires ne pouvaient pas entrer à cause du niveau de la rivière et les pilotes ont donc pris des vacances.',
    'El puerto estuvo tranquilo durante el mes porque los barcos grandes no pudieron entrar por el nivel del agua y los pilotos se fueron con sus familias a la playa de la ciudad.',
    'Гавань была спокойна весь месяц, потому что большие суда не могли войти из-за низкого уровня воды, и лоцманы ушли в отпуск, а краны стояли без работы до самой осени, когда пошли дожди.',
  ])('other languages pass: %s', (text) => {
    expect(failed(text)).toEqual([]);
  });

  it('code, tables and headings are not prose', () => {
    expect(failed('const sum = left + right;\nreturn sum * factor;\n'.repeat(10))).not.toContain(
      'plain_language',
    );
  });
});

describe('word_order', () => {
  const order = (content: string) => wordOrder(textFor(content));

  it('counts small words before what cannot follow them', () => {
    expect(order('the of').broken).toBe(1);
    expect(order('a is my were').broken).toBe(2);
    expect(order('could will').broken).toBe(1);
    expect(order('they the').broken).toBe(1);
    expect(order('he found the. And then').broken).toBe(1);
    expect(order('the house of a friend is old').broken).toBe(0);
  });

  it('not across punctuation or lines, nor in code', () => {
    expect(order('the, of')).toEqual({ judged: 0, broken: 0 });
    expect(order('the\nof')).toEqual({ judged: 0, broken: 0 });
    expect(order('if (a != the) { a.is() }').broken).toBe(0);
  });

  it('one slip is free, two fail from one in twenty-five on', () => {
    expect(failed('I gave the of it to him')).not.toContain('word_order');
    expect(failed('I gave the of it to the is')).toContain('word_order');
  });
});

describe('terms_together', () => {
  const terms = 'alpha beta gamma delta epsilon zeta theta iota kappa lambda sigma omega'.split(' ');
  const over = { title: terms.join(' ') };

  it('counts neighbouring terms of the task that are at most four words apart', () => {
    expect(neighbours(textFor('beta one two three alpha', over))).toEqual({ pairs: 1, met: 1 });
    expect(neighbours(textFor('beta one two three four alpha', over))).toEqual({ pairs: 1, met: 0 });
  });

  it('fails when none of ten or more pairs meet', () => {
    const strewn = [...terms.filter((_, i) => i % 2 === 0), ...terms.filter((_, i) => i % 2 === 1)];
    const apart = strewn.map((term) => `they saw a small ${term} near the old mill`).join(' and ');
    expect(failed(apart, over)).toContain('terms_together');
    expect(failed(`${apart} alpha beta gamma`, over)).not.toContain('terms_together');
  });
});

describe('readable', () => {
  it('mixed scripts, rows of symbols and encoded values are suspicious, names and numbers are not', () => {
    for (const odd of ['жαж', '→→→', '😀😀😀', '漢ж', 'aGVsbG8gd29ybGQ', '9f86d081884c7d65']) {
      expect(failed(`${odd} x y z`), odd).toContain('readable');
    }
    for (const fine of ['café', 'API接口', '→', '“word”', 'parseIniFile', '2024', 'HTTPServer', 'привет']) {
      expect(failed(`${fine} x y z`), fine).not.toContain('readable');
    }
  });
});

describe('breaks', () => {
  it('none, punctuation, ends of lines and cells, ends of sentences', () => {
    const { breaks } = textFor('it’s a don\'t, 3.5 example.org\nnew. Next | cell "x" (y) z! End');
    expect([...breaks]).toEqual([
      // it’s (one word: ’ is not ASCII), a, don, t, 3, 5, example, org
      ...[SENTENCE, NO_BREAK, NO_BREAK, NO_BREAK, PHRASE, PHRASE, NO_BREAK, PHRASE],
      // new, Next, cell, x, y, z, End
      ...[LINE, SENTENCE, LINE, LINE, LINE, PHRASE, SENTENCE],
    ]);
  });
});

it('work that fails by the formulas is not judged a second time', () => {
  const content = Array.from({ length: 30 }, () => 'harbour traffic').join(' ');
  const { gates, reasonCodes } = scoreSubmission(task(), { result_content: content });
  expect(reasonCodes).toEqual(['gate_failed:not_repetitive']);
  expect(gates.own_words).toBe(true);
  const keywords = {
    title: 'harbour',
    description: 'traffic vessels berths pilots delays cargo weather cranes customs',
  };
  const below = scoreSubmission(task(keywords), { result_content: 'harbour traffic vessels' });
  expect(below.reasonCodes).toEqual(['below_threshold']);
});

it('the first 20,000 words are judged', () => {
  const text = textFor('word '.repeat(20_001));
  expect([text.words.length, text.breaks.length]).toEqual([20_000, 20_000]);
});
