// Where throughput ends by arithmetic: the load at which a line, a processor or a disk is busy all the time.

import { MAX_PARENTS } from '../../host/wire/vertex.ts';
import { type Machine, vertexBytes } from './resources.ts';
import { meanDelayMs } from './wan.ts';

export interface Limits {
  /** Transactions a second at which the busiest line, the processor, the disk is full. */
  line: number;
  processor: number;
  disk: number;
}

/** Bytes that a node writes for a transaction: the entry, its outcome and what is read later, log and compaction. */
const DISK_BYTES = 4 * 1200;
/** Of one disk, in the long run. */
const DISK_BYTES_PER_SECOND = 400e6;

/** A round takes one mean delay: a quorum of seats spans the world. */
export function limitsOf(machine: Machine, seats: number): Limits {
  const roundsPerSecond = 1000 / meanDelayMs(seats);
  const header = vertexBytes(Math.min(seats, MAX_PARENTS));
  const lineBytes = machine.bitsPerSecond / 8 - roundsPerSecond * header * (seats - 1);
  const workUs = 1e6 - roundsPerSecond * seats * machine.vertexUs;
  return {
    // A seat sends its share of the payload to every other one, and receives all others' shares.
    line: (Math.max(0, lineBytes) * seats) / (machine.transactionBytes * (seats - 1)),
    processor: (Math.max(0, workUs) * machine.cores) / machine.transactionUs,
    disk: DISK_BYTES_PER_SECOND / DISK_BYTES,
  };
}

/** The lowest of them, and its name. */
export function lowest(limits: Limits): { name: keyof Limits; perSecond: number } {
  const [name, perSecond] = (Object.entries(limits) as [keyof Limits, number][]).reduce((a, b) =>
    b[1] < a[1] ? b : a,
  );
  return { name, perSecond };
}
