// Answers requests of peers: vertices by id and by position, signatures of checkpoints, and state for joining nodes.
// Keeps: an answer costs the asking peer credit for what it reads, so that no peer can keep this node busy.

import type { Logger } from '../log.ts';
import type { CheckpointExchange } from './checkpoint-exchange.ts';
import type { JoinServer } from './join-server.ts';
import type { Message } from './messages.ts';
import type { Peer } from './peer.ts';
import type { VertexServer } from './vertex-server.ts';

/** Credit that each request costs at least (protocol 12.8). */
const COSTS = { want: 1, sync: 2, seals: 10, fetch: 5, words: 20 };
/**
 * What a unit of credit pays for, of what is read for vertices. A node that catches up needs a fifth of the rows that a peer
 * has credit for; who asks for what is left out of the answer gets as much of this node's time as one who reads.
 */
const ROWS_PER_CREDIT = 32;
const BYTES_PER_CREDIT = 65_536;
/** Positions of the running epoch are in memory, and there may be half a million. */
const POSITIONS_PER_CREDIT = 8192;
/** Rows of a snapshot are read one behind the other. */
const SCANNED_PER_CREDIT = 128;
/** Seals are made of documents, which are parsed. */
const PARSED_PER_CREDIT = 20_480;
/** Signatures of checkpoints: each is a message. */
const VOTES_PER_CREDIT = 8;

export interface RequestHandlerOptions {
  log: Logger;
  vertices: VertexServer;
  exchange: CheckpointExchange;
  joining: JoinServer;
  /** Number of the running epoch. */
  epoch(): number;
}

type Request = Extract<Message, { type: keyof typeof COSTS }>;

export const isRequest = (message: Message): message is Request => Object.hasOwn(COSTS, message.type);

export class RequestHandler {
  constructor(private readonly options: RequestHandlerOptions) {}

  answer(peer: Peer, request: Request): void {
    const cost = COSTS[request.type];
    if (peer.affords(cost)) this.#answer(peer, request);
    else this.#answerLater(peer, request, cost);
  }

  // Who asks one question after the other would wait for the answer, then go to another peer.
  #answerLater(peer: Peer, request: Request, cost: number): void {
    if (request.type === 'want' || request.type === 'words') return;
    // The link reuses its buffer.
    const own = request.type === 'fetch' ? { ...request, after: request.after.slice() } : request;
    peer.later(cost, () => this.answer(peer, own));
  }

  #answer(peer: Peer, request: Request): void {
    const { vertices: server, exchange } = this.options;
    switch (request.type) {
      case 'want': {
        const vertices = this.#charged(peer, () => server.byId(request.ids));
        if (vertices.length > 0) peer.send({ type: 'vertices', epoch: this.options.epoch(), vertices });
        break;
      }
      case 'sync': {
        const answer = this.#charged(peer, () => server.sync(request, peer.head?.order ?? 0));
        if (answer) peer.send(answer);
        break;
      }
      case 'words': {
        const votes = exchange.newestSignatures();
        for (const vote of votes) peer.send({ type: 'checkpoint', ...vote });
        peer.owes(votes.length / VOTES_PER_CREDIT);
        break;
      }
      case 'seals':
        this.#sendSeals(peer, request.from);
        break;
      case 'fetch':
        this.#sendRows(peer, request).catch((error) =>
          this.options.log.error({ err: error }, 'cannot read rows for a joining node'),
        );
    }
  }

  /** What was read for vertices is paid for. */
  #charged<T>(peer: Peer, answer: () => T): T {
    return charged(peer, this.options.vertices.read, BYTES_PER_CREDIT, answer);
  }

  #sendSeals(peer: Peer, from: number): void {
    const { joining } = this.options;
    charged(peer, joining.read, PARSED_PER_CREDIT, () => peer.send(joining.seals(from)));
  }

  async #sendRows(peer: Peer, { epoch, after }: Extract<Message, { type: 'fetch' }>): Promise<void> {
    const served = await this.options.joining.rows(peer.key, epoch, after);
    if (!served) return;
    const { answer, count } = served;
    peer.send(answer);
    const bytes = answer.type === 'fetched' ? answer.rows.length : 0;
    peer.owes(count / SCANNED_PER_CREDIT + bytes / BYTES_PER_CREDIT);
  }
}

/** Makes an answer, and has the peer owe for what was read for it. */
function charged<T>(
  peer: Peer,
  read: Readonly<{ rows: number; bytes: number; positions?: number }>,
  bytesPerCredit: number,
  answer: () => T,
): T {
  const { rows, bytes, positions = 0 } = read;
  const made = answer();
  const examined = (read.positions ?? 0) - positions;
  peer.owes(
    (read.rows - rows) / ROWS_PER_CREDIT +
      (read.bytes - bytes) / bytesPerCredit +
      examined / POSITIONS_PER_CREDIT,
  );
  return made;
}
