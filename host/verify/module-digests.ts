// SHA-256 of the modules that this version of the program runs: made by tools/digests.mjs, compared by npm run check.

import type { Digests } from './modules.ts';

/** ed25519: with SIMD and without; both give the same verdicts. */
export const MODULE_DIGESTS: Digests = {
  core: ['7112a1f665e54099bd87c339c6e708e106fb6697b2db29e94074a3de14c9d80f'],
  consensus: ['6dd6745ae6931cb366af03888bfcf4e9ca6ce627a7d6a451a8daa9058e224e72'],
  ed25519: [
    'cbb5f76002e59ffcdf9a578f7b0ae162d1aed0b877d6fdb86c586a8752f53754',
    '4ec220351712c4979f29f8110335ce2cb4d87680c9f4f7c65a5d9c9354a1ba7c',
  ],
};
