// Links over TCP, encrypted and mutually authenticated by the nodes' own Ed25519 keys (Noise XX, libsodium's
// secretstream, by @hyperswarm/secret-stream).
// Keeps: a link exists only once both ends have proven their keys, within 10 s; strangers cost a bounded number of
// sockets and bytes until then.

import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net';
import SecretStream from '@hyperswarm/secret-stream';
import { Tally } from '../../tally.ts';
import { ipKey } from '../../wire/ip-key.ts';
import type { Clock } from '../clock.ts';
import type { Link, LinkHandlers, Transport, TransportKey } from '../transport.ts';
import { FrameGuard } from './frame-guard.ts';

/** protocol 12.8. */
const HANDSHAKE_MS = 10_000;
/** Sockets of strangers that may be in their handshake at once. */
const MAX_HANDSHAKES = 64;
/** Of them those of one address, so that nobody keeps out all others. */
const MAX_HANDSHAKES_PER_ADDRESS = 16;
/** A link is full when this much waits for its socket. */
const FULL_BYTES = 4 * 1024 * 1024;
/** How long the last message of a closed link may take to go out. */
const LINGER_MS = 5000;

class SecretLink implements Link {
  readonly peerKey: Uint8Array;
  readonly address: string;
  #handlers: LinkHandlers | undefined;
  #reason = 'the other end closed the link';
  #isClosed = false;
  /** Bytes that the stream holds back because the socket takes no more, at most. */
  #held = 0;

  constructor(
    private readonly stream: SecretStream,
    private readonly socket: Socket,
    readonly isDialed: boolean,
    private readonly clock: Clock,
  ) {
    this.peerKey = new Uint8Array(stream.remotePublicKey);
    this.address = `${socket.remoteAddress ?? '?'}:${socket.remotePort ?? 0}`;
    stream.on('error', (error: Error) => {
      this.#reason = error.message;
    });
    stream.on('drain', () => {
      this.#held = 0;
    });
    stream.on('close', () => this.#closed());
  }

  open(handlers: LinkHandlers): void {
    this.#handlers = handlers;
    if (this.#isClosed) handlers.onClose(this.#reason);
    // From here on the stream flows.
    else {
      this.stream.on('data', (message: Uint8Array) => {
        // No Buffer, whose slices share memory: what is kept of a message must not keep all that came with it.
        const { buffer, byteOffset, byteLength } = message;
        if (!this.#isClosed) handlers.onMessage(new Uint8Array(buffer, byteOffset, byteLength));
      });
    }
  }

  get isWritable(): boolean {
    return !this.#isClosed && this.#held + this.socket.writableLength <= FULL_BYTES;
  }

  get traffic(): { sent: number; received: number } {
    return { sent: this.socket.bytesWritten, received: this.socket.bytesRead };
  }

  send(message: Uint8Array): void {
    if (this.#isClosed) return;
    if (!this.stream.write(message)) this.#held += message.length;
  }

  close(reason: string): void {
    if (this.#isClosed) return;
    this.#reason = reason;
    this.#isClosed = true;
    // What was written before goes out, the reason above all, and ends the socket; whoever does not read it, or goes on
    // sending, holds nothing here.
    this.stream.end();
    const cancel = this.clock.setTimer(() => this.socket.destroy(), LINGER_MS);
    this.socket.once('close', cancel);
    this.#handlers?.onClose(reason);
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.socket.destroySoon();
    this.#handlers?.onClose(this.#reason);
  }
}

export class SecretTransport implements Transport {
  onLink: (link: Link) => void = () => {};
  #server: Server | undefined;
  readonly #sockets = new Set<Socket>();
  #strangers = 0;
  /** By what their addresses count by. */
  readonly #strangersOf = new Tally<string>();

  constructor(
    private readonly key: TransportKey,
    private readonly clock: Clock,
  ) {}

  listen(host: string, port: number): Promise<number> {
    const server = createServer((socket) => this.#accept(socket));
    this.#server = server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.removeListener('error', reject);
        const address = server.address();
        resolve(typeof address === 'object' && address ? address.port : port);
      });
    });
  }

  #accept(socket: Socket): void {
    const address = ipKey(socket.remoteAddress ?? '');
    if (this.#strangers >= MAX_HANDSHAKES || this.#strangersOf.of(address) >= MAX_HANDSHAKES_PER_ADDRESS) {
      socket.destroy();
      return;
    }
    this.#strangers += 1;
    this.#strangersOf.add(address);
    this.#shake(socket, false)
      .then((link) => this.onLink(link))
      // Whoever did not prove a key is nobody: there is no one to tell.
      .catch(() => socket.destroy())
      .finally(() => {
        this.#strangers -= 1;
        this.#strangersOf.remove(address);
      });
  }

  dial(host: string, port: number): Promise<Link> {
    return this.#shake(connectSocket({ host, port }), true);
  }

  #shake(socket: Socket, isDialed: boolean): Promise<Link> {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.setNoDelay(true);
    const guard = new FrameGuard();
    const { publicKey, secretKey } = this.key;
    const keyPair = { publicKey: Buffer.from(publicKey), secretKey: Buffer.from(secretKey) };
    // First, so that a frame that is too long ends the socket before the stream makes room for it.
    socket.on('data', (data: Uint8Array) => {
      if (!guard.take(data)) socket.destroy(new Error('a frame is longer than 4 MiB'));
    });
    const stream = new SecretStream(isDialed, socket, { keyPair });
    return new Promise((resolve, reject) => {
      const cancel = this.clock.setTimer(() => fail(new Error('the handshake took too long')), HANDSHAKE_MS);
      const fail = (error: Error): void => {
        cancel();
        stream.destroy();
        socket.destroy();
        reject(error);
      };
      stream.once('error', fail);
      stream.once('close', () => fail(new Error('the link was closed in the handshake')));
      stream.once('connect', () => {
        cancel();
        guard.isOpen = true;
        stream.removeListener('error', fail);
        resolve(new SecretLink(stream, socket, isDialed, this.clock));
      });
    });
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const server = this.#server;
    if (!server) return;
    await new Promise<void>((done) => server.close(() => done()));
  }
}
