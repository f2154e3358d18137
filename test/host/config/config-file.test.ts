import { describe, expect, it } from 'vitest';
import { explainConfig, loadConfig } from '../../../host/config/config.ts';
import { parseConfigFile } from '../../../host/config/config-file.ts';
import { nearestName } from '../../../host/config/nearest-name.ts';

const PATH = '/etc/vws/vws.toml';
const load = (toml: string, env = {}, flags = {}) =>
  loadConfig({ env, flags, file: parseConfigFile(toml, PATH) });

const FULL = `
testnet = true
api = "127.0.0.1:9000"
data = "state"
manifest = "~/seats.json"
peers = ["10.0.0.2:8337", "10.0.0.3:8337"]
rate_limits = false
workers = 3

[params]
day_secs = 60
FAUCET_AMOUNT = "7"
`;

describe('the configuration file', () => {
  it('takes the types of TOML, and paths from its own folder', () => {
    const config = load(FULL);
    expect(config).toMatchObject({
      testnet: true,
      api: { host: '127.0.0.1', port: 9000 },
      dataDir: '/etc/vws/state',
      peers: [
        { host: '10.0.0.2', port: 8337 },
        { host: '10.0.0.3', port: 8337 },
      ],
      rateLimits: false,
      workers: 3,
      params: { day_secs: '60', faucet_amount: '7' },
    });
    expect(config.manifestPath).toMatch(/^\/(?!etc).*seats\.json$/);
  });

  it('gives way to variables, and these to flags; parameters one by one', () => {
    const env = { SERVICE_API: '127.0.0.1:2', SERVICE_WORKERS: '4', SERVICE_PARAM_DAY_SECS: '99' };
    const config = load(FULL, env, { api: '127.0.0.1:1' });
    expect([config.api.port, config.workers, config.params]).toEqual([
      1,
      4,
      { day_secs: '99', faucet_amount: '7' },
    ]);
  });

  it.each([
    ['manfest = "x"', /vws\.toml: manfest is not a setting.*; did you mean manifest\?/],
    ['zzzzzz = 1', /zzzzzz is not a setting of the configuration file$/],
    ['config = "x"', /config is not a setting/],
    ['node = "http://localhost:1"', /node is not a setting/],
    ['passphrase = "x"', /passphrase is a secret: give it by SERVICE_PASSPHRASE/],
    ['workers = 1.5', /workers in .*: is not an integer/],
    ['workers = true', /workers in .*: is not an integer/],
    ['testnet = 1', /testnet in .*: is not true or false/],
    ['peers = [1]', /peers in .*: is not a list of strings/],
    ['data = ["x"]', /data in .*: is not a string/],
    ['params = 3', /params in .*: is not a table/],
    ['[params]\nday_secs = 1.5', /params\.day_secs in/],
    ['api = ', /vws\.toml, line 1, column \d+: /],
  ])('refuses %s', (toml, message) => {
    expect(() => parseConfigFile(toml, PATH)).toThrow(
      expect.objectContaining({ name: 'ConfigError', message: expect.stringMatching(message) }),
    );
  });

  it('is named in a message about a value in it', () => {
    expect(() => load('api = "nonsense"')).toThrow('api in /etc/vws/vws.toml: "nonsense" is not host:port');
    expect(() => load('rate_limits = false')).toThrow(
      'rate_limits in /etc/vws/vws.toml=off is for the testnet only',
    );
    expect(() => load('[params]\nday_secs = 3')).toThrow(/^\[params\] in .* is for the testnet only$/);
  });

  it('says where each setting comes from, and hides secrets', () => {
    const env = { SERVICE_WORKERS: '4', SERVICE_PASSPHRASE: 'very secret', SERVICE_PARAM_DAY_SECS: '99' };
    const shown = explainConfig({ env, flags: { api: '[::1]:1' }, file: parseConfigFile(FULL, PATH) });
    const of = (name: string) => shown.find((row) => row.name === name);
    expect(of('api')).toEqual({ name: 'api', value: '[::1]:1', origin: { from: 'flag', by: '--api' } });
    expect(of('workers')?.origin).toEqual({ from: 'variable', by: 'SERVICE_WORKERS' });
    expect(of('data')).toEqual({ name: 'data', value: '/etc/vws/state', origin: { from: 'file', by: PATH } });
    expect(of('log_level')).toEqual({ name: 'log_level', value: 'info', origin: { from: 'default' } });
    expect(of('params.day_secs')?.origin).toEqual({ from: 'variable', by: 'SERVICE_PARAM_DAY_SECS' });
    expect(of('params.faucet_amount')?.origin).toEqual({ from: 'file', by: PATH });
    expect(of('passphrase')?.value).toBe('[hidden]');
    expect(JSON.stringify(shown)).not.toContain('very secret');
  });
});

describe('the nearest name', () => {
  it.each([
    ['transfr', 'transfer'],
    ['trnasfer', 'transfer'],
    ['STATUS', 'status'],
    ['frobnicate', undefined],
    ['x', undefined],
  ])('%s: %s', (text, name) => {
    expect(nearestName(text, ['transfer', 'status', 'stake'])).toBe(name);
  });
});
