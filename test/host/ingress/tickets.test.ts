import { expect, it } from 'vitest';
import { Tickets } from '../../../host/ingress/tickets.ts';

// A stream whose number was given to another one was lost by the node, which kept its place for ever.
it('a number comes again after all others, unless it is taken still', () => {
  const taken = new Set([1, 3, 4]);
  const tickets = new Tickets((ticket) => taken.has(ticket), 0xffff_fffd);
  const given = Array.from({ length: 5 }, () => tickets.next());
  expect(given).toEqual([0xffff_fffe, 0xffff_ffff, 2, 5, 6]);
});
