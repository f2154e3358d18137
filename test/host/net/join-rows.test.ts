// Which rows a joining node gets.

import { expect, it } from 'vitest';
import { SERVED } from '../../../host/net/join-rows.ts';

it('rows of one node alone never leave it: marks, canaries, webhooks, answers of its judge, its trend', () => {
  for (const prefix of ['m', 'K', 'W', 'J', 'S'] as const) expect(SERVED).not.toContain(prefix);
  // Without these a joining node would not have the state and its documents.
  for (const prefix of ['s', 'x', 'a', 'q'] as const) expect(SERVED).toContain(prefix);
});
