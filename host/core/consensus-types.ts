// The words of the door to consensus.wasm: what goes in, what comes out, and why something is refused. consensus 5.
// Keeps: the lists below stand in the order of the codes in assembly/consensus/abi.ts.

import type { SeatWeight } from '../wire/block.ts';

export interface EpochConfig {
  /** Seat table in manifest order; only the weights reach the module. */
  seats: readonly SeatWeight[];
  minParticipants: number;
  /** 32 bytes; seeds the leader schedule. */
  epochId: Uint8Array;
  /** T of the seal before, milliseconds; at genesis launch_time * 1000, or 0. */
  previousTimeMs: number;
  /** Size of the arena; default twice the vertices after which an epoch seals. consensus 5.12. */
  maxVertices?: number | undefined;
}

/** What the DAG needs of a vertex: fields of its header, and its id. */
export interface DagVertex {
  id: Uint8Array;
  creator: number;
  seq: number;
  lamport: number;
  timeMs: number;
  work: boolean;
  parents: readonly Uint8Array[];
}

/** `invalid` on every node, reason in `lastFault()`; `full`: the arena, the node stops and replays with a larger one. */
export type InsertResult = 'inserted' | 'known' | 'missing_parent' | 'invalid' | 'full';

/** Rule of consensus 5.1 that an invalid vertex breaks. */
export type VertexFault =
  | 'creator'
  | 'seq'
  | 'time'
  | 'parent_count'
  | 'self_parent'
  | 'same_creator'
  | 'lamport'
  | 'run';

/** What a vertex with certain parents would be. consensus 5.13. */
export interface Preview {
  round: number;
  isWitness: boolean;
  /** Seats whose witnesses of that round it is or brings, beyond those of its self-parent. */
  newWitnessCreators: number[];
  /** T, were it the next leader. */
  timeMs: number;
  isRefusedByRun: boolean;
}

export interface Explained {
  round: number;
  isWitness: boolean;
  /** State of the leader slot of its round. */
  slot: 'undecided' | 'commit' | 'skip';
  isOrdered: boolean;
  isVoid: boolean;
  /** Block of the epoch that ordered it, 1, 2, ...; 0 = none yet. */
  block: number;
}

/** Local figures for gauges and benchmarks: they may differ from node to node. */
export interface ConsensusFigures {
  vertices: number;
  ordered: number;
  blocks: number;
  maxRound: number;
  /** First leader slot that is not decided. */
  undecidedRound: number;
  /** Width of the widest witness mask, in 64-bit words: an alarm for floods of forks. */
  stride: number;
  /** Bytes that the vertices and everything that grows with them fill. */
  bytes: number;
}

export type EpochRefusal =
  | 'abi_version'
  | 'bad_config'
  | 'no_memory'
  | 'no_weight'
  | 'weight_too_large'
  | 'too_few_participants';

/** An epoch that can never order anything does not open (consensus 5.9, 5.10). */
export class EpochRefused extends Error {
  override name = 'EpochRefused';
  readonly reason: EpochRefusal;
  constructor(reason: EpochRefusal) {
    super(`epoch does not open: ${reason}`);
    this.reason = reason;
  }
}

/** From the first refusal of consensus_init on. */
export const REFUSALS: readonly EpochRefusal[] = [
  'abi_version',
  'bad_config',
  'no_memory',
  'no_weight',
  'weight_too_large',
  'too_few_participants',
];
/** Answers of consensus_insert below the faults. */
export const RESULTS: readonly InsertResult[] = ['inserted', 'known', 'missing_parent', 'full'];
/** From the first fault on. */
export const FAULTS: readonly VertexFault[] = [
  'creator',
  'seq',
  'time',
  'parent_count',
  'self_parent',
  'same_creator',
  'lamport',
  'run',
];
export const SLOTS = ['undecided', 'commit', 'skip'] as const;
