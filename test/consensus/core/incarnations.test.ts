// Seats that lost vertices and go on in a higher incarnation of their numbers (consensus 5.1, 5.7), drawn by hand; the
// oracle runs beside the core.

import { describe, expect, test } from 'vitest';
import { Consensus } from '../../../host/core/consensus.ts';
import { firstSeqOf } from '../../../host/wire/seq.ts';
import { Drawing, denseRounds, EQUAL_4, epochLedBy, idOf, module, Pair } from './drawn-dag.ts';

/** Rounds of a, b and c in which each takes all three of the round below, and `fourth(round)` beside them. */
function rounds(from: number, to: number, fourth: (round: number) => string | undefined): string[] {
  const lines: string[] = [];
  for (let n = from; n <= to; n++) {
    for (const seat of 'abc') {
      const others = [...'abc'].filter((other) => other !== seat).map((other) => `${other}${n - 1}`);
      const more = fourth(n - 1);
      lines.push([`${seat}${n}`, ...others, ...(more ? [more] : [])].join(' '));
    }
  }
  return lines;
}

const EPOCH = epochLedBy('abcab', EQUAL_4);

const start = (): Pair => {
  const pair = new Pair(EPOCH);
  pair.add(...denseRounds('abcd', 1, 3));
  return pair;
};

/** Every ordered vertex in order, void ones in brackets. */
const ordered = (pair: Pair): string[] => pair.blocks.flatMap((_, i) => pair.order(i));
const ofSeat = (pair: Pair, seat: string): string[] => ordered(pair).filter((name) => name.includes(seat));
const evidence = (pair: Pair) => pair.blocks.flatMap((block) => block.evidence);

describe('a seat that lost vertices', () => {
  test('goes on in a higher incarnation; a lost vertex that comes later is void and proves nothing', () => {
    const pair = start();
    pair.add('d4 a3 b3 c3');
    pair.add(
      ...rounds(4, 4, () => 'd3'),
      'd1^1<d3 a4 b4 c4',
      ...rounds(5, 5, () => 'd1^1'),
      ...rounds(6, 9, () => undefined),
    );
    expect(ofSeat(pair, 'd')).toEqual(['d1', 'd2', 'd3', 'd1^1']);
    // Somebody had d4 after all.
    pair.add('a10 b9 c9 d4', 'b10 a9 c9', 'c10 a9 b9', ...rounds(11, 24, () => undefined));
    expect(ofSeat(pair, 'd')).toEqual(['d1', 'd2', 'd3', 'd1^1', '(d4)']);
    expect(evidence(pair)).toEqual([]);
  });

  test('a lost vertex that is ordered before the new incarnation keeps its effect, what comes after it does not', () => {
    const pair = start();
    pair.add('d4 a3 b3 c3', 'd5 a3 b3 c3');
    pair.add('a4 b3 c3 d4', 'b4 a3 c3 d3', 'c4 a3 b3 d3', ...rounds(5, 8, () => undefined));
    expect(ofSeat(pair, 'd')).toEqual(['d1', 'd2', 'd3', 'd4']);
    pair.add('d1^1<d3 a8 b8 c8', ...rounds(9, 9, () => 'd1^1'), ...rounds(10, 13, () => undefined));
    expect(ofSeat(pair, 'd')).toEqual(['d1', 'd2', 'd3', 'd4', 'd1^1']);
    pair.add(
      'd2^1 a13 b13 c13',
      'a14 b13 c13 d5',
      'b14 a13 c13 d2^1',
      'c14 a13 b13',
      ...rounds(15, 26, () => undefined),
    );
    expect(ofSeat(pair, 'd').slice(5).sort()).toEqual(['(d5)', 'd2^1']);
    expect(evidence(pair)).toEqual([]);
  });

  test('two vertices with one seq are evidence, whatever incarnation came between them', () => {
    const pair = start();
    pair.add("d3' a2 b2 c2");
    pair.add(...rounds(4, 4, () => 'd3'), 'd1^1<d3 a4 b4 c4', 'd2^1', ...rounds(5, 5, () => 'd2^1'));
    pair.add('d1^7<d2^1 a5 b5 c5', ...rounds(6, 6, () => 'd1^7'), ...rounds(7, 10, () => undefined));
    expect(ofSeat(pair, 'd')).toEqual(['d1', 'd2', 'd3', 'd1^1', 'd2^1', 'd1^7']);
    pair.add("a11 b10 c10 d3'", 'b11 a10 c10', 'c11 a10 b10', ...rounds(12, 24, () => undefined));
    expect(evidence(pair)).toEqual([{ creator: 3, seq: 3, effective: idOf('d3'), void: idOf("d3'") }]);
  });

  test('so are two beginnings of one incarnation, over different vertices', () => {
    const pair = start();
    pair.add("d1^1'<d2 a2");
    pair.add(
      ...rounds(4, 4, () => 'd3'),
      'd1^1<d3 a4 b4 c4',
      ...rounds(5, 5, () => 'd1^1'),
      ...rounds(6, 9, () => undefined),
    );
    pair.add("a10 b9 c9 d1^1'", 'b10 a9 c9', 'c10 a9 b9', ...rounds(11, 24, () => undefined));
    const [proof, ...more] = evidence(pair);
    expect(more).toEqual([]);
    expect(proof).toEqual({ creator: 3, seq: firstSeqOf(1), effective: idOf('d1^1'), void: idOf("d1^1'") });
  });

  test('what an incarnation lost is void too once a higher one took effect, without evidence', () => {
    const pair = start();
    pair.add('d1^2<d3 a3 b3 c3', 'd2^2', 'd3^2');
    pair.add(...rounds(4, 4, () => 'd1^2'), 'd1^5<d1^2 a4 b4 c4', ...rounds(5, 5, () => 'd1^5'));
    pair.add(...rounds(6, 9, () => undefined));
    pair.add('a10 b9 c9 d3^2', 'b10 a9 c9', 'c10 a9 b9', ...rounds(11, 24, () => undefined));
    expect(ofSeat(pair, 'd')).toEqual(['d1', 'd2', 'd3', 'd1^2', 'd1^5', '(d2^2)', '(d3^2)']);
    expect(evidence(pair)).toEqual([]);
  });

  test('a seat that lost all of its vertices begins an incarnation without a self-parent', () => {
    const pair = new Pair(EPOCH);
    pair.add('d1', ...denseRounds('abc', 1, 1), 'd1^3 a1 b1 c1', 'd2^3');
    pair.add(...rounds(2, 2, () => 'd2^3'), ...rounds(3, 7, () => undefined));
    expect(ofSeat(pair, 'd')).toEqual(['d1^3', 'd2^3']);
    pair.add('a8 b7 c7 d1', 'b8 a7 c7', 'c8 a7 b7', ...rounds(9, 20, () => undefined));
    expect(ofSeat(pair, 'd')).toEqual(['d1^3', 'd2^3', '(d1)']);
    expect(evidence(pair)).toEqual([]);
    expect(pair.round('d1^3')).toBe(2);
  });

  test('a new incarnation takes effect beside the older branch in one block, and the older one is void from there on', () => {
    const pair = start();
    pair.add('d4 a3', 'd5 b3', 'd6 c3', 'd1^1<d3');
    pair.add('a4 b3 c3', 'b4 a3 c3 d1^1', 'c4 a3 b3 d6', ...rounds(5, 12, () => undefined));
    const block = pair.blocks.findIndex((_, i) => pair.order(i).includes('d1^1'));
    expect(pair.order(block)).toContain('(d5)');
    const names = ofSeat(pair, 'd').slice(3);
    // By depth d1^1 comes beside d4 at the latest, so before d5.
    expect(names.indexOf('d1^1')).toBeLessThan(2);
    expect(names.slice(-2)).toEqual(['(d5)', '(d6)']);
    expect(evidence(pair)).toEqual([]);
  });
});

describe('which seq may follow which', () => {
  /** The answer of a core that has the vertices of `lines` to the last one, and the rule it breaks. */
  function answer(...lines: string[]): string | undefined {
    const core = Consensus.create(module, EPOCH);
    const drawing = new Drawing();
    const results = lines.map((line) => core.insert([drawing.add(line)])[0]);
    expect(results.slice(0, -1).every((result) => result === 'inserted')).toBe(true);
    return results.at(-1) === 'invalid' ? core.lastFault() : results.at(-1);
  }

  test.each<[string, string[], string]>([
    ['the first of a higher incarnation, over a vertex', ['d1', 'd2', 'd1^1<d2'], 'inserted'],
    ['or over none', ['a1', 'd1', 'd1^4 a1'], 'inserted'],
    ['incarnations may be left out', ['d1', 'd1^9<d1', 'd1^4095<d1^9'], 'inserted'],
    ['what follows the last number of an incarnation is none', ['d1', 'd1048576<d1'], 'seq'],
    ['not the same incarnation again', ['d1^1', "d1^1'<d1^1"], 'self_parent'],
    ['nor a lower one', ['d1^2', 'd1^1<d1^2'], 'self_parent'],
    ['incarnation 0 least of all', ['d1', "d1'<d1"], 'self_parent'],
    ['not in the middle of a higher one', ['d1', 'd2', 'd3^1<d2'], 'self_parent'],
    ['a later one needs a self-parent', ['a1', 'd2^1<a1'], 'self_parent'],
    ['number 0 does not exist', ['d1', 'd0^1<d1'], 'seq'],
    ['nor in incarnation 0', ['d0'], 'seq'],
  ])('%s', (_, lines, expected) => {
    expect(answer(...lines)).toBe(expected);
  });

  test('time does not go back over a new incarnation', () => {
    const core = Consensus.create(module, EPOCH);
    const drawing = new Drawing();
    const first = drawing.add('d1');
    const second = drawing.add('d1^1<d1');
    const early = { ...second, timeMs: first.timeMs - 1, id: idOf('early') };
    expect(core.insert([first, early, second])).toEqual(['inserted', 'invalid', 'inserted']);
    expect(core.lastFault()).toBe('time');
  });

  test('the own creator is the first parent or none', () => {
    const core = Consensus.create(module, EPOCH);
    const drawing = new Drawing();
    const [a1, d1] = [drawing.add('a1'), drawing.add('d1')];
    const vertex = drawing.add('d1^1<d1 a1');
    const swapped = { ...vertex, parents: [a1.id, d1.id], id: idOf('swapped') };
    expect(core.insert([a1, d1, swapped])).toEqual(['inserted', 'inserted', 'invalid']);
    expect(core.lastFault()).toBe('self_parent');
  });
});
