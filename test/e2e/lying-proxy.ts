// A node that lies: an honest one behind a proxy that alters its answers.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is said in place of an answer; undefined: the answer itself. */
export type Lie = (path: string, body: Buffer) => Buffer | string | undefined;

export class LyingProxy {
  lie: Lie = () => undefined;

  private constructor(private readonly server: Server) {}

  static async before(port: number): Promise<LyingProxy> {
    const server = createServer(async (request, response) => {
      const path = request.url ?? '/';
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      const body = Buffer.from(await answer.arrayBuffer());
      const order = answer.headers.get('x-service-order');
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? '',
        ...(order === null ? {} : { 'x-service-order': order }),
      });
      response.end(proxy.lie(path, body) ?? body);
    });
    const proxy = new LyingProxy(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}
