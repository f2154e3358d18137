// Loads the settings of a node and of the client commands; the table itself is settings.ts.
// Keeps: flags win over variables, variables over the configuration file, the file over defaults; contradictory settings are
// a ConfigError before anything is opened; on mainnet, settings that it forbids never reach the node.
// The only file that reads process.env. Secrets (passphrases) are loaded separately from Config, so that a Config can be
// logged and passed around.

import { availableParallelism } from 'node:os';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { nearestName } from './nearest-name.ts';
import { type Environment, type Flags, type Origin, SettingReader, type Sources } from './setting-reader.ts';
import {
  ConfigError,
  checkHostName,
  checkNetwork,
  checkObserver,
  checkOrigin,
  formatHostPort,
  type HostPort,
  parseBaseUrl,
  parseHostPort,
  parseSwitch,
} from './setting-values.ts';
import { fileKeyOf, PARAM_PREFIX, SETTINGS, type SettingName, settingsOf } from './settings.ts';

export {
  ConfigError,
  type Environment,
  type Flags,
  type HostPort,
  type Origin,
  SETTINGS,
  type SettingName,
  type Sources,
};

/** Version of the program, by semantic versioning: that of package.json. */
export const SOFTWARE_VERSION = '0.1.0';
/** What the specification wants as the version, and its own revision (protocol 3.10). */
export const VERSION = '0.1.0-testnet';
export const PROTOCOL_VERSION = 'v0.1';
/** Version of what nodes say to each other; those of another one are refused at the hello (protocol 12.8). */
export const PEER_PROTOCOL = 'v0.5';
export const PEER_PORT = 8337;

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
  /** Command line, or URL, of the validator's judge; undefined: it abstains. */
  judge: string | undefined;
  judgeSecs: number;
  /** Key file of the seat's operator, and file of its passphrase; undefined: the operator's key is the node's. */
  operatorKey: string | undefined;
  operatorPassphraseFile: string | undefined;
  /** Days of consensus time for which an observer keeps its history; undefined: for ever. */
  historyDays: number | undefined;
  /** Drops history that no connected seat or configured peer has. */
  dropUnarchived: boolean;
  /** File of the last-signed record; undefined: none is kept. */
  signedRecord: string | undefined;
  /** Unix socket of the process that holds the key; undefined: a file of the data directory has it. */
  signerPath: string | undefined;
  requestV1: boolean;
  rateLimits: boolean;
  trustedProxies: string[];
  corsOrigins: string[];
  /** Host names, lower case, under which clients reach the API. */
  apiNames: string[];
  /** URL under which clients reach the API, without a slash at the end; undefined: as their Host header says. */
  publicUrl: string | undefined;
  webhookAllowPrivate: boolean;
  /** Overrides of network parameters by lower-case name, as text; checked by wire/params. */
  params: Record<string, string>;
  logLevel: 'debug' | 'info' | 'warn' | 'error';
  apiDriver: 'auto' | 'uws' | 'node';
  store: 'auto' | 'rocksdb' | 'classic';
  verifier: 'wasm' | 'noble';
  /** Signature worker threads. */
  workers: number;
  /** Threads that take requests in; 0: the main thread does. */
  ingress: number;
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
  /** File of the passphrase of that key file. */
  passphraseFile: string | undefined;
  apiKey: string | undefined;
  /** Which chain to sign for; undefined: SERVICE_TESTNET is unset, so the one the node names. */
  testnet: boolean | undefined;
}

export interface McpSettings extends Omit<ClientSettings, 'apiKey'> {
  /** Undefined: the default of the chain. */
  maxPerCallMicro: number | undefined;
  maxPerDayMicro: number | undefined;
  /** Names of tools, ids of agents; undefined: all. */
  tools: string[] | undefined;
  recipients: string[] | undefined;
  spoolPath: string | undefined;
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
/** A thread that takes requests in does some 18,000 writes a second: more than the main thread executes. */
function usualIngress(cores: number): number {
  if (cores < 4) return 0;
  return cores < 8 ? 1 : 2;
}

export function loadConfig(sources: Sources): Config {
  const read = new SettingReader(sources);
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
    judge: read.text('judge'),
    judgeSecs: read.integer('judgeSecs') as number,
    operatorKey: read.path('operatorKey'),
    operatorPassphraseFile: read.path('operatorPassphraseFile'),
    historyDays: read.days('history'),
    dropUnarchived: read.switch('dropUnarchived'),
    signedRecord: read.path('signedRecord'),
    signerPath: read.unixSocket('signer'),
    requestV1: read.isSet('requestV1') ? read.switch('requestV1') : testnet,
    rateLimits: read.switch('rateLimits'),
    trustedProxies: read.list('trustedProxies', checkNetwork),
    corsOrigins: read.list('corsOrigins', checkOrigin),
    apiNames: read.list('apiNames', checkHostName),
    publicUrl: publicUrlOf(read),
    webhookAllowPrivate: read.switch('webhookAllowPrivate'),
    params: networkParams(read),
    logLevel: read.choice('logLevel') as Config['logLevel'],
    apiDriver: read.choice('apiDriver') as Config['apiDriver'],
    store: read.choice('store') as Config['store'],
    verifier: read.choice('verifier') as Config['verifier'],
    workers: read.integer('workers') ?? Math.max(1, availableParallelism() - 1),
    ingress: read.integer('ingress') ?? usualIngress(availableParallelism()),
    snapshotOrders: read.integer('snapshotOrders') as number,
  };
  checkRelations(config);
  return config;
}

function publicUrlOf(read: SettingReader): string | undefined {
  const text = read.text('publicUrl');
  return text === undefined ? undefined : parseBaseUrl(text, read.source('publicUrl'));
}

/** Source of the node key's passphrase; if neither is set, the terminal. */
export function loadPassphraseSettings(sources: Sources): PassphraseSettings {
  const read = new SettingReader(sources);
  return { file: read.path('passphraseFile'), passphrase: read.text('passphrase') };
}

/** Undefined: nobody said which chain. */
const chosenChain = (read: SettingReader): boolean | undefined =>
  read.isSet('testnet') ? read.switch('testnet') : undefined;

/** Settings of the client commands. Errors: ConfigError. */
export function loadClientSettings(sources: Sources): ClientSettings {
  const read = new SettingReader({ ...sources, use: 'client' });
  return {
    nodeUrl: parseBaseUrl(read.text('node') as string, read.source('node')),
    keyPath: read.path('key'),
    passphraseFile: read.path('keyPassphraseFile'),
    apiKey: read.text('apiKey'),
    testnet: chosenChain(read),
  };
}

/** Settings of `vws mcp`. Errors: ConfigError. */
export function loadMcpSettings(sources: Sources): McpSettings {
  const [unknown] = unknownVariables(sources.env, 'VWS_MCP_');
  // A limit that is misspelt would be none.
  if (unknown !== undefined) throw new ConfigError(`${unknown.name} is not a setting: see vws mcp --help`);
  const read = new SettingReader({ ...sources, use: 'mcp' });
  const names = (name: 'mcpTools' | 'mcpRecipients') =>
    read.isSet(name) ? read.list(name, (item) => item) : undefined;
  return {
    nodeUrl: parseBaseUrl(read.text('node') as string, read.source('node')),
    keyPath: read.path('key'),
    passphraseFile: read.path('keyPassphraseFile'),
    testnet: chosenChain(read),
    maxPerCallMicro: read.tokens('mcpMaxPerCall'),
    maxPerDayMicro: read.tokens('mcpMaxPerDay'),
    tools: names('mcpTools'),
    recipients: names('mcpRecipients'),
    spoolPath: read.path('mcpSpool'),
  };
}

/** Was it said which chain a node is of, or left to the default. */
export function isChainChosen(sources: Sources): boolean {
  const read = new SettingReader(sources);
  return read.isSet('testnet') || read.switch('noAuth');
}

/** The configuration file that a command is given, as an absolute path. */
export function configFilePath(sources: Sources): string | undefined {
  return new SettingReader(sources).path('config');
}

/** What `vws keygen` reads. Errors: ConfigError. */
export function loadKeygenSettings(sources: Sources): {
  testnet: boolean | undefined;
  passphraseFile: string | undefined;
} {
  const read = new SettingReader({ ...sources, use: 'keygen' });
  return { testnet: chosenChain(read), passphraseFile: read.path('keyPassphraseFile') };
}

/** Data directory and chain for the command that makes a node's key. Errors: ConfigError. */
export function loadKeySettings(sources: Sources): { testnet: boolean | undefined; dataDir: string } {
  const read = new SettingReader({ ...sources, use: 'init' });
  return { testnet: chosenChain(read), dataDir: read.path('data') as string };
}

/** What the command for a held seat reads of a stopped node. Errors: ConfigError. */
export function loadHeldSeatSettings(sources: Sources): {
  dataDir: string;
  signedRecord: string | undefined;
  signerPath: string | undefined;
} {
  const read = new SettingReader({ ...sources, use: 'resume-seat' });
  return {
    dataDir: read.path('data') as string,
    signedRecord: read.path('signedRecord'),
    signerPath: read.unixSocket('signer'),
  };
}

export interface UnknownVariable {
  name: string;
  /** The setting that was most likely meant. */
  nearest: string | undefined;
}

/** Variables that look like settings but are not: almost always misspellings, worth a warning. */
export function unknownVariables(
  env: Environment,
  prefix: 'SERVICE_' | 'VWS_MCP_' = 'SERVICE_',
): UnknownVariable[] {
  const known = SETTINGS.flatMap((row) => ('env' in row ? [row.env as string] : []));
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !name.startsWith(PARAM_PREFIX) && !known.includes(name))
    .sort()
    .map((name) => ({ name, nearest: nearestName(name, known) }));
}

/** One line of `vws config show`. */
export interface ShownSetting {
  /** Its name in the configuration file; a network parameter with `params.` in front. */
  name: string;
  /** As it would be written; undefined: not set. A secret is `[hidden]`. */
  value: string | undefined;
  origin: Origin;
}

/**
 * Every setting of a node with its value and where that comes from. Errors: ConfigError, as loadConfig.
 * Source: protocol 12.2.
 */
export function explainConfig(sources: Sources): ShownSetting[] {
  loadConfig(sources);
  const read = new SettingReader(sources);
  const params = read.params();
  return settingsOf('start').flatMap((row): ShownSetting[] => {
    const name = row.name as SettingName;
    if (row.kind === 'params') {
      return Object.keys(params)
        .sort()
        .map((key) => ({ name: `params.${key}`, value: params[key], origin: read.paramOrigin(key) }));
    }
    const origin = read.origin(name);
    const text = read.text(name);
    const value = row.isSecret && text !== undefined ? '[hidden]' : (text ?? row.defaultNote);
    return [{ name: fileKeyOf(name), value, origin }];
  });
}

/** SERVICE_PARAM_* by lower-case name, and the two parameters that have their own variable. */
function networkParams(read: SettingReader): Record<string, string> {
  const params = read.params();
  const minParticipants = read.integer('minParticipants');
  if (minParticipants !== undefined) params.min_participants = String(minParticipants);
  if (read.isSet('legacyOpenCoordination')) {
    params.legacy_open_coordination = String(read.switch('legacyOpenCoordination'));
  }
  return params;
}

function refuseTestnetOnly(read: SettingReader): void {
  for (const row of SETTINGS) {
    if (!('testnetOnly' in row)) continue;
    const isForbidden =
      row.kind === 'params'
        ? Object.keys(read.params()).length > 0
        : read.isSet(row.name) && read.switch(row.name) === parseSwitch(row.testnetOnly, row.name);
    if (isForbidden) {
      const value = row.kind === 'params' || row.name === 'noAuth' ? '' : `=${row.testnetOnly}`;
      const source = row.kind === 'params' ? paramsSource(read) : read.source(row.name);
      throw new ConfigError(`${source}${value} is for the testnet only`);
    }
  }
}

/** Where a network parameter was given, for a message. */
function paramsSource(read: SettingReader): string {
  const origins = Object.keys(read.params()).map((name) => read.paramOrigin(name));
  const file = origins.find(({ from }) => from === 'file');
  return file ? `[params] in ${file.by}` : `${PARAM_PREFIX}<NAME>`;
}

function checkRelations(config: Config): void {
  const { api, listen } = config;
  if ((config.peers.length > 0 || config.discover) && !config.manifestPath) {
    throw new ConfigError('manifest required when peers are configured');
  }
  if (config.signedRecord !== undefined && isInside(config.dataDir, config.signedRecord)) {
    throw new ConfigError('SERVICE_SIGNED_RECORD must lie outside the data directory, which may be restored');
  }
  if (config.signerPath !== undefined && config.signedRecord !== undefined) {
    throw new ConfigError(
      'SERVICE_SIGNED_RECORD and SERVICE_SIGNER exclude each other: a signer keeps the record',
    );
  }
  if (config.historyDays !== undefined && !config.observer) {
    throw new ConfigError(
      'SERVICE_HISTORY=<days> is for observers (--observer): a seat keeps the whole log, which joining nodes and auditors need',
    );
  }
  if (config.judge !== undefined && !config.autovalidator) {
    throw new ConfigError(
      'SERVICE_JUDGE needs SERVICE_AUTOVALIDATOR=true: the judge is asked for the own validator',
    );
  }
  if (config.operatorKey !== undefined && !config.autovalidator) {
    throw new ConfigError(
      'SERVICE_OPERATOR_KEY needs SERVICE_AUTOVALIDATOR=true: nothing else of a node is signed by it',
    );
  }
  if (config.operatorPassphraseFile !== undefined && config.operatorKey === undefined) {
    throw new ConfigError('SERVICE_OPERATOR_PASSPHRASE_FILE needs SERVICE_OPERATOR_KEY');
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
