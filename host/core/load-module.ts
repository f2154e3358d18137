// Compiles a module that was shipped with the program.

import type { Program } from '../world/files.ts';

/** `name`: of a file in the build folder, e.g. `core.wasm`. Errors: it was not built. */
export const loadModule = (program: Program, name: string): Promise<WebAssembly.Module> =>
  WebAssembly.compile(program.read(name));
