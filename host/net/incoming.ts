// What this node does with each message of a peer that has exchanged hellos.
// Keeps: what came unasked and answers nothing costs its sender credit; vertices and signatures take the checks of the part that gets
// them; a fault counts against its sender alone.

import type { Logger } from '../log.ts';
import type { ClockExchange } from '../ordering/guarded-clock.ts';
import type { Broadcast } from './broadcast.ts';
import type { CatchUp } from './catch-up.ts';
import type { CheckpointExchange, CheckpointSignature } from './checkpoint-exchange.ts';
import type { FreshWord } from './fresh-word.ts';
import type { Inbox } from './inbox.ts';
import type { HeadMessage, Message } from './messages.ts';
import type { Peer } from './peer.ts';
import { BAD_SEATS, BAD_SIGNATURE, type PeerBook } from './peer-book.ts';
import { isRequest, type RequestHandler } from './request-handler.ts';
import type { SignatureFetcher } from './signature-fetcher.ts';

/** Short messages that make work and answer nothing: each costs a unit of credit. Honest peers send some in a second. */
const UNASKED: ReadonlySet<Message['type']> = new Set(['head', 'checkpoint', 'ping']);

export interface IncomingOptions {
  log: Logger;
  /** Is this node one. */
  isObserver: boolean;
  clocks: ClockExchange;
  /** The running epoch. */
  running(): { number: number; seats: { length: number } };
  book: Pick<PeerBook, 'reportFault'>;
  inbox: Pick<Inbox, 'offer'>;
  broadcast: Pick<Broadcast, 'tell'>;
  catchUp: Pick<CatchUp, 'headsChanged' | 'isAnswer' | 'isBehind' | 'onAnswer'>;
  exchange: Pick<CheckpointExchange, 'onSignature'>;
  freshWord: Pick<FreshWord, 'answered'>;
  requestHandler: Pick<RequestHandler, 'answer'>;
  signatureFetcher: Pick<SignatureFetcher, 'headsChanged'>;
  /** A seat reported its head. */
  onHead(seat: number, head: HeadMessage): void;
}

export class Incoming {
  #vertices = 0;

  constructor(private readonly o: IncomingOptions) {}

  /** Received vertices, known ones included. */
  get vertices(): number {
    return this.#vertices;
  }

  take(peer: Peer, message: Message): void {
    if (UNASKED.has(message.type) && !peer.spendsUnasked()) {
      peer.hasOlderHead ||= message.type === 'head';
      return;
    }
    if ('seqs' in message && this.#hasTooManySeats(message)) {
      this.o.book.reportFault(peer.key, BAD_SEATS, `a ${message.type} names more seats than its epoch has`);
      return;
    }
    const { catchUp } = this.o;
    switch (message.type) {
      case 'head':
        peer.head = message;
        peer.hasOlderHead = false;
        catchUp.headsChanged();
        this.o.signatureFetcher.headsChanged();
        if (peer.seat !== undefined) this.o.onHead(peer.seat, message);
        break;
      case 'vertices':
        // Far behind, new vertices would only wait for their missing ancestors: accept only those that are wanted.
        this.#offer(peer, message.vertices, catchUp.isBehind || !this.#maySend(peer));
        break;
      case 'synced':
        // Not asked for, or too late.
        if (!catchUp.isAnswer(peer, message)) break;
        catchUp.onAnswer(peer, message, this.#offer(peer, message.vertices));
        break;
      case 'checkpoint':
        this.#onCheckpoint(peer, message);
        break;
      case 'ping':
        if (!peer.isNewPing(message.nonce)) break;
        this.o.broadcast.tell(peer);
        peer.send({ type: 'pong', nonce: message.nonce, ...this.o.clocks.reading() });
        break;
      case 'pong':
        this.#onPong(peer, message);
        break;
      default:
        if (isRequest(message)) this.o.requestHandler.answer(peer, message);
    }
  }

  /** How many another epoch has is not known here; more than any can have does not decode. */
  #hasTooManySeats({ epoch, seqs }: Extract<Message, { seqs: unknown }>): boolean {
    const { number, seats } = this.o.running();
    return epoch === number && seqs.length > seats.length;
  }

  /** Observers pass on vertices to observers only; what else anybody sends unasked would cost a check of its signatures. */
  #maySend({ seat }: Peer): boolean {
    return seat !== undefined || this.o.isObserver;
  }

  #onPong(peer: Peer, pong: Extract<Message, { type: 'pong' }>): void {
    const answered = peer.pong(pong.nonce);
    if (!answered || peer.seat === undefined) return;
    if (answered.isNewest && !peer.hasOlderHead) this.o.freshWord.answered(peer);
    this.o.clocks.onReading(peer.seat, pong, peer.latencyMs!);
  }

  /** How many of them the inbox accepted. */
  #offer(peer: Peer, vertices: readonly Uint8Array[], isWantedOnly = false): number {
    this.#vertices += vertices.length;
    let fresh = 0;
    for (const bytes of vertices) if (this.o.inbox.offer(bytes, peer.key, isWantedOnly)) fresh += 1;
    return fresh;
  }

  #onCheckpoint(peer: Peer, vote: CheckpointSignature): void {
    this.o.exchange
      .onSignature(vote, peer.key)
      .then((isGood) => {
        if (!isGood) this.o.book.reportFault(peer.key, BAD_SIGNATURE, 'a checkpoint has a bad signature');
      })
      .catch((error) => this.o.log.error({ err: error }, 'cannot process a checkpoint signature'));
  }
}
