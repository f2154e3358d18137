// vws init: creates the node's key, encrypted under a passphrase or in a token (protocol 12.4).

import { loadKeySettings } from '../../config/config.ts';
import { KeyFileError } from '../../crypto/key-file.ts';
import { createNodeKeyFile, hasNodeKeyFile, nodeKeyPath, tokenKeyPath } from '../../crypto/node-key-file.ts';
import { createTokenKey, type TokenPlace } from '../../crypto/token-key.ts';
import { toHex } from '../../wire/bytes.ts';
import { type Command, type CommandContext, optionText } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { withKeyFaults } from '../key-fault.ts';
import { printAddresses } from '../new-key.ts';
import { findPassphrase } from '../passphrase.ts';

const MODULE = 'pkcs11';
const TOKEN = 'token';

/** Undefined: the key goes into a file. Errors: KeyFileError for one of the two options without the other. */
function placeOf(context: CommandContext): TokenPlace | undefined {
  const [module, token] = [optionText(context, MODULE), optionText(context, TOKEN)];
  if (module === undefined && token === undefined) return undefined;
  if (module === undefined || token === undefined)
    throw new KeyFileError(`--${MODULE} and --${TOKEN} are given together`);
  return { module, token };
}

export const init: Command = {
  name: 'init',
  summary: 'create the key of a node',
  about: `Creates an Ed25519 key and writes it, encrypted under a passphrase, to
<data>/node_keys/identity.json (mode 0600). An existing key file is never overwritten, and an empty
passphrase is refused. Without a passphrase file or variable, vws prompts for the passphrase twice. The
address has the prefix of the chain that SERVICE_TESTNET selects, without it there is one for each.

With --pkcs11 and --token the key is made in that token (PKCS#11 3.0 with Ed25519) and never leaves
it; the file <data>/node_keys/token.json says where it is. What is asked for as the passphrase is then
the PIN of the token's user. Only vws signer can use such a key.`,
  options: [
    { name: MODULE, value: 'module', help: 'path of the PKCS#11 module of a token, to make the key there' },
    { name: TOKEN, value: 'label', help: 'label of that token' },
  ],
  settings: 'init',
  examples: [
    'vws init',
    'SERVICE_TESTNET=true vws init --data ./node1 --passphrase-file ./node1.pass',
    'vws init --data ./key1 --pkcs11 /usr/lib/softhsm/libsofthsm2.so --token seat1 --passphrase-file ./pin',
  ],
  async run(context) {
    const { testnet, dataDir } = loadKeySettings(context);
    // Checked first, so that nobody types a passphrase in vain.
    if (hasNodeKeyFile(dataDir))
      throw new KeyFileError(`${nodeKeyPath(dataDir)} exists and is not overwritten`);
    const place = placeOf(context);
    const passphrase = await findPassphrase(context, { isNew: place === undefined });
    if (passphrase === undefined) {
      throw new KeyFileError('no passphrase: give --passphrase-file, or set SERVICE_PASSPHRASE');
    }
    const publicKey = withKeyFaults(() =>
      place ? createTokenKey(dataDir, place, passphrase) : createNodeKeyFile(dataDir, passphrase).publicKey,
    );
    context.io.out(`AgentID: ${toHex(publicKey)}`);
    printAddresses(context.io, publicKey, testnet);
    context.io.out(`Key file: ${place ? tokenKeyPath(dataDir) : nodeKeyPath(dataDir)}`);
    return EXIT.DONE;
  },
};
