// Signs the writes of a program that cannot: an HTTP server that forwards everything to a node, writes with the signing
// headers of one of its agents, in turn. The order of requests alone decides who signs, so a run can be repeated.
// Keeps: whatever else was sent and answered passes unchanged; a body that cannot be signed is forwarded all the same.

import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Agent } from './agent.ts';

const WRITE_METHODS = new Set(['POST', 'PUT', 'DELETE']);
/** More than a node takes, so that the refusal is the node's. */
const MAX_HEADER_BYTES = 65_536;

export class SigningProxy {
  readonly #server: Server;
  #writes = 0;

  private constructor(
    private readonly nodePort: number,
    private readonly agents: readonly Agent[],
  ) {
    this.#server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (req, res) => {
      void buffer(req)
        .then((body) => this.#forward(req, body))
        .then(({ answer, body }) => {
          res.writeHead(answer.statusCode!, answer.rawHeaders);
          res.end(body);
        })
        .catch((error: Error) => res.destroy(error));
    });
  }

  static async start(nodePort: number, agents: readonly Agent[]): Promise<SigningProxy> {
    const proxy = new SigningProxy(nodePort, agents);
    await new Promise<void>((done) => proxy.#server.listen(0, '127.0.0.1', done));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async #forward(req: IncomingMessage, body: Buffer): Promise<{ answer: IncomingMessage; body: Buffer }> {
    const { method = '', url: path = '', headers } = req;
    const signature = WRITE_METHODS.has(method) ? await this.#signature(method, path, body) : {};
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request({
        host: '127.0.0.1',
        port: this.nodePort,
        method,
        path,
        headers: { ...headers, ...signature },
        agent: false,
      });
      sent.on('response', resolve);
      sent.on('error', reject);
      sent.end(body);
    });
    return { answer, body: await buffer(answer) };
  }

  async #signature(method: string, path: string, body: Buffer): Promise<Record<string, string>> {
    const agent = this.agents[this.#writes++ % this.agents.length]!;
    try {
      return (await agent.sign(method, path, body.toString())).headers;
    } catch {
      // No JSON: refused whatever was signed.
      return (await agent.sign(method, path, '{}')).headers;
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}
