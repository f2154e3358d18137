// A memoized predicate over tokens: each token is tested once per predicate.
// Keeps: one column serves successive predicates, so a new predicate costs only the tokens that are tested, not a byte
// for each token. A result carries the number of its predicate; the column is cleared when the numbers run out.

/** Marks the end of a field; no token has this number. */
export const END = 0xffffffff;
/** A result is one byte: the number of its predicate, from 1, and a bit for true. */
const MAX_PREDICATES = 127;

export class TokenTest {
  #results = new Uint8Array(0);
  #predicate = 0;
  #isTrue: ((token: number) => boolean) | undefined;

  /**
   * Starts a new predicate; the previous one is no longer available. `tokensEnd`: all tokens are below this.
   * `predicate`: a function, or the list of all tokens for which it is true.
   */
  start(tokensEnd: number, predicate: ((token: number) => boolean) | ArrayLike<number>): this {
    if (tokensEnd > this.#results.length) {
      this.#results = new Uint8Array(2 * tokensEnd);
      this.#predicate = 0;
    } else if (this.#predicate === MAX_PREDICATES) {
      this.#results.fill(0);
      this.#predicate = 0;
    }
    this.#predicate++;
    this.#isTrue = typeof predicate === 'function' ? predicate : undefined;
    if (typeof predicate !== 'function')
      for (let i = 0; i < predicate.length; i++) this.#save(predicate[i]!, true);
    return this;
  }

  #save(token: number, isTrue: boolean): void {
    this.#results[token] = 2 * this.#predicate + (isTrue ? 1 : 0);
  }

  /** False for END, which is not a token. */
  holds(token: number): boolean {
    if (token === END) return false;
    const result = this.#results[token]!;
    if (result >>> 1 === this.#predicate) return (result & 1) === 1;
    if (!this.#isTrue) return false;
    const isTrue = this.#isTrue(token);
    this.#save(token, isTrue);
    return isTrue;
  }
}
