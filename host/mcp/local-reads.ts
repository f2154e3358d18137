// Reads of a node by itself: the same routes as over HTTP, without HTTP.
// Keeps: every read sees one state; it never starts while a batch is being written.

import type { ReadContext } from '../api/context.ts';
import { readQuery } from '../api/query.ts';
import type { Route } from '../api/route.ts';
import { Router } from '../api/router.ts';
import { type Calls, type Query, queryText } from '../client/calls.ts';
import { ServiceError } from '../errors.ts';

interface LocalReadsOptions {
  routes: readonly Route<ReadContext>[];
  reads: ReadContext;
  /** Resolves when the batch that is being written has been; undefined: none is. */
  pause(): Promise<unknown> | undefined;
}

export class LocalReads implements Pick<Calls, 'get'> {
  readonly #router: Router<ReadContext>;

  constructor(private readonly o: LocalReadsOptions) {
    this.#router = new Router(o.routes);
  }

  /** Errors: ServiceError, as the route would answer. */
  async get<T>(path: string, query: Query = {}): Promise<T> {
    for (let busy = this.o.pause(); busy; busy = this.o.pause()) await busy;
    const found = this.#router.find('GET', path);
    if (found.kind !== 'read') throw new ServiceError('not_found');
    const args = readQuery(found.route.query ?? [], queryText(query).slice(1));
    const { body } = found.route.handle(this.o.reads, { path: found.path, ...args });
    // As a client gets it: members that are undefined are absent.
    return JSON.parse(this.o.reads.hidden.json(body)) as T;
  }
}
