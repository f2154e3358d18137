// Processor time that a process has used, all threads together: what a request costs the server, even if the load
// generator is the slower side. Linux only; elsewhere it is unknown.

import { readFileSync } from 'node:fs';

/** /proc counts in hundredths of a second on every Linux that Node runs on. */
const TICK_MS = 10;

/** User and system time in one of these files, ms; undefined if the system does not report it. */
function statMs(path: string): number | undefined {
  try {
    const stat = readFileSync(path, 'latin1');
    // The program's name may contain spaces; the fields after its closing bracket have fixed positions.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined;
  }
}

/** Milliseconds of user and system time so far; undefined if the system does not report it. */
export const cpuMs = (pid: number): number | undefined => statMs(`/proc/${pid}/stat`);

/** The same of the main thread alone, which is what bounds a node on many cores. */
export const mainThreadMs = (pid: number): number | undefined => statMs(`/proc/${pid}/task/${pid}/stat`);
