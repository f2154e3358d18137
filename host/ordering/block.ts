// Input of the executor: a block of ordered vertices whose entries were already translated into commands.

import type { Comparison, Evidence, Verification } from '../scoring/index.ts';
import { evidenceIn } from '../wire/block.ts';
import { concat } from '../wire/bytes.ts';
import type { Parsed } from '../wire/operations.ts';
import type { Epoch } from './epoch.ts';

export type AuthName = 'tx_v1' | 'request_v1' | 'api_key' | 'unsigned';

/** What every node computes for a submission, from the request and the text of its task. */
export interface ScoredSubmission {
  verification: Verification;
  evidence: Evidence;
  resultHash: string;
}

/** An entry: one transaction, or invalid bytes; then `parsed` and the rest are missing. */
export interface EntryInput {
  id: Uint8Array;
  /** Record for the core: a command, or OP_INVALID. */
  command: Uint8Array;
  parsed?: Parsed;
  auth?: AuthName;
  /** Hex, on signed writes. */
  signature?: string;
  /** Invalid because one of its signatures is bad. */
  hasBadSignature?: true;
  /** Not a transaction but a proof that a seat has equivocated; it is excluded for it. */
  proven?: Equivocation;
  /** On submissions. */
  submission?: ScoredSubmission;
  /** On reports of a replay: the result of each check of the baseline. */
  comparisons?: Comparison[];
  /** OPEN_* of the key of a sealed delivery that came with it. */
  opening?: number;
}

/** Two vertices of a seat with one number. */
export interface Equivocation {
  seat: number;
  /** Their ids. */
  vertices: readonly [Uint8Array, Uint8Array];
}

export interface VertexInput {
  id: Uint8Array;
  order: number;
  seat: number;
  /** Newest revision of the rules that its signer knows (consensus 5.11). */
  revision: number;
  /** Derived round (consensus 5.3). */
  round: number;
  /** Hex ids, sorted. */
  parents: string[];
  /** Empty for a void vertex, which has an order number and no effect. */
  entries: EntryInput[];
}

/** A seat that resumed with a block (consensus 5.7). */
export interface Resumption {
  seat: number;
  /** The last one that took effect in the block. */
  incarnation: number;
  epoch: number;
  /** Seats of a third of the weight resumed in the epoch, up to and with this block: acknowledged writes may be lost. */
  mayLoseWrites: boolean;
}

export interface BlockInput {
  index: number;
  timeMs: number;
  hash: Uint8Array;
  /** Header bytes of consensus 5.17. */
  header: Uint8Array;
  vertices: VertexInput[];
  /** In ascending order of seats. */
  resumptions: readonly Resumption[];
}

/** What a block proves, by two of its vertices or by an entry: by ascending seats, each once. */
export function equivocationsIn({ header, vertices }: BlockInput): Equivocation[] {
  const ofVertices = evidenceIn(header).map((e) => ({
    seat: e.creator,
    vertices: [e.effective, e.void] as const,
  }));
  const ofEntries = vertices.flatMap(({ entries }) => entries.flatMap(({ proven }) => proven ?? []));
  // Of several against a seat the first counts.
  const bySeat = new Map([...ofVertices, ...ofEntries].reverse().map((one) => [one.seat, one]));
  return [...bySeat.values()].sort((a, b) => a.seat - b.seat);
}

/** The block as the log stores it: header bytes, then the ids of its vertices in order. */
export const blockRow = (block: BlockInput): Uint8Array =>
  concat(block.header, ...block.vertices.map((v) => v.id));

/** What the end of a block means for the epoch. */
export interface BlockEnd {
  /** Epoch the block belongs to. */
  epoch: Epoch;
  isSeal: boolean;
  /** Seat digest in force after the block; at a seal, that of the next epoch. */
  digestAfter: Uint8Array;
}
