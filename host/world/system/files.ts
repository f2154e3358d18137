// Files on disk: those of a data directory, and those shipped with the program.

import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Files, Program } from '../files.ts';
import { makeDirectory } from './make-directory.ts';
import { randomBytes } from './random.ts';

const TEMPORARY_BYTES = 6;
/** Error codes of file systems without hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK'];

/** Gives `from` the name `to` unless that exists; file systems without hard links get an exclusive copy. */
function nameExclusively(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!NO_LINKS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}

/** Until a file, or the names in a directory, are on disk. */
export async function synced(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  fsyncSync(directory);
  closeSync(directory);
}

export const systemFiles: Files = {
  exists: (path) => existsSync(path),
  readText: (path) => readFileSync(path, 'utf8'),
  writeText: (path, text) => writeFileSync(path, text, { mode: 0o600 }),
  writeNew(path, text, mode) {
    const temporary = `${path}.${Buffer.from(randomBytes(TEMPORARY_BYTES)).toString('hex')}.tmp`;
    const file = openSync(temporary, 'wx', mode);
    try {
      try {
        // Not writeSync, which may write a part and say so: on a full disk the part would be taken for the whole.
        writeFileSync(file, text);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      nameExclusively(temporary, path);
    } finally {
      unlinkSync(temporary);
    }
    syncDirectory(dirname(path));
  },
  async replace(path, text) {
    const temporary = `${path}.tmp`;
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await synced(dirname(path));
  },
  makeDirectory,
  remove(path) {
    unlinkSync(path);
    syncDirectory(dirname(path));
  },
};

/** Bytes of the file at a file: URL. */
export const readUrl = (url: URL): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(url));

/** The build folder, whether the host runs from it or from its sources. */
const BUILD = import.meta.url.endsWith('.ts') ? '../../../build/' : '../../../';

const builtPath = (name: string): string => fileURLToPath(new URL(BUILD + name, import.meta.url));

export const systemProgram: Program = {
  path: builtPath,
  read(name) {
    const path = builtPath(name);
    if (!existsSync(path)) throw new Error(`${path} is missing: run npm run build`);
    return new Uint8Array(readFileSync(path));
  },
  module: (name) => WebAssembly.compile(systemProgram.read(name)),
  folder(name) {
    const root = builtPath(name);
    if (!existsSync(root)) return new Map();
    const found = readdirSync(root, { recursive: true, withFileTypes: true }).filter((e) => e.isFile());
    return new Map(
      found.map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [relative(root, path).split(sep).join('/'), readFileSync(path)];
      }),
    );
  },
};
