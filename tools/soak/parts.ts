// The parts of a node's resident memory, from its own gauges and from its mappings.

import { metricSum } from '../../host/cli/top/sample.ts';
import { type Mapping, mappingsOf, residentOfArenas, residentOfSize } from '../load/memory.ts';
import type { NodeProcess } from '../load/node-process.ts';

/** Bytes. All but `used` make up `resident`. */
export interface MemoryParts {
  resident: number;
  /** What the JavaScript engine has taken, and the part of it with objects, including garbage. */
  heap: number;
  used: number;
  /** Touched pages of the state. */
  core: number;
  /** Touched pages of the consensus engine: of the current epoch, and of earlier ones not collected yet. */
  dag: number;
  /** Of the store: rows not in files yet; file blocks and their indexes. */
  memtables: number;
  cache: number;
  /** The allocator's thread arenas; threads of the store build a whole file in them. */
  threads: number;
  /** Everything else: code, stacks, buffers, what the allocator keeps for the next memtable. */
  rest: number;
}

export function partsOf(metrics: string, mappings: readonly Mapping[]): MemoryParts {
  const metric = (name: string): number => metricSum(metrics, `vws_${name}_bytes`);
  const [resident, heap, used] = [metric('resident'), metric('heap'), metric('heap_used')];
  const core = residentOfSize(mappings, metric('core_memory'));
  const dag = residentOfSize(mappings, metric('dag_memory'));
  const cache = metric('store_cache') + metric('store_index');
  const threads = residentOfArenas(mappings);
  const memtables = metric('store_memtables');
  const rest = resident - heap - core - dag - memtables - cache - threads;
  return { resident, heap, used, core, dag, memtables, cache, threads, rest };
}

/** Undefined if the system does not report it. Errors: ConnectionLost if the node is gone. */
export async function memoryParts(node: NodeProcess): Promise<MemoryParts | undefined> {
  const { text } = await node.get('/metrics');
  const mappings = mappingsOf(node.pid);
  return mappings && partsOf(text, mappings);
}
