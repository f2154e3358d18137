// The node's side of one thread that takes requests in: brings its requests and streams to the service, and the answers
// back, in one packet for each turn of the loop.

import type { Clock } from '../world/clock.ts';
import {
  after,
  type HttpReply,
  type HttpService,
  REFUSAL_CODES,
  type StreamListener,
  type StreamSocket,
} from '../world/http.ts';
import { type Content, readContent, TO_NODE, TO_THREAD, writeReply } from './frames.ts';
import { LateSocket } from './late-socket.ts';
import { Outbox } from './outbox.ts';
import { PacketReader, type PacketWriter } from './packet.ts';
import { PacketHead } from './packet-head.ts';

interface LinkOptions {
  service: HttpService;
  clock: Pick<Clock, 'soon'>;
  post(packet: Uint8Array<ArrayBuffer>): void;
  /** What the thread says of itself: `listening`, `failed`, `stopped`, with the rest of the frame. */
  onControl(kind: number, frame: PacketReader): void;
}

/** A stream whose socket is on the thread. */
class RemoteStream implements StreamSocket {
  isOpen = true;
  /** It was closed here: what its client had sent before it knew reaches nobody. */
  isEnding = false;
  #unsent = 0;

  constructor(
    readonly listener: StreamListener,
    private readonly begin: (kind: number) => PacketWriter,
    private readonly onEnd: () => void,
  ) {}

  send(messages: readonly Uint8Array[]): void {
    if (!this.isOpen) return;
    const out = this.begin(TO_THREAD.send).u32(messages.length);
    for (const message of messages) {
      out.shared(message);
      this.#unsent += message.length;
    }
  }

  unsentBytes(): number {
    return this.isOpen ? this.#unsent : 0;
  }

  accepted(bytes: number): void {
    this.#unsent -= bytes;
    this.listener.drained();
  }

  ping(): void {
    if (this.isOpen) this.begin(TO_THREAD.ping);
  }

  close(code: number, reason: string): void {
    if (!this.isOpen) return;
    this.isEnding = true;
    this.begin(TO_THREAD.close).u16(code).text(reason);
  }

  terminate(): void {
    if (!this.isOpen) return;
    this.isEnding = true;
    this.begin(TO_THREAD.terminate);
  }

  ended(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.onEnd();
    this.listener.closed();
  }
}

export class ThreadLink {
  readonly #outbox: Outbox;
  /** Requests that were admitted and whose bodies are still being read. */
  readonly #heads = new Map<number, PacketHead>();
  readonly #streams = new Map<number, RemoteStream>();
  readonly #onKey = (actor: string, publicKey: Uint8Array): void => {
    this.tell(TO_THREAD.key).text(actor).raw(publicKey);
  };

  constructor(private readonly o: LinkOptions) {
    this.#outbox = new Outbox(o);
  }

  /** Begins a frame for the thread itself. */
  tell(kind: number): PacketWriter {
    return this.#outbox.frame(kind, 0);
  }

  /** Takes a packet of the thread. */
  take(packet: Uint8Array): void {
    const frame = new PacketReader(packet);
    while (!frame.isDone) {
      const kind = frame.u8();
      const ticket = frame.u32();
      if (kind === TO_NODE.request) this.#request(ticket, frame);
      else if (kind === TO_NODE.head) this.#head(ticket, frame);
      else if (kind === TO_NODE.body) this.#body(ticket, frame);
      else if (kind === TO_NODE.gone) this.#heads.delete(ticket);
      else if (kind === TO_NODE.handshake) this.#handshake(ticket, frame);
      else if (kind === TO_NODE.refused) this.o.service.refusal(REFUSAL_CODES[frame.u8()]!);
      else if (ticket === 0) this.o.onControl(kind, frame);
      else this.#onStream(kind, ticket, frame);
    }
  }

  #reply(ticket: number, reply: HttpReply): void {
    writeReply(this.#outbox.frame(TO_THREAD.reply, ticket), reply);
  }

  #readHead(frame: PacketReader): PacketHead {
    const head = new PacketHead(frame.text());
    head.onKey = this.#onKey;
    return head;
  }

  #request(ticket: number, frame: PacketReader): void {
    const head = this.#readHead(frame);
    this.#handle(ticket, head, readContent(frame, this.#onKey));
  }

  #handle(ticket: number, head: PacketHead, { bytes, vetted, items }: Content): void {
    head.body = bytes;
    head.vetted = vetted;
    head.items = items;
    this.o.service.handle(head, (reply) => this.#reply(ticket, reply));
  }

  #head(ticket: number, frame: PacketReader): void {
    const head = this.#readHead(frame);
    void after(this.o.service.admit(head), (early) => {
      if (early) {
        this.#reply(ticket, early);
        return;
      }
      this.#heads.set(ticket, head);
      this.#outbox.frame(TO_THREAD.go, ticket);
    });
  }

  #body(ticket: number, frame: PacketReader): void {
    const head = this.#heads.get(ticket);
    const content = readContent(frame, this.#onKey);
    this.#heads.delete(ticket);
    if (head) this.#handle(ticket, head, content);
  }

  #handshake(ticket: number, frame: PacketReader): void {
    const head = this.#readHead(frame);
    void after(this.o.service.upgrade(head), (decision) => {
      if (decision === undefined) this.#outbox.frame(TO_THREAD.go, ticket);
      else if (typeof decision !== 'function') this.#reply(ticket, decision);
      else this.#open(ticket, decision);
    });
  }

  #open(ticket: number, opener: (socket: StreamSocket) => StreamListener): void {
    // What the opener sends at once goes behind the frame that opens the stream, which says what its listener takes.
    const socket = new LateSocket();
    const listener = opener(socket);
    this.#outbox.frame(TO_THREAD.open, ticket).u8(listener.frame ? 1 : 0);
    const stream = new RemoteStream(
      listener,
      (kind) => this.#outbox.frame(kind, ticket),
      () => this.#streams.delete(ticket),
    );
    this.#streams.set(ticket, stream);
    socket.open(stream);
  }

  #onStream(kind: number, ticket: number, frame: PacketReader): void {
    const stream = this.#streams.get(ticket);
    if (kind === TO_NODE.accepted) {
      const bytes = frame.u32();
      stream?.accepted(bytes);
    } else if (kind === TO_NODE.frame) {
      const byteLength = frame.u32();
      const { bytes, items } = readContent(frame, this.#onKey);
      this.#outbox.frame(TO_THREAD.taken, ticket).u32(byteLength);
      if (stream && !stream.isEnding) stream.listener.frame?.(bytes, items && { items, byteLength });
    } else if (kind === TO_NODE.pong) stream?.listener.pong();
    else if (kind === TO_NODE.closed) stream?.ended();
    else throw new Error(`a frame of kind ${kind}`);
  }
}
