// Drift tests of the settings table: every row is read by a loader and has a usable default.

import { describe, expect, it } from 'vitest';
import {
  type Environment,
  type Flags,
  loadClientSettings,
  loadConfig,
  loadHeldSeatSettings,
  loadKeySettings,
  loadPassphraseSettings,
} from '../../../host/config/config.ts';
import { SETTINGS, type Setting, type SettingName, settingsOf } from '../../../host/config/settings.ts';

/** A value of each setting that differs from its default. */
const SAMPLES: Record<SettingName, string> = {
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
  join: 'replay',
  minParticipants: '2',
  autovalidator: 'true',
  signedRecord: '/records/n1',
  noAuth: 'true',
  requestV1: 'false',
  legacyOpenCoordination: 'true',
  rateLimits: 'off',
  trustedProxies: '10.0.0.0/8',
  corsOrigins: 'https://app.example.org',
  webhookAllowPrivate: 'true',
  params: '77',
  logLevel: 'debug',
  apiDriver: 'node',
  store: 'classic',
  verifier: 'noble',
  workers: '200',
  snapshotOrders: '77',
  node: 'http://other:1',
  key: '/key',
  apiKey: 'vws_x',
};

const ROWS: readonly Setting[] = SETTINGS;
const BASE = { SERVICE_TESTNET: 'true', SERVICE_VALIDATOR_MANIFEST: '/m.json' };

function everything(env: Environment, flags: Flags): string {
  const sources = { env, flags };
  return JSON.stringify([
    loadConfig(sources),
    loadPassphraseSettings(sources),
    loadClientSettings(sources),
    loadKeySettings(sources),
    loadHeldSeatSettings(sources),
  ]);
}

describe('the settings table', () => {
  it('has unique names, flags and variables', () => {
    for (const column of ['name', 'flag', 'env'] as const) {
      const values = ROWS.map((row) => row[column]).filter((value) => value !== undefined);
      expect(new Set(values).size).toBe(values.length);
    }
  });

  it.each(ROWS.map((row) => [row.name, row] as const))('%s is read and changes something', (name, row) => {
    const sample = SAMPLES[name as SettingName];
    const before = everything(BASE, {});
    if (row.env) {
      const variable = row.kind === 'params' ? 'SERVICE_PARAM_DAY_SECS' : row.env;
      expect(everything({ ...BASE, [variable]: sample }, {})).not.toBe(before);
    }
    if (row.flag) {
      const value = row.kind === 'switch' ? sample === 'true' : sample;
      expect(everything(BASE, { [row.flag]: value })).not.toBe(before);
    }
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
        ...['api', 'data', 'discover', 'listen', 'manifest', 'no-auth', 'passphrase-file', 'peer'],
        ...['join', 'observer'],
      ].sort(),
    );
    expect(settingsOf('client').flatMap((row) => row.flag ?? [])).toEqual(['node', 'key', 'api-key']);
    expect(settingsOf('init').flatMap((row) => row.flag ?? [])).toEqual(['data', 'passphrase-file']);
  });
});
