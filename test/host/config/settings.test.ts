// Drift tests of the settings table: every row is read by a loader and has a usable default.

import { describe, expect, it } from 'vitest';
import {
  configFilePath,
  type Environment,
  type Flags,
  loadClientSettings,
  loadConfig,
  loadHeldSeatSettings,
  loadKeySettings,
  loadMcpSettings,
  loadPassphraseSettings,
} from '../../../host/config/config.ts';
import { parseConfigFile } from '../../../host/config/config-file.ts';
import {
  fileKeyOf,
  fileSettings,
  SETTINGS,
  type Setting,
  type SettingName,
  settingsOf,
} from '../../../host/config/settings.ts';

/** A value of each setting that differs from its default. */
const SAMPLES: Record<SettingName, string> = {
  config: '/etc/vws.toml',
  testnet: 'false',
  data: '/somewhere',
  listen: '127.0.0.1:1',
  api: '127.0.0.1:2',
  passphraseFile: '/pass',
  passphrase: 'secret',
  manifest: '/other.json',
  peers: '10.0.0.1:1',
  discover: 'seeds.example.org:9',
  observer: 'true',
  observers: '*',
  history: '30',
  dropUnarchived: 'true',
  join: 'replay',
  minParticipants: '2',
  autovalidator: 'true',
  judge: 'judge --strict',
  judgeSecs: '77',
  operatorKey: '/operator.key',
  operatorPassphraseFile: '/operator.pass',
  signedRecord: '/records/n1',
  signer: 'unix:/run/n1.sock',
  noAuth: 'true',
  requestV1: 'false',
  legacyOpenCoordination: 'true',
  rateLimits: 'off',
  trustedProxies: '10.0.0.0/8',
  apiNames: 'node.example.org',
  publicUrl: 'https://node.example.org',
  corsOrigins: 'https://app.example.org',
  webhookAllowPrivate: 'true',
  params: '77',
  logLevel: 'debug',
  apiDriver: 'node',
  store: 'classic',
  verifier: 'noble',
  workers: '200',
  ingress: '3',
  snapshotOrders: '77',
  node: 'http://other:1',
  key: '/key',
  keyPassphraseFile: '/agent.pass',
  apiKey: 'vws_x',
  mcpMaxPerCall: '7.5',
  mcpMaxPerDay: '75',
  mcpTools: 'status',
  mcpRecipients: 'bob',
  mcpSpool: '/spool',
};

const ROWS: readonly Setting[] = SETTINGS;
const ENV = { SERVICE_TESTNET: 'true', SERVICE_VALIDATOR_MANIFEST: '/m.json' };
/** What needs others beside it: a judge and a key of its own need the duties of a validator. */
const BESIDE: Readonly<Record<string, Environment>> = {
  judge: { SERVICE_AUTOVALIDATOR: 'true' },
  operatorKey: { SERVICE_AUTOVALIDATOR: 'true' },
  operatorPassphraseFile: { SERVICE_AUTOVALIDATOR: 'true', SERVICE_OPERATOR_KEY: '/operator.key' },
};
const baseFor = (name: string): Environment => ({ ...ENV, ...BESIDE[name] });

function everything(env: Environment, flags: Flags, toml = ''): string {
  const sources = { env, flags, file: parseConfigFile(toml, '/etc/vws.toml') };
  return JSON.stringify([
    configFilePath(sources),
    loadConfig(sources),
    loadPassphraseSettings(sources),
    loadClientSettings(sources),
    loadKeySettings(sources),
    loadHeldSeatSettings(sources),
    loadMcpSettings(sources),
  ]);
}

/** Only observers have a short history. */
const flagsBeside = (name: string): Flags => (name === 'history' ? { observer: true } : {});

describe('the settings table', () => {
  it('has unique names, flags and variables', () => {
    for (const column of ['name', 'flag', 'env'] as const) {
      const values = ROWS.map((row) => row[column]).filter((value) => value !== undefined);
      expect(new Set(values).size).toBe(values.length);
    }
  });

  it.each(ROWS.map((row) => [row.name, row] as const))('%s is read and changes something', (name, row) => {
    const sample = SAMPLES[name as SettingName];
    const flags = flagsBeside(name);
    const BASE = baseFor(name);
    const before = everything(BASE, flags);
    if (row.env) {
      const variable = row.kind === 'params' ? 'SERVICE_PARAM_DAY_SECS' : row.env;
      expect(everything({ ...BASE, [variable]: sample }, flags)).not.toBe(before);
    }
    if (row.flag) {
      const value = row.kind === 'switch' ? sample === 'true' : sample;
      expect(everything(BASE, { ...flags, [row.flag]: value })).not.toBe(before);
    }
  });

  it.each(fileSettings().map((row) => [fileKeyOf(row.name), row] as const))(
    '%s is read from the configuration file',
    (key, row) => {
      const sample = JSON.stringify(SAMPLES[row.name]);
      const toml = row.kind === 'params' ? '[params]\nday_secs = 77' : `${key} = ${sample}`;
      const env = row.name === 'testnet' || row.name === 'manifest' ? {} : baseFor(row.name);
      if (row.name === 'testnet') expect(everything({}, {}, 'testnet = true')).not.toBe(everything({}, {}));
      else {
        const flags = flagsBeside(row.name);
        expect(everything(env, flags, toml)).not.toBe(everything(env, flags));
      }
    },
  );

  it('gives the configuration file what a node reads, and no secret', () => {
    const names = fileSettings().map((row) => row.name);
    const others = ROWS.map((row) => row.name).filter((name) => !names.includes(name as SettingName));
    const mcp = ['mcpMaxPerCall', 'mcpMaxPerDay', 'mcpTools', 'mcpRecipients', 'mcpSpool'];
    const client = ['node', 'key', 'keyPassphraseFile', 'apiKey'];
    expect(others).toEqual(['config', 'passphrase', ...client, ...mcp]);
  });

  it('has a help text and a command for each setting', () => {
    for (const row of ROWS) {
      expect(row.help.length).toBeGreaterThan(10);
      expect(row.uses.length).toBeGreaterThan(0);
      expect(row.flag ?? row.env).toBeDefined();
    }
  });

  it('gives start all the flags of protocol 12.1, and those of the network beyond it', () => {
    const flags = settingsOf('start').flatMap((row) => row.flag ?? []);
    expect(flags.sort()).toEqual(
      [
        ...['api', 'config', 'data', 'discover', 'listen', 'manifest', 'no-auth', 'passphrase-file', 'peer'],
        ...['join', 'observer', 'history', 'drop-unarchived', 'judge'],
      ].sort(),
    );
    expect(settingsOf('client').flatMap((row) => row.flag ?? [])).toEqual([
      'node',
      'key',
      'key-passphrase-file',
      'api-key',
    ]);
    expect(settingsOf('init').flatMap((row) => row.flag ?? [])).toEqual([
      'config',
      'data',
      'passphrase-file',
    ]);
  });
});
