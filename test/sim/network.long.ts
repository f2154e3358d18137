// Simulated networks, more than `npm test` runs.

process.env.VWS_SEEDS ??= '400';
await import('./network.test.ts');
