// The driver of a node whose requests are taken in by threads of their own: HTTP, the checks of signatures and the writing of
// answers are theirs, so the node's thread has the rest of a processor for itself.
// Keeps: a thread that fails, or ends by itself, ends the node; what it acknowledged is on disk already.

import type { Implementation } from '../crypto/implementation.ts';
import type { Clock } from '../world/clock.ts';
import {
  type DriverChoice,
  type HttpDriver,
  type HttpService,
  SHARINGS,
  type Sharing,
} from '../world/http.ts';
import type { Room, Threads } from '../world/threads.ts';
import { TO_NODE, TO_THREAD } from './frames.ts';
import type { PacketReader } from './packet.ts';
import type { ServiceFacts } from './service-facts.ts';
import { ThreadLink } from './thread-link.ts';

/** Beyond its grace a thread has so long to say that it has stopped. */
const SILENT_MS = 2000;

/** What a thread is started with. */
export interface ThreadPlan {
  facts: ServiceFacts;
  driver: DriverChoice;
  verifier: Implementation;
  trustedProxies: readonly string[];
  /** How many threads share what a node has of connections. */
  threads: number;
}

export interface IngressOptions {
  service: HttpService;
  plan: ThreadPlan;
  world: { clock: Clock; threads: Pick<Threads, 'room'> };
  /** Path of the compiled `thread.ts`. */
  file: string;
  /** Receives why a thread took node:http. */
  onFallback(reason: string): void;
  /** Receives why there are fewer threads than wanted. */
  onFewer(reason: string): void;
  /** A thread has ended. */
  onFailure(error: Error): void;
}

/** One thread: what was asked of it last, and its answer. */
class IngressThread {
  readonly #link: ThreadLink;
  readonly #room: Room;
  #waiting: { resolve(value: number): void; reject(error: Error): void } | undefined;
  #hasEnded = false;
  /** Set when it listens. */
  driverName = '';

  /** `index`: of those of the node. */
  constructor(
    private readonly o: IngressOptions,
    index: number,
  ) {
    const { plan, service, world } = o;
    this.#room = world.threads.room({
      name: plan.threads === 1 ? 'ingress' : `ingress-${index + 1}`,
      file: o.file,
      data: plan,
      onBytes: (packet) => this.#link.take(packet),
      onFailure: (error) => this.#failed(error),
      onEnd: (error) => {
        this.#hasEnded = true;
        this.#failed(error);
      },
    });
    this.#link = new ThreadLink({
      service,
      clock: world.clock,
      post: (packet) => this.#room.post(packet),
      onControl: (kind, frame) => this.#onControl(kind, frame),
    });
  }

  #failed(error: Error): void {
    this.#settle().reject(error);
    this.o.onFailure(error);
  }

  #settle(): { resolve(value: number): void; reject(error: Error): void } {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting ?? { resolve() {}, reject() {} };
  }

  #onControl(kind: number, frame: PacketReader): void {
    if (kind === TO_NODE.listening) {
      const port = frame.u32();
      this.driverName = frame.text();
      const fallback = frame.text();
      if (fallback !== '') this.o.onFallback(fallback);
      this.#settle().resolve(port);
    } else if (kind === TO_NODE.failed) {
      const [text, code] = [frame.text(), frame.text()];
      this.#settle().reject(Object.assign(new Error(text), code === '' ? {} : { code }));
    } else if (kind === TO_NODE.stopped) this.#settle().resolve(0);
    else throw new Error(`a frame of kind ${kind}`);
  }

  #answered(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  listen(host: string, port: number, sharing: Sharing): Promise<number> {
    this.#link.tell(TO_THREAD.listen).text(host).u32(port).u8(SHARINGS.indexOf(sharing));
    return this.#answered();
  }

  /** Answers under way leave before it resolves. A thread that does not answer any more is ended. */
  async close(graceMs: number): Promise<void> {
    if (this.#hasEnded) return;
    this.#link.tell(TO_THREAD.stop).u32(graceMs);
    const cancel = this.o.world.clock.setTimer(() => this.#settle().resolve(0), graceMs + SILENT_MS);
    await this.#answered().catch(() => {});
    cancel();
    await this.#room.close();
  }
}

export class IngressDriver implements HttpDriver {
  #threads: readonly IngressThread[];

  constructor(private readonly o: IngressOptions) {
    this.#threads = Array.from({ length: o.plan.threads }, (_, i) => new IngressThread(o, i));
  }

  get name(): string {
    const count = this.#threads.length;
    const name = this.#threads[0]!.driverName || this.o.plan.driver;
    return `${name} on ${count} ${count === 1 ? 'thread' : 'threads'}`;
  }

  async listen(host: string, port: number): Promise<number> {
    const [first, ...others] = this.#threads;
    const bound = await first!.listen(host, port, others.length === 0 ? 'alone' : 'first');
    await Promise.all(others.map((thread) => this.#join(thread, host, bound)));
    return bound;
  }

  /** Where sockets cannot share a port (node:http before Node 22.12), the first thread takes all requests in. */
  async #join(thread: IngressThread, host: string, port: number): Promise<void> {
    try {
      await thread.listen(host, port, 'joins');
    } catch (error) {
      this.o.onFewer((error as Error).message);
      this.#threads = this.#threads.filter((one) => one !== thread);
      await thread.close(0);
    }
  }

  async close(graceMs: number): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close(graceMs)));
  }
}
