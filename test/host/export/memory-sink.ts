// A sink in memory with the promises of the one of PostgreSQL, and exports of a network in one process.

import type { VerifierOptions } from '../../../host/audit/index.ts';
import {
  type ExportBatch,
  ExportFault,
  type Newest,
  type Opening,
  type Place,
  type SignedHeight,
  type Sink,
} from '../../../host/export/batch.ts';
import { Exporter } from '../../../host/export/exporter.ts';
import type { EventDoc } from '../../../host/store/documents.ts';
import { modules, randomBytes } from '../audit/auditors.ts';
import { GiverSource, type Lies, PlainStore } from '../audit/giver-source.ts';
import { GENESIS, type Giver, NET } from '../net/join-world.ts';
import { SMALL_TABLES } from '../one-node/harness.ts';

export class MemorySink implements Sink {
  opening: Opening | undefined;
  at: Place | undefined;
  readonly batches: ExportBatch[] = [];
  readonly events = new Map<number, EventDoc>();
  readonly accounts = new Map<string, number>();
  readonly documents = new Map<string, unknown>();
  readonly signatures = new Map<number, SignedHeight>();

  async place(): Promise<(Place & Newest) | undefined> {
    const newest = this.batches.flatMap(({ checkpoints }) => checkpoints).at(-1);
    return (
      this.at && {
        ...this.at,
        eventId: this.events.get(this.at.seq)?.event_id,
        checkpoint: newest && { height: newest.height, stateRoot: newest.state_root },
      }
    );
  }

  async open(opening: Opening): Promise<void> {
    this.opening = opening;
    this.at = { order: opening.order, seq: opening.seq };
    for (const [account, amount] of opening.holdings) this.accounts.set(account, amount);
    for (const { kind, id, doc } of opening.documents) this.documents.set(`${kind} ${id}`, doc);
  }

  async write(batch: ExportBatch): Promise<void> {
    if (batch.from.order !== this.at!.order) throw new ExportFault('gap', 'the batch begins elsewhere');
    this.batches.push(batch);
    for (const event of [...batch.events, ...batch.settled])
      if (event.seq > this.opening!.seq) this.events.set(event.seq, event);
    for (const { account, amount } of batch.postings)
      this.accounts.set(account, (this.accounts.get(account) ?? 0) + amount);
    for (const { kind, id, doc } of batch.documents) this.documents.set(`${kind} ${id}`, doc);
    this.at = { order: batch.order, seq: batch.seq };
  }

  async signed(checkpoints: readonly SignedHeight[]): Promise<void> {
    for (const checkpoint of checkpoints) this.signatures.set(checkpoint.height, checkpoint);
  }

  async close(): Promise<void> {}
}

export interface Begin {
  giver: Giver;
  sink: Sink;
  lies?: Lies;
  store?: PlainStore;
  way?: VerifierOptions['way'];
  /** Vertices of a page. */
  page?: number;
  /** Bytes of pages that become one batch; 0, the default here: each page is one. */
  batchBytes?: number;
}

/** An exporter of a network in one process. */
export function openExporter(begin: Begin): Promise<Exporter> {
  const { giver, sink, lies = {}, store, way, page = 25, batchBytes = 0 } = begin;
  return Exporter.open({
    verifier: {
      source: new GiverSource(giver, lies, page),
      modules,
      store: store ?? new PlainStore(),
      genesisHash: GENESIS.hashHex,
      way: way ?? 'genesis',
      environment: { randomBytes, clock: giver.parts.clock },
      batchBytes,
      scale: { limits: NET.limits, capacity: SMALL_TABLES },
    },
    sink,
    pollMs: 10,
    warn: () => {},
  });
}

/** Exports everything once; the verdict. */
export async function exportOnce(begin: Begin) {
  const exporter = await openExporter(begin);
  const verdict = await exporter.once();
  await exporter.verifier.close();
  return verdict;
}
