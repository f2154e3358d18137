// Reads rows of the settings table from where they are given: flags, variables, the configuration file, defaults.
// Keeps: the first of these that has a text wins; an empty text counts as not set; a message names the place that the text
// came from.

import type { FileSettings } from './config-file.ts';
import {
  ConfigError,
  type HostPort,
  parseHostPort,
  parseInteger,
  parseList,
  parsePath,
  parseSwitch,
  parseTokens,
} from './setting-values.ts';
import { fileKeyOf, PARAM_PREFIX, type SettingName, type SettingUse, settingRow } from './settings.ts';

export type Flags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where settings come from; `defaults` replace those of the table (used by `vws try`). */
export interface Sources {
  flags: Flags;
  env: Environment;
  /** The configuration file, if one was named. */
  file?: FileSettings | undefined;
  defaults?: Readonly<Partial<Record<SettingName, string>>>;
  /** Which command reads them; settings of other commands count as unset. Default: start. */
  use?: SettingUse;
}

/** `by`: the flag, the variable, or the file that gave it. */
export interface Origin {
  from: 'flag' | 'variable' | 'file' | 'default';
  by?: string;
}

interface Given extends Origin {
  text: string;
}

export class SettingReader {
  private readonly use: SettingUse;

  constructor(private readonly sources: Sources) {
    this.use = sources.use ?? 'start';
  }

  isSet(name: SettingName): boolean {
    return (this.given(name)?.text ?? this.sources.defaults?.[name]) !== undefined;
  }

  switch(name: SettingName): boolean {
    const text = this.text(name);
    return text === undefined ? false : parseSwitch(text, this.source(name));
  }

  integer(name: SettingName): number | undefined {
    const text = this.text(name);
    const [min, max] = settingRow(name).range ?? [0, Number.MAX_SAFE_INTEGER];
    return text === undefined ? undefined : parseInteger(text, this.source(name), min, max);
  }

  /** Micro-units. */
  tokens(name: SettingName): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : parseTokens(text, this.source(name));
  }

  /** A number of days, or undefined for `full`. */
  days(name: SettingName): number | undefined {
    const text = this.text(name) as string;
    return text === 'full' ? undefined : parseInteger(text, this.source(name), 1, 36_500);
  }

  choice(name: SettingName): string {
    const text = this.text(name) ?? '';
    const choices = settingRow(name).choices ?? [];
    if (!choices.includes(text)) {
      throw new ConfigError(`${this.source(name)}: "${text}" is not one of ${choices.join(', ')}`);
    }
    return text;
  }

  path(name: SettingName): string | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : parsePath(text);
  }

  /** Absolute path of a unix socket, written `unix:/path`. */
  unixSocket(name: SettingName): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const [, path] = /^unix:(\/.+)$/.exec(text) ?? [];
    if (path === undefined) throw new ConfigError(`${this.source(name)}: "${text}" is not unix:/path`);
    return path;
  }

  ownAddress(name: SettingName): HostPort {
    return parseHostPort(this.text(name) ?? '', this.source(name), { minPort: 0 });
  }

  list<T>(name: SettingName, parse: (item: string, source: string) => T): T[] {
    return parseList(this.text(name) ?? '').map((item) => parse(item, this.source(name)));
  }

  /** Network parameters by lower-case name; a variable wins over the file. */
  params(): Record<string, string> {
    const found: Record<string, string> = { ...this.sources.file?.params };
    for (const [name, text] of Object.entries(this.sources.env)) {
      if (!name.startsWith(PARAM_PREFIX) || !text) continue;
      found[name.slice(PARAM_PREFIX.length).toLowerCase()] = text;
    }
    return found;
  }

  /** Where one network parameter comes from. */
  paramOrigin(param: string): Origin {
    const variable = Object.keys(this.sources.env).find(
      (name) => name.startsWith(PARAM_PREFIX) && name.slice(PARAM_PREFIX.length).toLowerCase() === param,
    );
    return variable !== undefined && this.sources.env[variable]
      ? { from: 'variable', by: variable }
      : { from: 'file', by: this.sources.file?.path ?? '' };
  }

  text(name: SettingName): string | undefined {
    return this.given(name)?.text ?? this.sources.defaults?.[name] ?? settingRow(name).fallback;
  }

  origin(name: SettingName): Origin {
    const given = this.given(name);
    return given ? { from: given.from, by: given.by as string } : { from: 'default' };
  }

  /** Name of the setting in messages: where it was given, else how it could be. */
  source(name: SettingName): string {
    const given = this.given(name);
    if (given?.from === 'file') return `${fileKeyOf(name)} in ${given.by}`;
    const { flag, env } = settingRow(name);
    return given?.by ?? env ?? (flag === undefined ? name : `--${flag}`);
  }

  private given(name: SettingName): Given | undefined {
    const { flag, env, uses } = settingRow(name);
    if (!uses.includes(this.use)) return undefined;
    const typed = flag === undefined ? undefined : this.flagText(flag);
    if (typed) return { from: 'flag', by: `--${flag}`, text: typed };
    const variable = env === undefined ? undefined : this.sources.env[env];
    if (variable) return { from: 'variable', by: env as string, text: variable };
    const written = this.sources.file?.texts[name];
    return written ? { from: 'file', by: this.sources.file!.path, text: written } : undefined;
  }

  private flagText(flag: string): string | undefined {
    const value = this.sources.flags[flag];
    if (value === undefined || typeof value === 'string') return value;
    return typeof value === 'boolean' ? String(value) : value.join(',');
  }
}
