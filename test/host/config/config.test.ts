import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Config,
  ConfigError,
  type Environment,
  type Flags,
  loadClientSettings,
  loadConfig,
  loadKeySettings,
  loadPassphraseSettings,
  unknownVariables,
} from '../../../host/config/config.ts';

const load = (env: Environment = {}, flags: Flags = {}): Config => loadConfig({ env, flags });

describe('the settings of a node', () => {
  it('have the defaults of protocol 12.2', () => {
    const config = load({ HOME: '/nowhere' });
    expect(config).toMatchObject({
      testnet: false,
      listen: { host: '0.0.0.0', port: 8337 },
      api: { host: '0.0.0.0', port: 8338 },
      manifestPath: undefined,
      peers: [],
      discover: undefined,
      noAuth: false,
      autovalidator: false,
      judge: undefined,
      judgeSecs: 300,
      operatorKey: undefined,
      operatorPassphraseFile: undefined,
      requestV1: false,
      rateLimits: true,
      trustedProxies: [],
      corsOrigins: [],
      webhookAllowPrivate: false,
      params: {},
      logLevel: 'info',
    });
    expect(config.dataDir).toMatch(/\.vws$/);
    expect(config.workers).toBeGreaterThanOrEqual(1);
  });

  it('accept REQUEST-V1 on the testnet unless set otherwise', () => {
    expect(load({ SERVICE_TESTNET: 'true' }).requestV1).toBe(true);
    expect(load({ SERVICE_TESTNET: 'true', SERVICE_REQUEST_V1: 'off' }).requestV1).toBe(false);
    expect(load({ SERVICE_REQUEST_V1: 'off' }).requestV1).toBe(false);
    // What was signed for the testnet would be valid on mainnet as well.
    expect(() => load({ SERVICE_REQUEST_V1: 'on' })).toThrow(
      'SERVICE_REQUEST_V1=true is for the testnet only',
    );
  });

  it('ask a judge only for a validator that votes by itself', () => {
    const env = { SERVICE_JUDGE: 'http://127.0.0.1:9000/' };
    expect(() => load(env)).toThrow('SERVICE_JUDGE needs SERVICE_AUTOVALIDATOR=true');
    expect(load({ ...env, SERVICE_AUTOVALIDATOR: 'true' }).judge).toBe('http://127.0.0.1:9000/');
  });

  it("take the key of the seat's operator only for what it signs", () => {
    const env = { SERVICE_OPERATOR_KEY: '/old.json', SERVICE_OPERATOR_PASSPHRASE_FILE: '/old.pass' };
    expect(() => load(env)).toThrow('SERVICE_OPERATOR_KEY needs SERVICE_AUTOVALIDATOR=true');
    expect(load({ ...env, SERVICE_AUTOVALIDATOR: 'true' })).toMatchObject({ operatorKey: '/old.json' });
    const { SERVICE_OPERATOR_PASSPHRASE_FILE } = env;
    expect(() => load({ SERVICE_OPERATOR_PASSPHRASE_FILE })).toThrow('needs SERVICE_OPERATOR_KEY');
  });

  it('come from the flag first, then the variable', () => {
    const env = { SERVICE_API: '127.0.0.1:1', SERVICE_DATA: 'from-env' };
    expect(load(env).api.port).toBe(1);
    const config = load(env, { api: '127.0.0.1:2' });
    expect(config.api.port).toBe(2);
    expect(config.dataDir).toBe(resolve('from-env'));
  });

  it('count an empty variable as not set', () => {
    expect(load({ SERVICE_TESTNET: '', SERVICE_API: '', SERVICE_PARAM_DAY_SECS: '' })).toEqual(load());
  });

  it('join repeated and comma-separated peers', () => {
    const config = load({}, { peer: ['10.0.0.1:1,10.0.0.2:2', '[::1]:3'], manifest: 'm.json' });
    expect(config.peers.map((peer) => peer.port)).toEqual([1, 2, 3]);
  });

  it('give a discovery name the port of peers', () => {
    const env = { SERVICE_DISCOVER: 'seeds.example.org', SERVICE_VALIDATOR_MANIFEST: 'm.json' };
    expect(load(env).discover).toEqual({ host: 'seeds.example.org', port: 8337 });
  });

  it('collect network parameters by lower-case name', () => {
    const config = load({
      SERVICE_TESTNET: 'true',
      SERVICE_PARAM_DAY_SECS: '60',
      SERVICE_CONSENSUS_MIN_PARTICIPANTS: '3',
      SERVICE_LEGACY_OPEN_COORDINATION: 'on',
    });
    expect(config.params).toEqual({
      day_secs: '60',
      min_participants: '3',
      legacy_open_coordination: 'true',
    });
  });

  it('leave out the passphrase, so that a Config can be logged', () => {
    const env = { SERVICE_PASSPHRASE: 'correct horse' };
    expect(JSON.stringify(load(env))).not.toContain('horse');
    expect(loadPassphraseSettings({ env, flags: {} }).passphrase).toBe('correct horse');
  });
});

describe('open mode', () => {
  it('selects the testnet when SERVICE_TESTNET is unset', () => {
    expect(load({}, { 'no-auth': true })).toMatchObject({ noAuth: true, testnet: true, requestV1: true });
  });
  it('is refused on mainnet', () => {
    expect(() => load({ SERVICE_TESTNET: 'false' }, { 'no-auth': true })).toThrow(
      /--no-auth is for the testnet/,
    );
  });
});

describe('what mainnet forbids', () => {
  it.each([
    ['SERVICE_RATE_LIMITS', 'off'],
    ['SERVICE_WEBHOOK_ALLOW_PRIVATE', 'true'],
    ['SERVICE_PARAM_DAY_SECS', '5'],
  ])('%s=%s', (name, value) => {
    expect(() => load({ [name]: value })).toThrow(/testnet only/);
    expect(() => load({ [name]: value, SERVICE_TESTNET: 'false' })).toThrow(ConfigError);
    expect(() => load({ [name]: value, SERVICE_TESTNET: 'true' })).not.toThrow();
  });
  it('does not include the harmless value of the same setting', () => {
    expect(load({ SERVICE_RATE_LIMITS: 'on' }).rateLimits).toBe(true);
    expect(load({ SERVICE_WEBHOOK_ALLOW_PRIVATE: 'false' }).webhookAllowPrivate).toBe(false);
  });
  it('does not include min_participants and legacy_open_coordination', () => {
    const config = load({ SERVICE_CONSENSUS_MIN_PARTICIPANTS: '1', SERVICE_LEGACY_OPEN_COORDINATION: 'on' });
    expect(config.params).toEqual({ min_participants: '1', legacy_open_coordination: 'true' });
  });
});

describe('contradictions', () => {
  it('peers or discovery without manifest', () => {
    const text = 'manifest required when peers are configured';
    expect(() => load({ SERVICE_PEER: '127.0.0.1:1' })).toThrow(text);
    expect(() => load({ SERVICE_DISCOVER: 'seeds.example.org' })).toThrow(text);
  });
  it.each(['d', 'd/record', 'd/../d/deep/record', './d/..record'])('a signed record inside: %s', (path) => {
    const env = { SERVICE_DATA: 'd', SERVICE_SIGNED_RECORD: path };
    expect(() => load(env)).toThrow(/must lie outside the data directory/);
  });

  it.each(['record', 'd2/record', 'd/../record', '/elsewhere/record'])('but not outside: %s', (path) => {
    const env = { SERVICE_DATA: 'd', SERVICE_SIGNED_RECORD: path };
    expect(load(env).signedRecord).toBe(resolve(path));
  });

  it('a short history of a seat', () => {
    const load = (history: string, observer: boolean) =>
      loadConfig({ flags: { observer }, env: { SERVICE_TESTNET: 'true', SERVICE_HISTORY: history } });
    expect(() => load('30', false)).toThrow(/is for observers .*a seat keeps the whole log/);
    expect(load('full', false).historyDays).toBeUndefined();
    expect(load('30', true).historyDays).toBe(30);
    for (const text of ['0', '1.5', 'all', '-1']) expect(() => load(text, true)).toThrow(ConfigError);
  });

  it('one address for peers and API', () => {
    expect(() => load({ SERVICE_API: '1.2.3.4:5', SERVICE_LISTEN: '1.2.3.4:5' })).toThrow(ConfigError);
    expect(() => load({ SERVICE_API: '1.2.3.4:0', SERVICE_LISTEN: '1.2.3.4:0' })).not.toThrow();
  });
  it.each([
    ['SERVICE_TESTNET', 'yes please'],
    ['SERVICE_API', '8338'],
    ['SERVICE_PEER', 'nowhere'],
    ['SERVICE_CONSENSUS_MIN_PARTICIPANTS', '0'],
    ['SERVICE_LOG_LEVEL', 'loud'],
    ['SERVICE_STORE', 'paper'],
    ['SERVICE_WORKERS', '0'],
    ['SERVICE_TRUSTED_PROXIES', 'localhost'],
    ['SERVICE_CORS_ORIGINS', '*'],
  ])('malformed %s names its source', (name, value) => {
    expect(() => load({ [name]: value })).toThrow(name);
    expect(() => load({ [name]: value })).toThrow(ConfigError);
  });
});

describe('defaults and users', () => {
  it('lets a command replace the defaults of the table, not what the user set', () => {
    const defaults = { testnet: 'true', data: 'here', rateLimits: 'off' };
    const config = loadConfig({ env: {}, flags: {}, defaults, use: 'try' });
    expect(config).toMatchObject({
      testnet: true,
      requestV1: true,
      rateLimits: false,
      dataDir: resolve('here'),
    });
    const told = loadConfig({
      env: { SERVICE_RATE_LIMITS: 'on' },
      flags: { data: 'there' },
      defaults,
      use: 'try',
    });
    expect(told).toMatchObject({ rateLimits: true, dataDir: resolve('there') });
  });
  it('ignores settings the command does not take', () => {
    const env = { SERVICE_PEER: '127.0.0.1:1', SERVICE_VALIDATOR_MANIFEST: 'm.json' };
    const config = loadConfig({ env, flags: {}, use: 'try' });
    expect(config).toMatchObject({ peers: [], manifestPath: undefined });
  });
  it('knows the settings of clients and of key making', () => {
    expect(loadClientSettings({ env: {}, flags: {} })).toEqual({
      nodeUrl: 'http://localhost:8338',
      keyPath: undefined,
      apiKey: undefined,
      testnet: undefined,
    });
    expect(
      loadClientSettings({
        env: { SERVICE_NODE: 'http://a:1', SERVICE_TESTNET: '0' },
        flags: { node: 'http://b:2/' },
      }),
    ).toMatchObject({ nodeUrl: 'http://b:2', testnet: false });
    expect(loadKeySettings({ env: { SERVICE_TESTNET: '1' }, flags: { data: '/d' } })).toEqual({
      testnet: true,
      dataDir: '/d',
    });
  });
  it('finds misspelt variables', () => {
    const env = {
      SERVICE_TESNET: 'true',
      SERVICE_API: 'x',
      SERVICE_PARAM_X: '1',
      OTHER: '1',
      SERVICE_PARAM_DAY_SECS: '1',
    };
    expect(unknownVariables(env)).toEqual([{ name: 'SERVICE_TESNET', nearest: 'SERVICE_TESTNET' }]);
  });
});
