// Loads the settings of a node and of the client commands; the table itself is settings.ts.
// Keeps: flags win over variables, variables over defaults; contradictory settings are a ConfigError before anything is
// opened; on mainnet, settings that it forbids never reach the node.
// The only file that reads process.env. Secrets (passphrases) are loaded separately from Config, so that a Config can be
// logged and passed around.

import { availableParallelism } from 'node:os';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import {
  ConfigError,
  checkNetwork,
  checkObserver,
  checkOrigin,
  formatHostPort,
  type HostPort,
  parseBaseUrl,
  parseHostPort,
  parseInteger,
  parseList,
  parsePath,
  parseSwitch,
} from './setting-values.ts';
import { PARAM_PREFIX, SETTINGS, type SettingName, type SettingUse, settingRow } from './settings.ts';

export { ConfigError, type HostPort, SETTINGS, type SettingName };

/** Version of the program, and revision of the specification, as Status shows them (protocol 3.10). */
export const VERSION = '0.1.0-testnet';
export const PROTOCOL_VERSION = 'v0.1';
/** Version of what nodes say to each other; those of another one are refused at the hello (protocol 12.8). */
export const PEER_PROTOCOL = 'v0.3';
export const PEER_PORT = 8337;

export type Flags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where settings come from; `defaults` replace those of the table (used by `vws try`). */
export interface Sources {
  flags: Flags;
  env: Environment;
  defaults?: Readonly<Partial<Record<SettingName, string>>>;
  /** Which command reads them; settings of other commands count as unset. Default: start. */
  use?: SettingUse;
}

export interface Config {
  testnet: boolean;
  dataDir: string;
  listen: HostPort;
  api: HostPort;
  manifestPath: string | undefined;
  peers: HostPort[];
  discover: HostPort | undefined;
  /** Follows the network without a seat. */
  observer: boolean;
  /** Keys of observers that may connect, hex; '*' = any. */
  observers: string[];
  /** How a node with an empty store begins. */
  join: 'auto' | 'checkpoint' | 'replay';
  noAuth: boolean;
  autovalidator: boolean;
  /** File of the last-signed record; undefined: none is kept. */
  signedRecord: string | undefined;
  requestV1: boolean;
  rateLimits: boolean;
  trustedProxies: string[];
  corsOrigins: string[];
  webhookAllowPrivate: boolean;
  /** Overrides of network parameters by lower-case name, as text; checked by wire/params. */
  params: Record<string, string>;
  logLevel: 'debug' | 'info' | 'warn' | 'error';
  apiDriver: 'auto' | 'uws' | 'node';
  store: 'auto' | 'rocksdb' | 'classic';
  verifier: 'wasm' | 'noble';
  /** Signature worker threads. */
  workers: number;
  /** Ordered vertices between snapshots. */
  snapshotOrders: number;
}

export interface PassphraseSettings {
  file: string | undefined;
  passphrase: string | undefined;
}

export interface ClientSettings {
  nodeUrl: string;
  keyPath: string | undefined;
  apiKey: string | undefined;
  /** Which chain to sign for; undefined: SERVICE_TESTNET is unset, so the one the node names. */
  testnet: boolean | undefined;
}

/** The process environment; every other module receives it as an argument. */
export function readEnv(): Environment {
  return process.env;
}

/**
 * Settings of a node.
 * Errors: ConfigError for a malformed value, a contradiction, or a value mainnet forbids.
 * Source: protocol 12.1, 12.2.
 */
export function loadConfig(sources: Sources): Config {
  const read = new Reader(sources);
  const noAuth = read.switch('noAuth');
  const testnet = read.isSet('testnet') ? read.switch('testnet') : noAuth;
  if (!testnet) refuseTestnetOnly(read);
  const discover = read.text('discover');
  const config: Config = {
    testnet,
    dataDir: read.path('data') as string,
    listen: read.ownAddress('listen'),
    api: read.ownAddress('api'),
    manifestPath: read.path('manifest'),
    peers: read.list('peers', (item, source) => parseHostPort(item, source)),
    discover:
      discover === undefined
        ? undefined
        : parseHostPort(discover, read.source('discover'), { defaultPort: PEER_PORT }),
    observer: read.switch('observer'),
    observers: read.list('observers', checkObserver),
    join: read.choice('join') as Config['join'],
    noAuth,
    autovalidator: read.switch('autovalidator'),
    signedRecord: read.path('signedRecord'),
    requestV1: read.isSet('requestV1') ? read.switch('requestV1') : testnet,
    rateLimits: read.switch('rateLimits'),
    trustedProxies: read.list('trustedProxies', checkNetwork),
    corsOrigins: read.list('corsOrigins', checkOrigin),
    webhookAllowPrivate: read.switch('webhookAllowPrivate'),
    params: networkParams(read),
    logLevel: read.choice('logLevel') as Config['logLevel'],
    apiDriver: read.choice('apiDriver') as Config['apiDriver'],
    store: read.choice('store') as Config['store'],
    verifier: read.choice('verifier') as Config['verifier'],
    workers: read.integer('workers') ?? Math.max(1, availableParallelism() - 1),
    snapshotOrders: read.integer('snapshotOrders') as number,
  };
  checkRelations(config);
  return config;
}

/** Source of the node key's passphrase; if neither is set, the terminal. */
export function loadPassphraseSettings(sources: Sources): PassphraseSettings {
  const read = new Reader(sources);
  return { file: read.path('passphraseFile'), passphrase: read.text('passphrase') };
}

/** Settings of the client commands. Errors: ConfigError. */
export function loadClientSettings(sources: Sources): ClientSettings {
  const read = new Reader({ ...sources, use: 'client' });
  return {
    nodeUrl: parseBaseUrl(read.text('node') as string, read.source('node')),
    keyPath: read.path('key'),
    apiKey: read.text('apiKey'),
    testnet: read.isSet('testnet') ? read.switch('testnet') : undefined,
  };
}

/** Data directory and chain for commands that only make keys. Errors: ConfigError. */
export function loadKeySettings(sources: Sources): { testnet: boolean; dataDir: string } {
  const read = new Reader({ ...sources, use: 'init' });
  return { testnet: read.switch('testnet'), dataDir: read.path('data') as string };
}

/** What the command for a held seat reads of a stopped node. Errors: ConfigError. */
export function loadHeldSeatSettings(sources: Sources): {
  dataDir: string;
  signedRecord: string | undefined;
} {
  const read = new Reader({ ...sources, use: 'resume-seat' });
  return { dataDir: read.path('data') as string, signedRecord: read.path('signedRecord') };
}

/** Variables that look like settings but are not: almost always misspellings, worth a warning. */
export function unknownVariables(env: Environment): string[] {
  const known = new Set<string>(SETTINGS.flatMap((row) => ('env' in row ? [row.env] : [])));
  return Object.keys(env)
    .filter((name) => name.startsWith('SERVICE_') && !name.startsWith(PARAM_PREFIX) && !known.has(name))
    .sort();
}

/** SERVICE_PARAM_* by lower-case name, and the two parameters that have their own variable. */
function networkParams(read: Reader): Record<string, string> {
  const params = read.params();
  const minParticipants = read.integer('minParticipants');
  if (minParticipants !== undefined) params.min_participants = String(minParticipants);
  if (read.isSet('legacyOpenCoordination')) {
    params.legacy_open_coordination = String(read.switch('legacyOpenCoordination'));
  }
  return params;
}

function refuseTestnetOnly(read: Reader): void {
  for (const row of SETTINGS) {
    if (!('testnetOnly' in row)) continue;
    const isForbidden =
      row.kind === 'params'
        ? Object.keys(read.params()).length > 0
        : read.isSet(row.name) && read.switch(row.name) === parseSwitch(row.testnetOnly, row.name);
    if (isForbidden) {
      const value = row.kind === 'params' || row.name === 'noAuth' ? '' : `=${row.testnetOnly}`;
      throw new ConfigError(`${read.source(row.name)}${value} is for the testnet only`);
    }
  }
}

function checkRelations(config: Config): void {
  const { api, listen } = config;
  if ((config.peers.length > 0 || config.discover) && !config.manifestPath) {
    throw new ConfigError('manifest required when peers are configured');
  }
  if (config.signedRecord !== undefined && isInside(config.dataDir, config.signedRecord)) {
    throw new ConfigError('SERVICE_SIGNED_RECORD must lie outside the data directory, which may be restored');
  }
  if (config.join === 'checkpoint' && config.peers.length === 0 && !config.discover) {
    throw new ConfigError('--join checkpoint needs peers: --peer or --discover');
  }
  if (api.port !== 0 && api.port === listen.port && api.host === listen.host) {
    throw new ConfigError(`--listen and --api are both ${formatHostPort(api)}`);
  }
}

/** Does a path lie in a directory, or is it the directory itself. */
function isInside(directory: string, path: string): boolean {
  const way = relative(resolve(directory), resolve(path));
  return way === '' || (!isAbsolute(way) && way.split(sep)[0] !== '..');
}

/** Reads rows of the table from their sources; an empty text counts as not set. */
class Reader {
  private readonly use: SettingUse;

  constructor(private readonly sources: Sources) {
    this.use = sources.use ?? 'start';
  }

  isSet(name: SettingName): boolean {
    return (this.given(name) ?? this.sources.defaults?.[name]) !== undefined;
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

  ownAddress(name: SettingName): HostPort {
    return parseHostPort(this.text(name) ?? '', this.source(name), { minPort: 0 });
  }

  list<T>(name: SettingName, parse: (item: string, source: string) => T): T[] {
    return parseList(this.text(name) ?? '').map((item) => parse(item, this.source(name)));
  }

  params(): Record<string, string> {
    const found: Record<string, string> = {};
    for (const [name, text] of Object.entries(this.sources.env)) {
      if (!name.startsWith(PARAM_PREFIX) || !text) continue;
      found[name.slice(PARAM_PREFIX.length).toLowerCase()] = text;
    }
    return found;
  }

  text(name: SettingName): string | undefined {
    return this.given(name) ?? this.sources.defaults?.[name] ?? settingRow(name).fallback;
  }

  /** Name of the setting in messages: the flag if it was used, else the variable. */
  source(name: SettingName): string {
    const { flag, env } = settingRow(name);
    return flag !== undefined && (this.flagText(flag) !== undefined || !env) ? `--${flag}` : (env ?? name);
  }

  private given(name: SettingName): string | undefined {
    const { flag, env, uses } = settingRow(name);
    if (!uses.includes(this.use)) return undefined;
    return (flag && this.flagText(flag)) || (env && this.sources.env[env]) || undefined;
  }

  private flagText(flag: string): string | undefined {
    const value = this.sources.flags[flag];
    if (value === undefined || typeof value === 'string') return value;
    return typeof value === 'boolean' ? String(value) : value.join(',');
  }
}
