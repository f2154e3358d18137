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
] as const satisfies readonly Setting[];
