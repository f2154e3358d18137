// Where the resident bytes of a node are: what its own gauges tell, and what its mappings show.

import { type Mapping, mappingsOf, residentOfArenas, residentOfSize } from '../load/memory.ts';
import type { NodeProcess } from '../load/node-process.ts';
import { metricSum } from '../localnet/figures.ts';

/** Bytes. All but `used` make up `resident`. */
export interface MemoryParts {
  resident: number;
  /** What the JavaScript engine has taken, and of it what holds objects, garbage included. */
  heap: number;
  used: number;
  /** Touched pages of the state. */
  core: number;
  /** Touched pages of the order: of the running epoch, and of those before it that are not collected yet. */
  dag: number;
  /** Of the store: rows that are not in files yet; blocks of files and their indexes. */
  memtables: number;
  cache: number;
  /** What the allocator holds for threads; those of the store build a whole file of it in memory. */
  threads: number;
  /** Code, stacks, buffers, what the allocator keeps for the next memtable: everything else. */
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

/** Undefined where the system does not say. Errors: ConnectionLost when the node is gone. */
export async function memoryParts(node: NodeProcess): Promise<MemoryParts | undefined> {
  const { text } = await node.get('/metrics');
  const mappings = mappingsOf(node.pid);
  return mappings && partsOf(text, mappings);
}
