// Sizes within the module, with the types its arithmetic wants; those the host shares stand in layout.ts.

import { MAX_JOBS, MAX_KEYS, MESSAGE_BYTES } from './layout';

// Ten vectors of four u32 lanes: four field elements, or the four coordinates of a point.
export const QUAD_BYTES: usize = 160;
export const LIMBS: usize = 10;

export const JOB_LIMIT: u32 = MAX_JOBS;
export const KEY_LIMIT: u32 = MAX_KEYS;
export const MESSAGE_LIMIT: u32 = MESSAGE_BYTES;
