// Path of the store in a data directory. Loads no engine, so that commands can use it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const storePath = (dataDir: string): string => join(dataDir, 'db');

/** Does this directory have a store. */
export const hasStore = (dataDir: string): boolean => existsSync(storePath(dataDir));
