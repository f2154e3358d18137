// The seed of a random test: VWS_SEED repeats a run, otherwise each run has its own.

export const freshSeed = (): number => Number(process.env.VWS_SEED ?? Date.now() >>> 0);
