// Links over TCP, encrypted and mutually authenticated by the nodes' own Ed25519 keys (Noise XX, libsodium's
// secretstream, by @hyperswarm/secret-stream).
// Keeps: a link exists only after both ends have proven their keys, within 10 s, and one that was accepted has sent its first
// frame within 3 s; until then, and while a link that was refused comes to its end, strangers cost a bounded number of sockets
// and bytes (handshake-places.ts).

import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net';
import SecretStream from '@hyperswarm/secret-stream';
import type { Clock } from '../clock.ts';
import { type HandshakePlace, HandshakePlaces } from '../handshake-places.ts';
import type { Link, LinkHandlers, Transport, TransportKey } from '../transport.ts';
import { FrameGuard } from './frame-guard.ts';
import './link-curve.ts';
import { proveLink } from './link-proof.ts';

/** Source: protocol 12.8. */
const HANDSHAKE_MS = 10_000;
/** For the first frame of an accepted socket: the dialing end sends it as soon as it is connected. */
const FIRST_FRAME_MS = 3000;
/** A link is full when this much waits to be sent. */
const FULL_BYTES = 4 * 1024 * 1024;
/** How long the last message of a closed link may take to be sent. */
const LINGER_MS = 5000;

class SecretLink implements Link {
  readonly peerKey: Uint8Array;
  readonly address: string;
  #handlers: LinkHandlers | undefined;
  #reason = 'the other end closed the link';
  #isClosed = false;
  /** Upper bound of the bytes that the stream buffers because the socket is full. */
  #buffered = 0;

  /** `spokenFor`: the key that the other end speaks for, where that is not its own. `onOpen`: it is not refused. */
  constructor(
    private readonly stream: SecretStream,
    private readonly socket: Socket,
    readonly isDialed: boolean,
    private readonly clock: Clock,
    spokenFor: Uint8Array | undefined,
    private readonly onOpen: () => void,
  ) {
    this.peerKey = spokenFor ?? new Uint8Array(stream.remotePublicKey);
    this.address = `${socket.remoteAddress ?? '?'}:${socket.remotePort ?? 0}`;
    stream.on('error', (error: Error) => {
      this.#reason = error.message;
    });
    stream.on('drain', () => {
      this.#buffered = 0;
    });
    stream.on('close', () => this.#closed());
  }

  open(handlers: LinkHandlers): void {
    this.#handlers = handlers;
    this.onOpen();
    if (this.#isClosed) handlers.onClose(this.#reason);
    // The stream starts to flow here.
    else {
      this.stream.on('data', (message: Uint8Array) => {
        // Not a Buffer, whose slices share memory: a kept part must not keep everything received with it.
        const { buffer, byteOffset, byteLength } = message;
        if (!this.#isClosed) handlers.onMessage(new Uint8Array(buffer, byteOffset, byteLength));
      });
    }
  }

  get isWritable(): boolean {
    return !this.#isClosed && this.#buffered + this.socket.writableLength <= FULL_BYTES;
  }

  get traffic(): { sent: number; received: number } {
    return { sent: this.socket.bytesWritten, received: this.socket.bytesRead };
  }

  send(message: Uint8Array): void {
    if (this.#isClosed) return;
    if (!this.stream.write(message)) this.#buffered += message.length;
  }

  close(reason: string): void {
    if (this.#isClosed) return;
    this.#reason = reason;
    this.#isClosed = true;
    // What was written before is still sent, in particular the reason; then the socket ends. A peer that does not read it, or
    // keeps sending, costs nothing here.
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
  isKnown: (address: string) => boolean = () => false;
  #server: Server | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #places: HandshakePlaces;

  constructor(
    private readonly key: TransportKey,
    private readonly clock: Clock,
  ) {
    this.#places = new HandshakePlaces(clock);
  }

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
    const address = socket.remoteAddress ?? '';
    const place = this.#places.take(address, this.isKnown(address), () => socket.destroy());
    if (!place) {
      socket.destroy();
      return;
    }
    socket.once('close', () => place.leave());
    this.#shake(socket, place)
      .then((link) => {
        // Anybody has a key. A link that is not opened now was refused: it keeps its place, and gives way to any newcomer.
        place.isSilent = true;
        this.onLink(link);
      })
      // The other end has not proven a key: there is no peer to report it to.
      .catch(() => socket.destroy());
  }

  dial(host: string, port: number): Promise<Link> {
    return this.#shake(connectSocket({ host, port }));
  }

  /** `place`: of an accepted socket. */
  #shake(socket: Socket, place?: HandshakePlace): Promise<Link> {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.setNoDelay(true);
    const guard = new FrameGuard();
    const { publicKey, secretKey, dh, identity } = this.key;
    const keyPair = {
      publicKey: Buffer.from(publicKey),
      secretKey: Buffer.from(secretKey),
      ...(dh ? { dh } : {}),
    };
    // Before the stream, so that a frame that is too long ends the socket before memory is allocated for it.
    socket.on('data', (data: Uint8Array) => {
      if (!guard.take(data)) socket.destroy(new Error('a frame is longer than 4 MiB'));
      else if (place && !stream.connected && guard.frames > 0) place.isSilent = false;
    });
    const isDialed = place === undefined;
    const stream = new SecretStream(isDialed, socket, { keyPair });
    // Before the first message: the stream sends and reads from the next turn of the loop on.
    const spokenFor = proveLink(stream._handshake.noise, publicKey, identity);
    return new Promise((resolve, reject) => {
      const tooLong = (): void => fail(new Error('the handshake took too long'));
      const timers = [this.clock.setTimer(tooLong, HANDSHAKE_MS)];
      const cancel = (): void => {
        for (const stop of timers) stop();
      };
      const fail = (error: Error): void => {
        cancel();
        stream.destroy();
        socket.destroy();
        reject(error);
      };
      if (place) {
        const check = (): void => {
          if (place.isSilent) fail(new Error('the other end is silent'));
        };
        timers.push(this.clock.setTimer(check, FIRST_FRAME_MS));
      }
      stream.once('error', fail);
      stream.once('close', () => fail(new Error('the link was closed in the handshake')));
      stream.once('connect', () => {
        cancel();
        stream.removeListener('error', fail);
        const onOpen = (): void => {
          guard.isOpen = true;
          place?.leave();
        };
        resolve(new SecretLink(stream, socket, isDialed, this.clock, spokenFor(), onOpen));
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
