// vws init: creates the node's key, encrypted under a passphrase (protocol 12.4).

import { loadKeySettings } from '../../config/config.ts';
import { KeyFileError } from '../../crypto/key-file.ts';
import { createNodeKeyFile, hasNodeKeyFile, nodeKeyPath } from '../../crypto/node-key-file.ts';
import { encodeAddress } from '../../wire/address.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { withKeyFaults } from '../key-fault.ts';
import { findPassphrase } from '../passphrase.ts';

export const init: Command = {
  name: 'init',
  summary: 'create the key of a node',
  about: `Creates an Ed25519 key and writes it, encrypted under a passphrase, to
<data>/node_keys/identity.json (mode 0600). An existing key file is never overwritten, and an empty
passphrase is refused. Without a passphrase file or variable, vws prompts for the passphrase twice.`,
  options: [],
  settings: 'init',
  examples: ['vws init', 'SERVICE_TESTNET=true vws init --data ./node1 --passphrase-file ./node1.pass'],
  async run(context) {
    const { testnet, dataDir } = loadKeySettings(context);
    // Checked first, so that nobody types a passphrase in vain.
    if (hasNodeKeyFile(dataDir))
      throw new KeyFileError(`${nodeKeyPath(dataDir)} exists and is not overwritten`);
    const passphrase = await findPassphrase(context, { isNew: true });
    if (passphrase === undefined) {
      throw new KeyFileError('no passphrase: give --passphrase-file, or set SERVICE_PASSPHRASE');
    }
    const key = withKeyFaults(() => createNodeKeyFile(dataDir, passphrase));
    context.io.out(`AgentID: ${key.publicKeyHex}`);
    context.io.out(`Address: ${encodeAddress(key.publicKey, testnet)}`);
    context.io.out(`Key file: ${nodeKeyPath(dataDir)}`);
    return EXIT.DONE;
  },
};
