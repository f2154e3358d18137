// A fake node: a real HTTP server with scripted answers that checks the signature of every signed write independently
// (node:crypto and its own canonical form), so that the client is not tested against itself.

import { createHash, createPublicKey, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Answer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Break the connection instead of answering. */
  hangUp?: boolean;
}

export interface Received {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  /** TxID of a signed write with a valid signature. */
  txid: string | undefined;
}

type Responder = (request: Received) => Answer | Promise<Answer>;

const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
export const CHAIN = 'vws-testnet-1';

export class FakeNode {
  readonly received: Received[] = [];
  private readonly scripts = new Map<string, Responder[]>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeNode> {
    const server = createServer();
    const node = new FakeNode(server);
    server.on('request', async (request, response) => {
      const received = await node.receive(request);
      const answer = await node.respond(received);
      if (answer.hangUp) return void request.socket.destroy();
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    node.on('GET /v1/status', { body: { chain_id: CHAIN } });
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Answers of one endpoint in turn; the last one stays. */
  on(endpoint: string, ...answers: readonly (Answer | Responder)[]): this {
    const responders = answers.map((a) => (typeof a === 'function' ? a : () => a));
    this.scripts.set(endpoint, responders);
    return this;
  }

  writes(): Received[] {
    return this.received.filter((request) => request.method !== 'GET');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private respond(received: Received): Answer | Promise<Answer> {
    const endpoint = `${received.method} ${received.url.split('?')[0]}`;
    const script = this.scripts.get(endpoint);
    if (!script) return { status: 404, body: { error: 'no such path', code: 'not_found' } };
    const responder = script.length > 1 ? script.shift() : script[0];
    return (responder as Responder)(received);
  }

  private async receive(request: IncomingMessage): Promise<Received> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received: Received = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
      txid: undefined,
    };
    received.txid = checkedTxid(received);
    this.received.push(received);
    return received;
  }
}

const sha256 = (data: string): string => createHash('sha256').update(data).digest('hex');

function checkedTxid({ method, url, headers, body }: Received): string | undefined {
  const h = (name: string): string => headers[`x-service-${name}`] ?? '';
  if (h('version') !== 'SERVICE-TX-V1') return undefined;
  const signBytes = JSON.stringify({
    actor: h('actor'),
    body_sha256: sha256(body),
    chain_id: h('chain-id'),
    created_at: Number(h('created')),
    expires_at: Number(h('expires')),
    method,
    nonce: h('nonce'),
    path: url,
    version: h('version'),
  });
  const key = createPublicKey({
    key: Buffer.concat([SPKI_HEAD, Buffer.from(h('actor'), 'hex')]),
    format: 'der',
    type: 'spki',
  });
  const isGood = verify(null, Buffer.from(signBytes), key, Buffer.from(h('signature'), 'hex'));
  return isGood && h('chain-id') === CHAIN ? sha256(signBytes) : undefined;
}
