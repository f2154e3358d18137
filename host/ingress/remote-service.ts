// The service as a driver on a thread of its own sees it: what comes in goes to the node in one packet for each turn of the
// loop, signed requests vetted, and what the node answers goes back to the driver.
// Keeps: nothing is decided here but what the driver decides by itself: sizes, and refusals of what is no request.

import { readFrame } from '../api/stream-writes.ts';
import type { VerifyMany } from '../crypto/verifier.ts';
import { ipKey } from '../wire/ip-key.ts';
import type { Clock } from '../world/clock.ts';
import {
  type Answer,
  type HttpReply,
  type HttpRequest,
  type HttpService,
  REFUSAL_CODES,
  type RefusalCode,
  type StreamListener,
  type StreamOpener,
  type StreamSocket,
} from '../world/http.ts';
import { parting } from '../world/parting.ts';
import type { RequestHead } from '../world/request-head.ts';
import { plainItems, readReply, TO_NODE, TO_THREAD, writeContent } from './frames.ts';
import { LateSocket } from './late-socket.ts';
import { Outbox } from './outbox.ts';
import { PacketReader, type PacketWriter } from './packet.ts';
import { headText, isPlain } from './packet-head.ts';
import { RefusedLately } from './refused-lately.ts';
import type { ServiceFacts } from './service-facts.ts';
import { Tickets } from './tickets.ts';
import { Vetting } from './vetting.ts';

/** A longer body is read when the node has admitted its head, since it pays for the room that it takes. */
const SHORT_BODY_BYTES = 65_536;
/**
 * Bytes in frames of a stream that the node has not taken yet: several times what a stream may have under way, and what a socket
 * brings in a few turns of the loop. Whoever gets here waits for no answer.
 */
const MAX_AHEAD_BYTES = 4_194_304;
const CLOSE_POLICY = 1008;

interface RemoteOptions {
  facts: ServiceFacts;
  clock: Pick<Clock, 'soon' | 'monotonicMs'>;
  verifyMany: VerifyMany;
  /** The address that pays for a request. */
  addressOf(request: HttpRequest): string;
  isProxy(address: string): boolean;
  post(packet: Uint8Array<ArrayBuffer>): void;
  /** `listen` and `stop`, with the rest of their frame. */
  onControl(kind: number, frame: PacketReader): void;
}

/** An open stream of the driver. */
interface Stream {
  socket: StreamSocket;
  takesFrames: boolean;
  handshake: HttpRequest;
  /** Bytes sent so far, and those of them that the node knows to be accepted. */
  sent: number;
  accepted: number;
  aheadBytes: number;
}

/** What the node has been asked about a request: it answers, or lets it go on, or opens a stream. */
interface Pending {
  request: HttpRequest;
  answer(reply: HttpReply): void;
  go?(): void;
  open?(opener: StreamOpener): void;
}

/** What waits for the end of the turn, in this order: what is signed in it is vetted together. */
interface Arrived {
  kind: number;
  ticket: number;
  signed?: Signed;
}

/** A request, or a batch in a frame of a stream, and the bytes of its body or of its frame. */
interface Signed {
  request: HttpRequest;
  bytes: Uint8Array;
}

const NOTHING = new Uint8Array(0);

function writeSigned(out: PacketWriter, kind: number, { request, bytes }: Signed): void {
  const items = plainItems(request);
  if (kind === TO_NODE.request) out.text(headText(request as RequestHead));
  let left = items ? NOTHING : bytes;
  if (kind === TO_NODE.frame) {
    out.u32(bytes.length);
    if (items) left = bytes.subarray(0, bytes.length - request.body.length + 1);
  }
  writeContent(out, request, left, items);
}

export class RemoteService implements HttpService {
  readonly #outbox: Outbox;
  readonly #vetting: Vetting;
  readonly #refused: RefusedLately;
  readonly #pending = new Map<number, Pending>();
  readonly #streams = new Map<number, Stream>();
  #arrived: Arrived[] = [];
  /** Streams whose unsent bytes may have changed. */
  readonly #touched = new Map<number, Stream>();
  readonly #tickets = new Tickets((ticket) => this.#pending.has(ticket) || this.#streams.has(ticket));

  constructor(private readonly o: RemoteOptions) {
    this.#outbox = new Outbox({ ...o, beforeLeaving: () => this.#tellArrived() });
    this.#vetting = new Vetting(o.verifyMany, o.facts.batch);
    this.#refused = new RefusedLately(() => o.clock.monotonicMs());
  }

  maxBodyBytes(method: string, path: string): number {
    const { bodyLimits, usualBodyBytes } = this.o.facts;
    return (
      bodyLimits.find((limit) => limit.method === method && limit.path.test(path))?.bytes ?? usualBodyBytes
    );
  }

  isProxy(address: string): boolean {
    return this.o.isProxy(address);
  }

  refusal(code: RefusalCode): HttpReply {
    this.#outbox.frame(TO_NODE.refused, 0).u8(REFUSAL_CODES.indexOf(code));
    return this.o.facts.refusals[code];
  }

  admit(head: HttpRequest): Answer<HttpReply | undefined> {
    if (!isPlain(head as RequestHead)) return parting(this, head, this.refusal('invalid_request'));
    const length = head.header('content-length');
    const isChunked = head.header('transfer-encoding') !== undefined;
    const most =
      length === undefined ? (isChunked ? this.maxBodyBytes(head.method, head.path) : 0) : Number(length);
    if (most <= SHORT_BODY_BYTES) return undefined;
    const ticket = this.#tickets.next();
    this.#outbox.frame(TO_NODE.head, ticket).text(headText(head as RequestHead));
    return new Promise((resolve) => {
      const go = (): void => {
        head.kept = ticket;
        resolve(undefined);
      };
      this.#pending.set(ticket, { request: head, answer: resolve, go });
    });
  }

  gone(head: HttpRequest): void {
    if (head.kept !== undefined) this.#outbox.frame(TO_NODE.gone, head.kept as number);
  }

  handle(request: HttpRequest, answer: (reply: HttpReply) => void): void {
    const isAdmitted = request.kept !== undefined;
    const ticket = isAdmitted ? (request.kept as number) : this.#tickets.next();
    this.#pending.set(ticket, { request, answer });
    const kind = isAdmitted ? TO_NODE.body : TO_NODE.request;
    this.#arrive({ kind, ticket, signed: { request, bytes: request.body } });
  }

  upgrade(request: HttpRequest): Answer<HttpReply | StreamOpener | undefined> {
    if (!isPlain(request as RequestHead)) return parting(this, request, this.refusal('invalid_request'));
    const ticket = this.#tickets.next();
    this.#outbox.frame(TO_NODE.handshake, ticket).text(headText(request as RequestHead));
    return new Promise((resolve) => {
      this.#pending.set(ticket, { request, answer: resolve, go: () => resolve(undefined), open: resolve });
    });
  }

  #addressOf(request: HttpRequest): string {
    return ipKey(this.o.addressOf(request));
  }

  /** A frame of the driver's own, without a ticket. */
  tell(kind: number): PacketWriter {
    return this.#outbox.frame(kind, 0);
  }

  #arrive(arrived: Arrived): void {
    this.#arrived.push(arrived);
    this.#outbox.schedule();
  }

  /** What this turn has brought. */
  #tellArrived(): void {
    const arrived = this.#arrived;
    this.#arrived = [];
    const signed = arrived.flatMap((one) => (one.signed ? [one.signed.request] : []));
    this.#vetting.vet(signed.filter((request) => !this.#isRefused(request)));
    for (const { kind, ticket, signed: found } of arrived) {
      const out = this.#outbox.frame(kind, ticket);
      if (found) writeSigned(out, kind, found);
    }
    for (const [ticket, stream] of this.#touched) this.#tellAccepted(ticket, stream);
    this.#touched.clear();
  }

  #isRefused(request: HttpRequest): boolean {
    return !this.#refused.isEmpty && this.#refused.has(this.#addressOf(request));
  }

  #tellAccepted(ticket: number, stream: Stream): void {
    const accepted = stream.sent - stream.socket.unsentBytes();
    if (accepted <= stream.accepted) return;
    this.#outbox.frame(TO_NODE.accepted, ticket).u32(accepted - stream.accepted);
    stream.accepted = accepted;
  }

  /** Takes a packet of the node. */
  take(packet: Uint8Array): void {
    const frame = new PacketReader(packet);
    while (!frame.isDone) {
      const kind = frame.u8();
      const ticket = frame.u32();
      if (kind === TO_THREAD.reply) this.#reply(ticket, readReply(frame));
      else if (kind === TO_THREAD.go) this.#go(ticket);
      else if (kind === TO_THREAD.open) this.#open(ticket, frame.u8() === 1);
      else if (kind === TO_THREAD.key) this.#vetting.learn(frame.text(), frame.raw(32).slice());
      else if (kind === TO_THREAD.send) this.#send(ticket, frame);
      else if (kind === TO_THREAD.listen || kind === TO_THREAD.stop) this.o.onControl(kind, frame);
      else this.#onStream(kind, ticket, frame);
    }
  }

  #take(ticket: number): Pending | undefined {
    const pending = this.#pending.get(ticket);
    this.#pending.delete(ticket);
    return pending;
  }

  #reply(ticket: number, reply: HttpReply): void {
    const pending = this.#take(ticket);
    if (!pending) return;
    if (reply.status === 429)
      this.#refused.add(this.#addressOf(pending.request), Number(reply.headers['Retry-After']));
    pending.answer(reply);
  }

  #go(ticket: number): void {
    this.#take(ticket)?.go?.();
  }

  #open(ticket: number, takesFrames: boolean): void {
    const pending = this.#take(ticket);
    if (!pending?.open) return;
    // What follows in this packet finds the stream already, though the driver opens it a moment later.
    const socket = new LateSocket();
    const stream: Stream = {
      socket,
      takesFrames,
      handshake: pending.request,
      sent: 0,
      accepted: 0,
      aheadBytes: 0,
    };
    this.#streams.set(ticket, stream);
    pending.open((opened) => {
      socket.open(opened);
      this.#touch(ticket, stream);
      return this.#listener(ticket, stream);
    });
  }

  #listener(ticket: number, stream: Stream): StreamListener {
    const listener: StreamListener = {
      drained: () => this.#touch(ticket, stream),
      pong: () => void this.#outbox.frame(TO_NODE.pong, ticket),
      closed: () => {
        this.#streams.delete(ticket);
        this.#touched.delete(ticket);
        this.#arrive({ kind: TO_NODE.closed, ticket });
      },
    };
    if (stream.takesFrames) listener.frame = (bytes) => this.#frameIn(ticket, stream, bytes);
    return listener;
  }

  #touch(ticket: number, stream: Stream): void {
    this.#touched.set(ticket, stream);
    this.#outbox.schedule();
  }

  #frameIn(ticket: number, stream: Stream, bytes: Uint8Array): void {
    stream.aheadBytes += bytes.length;
    if (stream.aheadBytes > MAX_AHEAD_BYTES) {
      stream.socket.close(CLOSE_POLICY, 'too many frames');
      return;
    }
    // Vetting reads the batch behind the id; what goes on is what came.
    const batch = readFrame(new Uint8Array(bytes));
    const request: HttpRequest = {
      method: batch ? 'POST' : '',
      path: this.o.facts.batch.path,
      query: '',
      header: (name) => stream.handshake.header(name),
      remoteAddress: stream.handshake.remoteAddress,
      body: batch?.body ?? bytes,
    };
    this.#arrive({ kind: TO_NODE.frame, ticket, signed: { request, bytes } });
  }

  #send(ticket: number, frame: PacketReader): void {
    const messages: Uint8Array[] = [];
    const count = frame.u32();
    for (let i = 0; i < count; i++) messages.push(frame.shared());
    const stream = this.#streams.get(ticket);
    if (!stream) return;
    for (const message of messages) stream.sent += message.length;
    stream.socket.send(messages);
    this.#touch(ticket, stream);
  }

  #onStream(kind: number, ticket: number, frame: PacketReader): void {
    const stream = this.#streams.get(ticket);
    if (kind === TO_THREAD.taken) {
      const bytes = frame.u32();
      if (stream) stream.aheadBytes -= bytes;
    } else if (kind === TO_THREAD.close) {
      const code = frame.u16();
      const reason = frame.text();
      stream?.socket.close(code, reason);
    } else if (kind === TO_THREAD.ping) stream?.socket.ping();
    else if (kind === TO_THREAD.terminate) stream?.socket.terminate();
    else throw new Error(`a frame of kind ${kind}`);
  }
}
