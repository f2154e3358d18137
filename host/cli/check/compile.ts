// Compiles the source of a check with the AssemblyScript compiler that is installed beside this program, or in the check's
// own folder.
// Keeps: imports of the library come from this package, wherever the folder is; no path of this machine gets into the
// program, so the same source and compiler give the same hash everywhere.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { UsageError } from '../exit-code.ts';
import type { Project } from './project.ts';

/** The version that the standard checks are compiled with; another one gives other hashes. */
export const COMPILER_VERSION = '0.27.37';
const PACKAGE = import.meta.url.endsWith('.ts') ? '../../../' : '../../../../';
/** A file of the package. */
export const packagePath = (name: string): string => fileURLToPath(new URL(PACKAGE + name, import.meta.url));
/** How the compiler looks for a file of a package that the source imports. */
const LIBRARY_FILE = /(?:^|\/)node_modules\/vws\/(assembly\/.+)$/;

type Compiler = typeof import('assemblyscript/asc');

export interface Compiled {
  program: Uint8Array;
  compiler: string;
}

/** Errors: UsageError, with how to get a compiler. */
async function findCompiler(folder: string): Promise<Compiler> {
  try {
    return await import('assemblyscript/asc');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
  }
  const own = resolve(folder, 'node_modules/assemblyscript/dist/asc.js');
  if (existsSync(own)) return (await import(pathToFileURL(own).href)) as Compiler;
  throw new UsageError(
    `the AssemblyScript compiler is not installed: npm install --save-dev assemblyscript@${COMPILER_VERSION}`,
    'check',
  );
}

function readSource(name: string, folder: string): string | null {
  const library = LIBRARY_FILE.exec(name.replaceAll('\\', '/'))?.[1];
  const path = library === undefined ? resolve(folder, name) : packagePath(library);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** Errors: UsageError with what the compiler says. */
export async function compileProject(project: Project): Promise<Compiled> {
  const compiler = await findCompiler(project.folder);
  let program: Uint8Array | undefined;
  const lines: string[] = [];
  const { error } = await compiler.main(
    [project.source as string, '--outFile', 'check.wasm', '--baseDir', project.folder, '--noColors'],
    {
      readFile: readSource,
      writeFile: (_, contents) => {
        program = contents as Uint8Array;
      },
      listFiles: () => [],
      stdout: { write: () => {} } as never,
      stderr: { write: (text: string | Uint8Array) => void lines.push(String(text)) } as never,
    },
  );
  if (error || program === undefined)
    throw new UsageError(
      `${join(project.folder, project.source as string)}: ${lines.join('').trim()}`,
      'check',
    );
  return { program: new Uint8Array(program), compiler: `assemblyscript ${compiler.version}` };
}
