// How much a node can make an audit spend: bytes, answers, and time. Whoever exceeds one is named.
// Keeps: each bound is above what an honest node needs; a bound that strikes is a LogFault, or, for time, a finding.

import { LogFault } from '../wire/log-fault.ts';

export interface Bounds {
  /** Bytes of one answer after decompression. A vertex has up to 3 MiB, a result in JSON up to 6. */
  answerBytes: number;
  /** Rows of the state at a seal together: an event has half a KiB, so a hundred million of them. */
  stateBytes: number;
  /** Proofs of seals together: an epoch lasts ten minutes, a hundred seats sign 11 KB, so seven years of them. */
  sealBytes: number;
  /** Vertices that were taken since the last one that entered the order. */
  unorderedBytes: number;
  /** Time of one run. */
  runMs: number;
}

const MIB = 1024 * 1024;

export const BOUNDS: Bounds = {
  answerBytes: 16 * MIB,
  stateBytes: 65_536 * MIB,
  sealBytes: 4096 * MIB,
  unorderedBytes: 256 * MIB,
  runMs: 86_400_000,
};

/** Answers may be small, but not most of them: fewer bytes on average only make an audit longer. */
const MIN_MEAN_BYTES = 512;
/** Answers of any size before the mean counts. */
const MAX_SMALL_ANSWERS = 1000;

/** Adds up the answers of one kind. */
export class Meter {
  bytes = 0;
  #answers = 0;

  constructor(
    /** Completes "the node sends ...". */
    private readonly what: string,
    private readonly maxBytes: number,
  ) {}

  /** Errors: LogFault `bound`. */
  add(bytes: number): void {
    this.bytes += bytes;
    this.#answers += 1;
    if (this.bytes > this.maxBytes)
      throw new LogFault(
        'bound',
        `the node sends ${this.what} without end: more than ${this.maxBytes} bytes`,
      );
    if (this.#answers > MAX_SMALL_ANSWERS + this.bytes / MIN_MEAN_BYTES)
      throw new LogFault(
        'bound',
        `the node sends ${this.what} in answers of a few bytes each: ${this.#answers} of them`,
      );
  }

  reset(): void {
    this.bytes = 0;
    this.#answers = 0;
  }
}
