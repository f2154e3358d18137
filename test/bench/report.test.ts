import { describe, expect, it } from 'vitest';
import { figure, machineText, tableText, thisMachine } from '../../bench/report.ts';
import { median, quantile, row, sameWork } from '../../bench/row.ts';

describe('figures', () => {
  it.each([
    [1234567.8, '1,234,568'],
    [1234.56, '1,235'],
    [12.3456, '12.35'],
    [0.012345, '0.01235'],
    [0, '0'],
  ])('%d is shown as %s', (value, text) => {
    expect(figure(value)).toBe(text);
  });

  it('median and quantile are values of the list', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2);
    expect(quantile([1, 2, 3, 4], 0.99)).toBe(4);
    expect(quantile([], 0.5)).toBeNaN();
  });
});

describe('a row', () => {
  it('carries the ratio of value and peer', () => {
    const made = row('s', 'case', { n: 1 }, '/s', 30, { name: 'other', value: 20 });
    expect(made).toEqual({
      suite: 's',
      name: 'case',
      params: { n: 1 },
      value: 30,
      unit: '/s',
      peer: 'other',
      peer_value: 20,
      ratio: 1.5,
    });
    expect(tableText([made])).toContain('30 /s  20 /s   1.50  other');
  });

  it('is refused if the sides did different work', () => {
    const run = { small: true, say: () => {} };
    expect(() => sameWork(run, 'w', { a: '1', b: '2' })).toThrow('different work');
    expect(() => sameWork(run, 'w', { a: '1', b: '1' })).not.toThrow();
  });
});

it('the machine is described by its cores, processor and versions', () => {
  const text = machineText(thisMachine());
  expect(text).toContain(`Node ${process.version}`);
  expect(text).toMatch(/^\d+ x .+ GB, .+core\.wasm [0-9a-f]{16}$/);
});
