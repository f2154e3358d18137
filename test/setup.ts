// Before each test file: fast-check draws from the seed of the run, as every other random test.

import fc from 'fast-check';
import { testSeed } from './e2e/seed.ts';

fc.configureGlobal({ seed: testSeed() | 0 });
