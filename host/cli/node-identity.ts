// The node's own key as `start` gets it: opened, or made when there is none yet.
// Keeps: a key file is never overwritten; an empty passphrase passes only under --no-auth, hence only
// on the testnet; whether a key exists is known before anybody is asked for a passphrase.

import type { Config } from '../config/config.ts';
import { KeyFileError } from '../crypto/key-file.ts';
import type { KeyPair } from '../crypto/key-pair.ts';
import { createNodeKeyFile, hasNodeKeyFile, nodeKeyPath, readNodeKeyFile } from '../crypto/node-key-file.ts';
import type { Logger } from '../log.ts';
import type { CommandContext } from './command.ts';
import { withKeyFaults } from './key-fault.ts';
import { findPassphrase } from './passphrase.ts';

/**
 * The key `start` runs with; made on the spot when there is none and a passphrase source exists.
 * Errors: KeyFileError. Source: DECISIONS 12.1.
 */
export async function identityForStart(
  context: CommandContext,
  config: Config,
  log: Logger,
): Promise<KeyPair> {
  const path = nodeKeyPath(config.dataDir);
  const isNew = !hasNodeKeyFile(config.dataDir);
  const passphrase = config.noAuth
    ? await openModePassphrase(context)
    : await findPassphrase(context, { isNew });
  if (passphrase === undefined) {
    throw new KeyFileError(
      isNew
        ? `no key file ${path}; run vws init, or give --passphrase-file or SERVICE_PASSPHRASE`
        : `no passphrase for ${path}; give --passphrase-file or SERVICE_PASSPHRASE`,
    );
  }
  const rule = { allowEmpty: config.noAuth };
  if (!isNew) return readNodeKeyFile(config.dataDir, passphrase, rule);

  const key = withKeyFaults(() => createNodeKeyFile(config.dataDir, passphrase, rule));
  log.info({ agent_id: key.publicKeyHex, path }, 'made a new node key');
  if (passphrase === '')
    log.warn({ path }, 'the node key has an empty passphrase: the file alone gives the key');
  return key;
}

/** In open mode nobody is asked: without file and variable the passphrase is empty. */
async function openModePassphrase(context: CommandContext): Promise<string> {
  const unattended = { ...context, io: { ...context.io, isTerminal: false } };
  return (await findPassphrase(unattended, { isNew: false })) ?? '';
}
