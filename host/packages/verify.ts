// The package ./verify by itself: the auditor, and the modules that it runs.

export * from '../audit/index.ts';
export { systemEnvironment } from '../client/environment.ts';
export { loadModules } from '../modules/load-modules.ts';
