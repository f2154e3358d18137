// The table of tools, in the order in which clients list them. At most 20: models choose badly among more.

import type { Tool } from './tool.ts';
import { ACCOUNT_TOOLS } from './tools/accounts.ts';
import { LOG_TOOLS } from './tools/log.ts';
import { MARKET_TOOLS } from './tools/market.ts';
import { MONEY_TOOLS } from './tools/money.ts';
import { WORK_TOOLS } from './tools/work.ts';

export const MAX_TOOLS = 20;

export const TOOLS: readonly Tool[] = [
  ...ACCOUNT_TOOLS,
  ...MARKET_TOOLS,
  ...WORK_TOOLS,
  ...MONEY_TOOLS,
  ...LOG_TOOLS,
];

/** What the node offers at /mcp: reads that take no time of their own and nobody's key. */
export const NODE_TOOLS: readonly Tool[] = TOOLS.filter(({ needs }) => needs === 'reads');

/** What `vws mcp` offers. `allowed`: names; undefined: all. */
export const agentTools = (hasKey: boolean, allowed: readonly string[] | undefined): readonly Tool[] =>
  TOOLS.filter(
    ({ name, needs }) => (hasKey || needs !== 'key') && (allowed === undefined || allowed.includes(name)),
  );
