// A node over HTTP without sockets: the answers of a network in one process, as `fetch` gives them; each can be altered.

import type { ReadContext } from '../../../host/api/context.ts';
import * as agents from '../../../host/api/handlers/agents.ts';
import * as events from '../../../host/api/handlers/events.ts';
import * as log from '../../../host/api/handlers/log.ts';
import * as tasks from '../../../host/api/handlers/tasks.ts';
import type { ReadArgs, Reply } from '../../../host/api/route.ts';
import { HttpSource } from '../../../host/audit/index.ts';
import { ServiceError } from '../../../host/errors.ts';
import { signedHeight } from '../../../host/ordering/checkpoints.ts';
import { readHistory } from '../../../host/store/history.ts';
import { type Hidden, NOTHING_HIDDEN } from '../../../host/views/hidden.ts';
import type { Fetch } from '../../../host/world/world.ts';
import { GENESIS, type Giver } from '../net/join-world.ts';
import { proofAnswer } from './proof-answer.ts';

/** An answer on its way; `order`: the header X-Service-Order. */
export interface Answer {
  status: number;
  body: Uint8Array | ReadableStream<Uint8Array>;
  order: string | undefined;
}

/** What a liar makes of an answer; undefined: the answer itself. */
export type Alter = (path: string, answer: Answer) => Answer | undefined;

const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** Alters the JSON of the answers whose path fits. */
export const jsonAt =
  (path: RegExp, alter: (document: never) => unknown): Alter =>
  (asked, answer) =>
    path.test(asked) && answer.status === 200
      ? {
          ...answer,
          body: json(alter(JSON.parse(new TextDecoder().decode(answer.body as Uint8Array)) as never)),
        }
      : undefined;

/** Alters the bytes of the answers whose path fits. */
export const bytesAt =
  (path: RegExp, alter: (bytes: Uint8Array) => Uint8Array): Alter =>
  (asked, answer) =>
    path.test(asked) && answer.status === 200
      ? { ...answer, body: alter((answer.body as Uint8Array).slice()) }
      : undefined;

export class GiverNode {
  requests: string[] = [];
  /** Bytes that were asked for, of answers given as a stream. */
  alter: Alter = () => undefined;
  /** The order that the node reports as its own; undefined: the real one. */
  orderShown: number | undefined;

  /** Which contents it does not show. */
  hidden: Hidden = NOTHING_HIDDEN;

  constructor(private readonly giver: Giver) {}

  get order(): number {
    return this.orderShown ?? this.giver.parts.executor.head.order;
  }

  /** `timeMs`: of the clock by which the source waits; timers fire at once. */
  source(name = 'http://giver'): HttpSource {
    const clock = {
      nowMs: () => this.giver.parts.clock.ms,
      monotonicMs: () => 0,
      soon: (run: () => void) => void setImmediate(run),
      setTimer(run: () => void, ms: number) {
        // Waits between tries end at once; the limit of a request never comes.
        const timer = ms < 60_000 ? setTimeout(run, 0) : undefined;
        return () => clearTimeout(timer);
      },
    };
    return new HttpSource(name, { fetch: this.fetch, clock });
  }

  readonly fetch: Fetch = async (url) => {
    const path = url.slice(url.indexOf('/', 8));
    this.requests.push(path);
    const true_ = await this.#answer(new URL(url));
    const { status, body, order } = this.alter(path, true_) ?? true_;
    return new Response(body as BodyInit, {
      status,
      headers: order === undefined ? {} : { 'x-service-order': order },
    });
  };

  async #answer(url: URL): Promise<Answer> {
    const order = String(this.order);
    try {
      const body = await this.#body(url);
      return { status: 200, body: body instanceof Uint8Array ? body : json(body), order };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { status: 404, body: json({ error: error.message }), order };
    }
  }

  async #body({ pathname, search, searchParams: query }: URL): Promise<unknown> {
    const [, , one, id = '', part] = pathname.split('/');
    const number = (name: string): number => Number(query.get(name) ?? 0);
    const read = (handle: (c: ReadContext, args: ReadArgs) => Reply, args: Partial<ReadArgs> = {}) => {
      const page = { number: 1, size: number('limit') || 25, offset: 0 };
      return handle(this.#context(), { path: { id: decodeURIComponent(id) }, query: {}, page, ...args }).body;
    };
    if (one === 'genesis') return read(log.genesis);
    if (one === 'status') return { order: this.order };
    if (pathname === '/v1/checkpoints/latest') {
      const height = signedHeight(this.giver.parts.store);
      if (height === 0) throw new ServiceError('not_found');
      return { height };
    }
    if (one === 'checkpoints') return read(log.checkpoints, { query: { after: number('after') } });
    if (id === 'vertices')
      return read(log.logVertices, { query: { epoch: number('epoch'), from: number('from') } });
    if (id === 'seals') return read(log.seals, { query: { from: number('from') } });
    if (id === 'state')
      return read(log.sealedState, { query: { epoch: number('epoch'), after: query.get('after')! } });
    if (one === 'agents' && part === 'balance') return read(agents.balance);
    if (one === 'tasks') return read(tasks.task);
    if (one === 'events') return read(events.event);
    if (one === 'proof') return proofAnswer(this.giver, pathname + search);
    throw new ServiceError('not_found');
  }

  #context(): ReadContext {
    const { store, ids } = this.giver.parts;
    return {
      store,
      ids,
      state: ids.state,
      joining: this.giver.serving,
      genesis: GENESIS,
      hidden: this.hidden,
      history: () => readHistory(store),
    } as unknown as ReadContext;
  }
}
