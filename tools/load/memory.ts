// Memory of a process: resident memory in total and of single mappings. Linux only; elsewhere it is unknown.

import { readFileSync } from 'node:fs';

/** Resident bytes; undefined if the system does not report them. */
export function memoryBytes(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

/** A range of a process's addresses. */
export interface Mapping {
  from: number;
  to: number;
  /** As in /proc: `rw-p`. */
  rights: string;
  residentBytes: number;
}

/** Undefined if the system does not report them. Takes about ten milliseconds. */
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
 * Resident bytes of the mappings of exactly this size: the memory of a WebAssembly module lies between guard pages, so
 * it is a separate mapping of the module's memory size.
 */
export const residentOfSize = (mappings: readonly Mapping[], sizeBytes: number): number =>
  residentOf(mappings.filter((m) => isWritable(m) && m.to - m.from === sizeBytes));

/** Size and alignment of the arenas that the allocator (glibc) reserves for threads other than the first. */
const ARENA_BYTES = 64 << 20;

/** Resident bytes of the allocator's thread arenas: the used front of an aligned range, then the reserved rest. */
export function residentOfArenas(mappings: readonly Mapping[]): number {
  const arenas = mappings.filter((m, i) => {
    if (!isWritable(m) || m.from % ARENA_BYTES !== 0) return false;
    const next = mappings[i + 1];
    const hasReserve = next?.from === m.to && next.rights.startsWith('---');
    return (hasReserve ? next.to : m.to) - m.from === ARENA_BYTES;
  });
  return residentOf(arenas);
}
