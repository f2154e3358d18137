// vws manifest: writes a validator manifest from public keys (protocol 12.3).

import { existsSync, writeFileSync } from 'node:fs';
import { parsePath } from '../../config/setting-values.ts';
import { genesisEpoch, seatsThatMayFail } from '../../ordering/epoch.ts';
import { buildGenesis } from '../../wire/genesis.ts';
import { formatManifest, type Manifest, ManifestError, parseManifest } from '../../wire/manifest.ts';
import { formatAmount, parseAmount } from '../amount.ts';
import { type Command, optionText, optionTexts } from '../command.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import { readManifest } from '../genesis-source.ts';
import type { Io } from '../io.ts';
import { publicKeyFrom } from '../public-key-text.ts';

const DEFAULT_STAKE = '25000t';

/** Errors: ManifestError. */
function entryKey(entry: string): string {
  try {
    return publicKeyFrom(entry);
  } catch (cause) {
    throw new ManifestError((cause as Error).message, { cause });
  }
}

/** Weights do not depend on the chain, and the parameters that do are checked by start. */
function printFaultTolerance(io: Io, made: Manifest): void {
  const epoch = genesisEpoch(buildGenesis({ testnet: true, manifest: made }));
  const count = seatsThatMayFail(epoch);
  if (count === undefined)
    io.out('Seats that may fail: the seats together are no quorum, so nothing is ordered');
  else io.out(`Seats that may fail: ${count}`);
  if (count === 0 && made.entries.length > 1) {
    io.out('Any one seat that fails stops the network: a quorum is 66.7 percent of the weight.');
  }
}

export const manifest: Command = {
  name: 'manifest',
  summary: 'write a validator manifest',
  about: `Writes a manifest with one active seat for each --entry, named v1, v2, ... in the order given. The key of
an entry is both the seat's consensus key and its operator; edit the file where they differ. Every node
of the network must have the same manifest. Without --output it goes to standard output. With --output or
--check it says how many seats may fail, whichever they are, so that the others still decide.`,
  options: [
    {
      name: 'entry',
      value: 'pub file or hex64',
      help: 'public key of a node: hex64, or a file that contains it (repeatable)',
      isRepeatable: true,
    },
    { name: 'stake', value: 'amount', help: `genesis stake of each seat (default ${DEFAULT_STAKE})` },
    { name: 'output', value: 'path', help: 'file to write; an existing one is not overwritten' },
    {
      name: 'check',
      value: 'path',
      help: 'read this manifest instead of writing one, and say what its network bears',
    },
  ],
  examples: [
    'vws manifest --entry 902313e1…d913 --output seats.json',
    'vws manifest --entry node1.pub --entry node2.pub --entry node3.pub --stake 30000t --output seats.json',
    'vws manifest --check seats.json',
  ],
  async run(context) {
    const checked = optionText(context, 'check');
    if (checked !== undefined) {
      const read = readManifest(parsePath(checked));
      context.io.out(`Seats: ${read.entries.length}`);
      printFaultTolerance(context.io, read);
      return EXIT.DONE;
    }
    if (optionTexts(context, 'entry').length === 0) {
      throw new UsageError('manifest needs --entry <pub file or hex64>, or --check <path>', 'manifest');
    }
    const stake = parseAmount(optionText(context, 'stake') ?? DEFAULT_STAKE, '--stake');
    const entries = optionTexts(context, 'entry').map((text, i) => {
      const key = entryKey(text);
      return {
        validator_id: `v${i + 1}`,
        operator_agent_id: key,
        consensus_public_key: key,
        key_epoch: 1,
        bonded_stake: stake,
        initial_status: 'active' as const,
      };
    });
    // What start would refuse is refused here, where it can still be fixed.
    const made = parseManifest(JSON.stringify({ entries }));
    const text = formatManifest(made);
    const output = optionText(context, 'output');
    if (output === undefined) {
      context.io.out(text.trimEnd());
      return EXIT.DONE;
    }
    const path = parsePath(output);
    if (existsSync(path)) throw new UsageError(`${path} exists; it is not overwritten`, 'manifest');
    writeFileSync(path, `${text.trimEnd()}\n`, { flag: 'wx' });
    context.io.out(`Manifest: ${path}`);
    context.io.out(`Seats: ${entries.length}`);
    context.io.out(`Stake of each: ${formatAmount(stake)}`);
    printFaultTolerance(context.io, made);
    return EXIT.DONE;
  },
};
