// vws keygen: creates a client key file and its .pub (protocol 12.5).

import { loadKeySettings } from '../../config/config.ts';
import { parsePath } from '../../config/setting-values.ts';
import { createClientKeyFile } from '../../crypto/client-key-file.ts';
import { encodeAddress } from '../../wire/address.ts';
import { type Command, optionText } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { withKeyFaults } from '../key-fault.ts';

export const keygen: Command = {
  name: 'keygen',
  summary: 'create the key of an agent',
  about: `Writes a new Ed25519 key to <path> (mode 0600, not encrypted: keep it secret) and its public
key to <path>.pub. Existing files are never overwritten. The address has the prefix of the chain that
SERVICE_TESTNET selects; the key is the same on both.`,
  options: [{ name: 'output', value: 'path', help: 'where to write the key', isRequired: true }],
  settings: 'keygen',
  examples: ['vws keygen --output alice.key', 'SERVICE_TESTNET=true vws keygen --output alice.key'],
  async run(context) {
    const { testnet } = loadKeySettings(context);
    const path = parsePath(optionText(context, 'output') as string);
    const key = withKeyFaults(() => createClientKeyFile(path));
    context.io.out(`Public key: ${key.publicKeyHex}`);
    context.io.out(`Address: ${encodeAddress(key.publicKey, testnet)}`);
    return EXIT.DONE;
  },
};
