// What the log says of a node that is not ready.

import { expect, it } from 'vitest';
import type { Conditions } from '../../../host/node/conditions.ts';
import { ReadinessLog } from '../../../host/node/readiness-log.ts';

const WELL: Conditions = {
  lag: undefined,
  gate: undefined,
  running: undefined,
  order: undefined,
  quorum: undefined,
  clock: undefined,
  disk: undefined,
};

function watched() {
  const lines: unknown[] = [];
  const add = (fields: unknown, text?: string) => lines.push([text, fields]);
  const log = new ReadinessLog({ debug: add, info: add, warn: add, error: add });
  return { lines, look: (conditions: Partial<Conditions>) => log.look({ ...WELL, ...conditions }) };
}

it('says once what is missing, and once that nothing is any more', () => {
  const { lines, look } = watched();
  expect([look({}), lines]).toEqual([true, []]);
  expect(look({ order: 'nothing was ordered for 30 s' })).toBe(false);
  expect(look({ order: 'nothing was ordered for 30 s' })).toBe(false);
  expect(look({ order: 'nothing was ordered for 30 s', clock: '10 s ahead' })).toBe(false);
  expect(look({ order: 'nothing was ordered for 30 s', clock: '11 s ahead' })).toBe(false);
  expect(look({})).toBe(true);
  expect(look({})).toBe(true);
  expect(lines).toEqual([
    ['not ready', { reasons: ['nothing was ordered for 30 s'] }],
    ['not ready', { reasons: ['nothing was ordered for 30 s', '10 s ahead'] }],
    ['ready again', {}],
  ]);
});

it('says nothing of a node that stops', () => {
  const { lines, look } = watched();
  expect(look({ running: 'the node is stopping', quorum: 'no quorum' })).toBe(false);
  expect(lines).toEqual([]);
});
