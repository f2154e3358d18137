// Where the store of a node lies in its data directory. Loads no engine, so that commands may ask.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const storePath = (dataDir: string): string => join(dataDir, 'db');

/** Was a store ever opened in this directory. */
export const hasStore = (dataDir: string): boolean => existsSync(storePath(dataDir));
