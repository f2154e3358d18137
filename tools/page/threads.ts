// Processor time of a browser, thread by thread, as Linux counts it.
// Keeps: what the page computes is kept apart from what draws it: without a graphics card the processor does the work of one,
// which says nothing about the page.

import { readdirSync, readFileSync } from 'node:fs';

/** Seconds of processor time. */
export interface CpuTime {
  /** The page's own thread: scripts, styles, layout, what is to be painted. */
  main: number;
  /** Workers of the page: the verifier. */
  workers: number;
  /** Threads of the engine for the page: collection of garbage, compilation, decoding, the network. */
  helpers: number;
  /** Rasterizing and putting together, in the page's process and in that of the graphics card. */
  drawing: number;
}

/** A process of the browser, as the DevTools protocol names it. */
export interface BrowserProcess {
  type: string;
  id: number;
}

/** Linux counts in hundredths of a second, whatever the machine. */
const TICKS_PER_SEC = 100;
/** Within /proc/<pid>/task/<tid>/stat, counted from behind the name. */
const [USER_AT, SYSTEM_AT] = [11, 12];

/** Which part of CpuTime a thread of a page's process belongs to. */
export function kindOf(name: string, isMain: boolean): keyof CpuTime {
  if (isMain) return 'main';
  if (/^(?:DedicatedWorker|ServiceWorker|SharedWorker)/.test(name)) return 'workers';
  return /^(?:Compositor|Raster|Viz)/.test(name) ? 'drawing' : 'helpers';
}

/** Name and seconds of a thread, of the text of its `stat`. */
export function readStat(stat: string): { name: string; secs: number } {
  // The name may contain spaces and parentheses.
  const end = stat.lastIndexOf(')');
  const fields = stat.slice(end + 2).split(' ');
  const ticks = Number(fields[USER_AT]) + Number(fields[SYSTEM_AT]);
  return { name: stat.slice(stat.indexOf('(') + 1, end), secs: ticks / TICKS_PER_SEC };
}

/** Since the processes began. The browser's own process, which serves all pages, is not counted. */
export function cpuTimeOf(processes: readonly BrowserProcess[]): CpuTime {
  const sum: CpuTime = { main: 0, workers: 0, helpers: 0, drawing: 0 };
  for (const { type, id } of processes) {
    if (type !== 'renderer' && type !== 'GPU') continue;
    for (const thread of readdirSync(`/proc/${id}/task`)) {
      const { name, secs } = readStat(readFileSync(`/proc/${id}/task/${thread}/stat`, 'utf8'));
      sum[type === 'GPU' ? 'drawing' : kindOf(name, Number(thread) === id)] += secs;
    }
  }
  return sum;
}

/** Of an interval. */
export const between = (before: CpuTime, now: CpuTime): CpuTime => ({
  main: now.main - before.main,
  workers: now.workers - before.workers,
  helpers: now.helpers - before.helpers,
  drawing: now.drawing - before.drawing,
});
