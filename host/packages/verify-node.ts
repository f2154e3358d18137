// As verify.ts, for Node, where the modules are files and the rows of an audit may be kept in one.

export * from '../audit/index.ts';
export { systemEnvironment } from '../client/environment.ts';
export { loadModules } from '../modules/node.ts';
export { FileStore } from '../world/system/file-store.ts';
