// SHA-256 of the modules that this version of the program runs: made by tools/digests.mjs, compared by npm run check.

import type { Digests } from './modules.ts';

/** core and ed25519: with SIMD and without; both give the same results. */
export const MODULE_DIGESTS: Digests = {
  core: [
    '39e3b72212224753f788baab9286546da590c7ea7dc9b46abfb892bd10631685',
    'd88061617a45c15ce4a146f5f0920d1e81c69a7ee1983afc00799a72367768ea',
  ],
  consensus: ['9421b78c1e39d15052df183460b072523fcd0e2091e4c1dd98ce3b17fa83c77a'],
  ed25519: [
    '31cf63c1898aa28ec6462c0db33c4acf4395177b306459c87ca175e54f16a167',
    'e26b50ea1e0b3e4fb908518482162fa4b116c0ee76d5653e5cefad86abed0dce',
  ],
};

/** The standard checks (protocol 14.7): programs, so these are also their names. */
export const CHECK_DIGESTS = {
  contains: 'a633176c36d480ac9330e6c586a7f35f454acbd24549bfad2145b0fb23772e1d',
  csv: '118d83b1951c66f8bd82fa2e652ee71bb83b309641d11300d5e77437295cdaee',
  equals: '762a879faddb3eb18459254f1dcdcbe4f0764e294143981527b9cd66063ad423',
  'json-shape': '99d5f9b5e1e888d8a9e46c374b6f5c7da16a8c2e8f617b7babc958326d1dd8b8',
  number: '3124383eb886e3861d1a1a312f671d45b08d9e5848d3f194c9f09d151e084b84',
  regex: 'b9a8f883f64b4f020973a14c2a411628a39062b41b1d52a06d8ec243e99115a0',
  size: '3c09668b74b578f98c6ec35622f75e677f9add18c3286cddc5c04c3b5d8759d9',
} as const;

export type CheckName = keyof typeof CHECK_DIGESTS;
