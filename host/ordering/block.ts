// What the executor is given: a block of ordered vertices with their entries already turned into commands.

import type { Comparison, Evidence, Verification } from '../scoring/index.ts';
import { forkedSeats } from '../wire/block.ts';
import { concat } from '../wire/bytes.ts';
import type { Parsed } from '../wire/operations.ts';
import type { Epoch } from './epoch.ts';

export type AuthName = 'tx_v1' | 'request_v1' | 'api_key' | 'unsigned';

/** What every node works out of a submission, from the request and the text of its task. */
export interface ScoredSubmission {
  verification: Verification;
  evidence: Evidence;
  resultHash: string;
}

/** One transaction, or an entry that is none: then `parsed` and the rest are missing. */
export interface EntryInput {
  id: Uint8Array;
  /** Record for the core: a command, or OP_INVALID. */
  command: Uint8Array;
  parsed?: Parsed;
  auth?: AuthName;
  /** Hex, on signed writes. */
  signature?: string;
  /** An entry that is none because a signature of it is bad. */
  hasBadSignature?: true;
  /** No transaction, but a proof: this seat has equivocated and is excluded for it. */
  provenSeat?: number;
  /** On submissions. */
  submission?: ScoredSubmission;
  /** On reports of a replay: how each check of the baseline came out. */
  comparisons?: Comparison[];
}

export interface VertexInput {
  id: Uint8Array;
  order: number;
  seat: number;
  /** Derived round (consensus 5.3). */
  round: number;
  /** Hex ids, sorted. */
  parents: string[];
  /** Empty for a void vertex, which keeps its place and does nothing. */
  entries: EntryInput[];
}

export interface BlockInput {
  index: number;
  timeMs: number;
  hash: Uint8Array;
  /** Header bytes of consensus 5.17. */
  header: Uint8Array;
  vertices: VertexInput[];
}

/** Seats that a block proves to have equivocated, by two of its vertices or by an entry: ascending, each once. */
export function provenSeats({ header, vertices }: BlockInput): number[] {
  const seats = new Set(forkedSeats(header));
  for (const { entries } of vertices) {
    for (const { provenSeat } of entries) if (provenSeat !== undefined) seats.add(provenSeat);
  }
  return [...seats].sort((a, b) => a - b);
}

/** The block as the log keeps it: header bytes, then the ids of its vertices in order. */
export const blockRow = (block: BlockInput): Uint8Array =>
  concat(block.header, ...block.vertices.map((v) => v.id));

/** What the end of a block means for the epoch. */
export interface BlockEnd {
  /** Epoch the block belongs to. */
  epoch: Epoch;
  isSeal: boolean;
  /** Seat digest in force after the block: of the next epoch at a seal. */
  digestAfter: Uint8Array;
}
