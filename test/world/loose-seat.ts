// A seat that no node runs: it has the key and talks to machines as a peer. What it signs and sends is up to who uses it.

import { helloOf } from '../../host/net/hello.ts';
import { decodeMessage, encodeMessage, type Message } from '../../host/net/messages.ts';
import type { Link } from '../../host/world/transport.ts';
import { type SimNetwork, seatKey } from './network.ts';
import { SimTransport } from './wires.ts';

export class LooseSeat {
  readonly #transport: SimTransport;
  readonly #links = new Map<string, Link>();

  constructor(
    readonly net: SimNetwork,
    readonly seat: number,
    private readonly onMessage: (machine: string, message: Message) => void = () => {},
  ) {
    this.#transport = new SimTransport(net.wires, {
      machine: `n${seat}`,
      key: seatKey(seat),
      isAlive: () => true,
      enter: (run) => run(),
    });
  }

  /** Resolves when there is a link to the machine; it is kept until the machine closes it. */
  async connect(machine: string): Promise<void> {
    if (this.#links.has(machine)) return;
    const link = await this.#transport.dial(machine, 8337);
    this.#links.set(machine, link);
    link.open({
      onMessage: (bytes) => {
        const message = decodeMessage(bytes);
        if (message) this.onMessage(machine, message);
      },
      onClose: () => this.#links.delete(machine),
    });
    this.send(machine, helloOf(this.net.genesis, false));
  }

  /** To a connected machine; to any other nothing is sent. */
  send(machine: string, message: Message): void {
    this.#links.get(machine)?.send(encodeMessage(message));
  }

  /** Says nothing more to anybody. */
  async fallSilent(): Promise<void> {
    await this.#transport.close();
  }
}
