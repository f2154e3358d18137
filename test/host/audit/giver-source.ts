// A verifier's source over a network in one process, through the handlers of the API; each answer can be altered.

import type { ReadContext } from '../../../host/api/context.ts';
import * as handlers from '../../../host/api/handlers/log.ts';
import type { ReadArgs, Reply } from '../../../host/api/route.ts';
import type {
  LogSource,
  ReportedDocument,
  SignedCheckpoint,
  VerifierStore,
} from '../../../host/audit/index.ts';
import { signedHeight } from '../../../host/ordering/checkpoints.ts';
import { readHistory } from '../../../host/store/history.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { decodeLogPage, encodeLogPage, type LogPage } from '../../../host/wire/log-page.ts';
import { GENESIS, type Giver } from '../net/join-world.ts';

/** A store that a verifier can be asked from. */
export class PlainStore extends MemoryStore implements VerifierStore {
  async find(key: Uint8Array): Promise<Uint8Array | undefined> {
    return this.get(key);
  }
}

/** What a liar says instead. */
export interface Lies {
  genesis?(document: Record<string, unknown>): unknown;
  page?(page: LogPage): LogPage;
  checkpoint?(checkpoint: SignedCheckpoint): SignedCheckpoint;
  signedHeight?(height: number): number;
  order?(order: number): number;
  document?(told: Record<string, unknown>): Record<string, unknown>;
  bytes?(bytes: Uint8Array): Uint8Array;
}

export class GiverSource implements LogSource {
  readonly name = 'http://giver';
  pages = 0;

  constructor(
    private readonly giver: Giver,
    private readonly lies: Lies = {},
    /** Vertices of a page, at most. */
    private readonly most = 25,
  ) {}

  #read(handle: (c: ReadContext, args: ReadArgs) => Reply, query: ReadArgs['query'] = {}): Reply {
    const { store } = this.giver.parts;
    const history = () => readHistory(store);
    const given = { store, history, joining: this.giver.serving, genesis: GENESIS };
    const context = given as unknown as ReadContext;
    return handle(context, { path: {}, query, page: { number: 1, size: 7, offset: 0 } });
  }

  async genesis(): Promise<unknown> {
    const body = structuredClone(this.#read(handlers.genesis).body) as Record<string, unknown>;
    return this.lies.genesis?.(body) ?? body;
  }

  async status(): Promise<unknown> {
    const { order } = this.giver.parts.executor.head;
    return { order: this.lies.order?.(order) ?? order };
  }

  async vertices(epoch: number, from: number): Promise<Uint8Array | undefined> {
    this.pages += 1;
    const whole = decodeLogPage(this.#read(handlers.logVertices, { epoch, from }).body as Uint8Array)!;
    const vertices = whole.vertices.slice(0, this.most);
    const isCut = vertices.length < whole.vertices.length;
    const page: LogPage = {
      ...whole,
      vertices,
      next: from + vertices.length,
      end: isCut ? 'more' : whole.end,
    };
    return encodeLogPage(this.lies.page?.(page) ?? page);
  }

  async checkpoints(after: number, limit: number): Promise<unknown> {
    // Fewer than asked for, as from a node whose seats have long signatures.
    const all = this.#read(handlers.checkpoints, { after }).body as SignedCheckpoint[];
    const listed = all.slice(0, limit);
    return listed.map((checkpoint) => this.lies.checkpoint?.(structuredClone(checkpoint)) ?? checkpoint);
  }

  async latestCheckpoint(): Promise<unknown> {
    const height = signedHeight(this.giver.parts.store);
    return { height: this.lies.signedHeight?.(height) ?? height };
  }

  async #bytes(reply: Reply): Promise<Uint8Array> {
    const bytes = (await reply.body) as Uint8Array;
    return this.lies.bytes?.(bytes) ?? bytes;
  }

  seals(from: number): Promise<Uint8Array> {
    return this.#bytes(this.#read(handlers.seals, { from }));
  }

  state(epoch: number, after: string): Promise<Uint8Array> {
    return this.#bytes(this.#read(handlers.sealedState, { epoch, after }));
  }

  async document(path: string): Promise<ReportedDocument> {
    const id = decodeURIComponent(path.split('/')[3]!);
    const { state } = this.giver.parts.ids;
    const order = String(this.giver.parts.executor.head.order);
    const index = state.findAgent(Buffer.from(id, 'hex'));
    if (index === undefined) return { body: undefined, order };
    const { balance, staked: staked_amount, reserved } = state.agent(index)!;
    const body = { agent_id: id, currency: 'TOK', balance, staked_amount, reserved };
    return { body: this.lies.document?.(body) ?? body, order };
  }
}
