// The node's /mcp: the reading tools over streamable HTTP, for clients of every revision, without sessions.
// Keeps: one request, one answer, no state between them; nothing here streams, waits or acts for anybody.

import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Reply } from '../api/route.ts';
import { Fence } from '../wire/fence.ts';
import type { HttpRequest } from '../world/http.ts';
import type { Environment } from '../world/world.ts';
import type { LocalReads } from './local-reads.ts';
import { checkSameOrigin, type OwnNames } from './same-origin.ts';
import { serverFactory } from './server.ts';
import { NODE_TOOLS } from './tools.ts';

const JSON_TYPE = 'application/json';
/** The headers that MCP reads. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

interface NodeDoorOptions {
  calls: LocalReads;
  environment: Pick<Environment, 'clock' | 'randomBytes'>;
  own: OwnNames;
  onFault(error: unknown): void;
}

/** Errors: 403 `origin_not_allowed`. */
export function nodeDoor({ calls, environment, own, onFault }: NodeDoorOptions) {
  const factory = serverFactory({
    tools: NODE_TOOLS,
    context: () => ({
      calls,
      environment,
      ownKey: undefined,
      ownId: async () => undefined,
      fence: new Fence(environment.randomBytes),
    }),
    onFault,
  });
  const handler = createMcpHandler(factory, { maxSubscriptions: 0, keepAliveMs: 0 });

  return async (request: HttpRequest): Promise<Reply> => {
    checkSameOrigin(request, own);
    const message = parsed(request.body);
    if (Array.isArray(message)) return BATCH_REFUSAL;
    const response = await handler.fetch(
      asFetch(request),
      message === undefined ? {} : { parsedBody: message },
    );
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? JSON_TYPE,
      body: await response.text(),
    };
  };
}

/** Hundreds of calls in one request would be paid after they were made. Batches ended with revision 2025-06-18. */
const BATCH_REFUSAL: Reply = {
  status: 400,
  body: { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'one message a request: no batches' } },
};

/** Undefined for what is not JSON, which the handler answers. */
function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

function asFetch(request: HttpRequest): Request {
  const headers = new Headers();
  for (const name of HEADERS) {
    const value = request.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers, body: Buffer.from(request.body) });
}
