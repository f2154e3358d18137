// Files in memory, and what a crash leaves of them.

import type { Files } from '../../../host/world/files.ts';

export class MemoryFiles implements Pick<Files, 'exists' | 'readText' | 'writeNew' | 'makeDirectory'> {
  readonly texts = new Map<string, string>();
  readonly modes = new Map<string, number>();
  /** Called before each write with its path; throwing is a crash at this place. */
  beforeWrite: (path: string) => void = () => {};

  exists = (path: string): boolean => this.texts.has(path);
  readText(path: string): string {
    const text = this.texts.get(path);
    if (text === undefined) throw new Error(`${path} does not exist`);
    return text;
  }
  writeNew(path: string, text: string, mode: number): void {
    this.beforeWrite(path);
    if (this.texts.has(path)) throw Object.assign(new Error('exists'), { code: 'EEXIST' });
    this.texts.set(path, text);
    this.modes.set(path, mode);
  }
  makeDirectory(): void {}
}
