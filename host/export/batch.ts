// What an export writes: batches of the order with their events, postings and documents, and the state that it begins with.
// Keeps: a batch ends at the end of a block; the postings of each cause in it sum to zero; amounts are micro-units.

import type { CheckpointDoc, EventDoc } from '../store/documents.ts';

/** Supply of the ledger, micro-units (protocol 6.1). */
export const SUPPLY = 1_000_000_000_000_000;

/** `run_count`: of a program or a poster. `summary`: the answer to a route without parameters. */
export const DOCUMENT_KINDS = [
  'agent',
  'task',
  'listing',
  'validator',
  'challenge',
  'replay_job',
  'run_count',
  'summary',
] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** A document as it is at the end of the batch; its columns are read off it (postgres/tables.ts). */
export interface ExportedDocument {
  kind: DocumentKind;
  id: string;
  doc: Readonly<Record<string, unknown>>;
  /** What is listed or found by it and is not in the document. */
  more?: Readonly<Record<string, string | number | undefined>>;
}

export interface ExportedPosting {
  seq: number;
  order: number;
  /** Position among those of one order number, from 0. */
  number: number;
  /** Id of the event or of the refused transaction, hex; undefined for what the rules did before any of them. */
  cause: string | undefined;
  account: string;
  amount: number;
}

/** An account, and what it holds. */
export type Holding = readonly [account: string, amount: number];

/** The place in the order up to which a database is complete. */
export interface Place {
  order: number;
  /** Of the newest event. */
  seq: number;
}

/** The newest that a sink holds, by which it is known whether it is of the history that is computed now. */
export interface Newest {
  /** Of the event at the sink's seq; undefined while it has none. */
  eventId?: string | undefined;
  checkpoint?: { height: number; stateRoot: string } | undefined;
}

export interface ExportBatch extends Place {
  /** Consensus time of its last block, ms. */
  timeMs: number;
  /** What was exported before must reach up to here. */
  from: Place;
  /** In the order of their seq, without a gap. */
  events: readonly EventDoc[];
  /** Older ones that were settled. */
  settled: readonly EventDoc[];
  postings: readonly ExportedPosting[];
  /** What each account of the postings holds at the end of the batch, as the core says. */
  holdings: readonly Holding[];
  documents: readonly ExportedDocument[];
  checkpoints: readonly CheckpointDoc[];
}

/** What an empty database begins with: the state at genesis or at a seal. */
export interface Opening extends Place {
  genesisHash: string;
  timeMs: number;
  /** All of them: they sum to the supply. */
  holdings: readonly Holding[];
  documents: readonly ExportedDocument[];
}

/** Signatures that a checkpoint has got. */
export interface SignedHeight {
  height: number;
  statement: string;
  signatures: readonly CheckpointDoc['signatures'][number][];
}

/** Why an export cannot go on: to write would leave a hole, or contradict what is there. */
export class ExportFault extends Error {
  override name = 'ExportFault';

  constructor(
    /** `gap`: something is missing in between; `differs`: the database is not of this history. */
    readonly kind: 'gap' | 'differs',
    message: string,
  ) {
    super(message);
  }
}

export interface PublishedEvent {
  seq: number;
  doc: EventDoc;
}

/** Committed events, as the database has them. */
export interface EventSource {
  /** The first seq that is there, and the newest. */
  range(): Promise<{ first: number; last: number }>;
  /** At most `limit` events after a seq, ascending. */
  after(seq: number, limit: number): Promise<PublishedEvent[]>;
}

/** Where batches go. One that was written is never written again, whoever writes. */
export interface Sink {
  /** Up to where it is complete; undefined before an opening was written. Errors: ExportFault for another network. */
  place(genesisHash: string): Promise<(Place & Newest) | undefined>;
  open(opening: Opening): Promise<void>;
  /** Writes what of a batch is not there yet. Errors: ExportFault; then nothing was written. */
  write(batch: ExportBatch): Promise<void>;
  /** `quorum`: height of the newest checkpoint that a quorum has signed, 0 = none. */
  signed(checkpoints: readonly SignedHeight[], quorum: number): Promise<void>;
  close(): Promise<void>;
}
