// What the executor is given: a block of ordered vertices with their entries already turned into commands.

import type { Parsed } from '../wire/operations.ts';

export type AuthName = 'tx_v1' | 'request_v1' | 'api_key' | 'unsigned';

/** One transaction, or an entry that is none: then `parsed` and the rest are missing. */
export interface EntryInput {
  id: Uint8Array;
  /** Record for the core: a command, or OP_INVALID. */
  command: Uint8Array;
  parsed?: Parsed;
  auth?: AuthName;
  /** Hex, on signed writes. */
  signature?: string;
}

export interface VertexInput {
  id: Uint8Array;
  /** Header, signature and payload as stored and sent. */
  bytes: Uint8Array;
  order: number;
  seat: number;
  round: number;
  /** Hex ids, sorted. */
  parents: string[];
  entries: EntryInput[];
}

export interface BlockInput {
  index: number;
  timeMs: number;
  hash: Uint8Array;
  /** Header bytes of CONSENSUS 5.17. */
  header: Uint8Array;
  vertices: VertexInput[];
}
