// The JavaScript memory of each thread of the process, asked for by those who scrape metrics.
// Keeps: a thread answers between two steps of its program; one that does not within PATIENCE_MS is left out, as are all but
// the main one where Node cannot ask them (before 22.16).

import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { ThreadMemory } from '../threads.ts';

const PATIENCE_MS = 250;

/** What Node's typings do not know yet. */
interface Asked {
  getHeapStatistics?(): Promise<{ total_heap_size: number; used_heap_size: number; external_memory: number }>;
}

const threads = new Map<Worker, string>();

/** Counts a thread until it ends. */
export function noteThread(thread: Worker, name: string): void {
  threads.set(thread, name);
  thread.once('exit', () => threads.delete(thread));
}

async function memoryOf(thread: Asked, name: string): Promise<ThreadMemory[]> {
  if (!thread.getHeapStatistics) return [];
  const answered = new AbortController();
  const { signal } = answered;
  const found = await Promise.race([
    thread.getHeapStatistics(),
    pause(PATIENCE_MS, undefined, { signal }),
  ]).catch(
    // It has ended.
    () => undefined,
  );
  answered.abort();
  if (!found) return [];
  const { total_heap_size, used_heap_size, external_memory } = found;
  return [{ name, heapBytes: total_heap_size, usedBytes: used_heap_size, externalBytes: external_memory }];
}

/** The main thread first. */
export async function threadMemory(): Promise<ThreadMemory[]> {
  const { heapTotal, heapUsed, external } = process.memoryUsage();
  const main = { name: 'main', heapBytes: heapTotal, usedBytes: heapUsed, externalBytes: external };
  const others = await Promise.all([...threads].map(([thread, name]) => memoryOf(thread as Asked, name)));
  return [main, ...others.flat()];
}
