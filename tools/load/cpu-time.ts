// Processor time that a process has used, all threads together: what a request costs the server, even if the load
// generator is the slower side. Linux only; elsewhere it is unknown.

import { readdirSync, readFileSync } from 'node:fs';

/** /proc counts in hundredths of a second on every Linux that Node runs on. */
const TICK_MS = 10;

/** Milliseconds of user and system time so far; undefined if the system does not report it. */
export function cpuMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program's name may contain spaces; the fields after its closing bracket have fixed positions.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined;
  }
}

/** Processor time of the threads that a process has now, ms, exact to a scheduler's tick or better. */
export interface ThreadTimes {
  /** All of them together. */
  all: number;
  /** What bounds a node on many cores. */
  main: number;
  /** Those that the storage engine started. */
  engine: number;
}

const ENGINE_THREADS = /^rocksdb/;

/** Undefined if the system does not report it. A thread that has ended is not counted. */
export function threadTimes(pid: number): ThreadTimes | undefined {
  const read = (thread: string, file: string): string =>
    readFileSync(`/proc/${pid}/task/${thread}/${file}`, 'latin1');
  try {
    const times: ThreadTimes = { all: 0, main: 0, engine: 0 };
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      // Nanoseconds on a processor, then other figures.
      const ms = Number.parseInt(read(thread, 'schedstat'), 10) / 1e6;
      times.all += ms;
      if (Number(thread) === pid) times.main += ms;
      else if (ENGINE_THREADS.test(read(thread, 'comm'))) times.engine += ms;
    }
    return times;
  } catch {
    return undefined;
  }
}
