// Path of a node's store in its data directory. Loads no engine, so that CLI commands can use it cheaply.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const storePath = (dataDir: string): string => join(dataDir, 'db');

/** True when a store was ever opened in this directory. */
export const hasStore = (dataDir: string): boolean => existsSync(storePath(dataDir));
