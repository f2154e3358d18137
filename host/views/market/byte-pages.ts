// Bytes that are written once and stay where they are, in pages: growing copies nothing and leaves no spare half.
// Keeps: what is taken at once lies in one page, so it is read without looking for its end.

const PAGE_BITS = 18;
const PAGE_BYTES = 1 << PAGE_BITS;

/** Where an offset lies in its page. */
export const placeOf = (offset: number): number => offset & (PAGE_BYTES - 1);

export class BytePages {
  readonly #pages: Uint8Array[] = [];
  /** In the last page. */
  #end = PAGE_BYTES;

  /** Room for so many bytes, all zero; returns its offset, below 2^32. What is larger than a page gets one of its size. */
  take(bytes: number): number {
    if (this.#end + bytes > PAGE_BYTES) {
      this.#pages.push(new Uint8Array(Math.max(bytes, PAGE_BYTES)));
      this.#end = 0;
    }
    const offset = (this.#pages.length - 1) * PAGE_BYTES + this.#end;
    this.#end += bytes;
    return offset;
  }

  /** The page with an offset; the bytes there begin at `placeOf(offset)`. */
  pageOf(offset: number): Uint8Array {
    return this.#pages[offset >>> PAGE_BITS]!;
  }
}
