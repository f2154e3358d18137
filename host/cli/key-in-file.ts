// The public key that a node's key file names, without its passphrase.

import { readFileSync } from 'node:fs';
import { nodeKeyPath } from '../crypto/node-key-file.ts';

/** Undefined without a well-formed file. */
export function publicKeyIn(dataDir: string): string | undefined {
  try {
    const { public_key } = JSON.parse(readFileSync(nodeKeyPath(dataDir), 'utf8'));
    return /^[0-9a-f]{64}$/.test(public_key) ? public_key : undefined;
  } catch {
    return undefined;
  }
}
