// vws try: a node for a first look, as `npm start` runs it.
// One testnet seat with signatures on; everything it needs lies in one directory, also the
// passphrase, which makes it fit for nothing else. Says so.

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
import { loadGenesis } from '../genesis-source.ts';
import type { Io } from '../io.ts';
import { withKeyFaults } from '../key-fault.ts';
import { runNode } from '../node-process.ts';
import { readPassphraseFile } from '../passphrase.ts';

/** Where a first look differs from `start`: the testnet, this directory, this machine only. */
const DEFAULTS = {
  testnet: 'true',
  data: 'data',
  listen: '127.0.0.1:8337',
  api: '127.0.0.1:8338',
  // The demo registers several agents from one address; the hourly limit for that is 3.
  rateLimits: 'off',
  // The log would bury what a newcomer is to read.
  logLevel: 'warn',
} as const;

export const tryOut: Command = {
  name: 'try',
  summary: 'run a single node for trying out (what npm start does)',
  about: `Runs a testnet node with one seat and signed writes, reachable from this machine only, with its data
in ./data. On the first run it makes a key, keeps the random passphrase beside it, and writes the same
key as a client key file (./data/operator.key) so that you can vote as the validator.
Rate limits are off unless SERVICE_RATE_LIMITS says otherwise. Not for anything of value.`,
  options: [],
  settings: 'try',
  examples: ['vws try', 'vws try --data ./second --api 127.0.0.1:9338 --listen 127.0.0.1:9337'],
  async run(context) {
    const config = loadConfig({ flags: context.flags, env: context.env, defaults: DEFAULTS, use: 'try' });
    if (!config.testnet) throw new ConfigError('vws try runs on the testnet only: unset SERVICE_TESTNET');
    const key = openOrMakeKey(config.dataDir);
    const source = loadGenesis(config, key.publicKeyHex);
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

function openOrMakeKey(dataDir: string): KeyPair {
  if (!hasNodeKeyFile(dataDir)) return withKeyFaults(() => makeKey(dataDir));
  const path = passphrasePath(dataDir);
  if (!existsSync(path)) {
    throw new KeyFileError(`${dataDir} holds a key but no ${path}: vws try did not make it; use vws start`);
  }
  return readNodeKeyFile(dataDir, readPassphraseFile(path));
}

/**
 * The passphrase is stored before the node key it protects, so a first run that is interrupted
 * leaves no key that nobody can open.
 */
function makeKey(dataDir: string): KeyPair {
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
  const isDefault = directory === DEFAULTS.data && apiAddress === `http://${DEFAULTS.api}`;
  io.out('');
  io.out('This node is for trying out only. Its key has its passphrase stored beside it:');
  io.out(`  Data:        ${directory}`);
  io.out(`  Passphrase:  ${relative('', passphrasePath(config.dataDir))}`);
  io.out(`  Validator:   ${relative('', operatorKeyPath(config.dataDir))} (client key file of the operator)`);
  io.out(`  Address:     ${encodeAddress(key.publicKey, config.testnet)}`);
  io.out(`  Rate limits: ${config.rateLimits ? 'on' : 'off, so that a demo can register agents'}`);
  io.out('');
  io.out('Next, in a second terminal:');
  io.out(
    isDefault ? '  npm run demo' : `  npm run demo -- --node ${demoUrl(apiAddress)} --data ${directory}`,
  );
  io.out('');
  io.out('Ctrl-C stops the node; start it again and it goes on where it was.');
}

/** An address to dial: the wildcard addresses are only for listening. */
function demoUrl(apiAddress: string): string {
  return apiAddress.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:)/, '//localhost');
}
