// Hash routes: every link parses back to what it was made from.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linkTo, placeOf } from '../../../host/web/routes.ts';

it('an empty hash is the overview', () => {
  for (const hash of ['', '#', '#/']) expect(placeOf(hash).name).toBe('overview');
  expect(linkTo('overview')).toBe('#/');
});

it.each(['#/nowhere', '#/agent', '#/agent/', '#/agent/a/b', '#/tasks/x', '#/agent/%E0%A4%A', '#main'])(
  '%s leads nowhere, without an error',
  (hash) => {
    expect(placeOf(hash).name).toBe('not-found');
  },
);

it('ids and queries of any text survive', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(text, text, (id, q) => {
      expect(placeOf(linkTo('agent', id, { page: 2 }))).toEqual({ name: 'agent', id, query: { page: '2' } });
      expect(placeOf(linkTo('search', '', { q }))).toEqual({ name: 'search', id: '', query: { q } });
    }),
  );
});

it('members without a value are left out', () => {
  expect(linkTo('tasks', '', { status: '', page: undefined, category: 'code' })).toBe(
    '#/tasks?category=code',
  );
});

it('half a character in an id is shown as unknown, and is no error', () => {
  expect(placeOf(linkTo('agent', 'x\ud800y'))).toEqual({ name: 'agent', id: 'x\ufffdy', query: {} });
});
