// The export of a node's history: the verifier computes it, a sink keeps it.
// Keeps: a batch is written to the sink before the verifier keeps it, so the verifier's folder is never ahead of the sink;
// what the sink has already is computed again and not written. Never writes over a hole, nothing after a fault, and nothing
// behind another history of the same network, such as that of a node which lost its tail.

import { type Finding, type Verdict, Verifier, type VerifierOptions } from '../audit/index.ts';
import { VwsError } from '../client/vws-error.ts';
import type { ReadyBatch } from '../execution/executor.ts';
import type { CheckpointDoc, EventDoc } from '../store/documents.ts';
import { rowKey } from '../store/prefixes.ts';
import { readJson } from '../store/write-set.ts';
import { pause } from '../world/clock.ts';
import { ExportFault, type Newest, type Place, type Sink } from './batch.ts';
import { Recorder } from './recorder.ts';

export interface ExportOptions {
  verifier: Omit<VerifierOptions, 'onBatch' | 'onSigned'>;
  sink: Sink;
  /** Between two looks at the node. */
  pollMs: number;
  warn(text: string): void;
  /** The node did not answer as it should, and is asked again. */
  onAway?(): void;
  /** After each batch that was written. */
  onWritten?(place: Place, events: number): void;
}

/** Of vertices: some ten thousand events. Larger batches write a document that changes often fewer times. */
const BATCH_BYTES = 8 * 1024 * 1024;

/** With these what comes next would be written over a hole. */
const STOPPING: readonly Finding['kind'][] = ['rollback', 'pruned', 'pin', 'unfinished'];

/** Whether an export must end with this verdict. */
export const isEnd = ({ isGood, findings }: Verdict): boolean =>
  !isGood || findings.some(({ kind }) => STOPPING.includes(kind));

export class Exporter {
  #recorder!: Recorder;
  /** Head before the next batch, and up to where the sink is complete. */
  #from!: Place;
  #written!: Place;
  /** The newest of the sink, until it was compared. */
  #uncompared: Newest | undefined;
  #isStopped = false;
  #wake: () => void = () => {};
  /** When the sink was last seen to have everything that the node has. */
  #wholeMs: number;
  #verifier!: Verifier;

  private constructor(private readonly o: ExportOptions) {
    this.#wholeMs = o.verifier.environment.clock.monotonicMs();
  }

  /** Errors: ExportFault where the sink does not fit; those of Verifier.open and of the sink. */
  static async open(o: ExportOptions): Promise<Exporter> {
    const exporter = new Exporter(o);
    const verifier = await Verifier.open({
      batchBytes: BATCH_BYTES,
      ...o.verifier,
      onBatch: (ready) => exporter.#take(ready),
      onSigned: (checkpoints, quorum) => o.sink.signed(checkpoints, quorum),
    });
    exporter.#verifier = verifier;
    await exporter.#begin();
    return exporter;
  }

  /** Up to where the sink is complete. */
  get place(): Place {
    return this.#written;
  }

  /** How far the sink is behind the node: order numbers, as last asked, and milliseconds since it was not. */
  get lag(): { orders: number; ms: number } {
    const { clock } = this.o.verifier.environment;
    const orders = Math.max(0, this.#verifier.nodeOrder - this.#written.order);
    return { orders, ms: clock.monotonicMs() - this.#wholeMs };
  }

  get verifier(): Verifier {
    return this.#verifier;
  }

  async #begin(): Promise<void> {
    const { sink } = this.o;
    const { genesis, replica } = this.#verifier;
    this.#recorder = new Recorder(replica, genesis);
    const { order, seq } = replica.resumed;
    this.#from = { order, seq };
    let place = await sink.place(genesis.hashHex);
    if (place) await this.#recorder.resume();
    else {
      if (!replica.isCaughtUp)
        throw new ExportFault('gap', 'the folder of verified data is ahead of the empty database: remove it');
      await sink.open(await this.#recorder.opening());
      place = (await sink.place(genesis.hashHex))!;
    }
    if (place.order < order)
      throw new ExportFault(
        'gap',
        `the database ends at order ${place.order}, and the verified data begins at order ${order}: export from genesis, or into another database`,
      );
    this.#written = place;
    this.#uncompared = place;
    if (place.order === order) this.#compare([]);
  }

  /**
   * The sink's newest event and checkpoint are those that were computed here. `coming`: checkpoints of a batch that is not
   * kept yet. Errors: ExportFault.
   */
  #compare(coming: readonly CheckpointDoc[]): void {
    const { replica, way } = this.#verifier;
    const { eventId, checkpoint } = this.#uncompared!;
    this.#uncompared = undefined;
    const { seq } = this.#written;
    const event = readJson<EventDoc>(replica.rows.get(rowKey.event(seq)))?.event_id;
    const at = checkpoint?.height ?? 0;
    const kept = readJson<CheckpointDoc>(replica.store.get(rowKey.checkpoint(at)));
    const root = (coming.find(({ height }) => height === at) ?? kept)?.state_root;
    // Whoever begins at a checkpoint has not what was before it.
    const isOther = (held: string | undefined, own: string | undefined): boolean =>
      held !== undefined && held !== own && (own !== undefined || way === 'genesis');
    if (isOther(eventId, event) || isOther(checkpoint?.stateRoot, root))
      throw new ExportFault(
        'differs',
        `the database ends at event ${seq} of another history of this network: the node lost what it had served, or one of both was made from a lie. Export into another schema (--schema)`,
      );
  }

  async #take(ready: ReadyBatch): Promise<void> {
    const from = this.#from;
    const { order, seq } = ready.head;
    this.#from = { order, seq };
    if (this.#uncompared && order >= this.#written.order) this.#compare(ready.checkpoints);
    if (order <= this.#written.order) {
      this.#recorder.pass(ready);
      return;
    }
    const batch = this.#recorder.batch(ready, from);
    await this.o.sink.write(batch);
    this.#written = { order, seq };
    this.o.onWritten?.(this.#written, batch.events.length);
  }

  /** Exports everything that the node has now. Errors: ExportFault, those of the sink, VwsError. */
  async once(): Promise<Verdict> {
    const verdict = await this.#verifier.run();
    if (this.#written.order >= verdict.nodeOrder)
      this.#wholeMs = this.o.verifier.environment.clock.monotonicMs();
    return verdict;
  }

  /** Exports until it is stopped, or until nothing more can be written: the last verdict. A node that is away is waited for. */
  async follow(): Promise<Verdict | undefined> {
    let last: Verdict | undefined;
    let warned = '';
    while (!this.#isStopped) {
      try {
        last = await this.once();
        if (isEnd(last)) return last;
        const text = last.findings.map((finding) => finding.text).join('; ');
        if (text !== '' && text !== warned) this.o.warn(text);
        warned = text;
      } catch (error) {
        if (!(error instanceof VwsError)) throw error;
        this.o.onAway?.();
        this.o.warn(error.message);
      }
      if (!this.#isStopped) await this.#rest();
    }
    return last;
  }

  #rest(): Promise<void> {
    const { clock } = this.o.verifier.environment;
    return Promise.race([
      pause(clock, this.o.pollMs),
      new Promise<void>((resolve) => {
        this.#wake = resolve;
      }),
    ]);
  }

  /** Ends `follow` after the present look. */
  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  /** Keeps the verifier's progress and lets the sink go. */
  async close(): Promise<void> {
    await this.#verifier.close();
    await this.o.sink.close();
  }
}
