// Opens the node's store: RocksDB where its binary loads, else LevelDB with the same key space.
// Never deletes anything; every error message says what to do. The engines themselves would delete: they treat a folder
// without a CURRENT file as new, and drop what follows a bad log record. Both are therefore checked first.

import { readdir } from 'node:fs/promises';
import type { Engine, Store } from '../store.ts';
import { RESTORE, StoreError, UNCHANGED } from '../store.ts';
import { checkLogs } from './log-check.ts';
import { makeDirectory } from './make-directory.ts';
import { loadRocksdb } from './rocksdb-binding.ts';
import { openRocksdb } from './rocksdb-store.ts';
import { HALF_REINDEXED, isHalfReindexed, storePath } from './store-path.ts';

function rocksdbLoads(): boolean {
  try {
    loadRocksdb();
    return true;
  } catch {
    return false;
  }
}

/** Loaded when it is used: nearly nowhere. */
const openLevel = async (path: string): Promise<Store> =>
  (await import('./classic-store.ts')).openClassic(path);

/** Text of an error and its causes: LevelDB keeps the reason in `cause`. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${textOf(error.cause)}`;
}

/** The engine that created this folder; undefined for a new one. Errors: StoreError when its index is missing. */
export async function engineOf(path: string): Promise<Exclude<Engine, 'auto'> | undefined> {
  const names = await readdir(path);
  const isRocks = names.includes('IDENTITY') || names.some((name) => name.startsWith('OPTIONS-'));
  if (names.includes('CURRENT')) return isRocks ? 'rocksdb' : 'classic';
  // A first start that was killed may leave a manifest, but tables and logs are written only after CURRENT.
  const data = names.find((name) => /\.(sst|ldb|log)$/.test(name));
  if (data === undefined) return undefined;
  throw new StoreError(`the store in ${path} is damaged: ${data} exists, CURRENT is missing. ${RESTORE}`);
}

/** The engine for a folder. Errors: StoreError when another engine created it. */
async function chooseEngine(path: string, wanted: Engine, warn: (text: string) => void): Promise<Engine> {
  const made = await engineOf(path);
  if (wanted === 'auto') {
    if (made) return made;
    if (rocksdbLoads()) return 'rocksdb';
    warn('no RocksDB binary for this platform: using LevelDB instead');
    return 'classic';
  }
  if (made === undefined || made === wanted) return wanted;
  throw new StoreError(
    `the store in ${path} was created with SERVICE_STORE=${made}, not ${wanted}. ${UNCHANGED}`,
  );
}

/** Wraps a store so that its errors explain to the operator what happened. */
function explained(store: Store, path: string): Store {
  const unreadable = (cause: unknown): StoreError => {
    const text = textOf(cause);
    return NO_FILES.test(text)
      ? new StoreError(`the store in ${path} cannot be read: ${text}. ${UNCHANGED}`, { cause })
      : new StoreError(`the store in ${path} is damaged: ${text}. ${RESTORE}`, { cause });
  };
  const read = <T>(get: () => T): T => {
    try {
      return get();
    } catch (error) {
      throw unreadable(error);
    }
  };
  return {
    engine: store.engine,
    get: (key) => read(() => store.get(key)),
    getMany: (keys) => read(() => store.getMany(keys)),
    getTexts: (keys, use) => read(() => store.getTexts(keys, use)),
    async write(ops) {
      try {
        await store.write(ops);
      } catch (cause) {
        // LevelDB finds damage while it compacts tables, and reports it at the next write.
        if (/Corruption/.test(textOf(cause))) throw unreadable(cause);
        const text = textOf(cause);
        throw new StoreError(
          NO_ROOM.test(text)
            ? noRoom(path, 'written', text)
            : `the store in ${path} cannot be written: ${text}. Every acknowledged write is safe; restart the node when the cause is fixed`,
          { cause },
        );
      }
    },
    async *scan(range) {
      try {
        yield* store.scan(range);
      } catch (error) {
        throw unreadable(error);
      }
    },
    view() {
      const view = store.view();
      return {
        estimatedRows: view.estimatedRows,
        page: (range, maxBytes) =>
          view.page(range, maxBytes).catch((error) => {
            throw unreadable(error);
          }),
        close: () => view.close(),
      };
    },
    memory: () => store.memory(),
    close: () => store.close(),
  };
}

/** Of the engines, which open their lock for writing first, and of Node. */
const NOT_WRITABLE = /Permission denied|Read-only file system|EACCES|EROFS|EPERM/i;

/** The engine cannot open its lock or a table then either, though nobody else has it and nothing is damaged. */
const NO_FILES = /Too many open files|EMFILE|ENFILE/;

/** The engine writes its log into a table as it opens, so it needs room then, too. Nothing is damaged. */
const NO_ROOM = /No space left on device|ENOSPC|quota exceeded|EDQUOT|File too large|EFBIG/i;

const noRoom = (path: string, what: 'opened' | 'written', text: string): string =>
  `the store in ${path} cannot be ${what}: the disk is full, or a limit of it is reached (${text}). Every acknowledged write is safe; make room outside of the data directory and start again`;

const noFiles = (path: string, cause: unknown): StoreError =>
  new StoreError(
    `the store in ${path} cannot be opened: the process may not open more files; raise LimitNOFILE, or ulimit -n`,
    { cause },
  );

const notWritable = (path: string, cause: unknown): StoreError =>
  new StoreError(`${path} cannot be written: it is read-only, or belongs to another user`, { cause });

/**
 * Opens `<dataDir>/db`. `isKept` false: nobody opens it again, so its batches need not outlive the process. Calls `warn` when
 * LevelDB is used because RocksDB is not available.
 * Errors: StoreError when another process uses the store, it cannot be written, another engine created it, it is
 * damaged, or `vws reindex` has not put it in its place yet.
 */
export async function openStore(
  dataDir: string,
  engine: Engine,
  warn: (text: string) => void,
  isKept = true,
): Promise<Store> {
  const path = storePath(dataDir);
  if (isHalfReindexed(dataDir)) throw new StoreError(HALF_REINDEXED);
  try {
    makeDirectory(path);
  } catch (error) {
    throw NOT_WRITABLE.test(textOf(error)) ? notWritable(path, error) : error;
  }
  const chosen = await chooseEngine(path, engine, warn);
  await checkLogs(path);
  try {
    return explained(await (chosen === 'rocksdb' ? openRocksdb(path, isKept) : openLevel(path)), path);
  } catch (error) {
    const text = textOf(error);
    if (NOT_WRITABLE.test(text)) throw notWritable(path, error);
    if (NO_FILES.test(text)) throw noFiles(path, error);
    if (NO_ROOM.test(text)) throw new StoreError(noRoom(path, 'opened', text), { cause: error });
    if (/\/LOCK: |lock hold by/.test(text)) {
      throw new StoreError(`another process is using ${path}: stop it or choose another --data directory`, {
        cause: error,
      });
    }
    throw new StoreError(`the store in ${path} cannot be opened: ${text}. ${RESTORE}`, { cause: error });
  }
}
