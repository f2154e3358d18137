// vws try: a node for trying vws out, as `npm start` runs it.
// One testnet seat with signed writes; everything it needs is in one directory, even the passphrase, which makes it
// unfit for any other use. Prints that warning.

import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Config, ConfigError, loadConfig } from '../../config/config.ts';
import { createClientKeyFile } from '../../crypto/client-key-file.ts';
import { KeyFileError, makePrivateDirectory, writeNewFile } from '../../crypto/key-file.ts';
import { generateSeed, type KeyPair } from '../../crypto/key-pair.ts';
import { createNodeKeyFile, hasNodeKeyFile, readNodeKeyFile } from '../../crypto/node-key-file.ts';
import { createLogger } from '../../log.ts';
import { encodeAddress } from '../../wire/address.ts';
import { toHex } from '../../wire/bytes.ts';
import { randomBytes } from '../../world/system/random.ts';
import type { Command } from '../command.ts';
import { readNetwork } from '../genesis-source.ts';
import type { Io } from '../io.ts';
import { withKeyFaults } from '../key-fault.ts';
import { reachable, runNode } from '../node-process.ts';
import { readPassphraseFile } from '../passphrase.ts';

/** How `try` differs from `start`: testnet, this directory, this machine only. */
const DEFAULTS = {
  testnet: 'true',
  data: 'data',
  listen: '127.0.0.1:8337',
  api: '127.0.0.1:8338',
  // The demo registers several agents from one address; the hourly limit for that is 3.
  rateLimits: 'off',
  // The log would bury the note for the newcomer.
  logLevel: 'warn',
} as const;

export const tryOut: Command = {
  name: 'try',
  summary: 'run a single node for trying vws out (what npm start does)',
  about: `Runs a testnet node with one seat and signed writes, reachable from this machine only, with its data
in ./data. On the first run it creates a key, stores the random passphrase beside it, and writes the same
key as a client key file (./data/operator.key) so that you can give verdicts as the validator.
Rate limits are off unless SERVICE_RATE_LIMITS says otherwise. Not for anything of value.`,
  options: [],
  settings: 'try',
  defaults: DEFAULTS,
  examples: ['vws try', 'vws try --data ./second --api 127.0.0.1:9338 --listen 127.0.0.1:9337'],
  async run(context) {
    const config = loadConfig({ ...context, defaults: DEFAULTS, use: 'try' });
    if (!config.testnet) throw new ConfigError('vws try runs on the testnet only: unset SERVICE_TESTNET');
    const network = readNetwork(config);
    const key = openOrCreateKey(config.dataDir);
    const source = network.genesisFor(key.publicKeyHex);
    return await runNode(context, {
      config,
      key,
      source,
      log: createLogger(config.logLevel),
      onReady: (node) => printNote(context.io, config, key, node.apiAddress),
    });
  },
};

/** Files beside the node key. */
const passphrasePath = (dataDir: string): string => join(dataDir, 'passphrase');
const operatorKeyPath = (dataDir: string): string => join(dataDir, 'operator.key');

function openOrCreateKey(dataDir: string): KeyPair {
  if (!hasNodeKeyFile(dataDir)) return withKeyFaults(() => createKey(dataDir));
  const path = passphrasePath(dataDir);
  if (!existsSync(path)) {
    throw new KeyFileError(
      `${dataDir} contains a key but no ${path}: vws try did not create it; use vws start`,
    );
  }
  return readNodeKeyFile(dataDir, readPassphraseFile(path));
}

/**
 * The passphrase is stored before the node key it protects, so an interrupted first run leaves no key that nobody can open.
 */
function createKey(dataDir: string): KeyPair {
  const seed = generateSeed();
  makePrivateDirectory(dataDir);
  if (!existsSync(passphrasePath(dataDir))) {
    writeNewFile(passphrasePath(dataDir), `${toHex(randomBytes(24))}\n`, 0o600);
  }
  createClientKeyFile(operatorKeyPath(dataDir), seed);
  return createNodeKeyFile(dataDir, readPassphraseFile(passphrasePath(dataDir)), {}, seed);
}

function printNote(io: Io, config: Config, key: KeyPair, apiAddress: string): void {
  const directory = relative('', config.dataDir) || '.';
  const url = reachable(apiAddress);
  const isDefault = directory === DEFAULTS.data && apiAddress === `http://${DEFAULTS.api}`;
  io.out('');
  io.out('This node is for trying vws out only. The passphrase of its key is stored beside the key:');
  io.out(`  Data:        ${directory}`);
  io.out(`  Passphrase:  ${relative('', passphrasePath(config.dataDir))}`);
  io.out(`  Validator:   ${relative('', operatorKeyPath(config.dataDir))} (client key file of the operator)`);
  io.out(`  Address:     ${encodeAddress(key.publicKey, config.testnet)}`);
  io.out(`  Rate limits: ${config.rateLimits ? 'on' : 'off, so that the demo can register agents'}`);
  io.out('');
  io.out('Next, in a second terminal: an agent of your own,');
  if (!isDefault) io.out(`  export SERVICE_NODE=${url}`);
  // Through npx the command is found in a clone as well, where nothing puts it on the path.
  io.out('  npx vws keygen --output alice.key && npx vws register --key alice.key --stake 1000t');
  io.out('or, in a clone of the repository, a story with every figure checked:');
  io.out(isDefault ? '  npm run demo' : `  npm run demo -- --node ${url} --data ${directory}`);
  io.out('');
  io.out('Ctrl-C stops the node; the next start resumes where it stopped.');
}
