// Answers what peers ask: vertices by id and by place, words on checkpoints, and state for those who join.
// Keeps: an answer costs the asking peer's credit by what it reads, so that no peer can keep this node busy.

import type { Logger } from '../log.ts';
import type { CheckpointExchange } from './checkpoint-exchange.ts';
import type { JoinServer } from './join-server.ts';
import type { Message } from './messages.ts';
import type { Peer } from './peer.ts';
import type { VertexServer } from './vertex-server.ts';

const COSTS = { want: 1, sync: 2, seals: 50, fetch: 5, words: 20 };

export interface RequestHandlerOptions {
  log: Logger;
  serving: VertexServer;
  exchange: CheckpointExchange;
  joining: JoinServer;
  /** Number of the running epoch. */
  epoch(): number;
}

type Request = Extract<Message, { type: keyof typeof COSTS }>;

export const isRequest = (message: Message): message is Request => Object.hasOwn(COSTS, message.type);

export class RequestHandler {
  constructor(private readonly options: RequestHandlerOptions) {}

  answer(peer: Peer, question: Request): void {
    if (!peer.affords(COSTS[question.type])) return;
    const { serving, exchange, joining } = this.options;
    switch (question.type) {
      case 'want': {
        const vertices = serving.byId(question.ids);
        if (vertices.length > 0) peer.send({ type: 'vertices', epoch: this.options.epoch(), vertices });
        break;
      }
      case 'sync': {
        const answer = serving.sync(question);
        if (answer) peer.send(answer);
        break;
      }
      case 'words':
        for (const vote of exchange.newestSignatures()) peer.send({ type: 'checkpoint', ...vote });
        break;
      case 'seals':
        peer.send(joining.seals(question.from));
        break;
      case 'fetch':
        joining
          .rows(peer.key, question.epoch, question.after)
          .then((answer) => answer && peer.send(answer))
          .catch((error) => this.options.log.error({ err: error }, 'rows for a joining node were not read'));
    }
  }
}
