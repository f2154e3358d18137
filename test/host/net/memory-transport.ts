// Links in memory: what one end sends arrives at the other in order, each message in its own turn.
// Keeps: no sockets and no time; a link may be full, and what is under way when it is closed arrives nowhere.

import type { KeyPair } from '../../../host/crypto/key-pair.ts';
import { decodeMessage, encodeMessage, type Message } from '../../../host/net/messages.ts';
import type { Link, LinkHandlers, Transport } from '../../../host/world/transport.ts';

export class MemoryLink implements Link {
  isWritable = true;
  readonly traffic = { sent: 0, received: 0 };
  /** Everything that this end sent. */
  readonly sent: Uint8Array[] = [];
  closedFor: string | undefined;
  other!: MemoryLink;
  #handlers: LinkHandlers | undefined;
  #early: Uint8Array[] = [];

  private constructor(
    readonly peerKey: Uint8Array,
    readonly isDialed: boolean,
    readonly address: string,
  ) {}

  /** Both ends; the first is that of `dialer`. */
  static pair(
    dialer: Uint8Array,
    listener: Uint8Array,
    address = 'memory:1',
  ): readonly [MemoryLink, MemoryLink] {
    const near = new MemoryLink(listener, true, address);
    const far = new MemoryLink(dialer, false, 'memory:0');
    near.other = far;
    far.other = near;
    return [near, far];
  }

  send(message: Uint8Array): void {
    if (this.closedFor !== undefined) return;
    this.sent.push(message);
    this.traffic.sent += message.length;
    setImmediate(() => this.other.#arrive(message));
  }

  #arrive(message: Uint8Array): void {
    if (this.closedFor !== undefined) return;
    this.traffic.received += message.length;
    if (this.#handlers) this.#handlers.onMessage(message);
    else this.#early.push(message);
  }

  open(handlers: LinkHandlers): void {
    this.#handlers = handlers;
    for (const message of this.#early.splice(0)) handlers.onMessage(message);
    if (this.closedFor !== undefined) handlers.onClose(this.closedFor);
  }

  /** What a socket does that has read more before it was closed. */
  deliverAfterClose(message: Uint8Array): void {
    this.#handlers?.onMessage(message);
  }

  close(reason: string): void {
    if (this.closedFor !== undefined) return;
    this.closedFor = reason;
    this.#handlers?.onClose(reason);
    // After what was sent before.
    setImmediate(() => this.other.close('the other end closed the link'));
  }
}

/** Addresses of a test: who listens where. */
export class MemoryNet {
  readonly listeners = new Map<string, MemoryTransport>();
}

export class MemoryTransport implements Transport {
  onLink: (link: Link) => void = () => {};
  /** Every address that was dialed. */
  readonly dialed: string[] = [];
  readonly links: MemoryLink[] = [];
  #address: string | undefined;

  constructor(
    private readonly net: MemoryNet,
    private readonly key: KeyPair,
  ) {}

  async listen(host: string, port: number): Promise<number> {
    this.#address = `${host}:${port}`;
    this.net.listeners.set(this.#address, this);
    return port;
  }

  async dial(host: string, port: number): Promise<Link> {
    const address = `${host}:${port}`;
    this.dialed.push(address);
    const target = this.net.listeners.get(address);
    if (!target) throw new Error(`nobody listens on ${address}`);
    const [near, far] = MemoryLink.pair(this.key.publicKey, target.key.publicKey, address);
    this.links.push(near);
    target.links.push(far);
    target.onLink(far);
    return near;
  }

  async close(): Promise<void> {
    if (this.#address) this.net.listeners.delete(this.#address);
    for (const link of this.links) link.close('the transport is closed');
  }
}

/** The other end of a link, played by the test: what it received, and what it sends. */
export class Remote {
  readonly got: Message[] = [];

  constructor(readonly link: MemoryLink) {
    link.open({
      onMessage: (bytes) => {
        const message = decodeMessage(bytes);
        if (!message) throw new Error('a node sent a malformed message');
        this.got.push(message);
      },
      onClose() {},
    });
  }

  say(...messages: readonly (Message | Uint8Array)[]): void {
    for (const message of messages) {
      this.link.send(message instanceof Uint8Array ? message : encodeMessage(message));
    }
  }

  all<T extends Message['type']>(type: T): Extract<Message, { type: T }>[] {
    return this.got.filter((message): message is Extract<Message, { type: T }> => message.type === type);
  }

  /** Why the node closed this link: the reason of its bye. */
  get bye(): string | undefined {
    return this.all('bye').at(-1)?.reason;
  }
}
