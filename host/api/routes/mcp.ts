// The door for models (protocol 4.12): one path, the reading tools of host/mcp.

import type { ReadContext } from '../context.ts';
import type { ExchangeRoute } from '../route.ts';

/** Arguments of reading tools are ids and words. */
const MAX_BODY_BYTES = 16_384;

export const MCP_EXCHANGES: ExchangeRoute<ReadContext>[] = [
  {
    method: 'POST',
    path: '/mcp',
    id: 'pages_mcp',
    summary: 'Model Context Protocol: the reading tools',
    reply: 'json',
    errors: ['origin_not_allowed'],
    maxBodyBytes: MAX_BODY_BYTES,
    exchange: (context, request) => context.mcp(request),
  },
];
