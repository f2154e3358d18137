// Before each test file: fast-check draws from the seed of the run, as every other random test; bytes are compared as bytes.

import fc from 'fast-check';
import { expect } from 'vitest';
import { testSeed } from './e2e/seed.ts';

fc.configureGlobal({ seed: testSeed() | 0 });

// Else each byte is compared as a property of its own: seconds for a megabyte.
expect.addEqualityTesters([
  (a, b) => {
    if (!(a instanceof Uint8Array && b instanceof Uint8Array)) return undefined;
    const areAlike = Object.getPrototypeOf(a) === Object.getPrototypeOf(b);
    return areAlike ? Buffer.compare(a, b) === 0 : undefined;
  },
]);
