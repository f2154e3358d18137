// Types of what tests use of web.mjs.

export interface ModuleAlias {
  find: RegExp;
  replacement: string;
}

/** Bundles host/web into a folder. `alias`: modules to be replaced, for tests. */
export function bundle(outDir: string, alias?: readonly ModuleAlias[]): Promise<void>;
