// The settings of the client commands: which node, whose key.
// Keeps: part of the table in settings.ts, which readers use; nothing else reads it.

import type { Setting } from './settings.ts';

const CLIENT = ['client'] as const;
const AGENT = ['client', 'mcp'] as const;

export const CLIENT_SETTINGS = [
  {
    name: 'node',
    kind: 'url',
    flag: 'node',
    env: 'SERVICE_NODE',
    fallback: 'http://localhost:8338',
    help: 'node to talk to',
    uses: AGENT,
  },
  {
    name: 'key',
    kind: 'path',
    flag: 'key',
    env: 'SERVICE_KEY',
    defaultNote: 'none: writes are sent unsigned; vws mcp then only reads',
    help: 'client key file that signs (see vws keygen)',
    uses: AGENT,
  },
  {
    name: 'keyPassphraseFile',
    kind: 'path',
    flag: 'key-passphrase-file',
    env: 'SERVICE_KEY_PASSPHRASE_FILE',
    defaultNote: 'the terminal asks',
    help: 'file with the passphrase of an encrypted client key file',
    uses: ['keygen', 'client', 'mcp'],
  },
  {
    name: 'apiKey',
    kind: 'text',
    flag: 'api-key',
    env: 'SERVICE_API_KEY',
    help: 'API key for writes, used when there is no key file',
    uses: CLIENT,
    isSecret: true,
  },
] as const satisfies readonly Setting[];
