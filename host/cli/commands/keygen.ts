// vws keygen: creates a client key file and its .pub (protocol 12.5).

import { loadKeygenSettings } from '../../config/config.ts';
import { parsePath } from '../../config/setting-values.ts';
import { createClientKeyFile } from '../../crypto/client-key-file.ts';
import { KeyFileError } from '../../crypto/key-file.ts';
import { type Command, type CommandContext, isSwitchOn, optionText } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { withKeyFaults } from '../key-fault.ts';
import { printAddresses } from '../new-key.ts';
import { keyPassphrase } from '../passphrase.ts';

/** Undefined: the key is to be stored in plain. Errors: KeyFileError without a passphrase for one that is not. */
async function newPassphrase(context: CommandContext, file: string | undefined): Promise<string | undefined> {
  if (!isSwitchOn(context, 'encrypt')) return undefined;
  const text = await keyPassphrase(context, file, { isNew: true });
  if (text === undefined) throw new KeyFileError('no passphrase for the key; give --key-passphrase-file');
  if (text === '') throw new KeyFileError('the passphrase must not be empty');
  return text;
}

export const keygen: Command = {
  name: 'keygen',
  summary: 'create the key of an agent',
  about: `Writes a new Ed25519 key to <path> (mode 0600) and its public key to <path>.pub. Existing files are
never overwritten. The key is not encrypted, keep it secret, unless --encrypt puts it under a passphrase,
which commands then ask for when they sign. The address has the prefix of the chain that SERVICE_TESTNET
selects, without it there is one for each; the key is the same on both.`,
  options: [
    { name: 'output', value: 'path', help: 'where to write the key', isRequired: true },
    { name: 'encrypt', help: 'store the key under a passphrase' },
  ],
  settings: 'keygen',
  examples: ['vws keygen --output alice.key', 'SERVICE_TESTNET=true vws keygen --output alice.key --encrypt'],
  async run(context) {
    const { testnet, passphraseFile } = loadKeygenSettings(context);
    const path = parsePath(optionText(context, 'output') as string);
    const passphrase = await newPassphrase(context, passphraseFile);
    const key = withKeyFaults(() => createClientKeyFile(path, undefined, passphrase));
    context.io.out(`Public key: ${key.publicKeyHex}`);
    printAddresses(context.io, key.publicKey, testnet);
    return EXIT.DONE;
  },
};
