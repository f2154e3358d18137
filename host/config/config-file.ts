// The configuration file of a node: TOML with one key for each row of the settings table, and a table `params`.
// Keeps: a key that no setting has, and a value of another type than the setting's, are a ConfigError that names the file;
// what the file gives are the same texts as flags and variables give, checked by the same parsers.
// Reads no file itself: the command line hands the text in.

import { dirname, resolve } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { didYouMean } from './nearest-name.ts';
import { ConfigError } from './setting-values.ts';
import { fileKeyOf, fileSettings, SETTINGS, type Setting, type SettingName } from './settings.ts';

export interface FileSettings {
  path: string;
  texts: Readonly<Partial<Record<SettingName, string>>>;
  /** Network parameters by lower-case name. */
  params: Readonly<Record<string, string>>;
}

/** `path`: where the text was read, for messages; relative paths in it start at its folder. Errors: ConfigError. */
export function parseConfigFile(text: string, path: string): FileSettings {
  const texts: Partial<Record<SettingName, string>> = {};
  let params: Record<string, string> = {};
  const rows = new Map(fileSettings().map((row) => [fileKeyOf(row.name), row]));
  for (const [key, value] of Object.entries(readToml(text, path))) {
    const row = rows.get(key);
    if (!row) throw new ConfigError(`${path}: ${unknownKey(key, [...rows.keys()])}`);
    if (row.kind === 'params') params = paramTexts(value, path);
    else texts[row.name] = settingText(row, value, `${key} in ${path}`, path);
  }
  return { path, texts, params };
}

function readToml(text: string, path: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const [reason] = cause.message.split('\n');
    throw new ConfigError(`${path}, line ${cause.line}, column ${cause.column}: ${reason}`);
  }
}

function unknownKey(key: string, known: readonly string[]): string {
  const secret = (SETTINGS as readonly Setting[]).find(
    (row) => row.isSecret && fileKeyOf(row.name as SettingName) === key,
  );
  // A file is copied, shown and backed up; the passphrase has a file of its own.
  if (secret) return `${key} is a secret: give it by ${secret.env}, or a passphrase by passphrase_file`;
  return `${key} is not a setting of the configuration file${didYouMean(key, known)}`;
}

function paramTexts(value: unknown, path: string): Record<string, string> {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || value instanceof Date) {
    throw new ConfigError(`params in ${path}: is not a table; write [params] and a line for each`);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, param]) => {
      const isPlain = typeof param === 'boolean' || typeof param === 'string' || Number.isSafeInteger(param);
      if (!isPlain) throw new ConfigError(`params.${name} in ${path}: is not an integer, a text or a switch`);
      return [name.toLowerCase(), String(param)];
    }),
  );
}

/** Which TOML types each kind takes besides a string in the form of flags and variables. */
function settingText(row: Setting, value: unknown, source: string, path: string): string {
  if (row.kind === 'path' && typeof value === 'string') return pathIn(path, value);
  if (typeof value === 'string') return value;
  if (row.kind === 'switch' && typeof value === 'boolean') return String(value);
  if (row.kind === 'integer' && Number.isSafeInteger(value)) return String(value);
  const isList = row.kind === 'list' || row.kind === 'addresses';
  if (isList && Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.join(',');
  }
  const wanted = { switch: 'true or false', integer: 'an integer' }[row.kind as 'switch' | 'integer'];
  throw new ConfigError(`${source}: is not ${wanted ?? (isList ? 'a list of strings' : 'a string')}`);
}

/** As the file's writer sees it: relative paths start where the file is, wherever the node is started. */
function pathIn(file: string, text: string): string {
  return text === '~' || text.startsWith('~/') || text === '' ? text : resolve(dirname(file), text);
}
