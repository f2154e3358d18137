// The table of settings: every setting of a node and of the client commands once, with its flag,
// environment variable, default and one line of help. Readers are in config.ts, which also exports
// this table; `vws <command> --help` and the README are generated from and tested against it.
// Keeps: a setting that is not in this table does not exist.

import { CLIENT_SETTINGS } from './client-settings.ts';
import { DUTY_SETTINGS } from './duty-settings.ts';
import { MCP_SETTINGS } from './mcp-settings.ts';

/** Each variable with this prefix names a network parameter. */
export const PARAM_PREFIX = 'SERVICE_PARAM_';

type SettingKind =
  | 'switch'
  | 'integer'
  | 'choice'
  | 'days'
  | 'address'
  | 'addresses'
  | 'list'
  | 'path'
  | 'text'
  | 'url'
  | 'tokens'
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
  /** Who uses it: the node (start, try), a stopped node (resume-seat), key making (init, keygen), the client commands, the tools of an agent (mcp). */
  uses: readonly SettingUse[];
  /** The value that only the testnet allows; `*` = any value. */
  testnetOnly?: string;
  /** Never shown, and not taken from the configuration file, which is copied and shown around. */
  isSecret?: boolean;
}

export type SettingUse = 'start' | 'try' | 'init' | 'resume-seat' | 'keygen' | 'client' | 'mcp';

/** The commands of a node, which share the configuration file. */
export const FILE_USES: readonly SettingUse[] = ['start', 'try', 'init', 'resume-seat'];

const NODE = ['start', 'try'] as const;
const START = ['start'] as const;

/** The table. Order is the order of `--help`. Source: protocol 12.1, 12.2. */
export const SETTINGS = [
  {
    name: 'config',
    kind: 'path',
    flag: 'config',
    env: 'SERVICE_CONFIG',
    help: 'file of settings (TOML); see vws config show',
    uses: ['start', 'try', 'init', 'resume-seat'],
  },
  // Chain and addresses
  {
    name: 'testnet',
    kind: 'switch',
    env: 'SERVICE_TESTNET',
    fallback: 'false',
    defaultNote: 'false; client commands sign for a testnet that the node names, never for mainnet',
    help: 'true: chain vws-testnet-1, false: vws-mainnet-1',
    uses: ['start', 'try', 'init', 'keygen', 'client', 'mcp'],
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
    isSecret: true,
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
    name: 'history',
    kind: 'days',
    flag: 'history',
    env: 'SERVICE_HISTORY',
    fallback: 'full',
    help: 'full, or the days for which an observer keeps its log and the documents of what is over; seats keep all',
    uses: START,
  },
  {
    name: 'dropUnarchived',
    kind: 'switch',
    flag: 'drop-unarchived',
    env: 'SERVICE_DROP_UNARCHIVED',
    fallback: 'false',
    help: 'with a short history: drop also what no connected seat or configured peer has',
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
  ...DUTY_SETTINGS,
  {
    name: 'signedRecord',
    kind: 'path',
    env: 'SERVICE_SIGNED_RECORD',
    help: 'file that keeps the newest vertex signed here, so that a restored data directory is noticed; outside of it',
    uses: ['start', 'try', 'resume-seat'],
  },
  {
    name: 'signer',
    kind: 'text',
    env: 'SERVICE_SIGNER',
    defaultNote: 'none: the key is in the data directory',
    help: 'signer that holds the key of this node, unix:/path (see vws signer)',
    uses: ['start', 'resume-seat'],
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
    help: 'web origins whose pages may send writes and read the answers, comma-separated',
    uses: NODE,
  },
  {
    name: 'apiNames',
    kind: 'list',
    env: 'SERVICE_API_NAMES',
    help: 'host names of this API, comma-separated: /mcp answers for these, localhost and IP addresses only',
    uses: NODE,
  },
  {
    name: 'publicUrl',
    kind: 'url',
    env: 'SERVICE_PUBLIC_URL',
    defaultNote: 'as the Host header says, if that is a known name',
    help: 'URL under which clients reach this API, for agent cards and other discovery files',
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
    name: 'ingress',
    kind: 'integer',
    env: 'SERVICE_INGRESS',
    range: [0, 64],
    defaultNote: '0 below 4 cores, 1 below 8, else 2',
    help: 'threads that take requests in and check their signatures; 0: the main thread takes them in',
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
  ...CLIENT_SETTINGS,
  ...MCP_SETTINGS,
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

/** The name of a setting in the configuration file: `peers`, `passphrase_file`. */
export const fileKeyOf = (name: SettingName): string => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);

/** The rows that the configuration file may hold. */
export function fileSettings(): readonly (Setting & { name: SettingName })[] {
  return (SETTINGS as readonly (Setting & { name: SettingName })[]).filter(
    (row) => row.name !== 'config' && !row.isSecret && row.uses.some((use) => FILE_USES.includes(use)),
  );
}
