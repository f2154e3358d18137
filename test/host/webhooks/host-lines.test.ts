import { expect, it } from 'vitest';
import { HostLines } from '../../../host/webhooks/host-lines.ts';

const drain = (lines: HostLines<string>): string[] => {
  const started: string[] = [];
  for (let item = lines.next(); item; item = lines.next()) started.push(item);
  return started;
};

it('serves hosts in turns and respects both limits', () => {
  const lines = new HostLines<string>(3, 2);
  for (const item of ['a1', 'a2', 'a3', 'a4']) lines.push('a', item);
  lines.push('b', 'b1');
  expect(drain(lines)).toEqual(['a1', 'b1', 'a2']);
  lines.push('c', 'c1');
  expect(drain(lines)).toEqual([]);
  lines.done('b');
  expect(drain(lines)).toEqual(['c1']);
  lines.done('c');
  // Two of a are under way: no third one, though there is room.
  expect(drain(lines)).toEqual([]);
  lines.done('a');
  expect(drain(lines)).toEqual(['a3']);
  lines.done('a');
  lines.done('a');
  expect(drain(lines)).toEqual(['a4']);
  expect(lines.running).toBe(1);
});

it('forgets waiting items when cleared, and accepts new ones', () => {
  const lines = new HostLines<string>(1, 1);
  lines.push('a', 'a1');
  lines.push('a', 'a2');
  lines.push('b', 'b1');
  expect(drain(lines)).toEqual(['a1']);
  lines.clear();
  lines.done('a');
  expect(drain(lines)).toEqual([]);
  lines.push('b', 'b2');
  expect(drain(lines)).toEqual(['b2']);
});
