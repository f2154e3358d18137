// vws start: runs a node (protocol 12.1).
// Keeps: faults are reported in this order: settings, manifest, parameters, key, its seat, then the node. No key is made
// before all that is configured was read.

import { ConfigError, isChainChosen, loadConfig, unknownVariables } from '../../config/config.ts';
import { createLogger } from '../../log.ts';
import type { Command } from '../command.ts';
import { readNetwork } from '../genesis-source.ts';
import { identityForStart, operatorForStart } from '../node-identity.ts';
import { runNode } from '../node-process.ts';

export const start: Command = {
  name: 'start',
  summary: 'run a node',
  about: `Runs a validator node until SIGTERM or SIGINT, which stop it cleanly within 10 s. Prints its
addresses and then "ready" on standard output; logs go to standard error as JSON lines.
Without a manifest the node is the only seat of its own network, and SERVICE_TESTNET has to say of which
kind. Without a key file it creates one first, if there is a passphrase (file, variable or terminal). A
damaged or foreign data directory is refused, never silently repaired or deleted.`,
  options: [],
  settings: 'start',
  examples: [
    'SERVICE_TESTNET=true vws start --data ./node1 --passphrase-file ./node1.pass',
    'SERVICE_TESTNET=true vws start --manifest seats.json --peer 10.0.0.2:8337,10.0.0.3:8337',
    'vws start --no-auth --data ./scratch --api 127.0.0.1:8338',
  ],
  async run(context) {
    const config = loadConfig(context);
    if (config.manifestPath === undefined && !isChainChosen(context)) {
      throw new ConfigError(
        'no network was chosen: SERVICE_TESTNET=true makes a test network of this node; ' +
          'to join one give its --manifest; SERVICE_TESTNET=false would found a mainnet of its own',
      );
    }
    const log = createLogger(config.logLevel);
    for (const unknown of unknownVariables(context.env)) log.warn({ ...unknown }, 'unknown setting, ignored');
    if (config.noAuth) log.warn('writes are accepted unsigned (--no-auth)');
    const network = readNetwork(config);
    const key = await identityForStart(context, config, log);
    const source = network.genesisFor(key.publicKeyHex);
    const operator = await operatorForStart(config);
    return await runNode(context, { config, key, operator, source, log });
  },
};
