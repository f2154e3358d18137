// Types of the bindings to consensus.wasm: inputs, results, and reasons for a refusal (consensus 5).
// Keeps: the lists below have the order of the codes in assembly/consensus/abi.ts.

import type { SeatWeight } from '../wire/block.ts';

export interface EpochConfig {
  /** Seat table in manifest order; weights and late seats reach the module. */
  seats: readonly SeatWeight[];
  minParticipants: number;
  /** Leader slots of a round; default: those of the rule of every network, `leadersOfRound`. */
  leaders?: number | undefined;
  /** 32 bytes; seeds the leader schedule. */
  epochId: Uint8Array;
  /** T of the previous seal, milliseconds; at genesis launch_time * 1000, or 0. */
  previousTimeMs: number;
  /** Size of the arena; default: twice the vertices after which an epoch seals (consensus 5.12). */
  maxVertices?: number | undefined;
}

/** The parts of a vertex that the DAG needs: fields of its header, and its id. */
export interface DagVertex {
  id: Uint8Array;
  creator: number;
  seq: number;
  lamport: number;
  timeMs: number;
  work: boolean;
  parents: readonly Uint8Array[];
}

/**
 * `invalid`: on every node, reason in `lastFault()`; `full`: the arena is full, so the node must stop and replay with a
 * larger one.
 */
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

/** Properties that a vertex with given parents would have (consensus 5.13). */
export interface Preview {
  round: number;
  isWitness: boolean;
  /** Seats whose witnesses of that round it adds to those known to its self-parent, its own seat included. */
  newWitnessCreators: number[];
  /** T if it became the next leader. */
  timeMs: number;
  isRefusedByRun: boolean;
}

export interface Explained {
  round: number;
  isWitness: boolean;
  isOrdered: boolean;
  isVoid: boolean;
  /** Number in the epoch of the block that ordered it, 1, 2, ...; 0 = none yet. */
  block: number;
}

/** What was decided about the leader of a slot. */
export type SlotStatus = 'undecided' | 'commit' | 'skip';

/** Local figures for metrics and benchmarks; they may differ between nodes. */
export interface ConsensusFigures {
  vertices: number;
  ordered: number;
  blocks: number;
  maxRound: number;
  /** First round with an undecided leader slot. */
  undecidedRound: number;
  /** Width of the widest witness mask in 64-bit words; it grows under a flood of forks. */
  stride: number;
  /** Bytes used by the vertices and by everything that grows with them. */
  bytes: number;
}

export type EpochRefusal =
  | 'abi_version'
  | 'bad_config'
  | 'no_memory'
  | 'no_weight'
  | 'weight_too_large'
  | 'too_few_participants'
  | 'old_program';

const OLD_PROGRAM =
  'the network executes newer rules than this program knows: install the version of vws that knows them, and start it with the same data directory. Nothing is lost';

/** An epoch that could never order anything is not opened (consensus 5.9, 5.10), nor one of rules that are unknown here (5.11). */
export class EpochRefused extends Error {
  override name = 'EpochRefused';
  readonly reason: EpochRefusal;
  constructor(reason: EpochRefusal) {
    super(reason === 'old_program' ? OLD_PROGRAM : `epoch cannot open: ${reason}`);
    this.reason = reason;
  }
}

/** Refusals of consensus_init, in the order of its codes. */
export const REFUSALS: readonly EpochRefusal[] = [
  'abi_version',
  'bad_config',
  'no_memory',
  'no_weight',
  'weight_too_large',
  'too_few_participants',
];
/** Results of consensus_insert that are not faults, in the order of its codes. */
export const RESULTS: readonly InsertResult[] = ['inserted', 'known', 'missing_parent', 'full'];
/** Faults of consensus_insert, in the order of its codes. */
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
export const SLOTS: readonly SlotStatus[] = ['undecided', 'commit', 'skip'];
