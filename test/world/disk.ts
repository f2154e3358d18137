// The disk of a machine: rows of its store and its small files, which outlive its processes.
// A fault is one assignment or call: `cut`, `cutAt`, `cutReplace`, `isFull`, `failing`, `flipBit`, `copy` and `restore`.

import { viewOf } from '../../host/store/memory-store.ts';
import { latin1 } from '../../host/wire/latin1.ts';
import type { Files } from '../../host/world/files.ts';
import {
  type BatchOp,
  type RowBatch,
  type ScanRange,
  type Store,
  StoreError,
  type StoreView,
  textOf,
} from '../../host/world/store.ts';
import { type Row, RowTable } from './row-table.ts';

/** What a disk held at some time. */
export interface DiskImage {
  rows: readonly Row[];
  files: ReadonlyMap<string, string>;
}

/** What becomes of a write that the power fails in: nothing of it, or all of it without an answer. */
export type PowerCut = 'before' | 'after';

/** What a write says that failed once. */
export const WRITE_FAILED = 'the store cannot be written: input/output error';

export class Disk {
  #rows = new RowTable();
  #files = new Map<string, string>();
  /** Rows whose bits were flipped: reading one fails, as checksums make it. */
  #bad = new Set<string>();
  /** The next writes are refused. */
  isFull = false;
  /** So many of the next writes fail. */
  failing = 0;
  /** The power fails in the next write. */
  cut: PowerCut | undefined;
  /** The power fails in the next write with such a row. */
  cutAt: { in(key: Uint8Array): boolean; how: PowerCut } | undefined;
  /** The power fails in the next replacement of a file. */
  cutReplace: PowerCut | undefined;
  writes = 0;
  /** Times that it became an older one. */
  restores = 0;

  get hasStore(): boolean {
    return this.#rows.size > 0;
  }

  get bytes(): number {
    let sum = 0;
    for (const [key, value] of this.#rows) sum += key.length + value.length;
    return sum;
  }

  copy(): DiskImage {
    return { rows: [...this.#rows], files: new Map(this.#files) };
  }

  /** The data directory becomes what it was: what was written since is forgotten. Files elsewhere stay. */
  restore({ rows, files }: DiskImage): void {
    this.restores += 1;
    this.#rows = new RowTable(rows);
    const isElsewhere = ([path]: readonly [string, string]): boolean => !path.startsWith('/data/');
    this.#files = new Map([
      ...[...files].filter((file) => !isElsewhere(file)),
      ...[...this.#files].filter(isElsewhere),
    ]);
    this.#bad.clear();
  }

  /** Damages the row at a fraction 0..1 of all rows; false when there is none. */
  flipBit(fraction: number): boolean {
    const keys = [...this.#rows].map(([key]) => latin1(key)).sort();
    const key = keys[Math.floor(fraction * keys.length)];
    if (key === undefined) return false;
    this.#bad.add(key);
    return true;
  }

  readonly files: Omit<Files, 'replace'> = {
    exists: (path) => this.#files.has(path),
    readText: (path) => {
      const text = this.#files.get(path);
      if (text === undefined) throw Object.assign(new Error(`no file ${path}`), { code: 'ENOENT' });
      return text;
    },
    writeText: (path, text) => void this.#files.set(path, text),
    writeNew: (path, text) => {
      if (this.#files.has(path)) throw Object.assign(new Error(`${path} exists`), { code: 'EEXIST' });
      this.#files.set(path, text);
    },
    makeDirectory() {},
    remove: (path) => void this.#files.delete(path),
  };

  /** Replaces a file whole or not at all. False: the power failed. */
  replace(path: string, text: string): boolean {
    if (this.isFull) throw Object.assign(new Error(`${path}: no space left on device`), { code: 'ENOSPC' });
    const { cutReplace } = this;
    this.cutReplace = undefined;
    if (cutReplace !== 'before') this.#files.set(path, text);
    return cutReplace === undefined;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    if (this.#bad.size > 0 && this.#bad.has(latin1(key)))
      throw new StoreError('the store is damaged: a row has a bad checksum');
    return this.#rows.get(key);
  }

  /** Applies a batch whole or not at all. False: the power failed, and nobody is left to hear of it. */
  write(ops: readonly BatchOp[]): boolean {
    if (this.isFull) throw new StoreError('the store cannot be written: no space left on device');
    if (this.failing > 0) {
      this.failing -= 1;
      throw new StoreError(WRITE_FAILED);
    }
    const { cutAt } = this;
    const isThere = cutAt !== undefined && ops.some(({ key }) => cutAt.in(key));
    if (isThere) this.cutAt = undefined;
    const cut = isThere ? cutAt.how : this.cut;
    this.cut = undefined;
    if (cut !== 'before') {
      this.writes += 1;
      for (const { key, value } of ops) {
        if (this.#bad.size > 0) this.#bad.delete(latin1(key));
        if (value === undefined) this.#rows.delete(key);
        else this.#rows.set(key.slice(), value.slice());
      }
    }
    return cut === undefined;
  }

  /** Rows of a range, by key. */
  rows({ gte, lt, reverse, limit }: ScanRange): Row[] {
    const found = this.#rows.range(gte, lt);
    if (reverse) found.reverse();
    for (const [key] of found) if (this.#bad.size > 0) this.get(key);
    return found.slice(0, limit ?? found.length);
  }
}

export interface StoreHooks {
  /** A batch is on the disk. */
  written(ops: readonly BatchOp[]): void;
  /** Resolves when the disk has synced; never for a process that is gone. */
  synced(): Promise<void>;
  /** The power failed in a write. */
  powerFailed(): void;
}

/** A process's handle on the disk's small files. */
export const filesOf = (disk: Disk, hooks: Pick<StoreHooks, 'synced' | 'powerFailed'>): Files => ({
  ...disk.files,
  async replace(path, text) {
    if (!disk.replace(path, text)) {
      hooks.powerFailed();
      await new Promise(() => {});
    }
    await hooks.synced();
  },
});

/** A process's handle on the disk's store. */
export class DiskStore implements Store {
  readonly engine = 'memory' as const;

  constructor(
    private readonly disk: Disk,
    private readonly hooks: StoreHooks,
  ) {}

  get(key: Uint8Array): Uint8Array | undefined {
    return this.disk.get(key);
  }
  getMany(keys: readonly Uint8Array[]): (Uint8Array | undefined)[] {
    return keys.map((key) => this.disk.get(key));
  }
  getTexts(keys: readonly Uint8Array[]): (string | undefined)[] {
    return keys.map((key) => textOf(this.disk.get(key)));
  }
  async write(batch: RowBatch): Promise<void> {
    const ops = [...batch];
    const { writes } = this.disk;
    const isPowered = this.disk.write(ops);
    if (this.disk.writes > writes) this.hooks.written(ops);
    if (!isPowered) {
      this.hooks.powerFailed();
      await new Promise(() => {});
    }
    await this.hooks.synced();
  }
  async *scan(range: ScanRange): AsyncIterable<[Uint8Array, Uint8Array]> {
    for (const [key, value] of this.disk.rows(range)) yield [key, value];
  }
  view(): StoreView {
    return viewOf(this.disk.rows({ gte: Uint8Array.of(0), lt: Uint8Array.of(0xff) }));
  }
  memory(): undefined {}
  async close(): Promise<void> {}
}
