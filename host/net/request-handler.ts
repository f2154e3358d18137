// Answers requests of peers: vertices by id and by position, signatures of checkpoints, and state for joining nodes.
// Keeps: an answer costs the asking peer credit for what it reads, so that no peer can keep this node busy.

import type { Logger } from '../log.ts';
import type { CheckpointExchange } from './checkpoint-exchange.ts';
import type { JoinServer } from './join-server.ts';
import type { Message } from './messages.ts';
import type { Peer } from './peer.ts';
import type { VertexServer } from './vertex-server.ts';

/** Credit that each request costs at least (protocol 12.8). */
const COSTS = { want: 1, sync: 2, seals: 50, fetch: 5, words: 20 };
/**
 * What a unit of credit pays for, of what is read for vertices. A node that catches up needs a fifth of the rows that a peer
 * has credit for; who asks for what is left out of the answer gets as much of this node's time as one who reads.
 */
const ROWS_PER_CREDIT = 32;
const BYTES_PER_CREDIT = 65_536;

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
    if (!peer.affords(cost)) {
      // A node that catches up and has much of what it passes would wait for the answer, then go to another peer for a minute.
      if (request.type === 'sync') peer.later(cost, () => this.answer(peer, request));
      return;
    }
    const { rows, bytes } = this.options.vertices.read;
    this.#answer(peer, request);
    const { read } = this.options.vertices;
    peer.owes((read.rows - rows) / ROWS_PER_CREDIT + (read.bytes - bytes) / BYTES_PER_CREDIT);
  }

  #answer(peer: Peer, request: Request): void {
    const { vertices: server, exchange, joining } = this.options;
    switch (request.type) {
      case 'want': {
        const vertices = server.byId(request.ids);
        if (vertices.length > 0) peer.send({ type: 'vertices', epoch: this.options.epoch(), vertices });
        break;
      }
      case 'sync': {
        const answer = server.sync(request, peer.head?.order ?? 0);
        if (answer) peer.send(answer);
        break;
      }
      case 'words':
        for (const vote of exchange.newestSignatures()) peer.send({ type: 'checkpoint', ...vote });
        break;
      case 'seals':
        peer.send(joining.seals(request.from));
        break;
      case 'fetch':
        joining
          .rows(peer.key, request.epoch, request.after)
          .then((answer) => answer && peer.send(answer))
          .catch((error) => this.options.log.error({ err: error }, 'cannot read rows for a joining node'));
    }
  }
}
