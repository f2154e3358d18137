// The comparison of core and model until everything that is counted was reached: more commands than `npm test` runs.

process.env.VWS_OPS ??= '52000';
await import('./differential.test.ts');
