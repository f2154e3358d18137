// Sizes within the module, with the types that its arithmetic needs; those shared with the host are in layout.ts.

import { MAX_JOBS, MAX_KEYS, MESSAGE_BYTES } from './layout';

// Ten vectors of four u32 lanes: four field elements, or the four coordinates of a point.
export const QUAD_BYTES: usize = 160;
export const LIMBS: usize = 10;

export const MAX_LOADED_JOBS: u32 = MAX_JOBS;
export const MAX_CACHED_KEYS: u32 = MAX_KEYS;
export const MAX_MESSAGE_BYTES: u32 = MESSAGE_BYTES;
