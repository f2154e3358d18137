// Memory that a process holds: what the system counts as resident. Linux only; elsewhere it is unknown.

import { readFileSync } from 'node:fs';

/** Resident bytes; undefined where the system does not say. */
export function memoryBytes(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
