// What the client needs of the world around it: the clock, random bytes, fetch. Tests hand in their own.

import type { Environment } from '../world/world.ts';

export { systemEnvironment } from '../world/portable.ts';
export type ClientEnvironment = Environment;
