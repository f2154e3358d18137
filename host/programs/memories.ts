// Memories of programs, kept between runs: an engine takes longer to make and collect one of 8 MiB than most checks run.
// Keeps: a memory that is handed out is all zero, whatever used it before, and in one hand only; as many bytes are kept as
// are stated; those not used for longest go first.

import { PAGE_BYTES } from './limits.ts';

/** 16 MiB: two of the largest, or a few of what checks use. */
const MAX_KEPT_PAGES = 256;

export class Memories {
  private readonly kept: { pages: number; memory: WebAssembly.Memory }[] = [];
  private keptPages = 0;

  /** A memory of so many pages. Throws if the machine has none. */
  take(pages: number): WebAssembly.Memory {
    const at = this.kept.findIndex((one) => one.pages === pages);
    const [found] = at < 0 ? [] : this.kept.splice(at, 1);
    if (found === undefined) return new WebAssembly.Memory({ initial: pages, maximum: pages });
    this.keptPages -= pages;
    new Uint8Array(found.memory.buffer).fill(0);
    return found.memory;
  }

  /** Keeps a memory that nobody uses any more. */
  give(memory: WebAssembly.Memory): void {
    const pages = memory.buffer.byteLength / PAGE_BYTES;
    this.kept.unshift({ pages, memory });
    this.keptPages += pages;
    while (this.keptPages > MAX_KEPT_PAGES) this.keptPages -= this.kept.pop()!.pages;
  }
}
