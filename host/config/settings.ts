// The table of settings: every setting of a node and of the client commands once, with its flag,
// environment variable, default and one line of help. Readers are in config.ts, which also exports
// this table; `vws <command> --help` and the README are generated from and tested against it.
// Keeps: a setting that is not in this table does not exist.

/** Each variable with this prefix names a network parameter. */
export const PARAM_PREFIX = 'SERVICE_PARAM_';

type SettingKind =
  | 'switch'
  | 'integer'
  | 'choice'
  | 'address'
  | 'addresses'
  | 'list'
  | 'path'
  | 'text'
  | 'url'
  | 'params';

export interface Setting {
  name: string;
  kind: SettingKind;
  /** Command-line flag without its dashes. */
  flag?: string;
  env?: string;
  /** Default as the user would write it; absent: none, or as `defaultNote` describes. */
  fallback?: string;
  defaultNote?: string;
  choices?: readonly string[];
  range?: readonly [min: number, max: number];
  help: string;
  /** Who uses it: the node (start, try), a stopped node (resume-seat), key making (init, keygen), the client commands. */
  uses: readonly SettingUse[];
  /** The value that only the testnet allows; `*` = any value. */
  testnetOnly?: string;
}

export type SettingUse = 'start' | 'try' | 'init' | 'resume-seat' | 'keygen' | 'client';

const NODE = ['start', 'try'] as const;
const START = ['start'] as const;
const CLIENT = ['client'] as const;

/** The table. Order is the order of `--help`. Source: protocol 12.1, 12.2. */
export const SETTINGS = [
  // Chain and addresses
  {
    name: 'testnet',
    kind: 'switch',
    env: 'SERVICE_TESTNET',
    fallback: 'false',
    defaultNote: 'false; for client commands the chain the node names',
    help: 'true: chain vws-testnet-1, false: vws-mainnet-1',
    uses: ['start', 'try', 'init', 'keygen', 'client'],
  },
  {
    name: 'data',
    kind: 'path',
    flag: 'data',
    env: 'SERVICE_DATA',
    fallback: '~/.vws',
    help: 'data directory (keys, log, snapshots), mode 0700',
    uses: ['start', 'try', 'init', 'resume-seat'],
  },
  {
    name: 'listen',
    kind: 'address',
    flag: 'listen',
    env: 'SERVICE_LISTEN',
    fallback: '0.0.0.0:8337',
    help: 'host:port for peers',
    uses: NODE,
  },
  {
    name: 'api',
    kind: 'address',
    flag: 'api',
    env: 'SERVICE_API',
    fallback: '0.0.0.0:8338',
    help: 'host:port of the HTTP API',
    uses: NODE,
  },
  // Keys
  {
    name: 'passphraseFile',
    kind: 'path',
    flag: 'passphrase-file',
    env: 'SERVICE_PASSPHRASE_FILE',
    help: 'file that contains the key passphrase; one final line break is ignored',
    uses: ['start', 'init'],
  },
  {
    name: 'passphrase',
    kind: 'text',
    env: 'SERVICE_PASSPHRASE',
    help: 'key passphrase; without it and without a file, the terminal prompts for it',
    uses: ['start', 'init'],
  },
  // Network and seats
  {
    name: 'manifest',
    kind: 'path',
    flag: 'manifest',
    env: 'SERVICE_VALIDATOR_MANIFEST',
    defaultNote: 'one seat with the key of this node',
    help: 'validator manifest, the same on all nodes',
    uses: START,
  },
  {
    name: 'peers',
    kind: 'addresses',
    flag: 'peer',
    env: 'SERVICE_PEER',
    help: 'peers to connect to, host:port, comma-separated',
    uses: START,
  },
  {
    name: 'discover',
    kind: 'address',
    flag: 'discover',
    env: 'SERVICE_DISCOVER',
    help: 'DNS name resolved every 30 s for more peers (port 8337 unless given)',
    uses: START,
  },
  {
    name: 'observer',
    kind: 'switch',
    flag: 'observer',
    fallback: 'false',
    help: 'follow the network without a seat: reads only',
    uses: START,
  },
  {
    name: 'observers',
    kind: 'list',
    env: 'SERVICE_OBSERVERS',
    help: 'keys of observers that may connect, comma-separated; * = any',
    uses: START,
  },
  {
    name: 'join',
    kind: 'choice',
    flag: 'join',
    env: 'SERVICE_JOIN',
    fallback: 'auto',
    choices: ['auto', 'checkpoint', 'replay'],
    help: 'auto: from a signed checkpoint if a peer has one, else replay; checkpoint: only that; replay: from genesis',
    uses: START,
  },
  {
    name: 'minParticipants',
    kind: 'integer',
    env: 'SERVICE_CONSENSUS_MIN_PARTICIPANTS',
    range: [1, 1_000_000],
    defaultNote: '1 with one seat, else min(3, seats)',
    help: 'seats that must take part in a decision, equal on all nodes',
    uses: NODE,
  },
  {
    name: 'autovalidator',
    kind: 'switch',
    env: 'SERVICE_AUTOVALIDATOR',
    fallback: 'false',
    help: "vote automatically for this node's validator (not on generation claims), run its replay jobs and post canaries",
    uses: NODE,
  },
  {
    name: 'signedRecord',
    kind: 'path',
    env: 'SERVICE_SIGNED_RECORD',
    help: 'file that keeps the newest vertex signed here, so that a restored data directory is noticed; outside of it',
    uses: ['start', 'try', 'resume-seat'],
  },
  // Who may write
  {
    name: 'noAuth',
    kind: 'switch',
    flag: 'no-auth',
    fallback: 'false',
    help: 'accept unsigned writes; for a testnet of one seat only; selects the testnet when SERVICE_TESTNET is unset',
    uses: START,
    testnetOnly: 'true',
  },
  {
    name: 'requestV1',
    kind: 'switch',
    env: 'SERVICE_REQUEST_V1',
    defaultNote: 'true on the testnet, false on mainnet',
    help: 'accept the deprecated SERVICE-REQUEST-V1 signatures; testnet only',
    uses: NODE,
    testnetOnly: 'true',
  },
  {
    name: 'legacyOpenCoordination',
    kind: 'switch',
    env: 'SERVICE_LEGACY_OPEN_COORDINATION',
    fallback: 'false',
    help: 'coordination writes need no signature; equal on all nodes',
    uses: NODE,
  },
  {
    name: 'rateLimits',
    kind: 'switch',
    env: 'SERVICE_RATE_LIMITS',
    fallback: 'on',
    help: 'hourly limits for each agent, address and node',
    uses: NODE,
    testnetOnly: 'off',
  },
  {
    name: 'trustedProxies',
    kind: 'list',
    env: 'SERVICE_TRUSTED_PROXIES',
    help: 'addresses or networks whose X-Forwarded-For is trusted, comma-separated',
    uses: NODE,
  },
  {
    name: 'corsOrigins',
    kind: 'list',
    env: 'SERVICE_CORS_ORIGINS',
    help: 'web origins whose pages may read answers to writes, comma-separated',
    uses: NODE,
  },
  {
    name: 'webhookAllowPrivate',
    kind: 'switch',
    env: 'SERVICE_WEBHOOK_ALLOW_PRIVATE',
    fallback: 'false',
    help: 'webhooks may go to private addresses',
    uses: NODE,
    testnetOnly: 'true',
  },
  {
    name: 'params',
    kind: 'params',
    env: `${PARAM_PREFIX}<NAME>`,
    help: 'a network parameter, e.g. SERVICE_PARAM_DAY_SECS=60; equal on all nodes',
    uses: NODE,
    testnetOnly: '*',
  },
  // This process
  {
    name: 'logLevel',
    kind: 'choice',
    env: 'SERVICE_LOG_LEVEL',
    fallback: 'info',
    choices: ['debug', 'info', 'warn', 'error'],
    help: 'lowest level to log (JSON lines on stderr)',
    uses: NODE,
  },
  {
    name: 'apiDriver',
    kind: 'choice',
    env: 'SERVICE_API_DRIVER',
    fallback: 'auto',
    choices: ['auto', 'uws', 'node'],
    help: 'HTTP server; auto: uws if its binary loads',
    uses: NODE,
  },
  {
    name: 'store',
    kind: 'choice',
    env: 'SERVICE_STORE',
    fallback: 'auto',
    choices: ['auto', 'rocksdb', 'classic'],
    help: 'storage engine; auto: rocksdb if its binary loads',
    uses: NODE,
  },
  {
    name: 'verifier',
    kind: 'choice',
    env: 'SERVICE_VERIFIER',
    fallback: 'wasm',
    choices: ['wasm', 'noble'],
    help: 'signature verification: batches in WebAssembly, or one by one in the reference library',
    uses: NODE,
  },
  {
    name: 'workers',
    kind: 'integer',
    env: 'SERVICE_WORKERS',
    range: [1, 256],
    defaultNote: 'cores - 1, at least 1',
    help: 'threads that verify signatures',
    uses: NODE,
  },
  {
    name: 'snapshotOrders',
    kind: 'integer',
    env: 'SERVICE_SNAPSHOT_ORDERS',
    range: [1, 1_000_000_000],
    fallback: '10000',
    help: 'ordered vertices between two snapshots of the state',
    uses: NODE,
  },
  // Client commands
  {
    name: 'node',
    kind: 'url',
    flag: 'node',
    env: 'SERVICE_NODE',
    fallback: 'http://localhost:8338',
    help: 'node to talk to',
    uses: CLIENT,
  },
  {
    name: 'key',
    kind: 'path',
    flag: 'key',
    env: 'SERVICE_KEY',
    defaultNote: 'none: writes are sent unsigned',
    help: 'client key file that signs (see vws keygen)',
    uses: CLIENT,
  },
  {
    name: 'apiKey',
    kind: 'text',
    flag: 'api-key',
    env: 'SERVICE_API_KEY',
    help: 'API key for writes, used when there is no key file',
    uses: CLIENT,
  },
] as const satisfies readonly Setting[];

export type SettingName = (typeof SETTINGS)[number]['name'];

/** The row of a setting, with every optional column. */
export function settingRow(name: SettingName): Setting {
  return SETTINGS.find((row) => row.name === name) as Setting;
}

/** The rows a command uses, in the order of the table. */
export function settingsOf(use: SettingUse): readonly Setting[] {
  return (SETTINGS as readonly Setting[]).filter((row) => row.uses.includes(use));
}
