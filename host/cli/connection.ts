// Makes a ready client from the flags and variables of a client command, and prints its answers.
// Keeps: the key file is read before anything is sent; writes are signed for the chain that SERVICE_TESTNET selects,
// or, without that setting, for a testnet that the node names.

import { type Signer, VwsClient } from '../client/index.ts';
import { type ClientSettings, loadClientSettings } from '../config/config.ts';
import { parseInteger } from '../config/setting-values.ts';
import { type ClientKey, clientSigner } from '../crypto/client-key-file.ts';
import type { KeyPair } from '../crypto/key-pair.ts';
import { chainIdOf } from '../wire/chain-id.ts';
import { systemClock } from '../world/system/clock.ts';
import { systemFiles } from '../world/system/files.ts';
import { parseAmount } from './amount.ts';
import { type CommandContext, type CommandOption, isSwitchOn, optionText } from './command.ts';
import { UsageError } from './exit-code.ts';
import { KeptClient } from './kept-client.ts';
import { warnOfOpenKey } from './key-fault.ts';
import { printJson, printObject, printTable } from './output.ts';
import { keyPassphrase } from './passphrase.ts';

/** The flag that every client command has besides its settings. */
export const JSON_OPTION: CommandOption = { name: 'json', help: 'print the answer as raw JSON' };

export const AGENT_OPTION: CommandOption = {
  name: 'agent',
  value: 'id',
  help: 'agent id or hex64 key; default: the key of --key',
};

/** What every command that writes has besides its settings. */
export const RESEND_OPTION: CommandOption = {
  name: 'resend',
  help: 'send the same signed request again that an earlier call left without an outcome; it cannot run twice',
};

/** The key of a client command, opened when it is first needed. Errors: KeyFileError. */
function signerOf(
  context: CommandContext,
  { keyPath, passphraseFile }: ClientSettings,
): ClientKey | undefined {
  if (keyPath === undefined) return undefined;
  warnOfOpenKey(keyPath, context.io);
  return clientSigner(keyPath, () => keyPassphrase(context, passphraseFile, { isNew: false }));
}

/** The whole key, for what only its holder can read. Errors: KeyFileError; UsageError without one. */
export async function ownKeyPair(context: CommandContext): Promise<KeyPair> {
  const key = signerOf(context, loadClientSettings(context));
  if (!key) throw new UsageError('give your key file with --key');
  return await key.open();
}

/** `signer`: signs instead of the key file that the settings name. Errors: ConfigError, KeyFileError. */
export function openClient(context: CommandContext, signer?: Signer): VwsClient {
  const settings = loadClientSettings(context);
  const { keyPath, nodeUrl: baseUrl, apiKey, testnet } = settings;
  const chainId = testnet === undefined ? undefined : chainIdOf(testnet);
  const key = signer ?? signerOf(context, settings);
  const options = { baseUrl, key, apiKey, chainId };
  if (signer !== undefined || keyPath === undefined) return new VwsClient(options);
  return new KeptClient(options, {
    files: systemFiles,
    clock: systemClock,
    folder: `${keyPath}.spool/commands`,
    isResend: isSwitchOn(context, RESEND_OPTION.name),
    tell: (line) => context.io.err(line),
  });
}

/** The agent to read. Errors: UsageError if neither --agent nor a key names one. */
export function agentOf(context: CommandContext, client: VwsClient): string {
  const id = optionText(context, 'agent') ?? client.ownKey;
  if (id === undefined) throw new UsageError('name an agent with --agent, or give your key file with --key');
  return id;
}

/** An amount in the option `name`, if it was given. Errors: UsageError. */
export function amountOption(context: CommandContext, name: string): number | undefined {
  const text = optionText(context, name);
  return text === undefined ? undefined : parseAmount(text, `--${name}`);
}

/** A whole number in the option `name`, if it was given; the node enforces narrower bounds. Errors: ConfigError. */
export function integerOption(context: CommandContext, name: string, min = 0): number | undefined {
  const text = optionText(context, name);
  return text === undefined ? undefined : parseInteger(text, `--${name}`, min, Number.MAX_SAFE_INTEGER);
}

/** Longest page of a node, which lowers what is above (protocol 1.5): whoever asks for more is told, not shown less. */
export const MAX_LIMIT = 200;

/** `--limit`, if it was given. Errors: ConfigError. */
export function limitOf(context: CommandContext): number | undefined {
  const text = optionText(context, 'limit');
  return text === undefined ? undefined : parseInteger(text, '--limit', 1, MAX_LIMIT);
}

/** What a list takes; `verbs` names those of a command that has others too. */
export const pagingOptions = (verbs?: string): readonly CommandOption[] => {
  const of = verbs === undefined ? '' : `${verbs}: `;
  return [
    { name: 'limit', value: 'n', help: `${of}at most this many, 1..${MAX_LIMIT} (default 50)` },
    { name: 'page', value: 'n', help: `${of}the nth so many of the list (default 1)` },
  ];
};

/** Which part of a list is asked for, as far as it was given. Errors: ConfigError. */
export const pagingOf = (
  context: CommandContext,
): { limit: number | undefined; page: number | undefined } => ({
  limit: limitOf(context),
  page: integerOption(context, 'page', 1),
});

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
