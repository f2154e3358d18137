// SHA-256 of the modules that this version of the program runs: made by tools/digests.mjs, compared by npm run check.

import type { Digests } from './modules.ts';

/** ed25519: with SIMD and without; both give the same results. */
export const MODULE_DIGESTS: Digests = {
  core: ['7d80a98831e7fbdc6987f61cface07097edbd452fb4549f8c30adfa1c19b576a'],
  consensus: ['cda6acb8316e7e18d2a070001190c884e9c0aca84dba1d094ffda138fc881b49'],
  ed25519: [
    '31cf63c1898aa28ec6462c0db33c4acf4395177b306459c87ca175e54f16a167',
    'e26b50ea1e0b3e4fb908518482162fa4b116c0ee76d5653e5cefad86abed0dce',
  ],
};
