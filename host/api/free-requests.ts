// Requests that are in no budget, such as probes and preflights, counted by address: a flood of them costs as much as one of reads.
// Keeps: each is answered, whoever asks how often; beyond its number an answer ends the connection, so that nothing that was sent
// behind it is read.

/** Of one address in a second. Source: protocol 8.3. */
export const MAX_FREE_A_SECOND = 100;
/** Addresses that are remembered; beyond it all are forgotten, as with each second. */
const MAX_ADDRESSES = 50_000;

export class FreeRequests {
  readonly #counts = new Map<string, number>();
  #second = -1;

  /** Counts one; is it beyond the number. */
  isFlooded(address: string, nowMs: number): boolean {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second || this.#counts.size >= MAX_ADDRESSES) this.#counts.clear();
    this.#second = second;
    const count = (this.#counts.get(address) ?? 0) + 1;
    this.#counts.set(address, count);
    return count > MAX_FREE_A_SECOND;
  }
}
