// The interface to files: those that a node keeps beside its store, and those of the program itself.

/** Small files of the data directory. Every call is done when it returns or resolves. */
export interface Files {
  exists(path: string): boolean;
  /** Errors: those of the file system, with Node's `code`. */
  readText(path: string): string;
  /** Creates or replaces a file that only its owner can read. */
  writeText(path: string, text: string): void;
  /**
   * Writes a new file: complete or absent after a crash, and synced when it returns. `mode`: its permissions. Errors: `EEXIST`
   * when `path` exists.
   */
  writeNew(path: string, text: string, mode: number): void;
  /** Creates or replaces a file: the old or the new one whole after a crash, and synced when it resolves. Mode 0600. */
  replace(path: string, text: string): Promise<void>;
  /** Makes a directory and its missing parents for the owner only (0700); existing ones are not changed. */
  makeDirectory(path: string): void;
  /** Removes a file; when it returns, the removal survives a power cut. */
  remove(path: string): void;
}

/** What is shipped with the program: WebAssembly modules and the explorer page. */
export interface Program {
  /** Absolute path of a file of the build folder, for what is loaded by path: the code of a thread. */
  path(name: string): string;
  /** A file of the build folder by its name, e.g. `core.wasm`. Errors: it was not built. */
  read(name: string): Uint8Array<ArrayBuffer>;
  /** A WebAssembly module of the build folder, compiled. Errors: it was not built. */
  module(name: string): Promise<WebAssembly.Module>;
  /** Every file below a folder of the build folder by its path relative to it; empty when it was not built. */
  folder(name: string): ReadonlyMap<string, Uint8Array>;
}
