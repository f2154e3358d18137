// Numbers of what is under way on a thread that takes requests in, a u32 each. A busy thread begins anew within days, and a
// stream may be older than that.
// Keeps: none is given twice at a time, and none is 0.

export class Tickets {
  /** `last`: the one before the first. */
  constructor(
    private readonly isTaken: (ticket: number) => boolean,
    private last = 0,
  ) {}

  next(): number {
    do this.last = (this.last + 1) >>> 0 || 1;
    while (this.isTaken(this.last));
    return this.last;
  }
}
