// A TCP proxy that cuts each connection after some bytes, in either direction: so a request, or its answer alone, is lost.
// Keeps: where it cuts follows from the seed; each connection lives longer than the last, so something gets through at last.

import { once } from 'node:events';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';

export class CuttingProxy {
  cuts = 0;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  private constructor(private readonly next: () => number) {}

  /** `next`: bytes after which the next connection is cut. */
  static async start(port: number, next: () => number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(next);
    proxy.#server = createServer((client) => proxy.#serve(client, port));
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server!.address() as { port: number }).port;
  }

  #serve(client: Socket, port: number): void {
    const server = dial(port, '127.0.0.1');
    let left = this.next();
    const both = [client, server] as const;
    const cut = (): void => {
      for (const socket of both) socket.destroy();
    };
    for (const [i, socket] of both.entries()) {
      this.#sockets.add(socket);
      socket.on('error', cut);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        cut();
      });
      socket.on('data', (chunk) => {
        left -= chunk.length;
        if (left > 0) both[1 - i]!.write(chunk);
        else if (!socket.destroyed) {
          this.cuts += 1;
          cut();
        }
      });
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server?.close();
  }
}
