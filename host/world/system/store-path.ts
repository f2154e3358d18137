// Path of a node's store in its data directory. Loads no engine, so that CLI commands can use it cheaply.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const storePath = (dataDir: string): string => join(dataDir, 'db');

/** True when a store was ever opened in this directory. */
export const hasStore = (dataDir: string): boolean => existsSync(storePath(dataDir));

/** Where `vws reindex` makes the new store of a data directory, as in a data directory of its own. */
export const reindexPath = (dataDir: string): string => join(dataDir, 'reindex');

/** Where it puts the old one. */
export const beforeReindexPath = (dataDir: string): string => join(dataDir, 'db-before-reindex');

/** `vws reindex` ended between its two renames: there is no store, and a whole one waits to take its place. */
export const isHalfReindexed = (dataDir: string): boolean =>
  !hasStore(dataDir) && hasStore(reindexPath(dataDir)) && existsSync(beforeReindexPath(dataDir));

export const HALF_REINDEXED =
  'vws reindex was interrupted between two steps: run it again, before the node is started';
