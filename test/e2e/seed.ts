// The seed of a random test. It is the same in each run, so that what lands today lands tomorrow; `VWS_SEED=random` searches
// where nobody has looked, `VWS_SEED=7` repeats what it found.

const FIXED = 20_261_123;

/** The seed that was asked for, else `fixed`. */
export function testSeed(fixed = FIXED): number {
  const asked = process.env.VWS_SEED;
  return asked === 'random' ? Date.now() >>> 0 : Number(asked ?? fixed);
}
