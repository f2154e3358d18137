// How many files this process may have open, and what of that connections may take.

import { readFileSync } from 'node:fs';

const MOST_CONNECTIONS = 10_000;
/** The rest is the store's: it has a file for each 16 MiB, and one that it cannot open ends the node. */
const PART_OF_CONNECTIONS = 0.5;

/** The limit in the form of Linux, which is the only system that shows it in a file; undefined: none, or not known. */
export function parseLimit(text: string): number | undefined {
  const shown = /^Max open files +(\d+)/m.exec(text)?.[1];
  return shown === undefined ? undefined : Number(shown);
}

/** Node.js raises it to the hard limit as it starts. */
export function maxOpenFiles(): number | undefined {
  try {
    return parseLimit(readFileSync('/proc/self/limits', 'latin1'));
  } catch {
    return undefined;
  }
}

/** Connections open at once, streams included, of a process that may have so many files open. Source: protocol 8.2. */
export const connectionsWith = (files: number | undefined): number =>
  Math.min(MOST_CONNECTIONS, Math.floor((files ?? Number.POSITIVE_INFINITY) * PART_OF_CONNECTIONS));

/** Why a process takes fewer connections than a node may; undefined: it does not. */
export function fewConnections(files = maxOpenFiles()): string | undefined {
  const connections = connectionsWith(files);
  if (connections === MOST_CONNECTIONS) return undefined;
  return `this process may have ${files} files open, so it takes ${connections} connections at once instead of ${MOST_CONNECTIONS}: raise LimitNOFILE, or ulimit -n, to ${MOST_CONNECTIONS / PART_OF_CONNECTIONS} or more`;
}
