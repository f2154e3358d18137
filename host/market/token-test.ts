// A question about tokens that is asked many times: each token is looked at once, and the answer kept.

import { END } from './sequences.ts';

const UNKNOWN = 0;
const YES = 1;
const NO = 2;

export class TokenTest {
  readonly #answers: Uint8Array;

  /** `tokensEnd`: tokens are below this. `among`: all tokens of which it is true, where they are known. */
  constructor(
    tokensEnd: number,
    private readonly isTrue: (token: number) => boolean,
    among?: ArrayLike<number>,
  ) {
    this.#answers = new Uint8Array(tokensEnd);
    if (!among) return;
    this.#answers.fill(NO);
    for (let i = 0; i < among.length; i++) this.#answers[among[i]!] = YES;
  }

  /** END is no token. */
  holds(token: number): boolean {
    if (token === END) return false;
    let answer = this.#answers[token]!;
    if (answer === UNKNOWN) {
      answer = this.isTrue(token) ? YES : NO;
      this.#answers[token] = answer;
    }
    return answer === YES;
  }
}
