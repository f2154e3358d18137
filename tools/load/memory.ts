// Memory that a process holds: what the system counts as resident, in all and of single mappings. Linux only; elsewhere it
// is unknown.

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

/** A stretch of a process's addresses. */
export interface Mapping {
  from: number;
  to: number;
  /** As the system writes them: `rw-p`. */
  rights: string;
  residentBytes: number;
}

/** Undefined where the system does not say. Takes some ten milliseconds. */
export function mappingsOf(pid: number): Mapping[] | undefined {
  try {
    return readMappings(readFileSync(`/proc/${pid}/smaps`, 'latin1'));
  } catch {
    return undefined;
  }
}

/** Reads the text of /proc/<pid>/smaps. */
export function readMappings(smaps: string): Mapping[] {
  const each = smaps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) (\S+) .*\n(?:[A-Z].*\n)*?Rss: +(\d+) kB$/gm);
  return Array.from(each, ([, from, to, rights, kilobytes]) => ({
    from: Number(`0x${from}`),
    to: Number(`0x${to}`),
    rights: rights!,
    residentBytes: Number(kilobytes) * 1024,
  }));
}

const isWritable = ({ rights }: Mapping): boolean => rights.startsWith('rw');
const residentOf = (mappings: readonly Mapping[]): number =>
  mappings.reduce((sum, { residentBytes }) => sum + residentBytes, 0);

/**
 * Resident bytes of the mappings that have exactly this size: the memory of a WebAssembly module lies between guards, so
 * it is a mapping of its own, as large as the module says.
 */
export const residentOfSize = (mappings: readonly Mapping[], sizeBytes: number): number =>
  residentOf(mappings.filter((m) => isWritable(m) && m.to - m.from === sizeBytes));

/** What the allocator (glibc) reserves at once for a thread other than the first, and aligns to. */
const ARENA_BYTES = 64 << 20;

/** Resident bytes of the allocator's arenas of threads: the used front of an aligned stretch, then the reserved rest. */
export function residentOfArenas(mappings: readonly Mapping[]): number {
  const arenas = mappings.filter((m, i) => {
    if (!isWritable(m) || m.from % ARENA_BYTES !== 0) return false;
    const next = mappings[i + 1];
    const hasReserve = next?.from === m.to && next.rights.startsWith('---');
    return (hasReserve ? next.to : m.to) - m.from === ARENA_BYTES;
  });
  return residentOf(arenas);
}
