// From the flags and variables of a client command to a client that is ready to call.
// Keeps: the key file is read before anything is sent; writes are signed for the chain named by
// SERVICE_TESTNET, and only without that setting for the one the node names.

import { type Signer, VwsClient } from '../client/index.ts';
import { loadClientSettings } from '../config/config.ts';
import { parseInteger } from '../config/setting-values.ts';
import { readClientKeyFile } from '../crypto/client-key-file.ts';
import { chainIdOf } from '../wire/genesis.ts';
import { type CommandContext, type CommandOption, isSwitchOn, optionText } from './command.ts';
import { UsageError } from './exit-code.ts';
import { printJson, printObject, printTable } from './output.ts';

/** The flag every client command has besides its settings. */
export const JSON_OPTION: CommandOption = { name: 'json', help: 'print the raw JSON of the answer' };

export const AGENT_OPTION: CommandOption = {
  name: 'agent',
  value: 'id',
  help: 'agent id or hex64 key; default: the key of --key',
};

/** `signer`: signs in place of the key file that the settings name. Errors: ConfigError, KeyFileError. */
export function openClient(context: CommandContext, signer?: Signer): VwsClient {
  const settings = loadClientSettings(context);
  const key = signer ?? (settings.keyPath === undefined ? undefined : readClientKeyFile(settings.keyPath));
  return new VwsClient({
    baseUrl: settings.nodeUrl,
    key,
    apiKey: settings.apiKey,
    chainId: settings.testnet === undefined ? undefined : chainIdOf(settings.testnet),
  });
}

/** The agent a read is about. Errors: UsageError when neither --agent nor a key names one. */
export function agentOf(context: CommandContext, client: VwsClient): string {
  const id = optionText(context, 'agent') ?? client.ownKey;
  if (id === undefined) throw new UsageError('name an agent with --agent, or give your key file with --key');
  return id;
}

/** `--limit`, if it was given; the node says what the most is. Errors: ConfigError. */
export function limitOf(context: CommandContext): number | undefined {
  const text = optionText(context, 'limit');
  return text === undefined ? undefined : parseInteger(text, '--limit', 1, 1_000_000);
}

/** Prints a list in the form the user asked for: each row of the table is made from one of its members. */
export function printList<T>(
  context: CommandContext,
  heads: readonly string[],
  list: readonly T[],
  rowOf: (item: T) => string[],
): void {
  if (isSwitchOn(context, 'json')) printJson(context.io, list);
  else printTable(context.io, heads, list.map(rowOf));
}

/** Prints an answer in the form the user asked for. */
export function printAnswer(context: CommandContext, answer: object): void {
  if (isSwitchOn(context, 'json')) printJson(context.io, answer);
  else printObject(context.io, answer);
}
