// Processor time that a process has used, all its threads together: what a request costs the server, also where the
// load generator is the slower side. Linux only; elsewhere it is unknown.

import { readFileSync } from 'node:fs';

/** /proc counts in hundredths of a second on every Linux that Node runs on. */
const TICK_MS = 10;

/** Milliseconds of user and system time so far; undefined where the system does not say. */
export function cpuMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program may hold spaces; what follows its closing bracket has fixed places.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined;
  }
}
