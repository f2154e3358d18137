// Opens the store of a node: migrates data of an older program, once, after a copy of it.
// Keeps: nothing is changed before the copy is whole on disk; a store that is refused stays as it is.

import type { Config } from '../config/config.ts';
import { MIGRATIONS, type Migration, migrate, stepsFor } from '../execution/migrations.ts';
import { SCHEMA } from '../execution/recovery.ts';
import type { Logger } from '../log.ts';
import { noteFormat } from '../store/format-note.ts';
import { type Store, StoreError, UNCHANGED } from '../world/store.ts';
import type { World } from '../world/world.ts';
import { MIN_FREE_BYTES } from './disk-watch.ts';

export interface NodeStoreOptions {
  config: Pick<Config, 'dataDir' | 'store'>;
  log: Logger;
  world: Pick<World, 'stores' | 'diskUse' | 'files'>;
  /** Tests give their own. */
  migrations?: readonly Migration[];
}

/** Folder in the data directory with the store as it was in an older format. */
export const copyOf = (format: number): string => `db-format-${format}`;

/** Errors: StoreError, as `Stores.open`; a format that is not read; no room for the copy. */
export async function openNodeStore(o: NodeStoreOptions): Promise<Store> {
  const store = await openMigrated(o);
  await orClosed(store, () => noteFormat(o.world.files, o.config.dataDir, SCHEMA));
  return store;
}

async function openMigrated(o: NodeStoreOptions): Promise<Store> {
  const store = await opened(o);
  const steps = await orClosed(store, async () => stepsFor(store, o.migrations ?? MIGRATIONS));
  if (steps.length === 0) return store;
  await store.close();
  const copy = await copied(o, steps[0]!.from);
  const again = await opened(o);
  return await orClosed(again, async () => {
    for (const step of steps) {
      o.log.warn({ from: step.from, what: step.what, copy }, 'migrating the store to the next format');
      await migrate(again, step);
    }
    o.log.warn(
      { format: SCHEMA, copy },
      'the store is migrated; delete the copy when nobody wants to go back',
    );
    return again;
  });
}

const opened = ({ config, log, world }: NodeStoreOptions): Promise<Store> =>
  world.stores.open(config.dataDir, config.store, (text) => log.warn(text));

async function orClosed<T>(store: Store, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The copy is made from files at rest. One that exists is from the first try, and is kept. */
async function copied({ config, world }: NodeStoreOptions, format: number): Promise<string> {
  const use = world.diskUse(config.dataDir);
  if (use && use.freeBytes < use.storeBytes + MIN_FREE_BYTES) {
    throw new StoreError(
      `the store has to be migrated from format ${format}, and there is no room for a copy of it: ${Math.ceil(use.storeBytes / 2 ** 20)} MiB and 1024 MiB more are needed in ${config.dataDir}. ${UNCHANGED}`,
    );
  }
  return await world.stores.copy(config.dataDir, copyOf(format));
}
