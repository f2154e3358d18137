// The node's key for `start`: that of a signer, or of a file, which is created if there is none yet.
// Keeps: a key file is never overwritten, and none is made beside a store, which belongs to another key; an empty passphrase is allowed only with --no-auth, hence only on the
// testnet; whether a key exists is checked before anybody is asked for a passphrase.

import type { Config } from '../config/config.ts';
import { clientSigner, readClientKeyFile } from '../crypto/client-key-file.ts';
import { KeyFileError } from '../crypto/key-file.ts';
import type { KeyPair } from '../crypto/key-pair.ts';
import {
  createNodeKeyFile,
  hasNodeKeyFile,
  hasTokenKeyFile,
  nodeKeyPath,
  readNodeKeyFile,
} from '../crypto/node-key-file.ts';
import { heldKeyPair } from '../crypto/signer/held-key.ts';
import type { Logger } from '../log.ts';
import { signerCall } from '../world/system/signer-call.ts';
import { isHeld } from '../world/system/signer-socket.ts';
import { hasStore } from '../world/system/store-path.ts';
import type { CommandContext } from './command.ts';
import { isOpenToOthers, withKeyFaults } from './key-fault.ts';
import { findPassphrase, readPassphraseFile } from './passphrase.ts';

/**
 * The key that `start` runs with; created if there is none and there is a passphrase source.
 * Errors: KeyFileError. Source: protocol 12.1.
 */
export async function identityForStart(
  context: CommandContext,
  config: Config,
  log: Logger,
): Promise<KeyPair> {
  if (config.signerPath !== undefined) return heldIdentity(config.signerPath);
  const path = nodeKeyPath(config.dataDir);
  const isNew = !hasNodeKeyFile(config.dataDir);
  if (isNew && !hasTokenKeyFile(config.dataDir) && hasStore(config.dataDir)) {
    throw new KeyFileError(
      `no key file ${path}, but a store beside it: put the key of this node back, or name its signer by SERVICE_SIGNER; an observer may make another with vws init`,
    );
  }
  if (await isHeld(config.dataDir)) {
    throw new KeyFileError(
      `a signer has the key in ${config.dataDir}: name its socket by SERVICE_SIGNER, and a data directory of the node's own`,
    );
  }
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
  if (!isNew) {
    if (isOpenToOthers(path)) log.warn({ path }, 'other users may open the key file: chmod 600');
    return readNodeKeyFile(config.dataDir, passphrase, rule);
  }

  const key = withKeyFaults(() => createNodeKeyFile(config.dataDir, passphrase, rule));
  log.info({ agent_id: key.publicKeyHex, path }, 'created a node key');
  if (passphrase === '')
    log.warn({ path }, 'the node key has an empty passphrase: the file alone gives the key');
  return key;
}

/** The key that a signer holds. Errors: KeyFileError when none answers. */
function heldIdentity(path: string): KeyPair {
  try {
    return heldKeyPair(signerCall(path));
  } catch (error) {
    throw new KeyFileError((error as Error).message, { cause: error });
  }
}

/** The key of the seat's operator, where the settings name its file. Errors: KeyFileError. */
export async function operatorForStart({
  operatorKey: path,
  operatorPassphraseFile: file,
}: Config): Promise<KeyPair | undefined> {
  if (path === undefined) return undefined;
  if (file !== undefined) return clientSigner(path, async () => readPassphraseFile(file)).open();
  return readClientKeyFile(path);
}

/** In open mode there is no prompt: without file and variable the passphrase is empty. */
async function openModePassphrase(context: CommandContext): Promise<string> {
  const unattended = { ...context, io: { ...context.io, isTerminal: false } };
  return (await findPassphrase(unattended, { isNew: false })) ?? '';
}
