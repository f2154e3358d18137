// SHA-256 of the modules that this version of the program runs: made by tools/digests.mjs, compared by npm run check.

import type { Digests } from './modules.ts';

/** ed25519: with SIMD and without; both give the same results. */
export const MODULE_DIGESTS: Digests = {
  core: ['0f9f711e5a91c413d1a1e5eb5777127c1862b420f3ec4d416633959c0d6c5860'],
  consensus: ['f2804a1d64955d8ead37ad2c2a8ed98f7d014b1973d5bd9028c80f4f6133d274'],
  ed25519: [
    '31cf63c1898aa28ec6462c0db33c4acf4395177b306459c87ca175e54f16a167',
    'e26b50ea1e0b3e4fb908518482162fa4b116c0ee76d5653e5cefad86abed0dce',
  ],
};
