// The settings of what a node does for its own validator.
// Keeps: part of the table in settings.ts, which readers use; nothing else reads it.

import type { Setting } from './settings.ts';

const NODE = ['start', 'try'] as const;

export const DUTY_SETTINGS = [
  {
    name: 'autovalidator',
    kind: 'switch',
    env: 'SERVICE_AUTOVALIDATOR',
    fallback: 'false',
    help: "approve transfers for this node's validator, ask its judge, run its replay jobs and post canaries",
    uses: NODE,
  },
  {
    name: 'judge',
    kind: 'text',
    flag: 'judge',
    env: 'SERVICE_JUDGE',
    defaultNote: 'none: the validator abstains from deliveries and disputes',
    help: 'command, or http(s) URL, that judges deliveries for this validator; needs SERVICE_AUTOVALIDATOR',
    uses: NODE,
  },
  {
    name: 'judgeSecs',
    kind: 'integer',
    env: 'SERVICE_JUDGE_SECS',
    range: [1, 86_400],
    fallback: '300',
    help: 'seconds that the judge has for an answer',
    uses: NODE,
  },
  {
    name: 'operatorKey',
    kind: 'path',
    env: 'SERVICE_OPERATOR_KEY',
    defaultNote: 'the key of this node',
    help: "key file of the seat's operator, where its key is another one; signs what SERVICE_AUTOVALIDATOR does",
    uses: ['start'],
  },
  {
    name: 'operatorPassphraseFile',
    kind: 'path',
    env: 'SERVICE_OPERATOR_PASSPHRASE_FILE',
    help: 'file that contains the passphrase of that key file',
    uses: ['start'],
  },
] as const satisfies readonly Setting[];
