// All rows of `npm run economy -- --disputes`: those that must cost more than they yield do, and the others are shown as they are.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { disputeTables } from '../../tools/economy/dispute-tables.ts';
import { builtPath } from '../../tools/load/built.ts';

test('every promised row of what lying around deliveries yields is below its cost', {
  timeout: 600_000,
}, () => {
  const { text, faults } = disputeTables(new WebAssembly.Module(readFileSync(builtPath('core.wasm'))));
  expect(faults).toEqual([]);
  // The borders are shown as well.
  expect(text).toContain('ABOVE');
});
