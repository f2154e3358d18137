// A question about tokens that is asked many times: each token is looked at once, and the answer kept.
// Keeps: one column for all questions, one after the other, so that a question costs what is asked and not a byte for
// each token there is. An answer carries the number of its question; the column is cleared when numbers run out.

import { END } from './sequences.ts';

/** An answer is a byte: the number of its question, from 1, and a bit for true. */
const QUESTIONS = 127;

export class TokenTest {
  #answers = new Uint8Array(0);
  #question = 0;
  #isTrue: ((token: number) => boolean) | undefined;

  /**
   * Begins a question; the one before is over. `tokensEnd`: tokens are below this. `about`: what tells the answer, or
   * all tokens of which it is true.
   */
  ask(tokensEnd: number, about: ((token: number) => boolean) | ArrayLike<number>): this {
    if (tokensEnd > this.#answers.length) {
      this.#answers = new Uint8Array(2 * tokensEnd);
      this.#question = 0;
    } else if (this.#question === QUESTIONS) {
      this.#answers.fill(0);
      this.#question = 0;
    }
    this.#question++;
    this.#isTrue = typeof about === 'function' ? about : undefined;
    if (typeof about !== 'function') for (let i = 0; i < about.length; i++) this.#keep(about[i]!, true);
    return this;
  }

  #keep(token: number, isTrue: boolean): void {
    this.#answers[token] = 2 * this.#question + (isTrue ? 1 : 0);
  }

  /** END is no token. */
  holds(token: number): boolean {
    if (token === END) return false;
    const answer = this.#answers[token]!;
    if (answer >>> 1 === this.#question) return (answer & 1) === 1;
    if (!this.#isTrue) return false;
    const isTrue = this.#isTrue(token);
    this.#keep(token, isTrue);
    return isTrue;
  }
}
