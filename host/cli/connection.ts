// Makes a ready client from the flags and variables of a client command, and prints its answers.
// Keeps: the key file is read before anything is sent; writes are signed for the chain that SERVICE_TESTNET selects,
// or, without that setting, for the one that the node reports.

import { type Signer, VwsClient } from '../client/index.ts';
import { loadClientSettings } from '../config/config.ts';
import { parseInteger } from '../config/setting-values.ts';
import { readClientKeyFile } from '../crypto/client-key-file.ts';
import { chainIdOf } from '../wire/genesis.ts';
import { type CommandContext, type CommandOption, isSwitchOn, optionText } from './command.ts';
import { UsageError } from './exit-code.ts';
import { printJson, printObject, printTable } from './output.ts';

/** The flag that every client command has besides its settings. */
export const JSON_OPTION: CommandOption = { name: 'json', help: 'print the answer as raw JSON' };

export const AGENT_OPTION: CommandOption = {
  name: 'agent',
  value: 'id',
  help: 'agent id or hex64 key; default: the key of --key',
};

/** `signer`: signs instead of the key file that the settings name. Errors: ConfigError, KeyFileError. */
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

/** The agent to read. Errors: UsageError if neither --agent nor a key names one. */
export function agentOf(context: CommandContext, client: VwsClient): string {
  const id = optionText(context, 'agent') ?? client.ownKey;
  if (id === undefined) throw new UsageError('name an agent with --agent, or give your key file with --key');
  return id;
}

/** `--limit`, if it was given; the node enforces the maximum. Errors: ConfigError. */
export function limitOf(context: CommandContext): number | undefined {
  const text = optionText(context, 'limit');
  return text === undefined ? undefined : parseInteger(text, '--limit', 1, 1_000_000);
}

/** Prints a list in the requested form: JSON, or a table with one row per item. */
export function printList<T>(
  context: CommandContext,
  heads: readonly string[],
  list: readonly T[],
  rowOf: (item: T) => string[],
): void {
  if (isSwitchOn(context, 'json')) printJson(context.io, list);
  else printTable(context.io, heads, list.map(rowOf));
}

/** Prints an answer in the requested form. */
export function printAnswer(context: CommandContext, answer: object): void {
  if (isSwitchOn(context, 'json')) printJson(context.io, answer);
  else printObject(context.io, answer);
}
