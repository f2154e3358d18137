// What simulated nodes are made of, what they send each other, and what they need of the world around them.

import type { OrderedBlock } from '../../host/core/consensus.ts';
import type { Emission } from '../../host/ordering/emission.ts';
import type { SimNode } from './node.ts';
import type { SimVertex } from './vertex.ts';

export type NodeKind = 'honest' | 'twin' | 'silent' | 'liar' | 'withholder' | 'stale' | 'loser';

export type Message =
  | { type: 'vertices'; vertices: readonly SimVertex[] }
  | { type: 'sync'; epoch: number; tips: readonly string[] }
  | { type: 'ask' }
  | { type: 'told'; epoch: number };

/** What a node needs of the world around it. */
export interface Surroundings {
  nowMs(): number;
  send(from: number, to: number, message: Message): void;
  after(ms: number, run: () => void): void;
  executed(node: SimNode, index: number, hash: string, block: OrderedBlock): void;
  made(node: SimNode, vertex: SimVertex, emission: Emission): void;
  seatOf(node: number): number;
  nodeCount: number;
}

export interface NodeSetup {
  index: number;
  seat: number;
  kind: NodeKind;
  skewMs: number;
  maxParents: number;
  minIntervalMs: number;
}
