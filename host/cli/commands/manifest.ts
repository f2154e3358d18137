// vws manifest: writes a validator manifest from public keys (protocol 12.3).

import { existsSync, writeFileSync } from 'node:fs';
import { parsePath } from '../../config/setting-values.ts';
import { formatManifest, ManifestError, parseManifest } from '../../wire/manifest.ts';
import { formatAmount, parseAmount } from '../amount.ts';
import { type Command, optionText, optionTexts } from '../command.ts';
import { EXIT, UsageError } from '../exit-code.ts';
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

export const manifest: Command = {
  name: 'manifest',
  summary: 'write a validator manifest',
  about: `Writes a manifest with one active seat for each --entry, named v1, v2, ... in the order given. The key of
an entry is both the seat's consensus key and its operator; edit the file where they differ. Every node
of the network must have the same manifest. Without --output it goes to standard output.`,
  options: [
    {
      name: 'entry',
      value: 'pub file or hex64',
      help: 'public key of a node: hex64, or a file that contains it (repeatable)',
      isRequired: true,
      isRepeatable: true,
    },
    { name: 'stake', value: 'amount', help: `genesis stake of each seat (default ${DEFAULT_STAKE})` },
    { name: 'output', value: 'path', help: 'file to write; an existing one is not overwritten' },
  ],
  examples: [
    'vws manifest --entry 902313e1…d913 --output seats.json',
    'vws manifest --entry node1.pub --entry node2.pub --entry node3.pub --stake 30000t --output seats.json',
  ],
  async run(context) {
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
    const text = formatManifest(parseManifest(JSON.stringify({ entries })));
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
    return EXIT.DONE;
  },
};
