// A TCP connection between two nodes that a test may hold or cut, through a proxy in front of the node that listens.
// Keeps: data that is held is not lost, it arrives when the wire is released, as on a line that drops packets for a while; a
// cut wire closes its connections and accepts none.

import { connect, createServer, type Server, type Socket } from 'node:net';

export type WireState = 'whole' | 'held' | 'cut';

export class CutWire {
  #state: WireState = 'whole';
  readonly #pairs = new Set<readonly [Socket, Socket]>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
    private readonly target: number,
  ) {
    server.on('connection', (socket) => this.#join(socket));
  }

  /** Listens on a free port of loopback and passes everything on to `target`, another one. */
  static async to(target: number): Promise<CutWire> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new CutWire(server, (server.address() as { port: number }).port, target);
  }

  #join(near: Socket): void {
    if (this.#state === 'cut') {
      near.destroy();
      return;
    }
    const far = connect(this.target, '127.0.0.1');
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    const end = (): void => {
      this.#pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('data', (bytes) => {
        if (!to.write(bytes)) from.pause();
      });
      to.on('drain', () => {
        if (this.#state === 'whole') from.resume();
      });
      from.on('error', end);
      from.on('close', end);
    }
    if (this.#state === 'held') for (const socket of pair) socket.pause();
  }

  set(state: WireState): void {
    this.#state = state;
    for (const pair of this.#pairs) {
      for (const socket of pair) {
        if (state === 'whole') socket.resume();
        else if (state === 'held') socket.pause();
        else socket.destroy();
      }
    }
  }

  async close(): Promise<void> {
    this.set('cut');
    await new Promise<void>((done) => this.server.close(() => done()));
  }
}
