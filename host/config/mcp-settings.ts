// The settings of `vws mcp`: what the tools of a model may do, which the model cannot change.
// Keeps: part of the table in settings.ts, which readers use; nothing else reads it.

import type { Setting } from './settings.ts';

const MCP = ['mcp'] as const;

export const MCP_SETTINGS = [
  {
    name: 'mcpMaxPerCall',
    kind: 'tokens',
    env: 'VWS_MCP_MAX_PER_CALL',
    defaultNote: '100 on the testnet, 0 on mainnet',
    help: 'most that one call may spend, in tokens',
    uses: MCP,
  },
  {
    name: 'mcpMaxPerDay',
    kind: 'tokens',
    env: 'VWS_MCP_MAX_PER_DAY',
    defaultNote: '1000 on the testnet, 0 on mainnet',
    help: 'most that all calls of a day (UTC) may spend, in tokens',
    uses: MCP,
  },
  {
    name: 'mcpTools',
    kind: 'list',
    env: 'VWS_MCP_TOOLS',
    defaultNote: 'all',
    help: 'names of the tools to offer, comma-separated',
    uses: MCP,
  },
  {
    name: 'mcpRecipients',
    kind: 'list',
    env: 'VWS_MCP_RECIPIENTS',
    defaultNote: 'any',
    help: 'agents that may be paid or hired, comma-separated ids; rules out tasks that others may claim',
    uses: MCP,
  },
  {
    name: 'mcpSpool',
    kind: 'path',
    env: 'VWS_MCP_SPOOL',
    defaultNote: 'the key file with .spool',
    help: 'directory of signed requests and of what was spent; losing it forgets both',
    uses: MCP,
  },
] as const satisfies readonly Setting[];
