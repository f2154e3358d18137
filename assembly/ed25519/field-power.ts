// The one long exponentiation: z^((p-5)/8) = z^(2^252 - 3), for four elements at once. It yields square roots.
// An addition chain of 251 squarings and 11 products; e(n) below stands for z^(2^n - 1).

import { mulQuad, sqrTimes } from './quad';
import { QUAD_BYTES } from './sizes';

const A: usize = memory.data(QUAD_BYTES, 16);
const B: usize = memory.data(QUAD_BYTES, 16);
const C: usize = memory.data(QUAD_BYTES, 16);

/** out = z^(2^252 - 3), in all lanes or, for half the time, the first two; z must be 1-fold and not `out`. */
export function powerForRoot(out: usize, z: usize, isPair: bool): void {
  sqrTimes(A, z, 1, isPair);
  sqrTimes(B, A, 2, isPair);
  mulQuad(B, B, z); // z^9
  mulQuad(A, A, B); // z^11
  sqrTimes(A, A, 1, isPair);
  mulQuad(A, A, B); // e(5) = z^31
  sqrTimes(B, A, 5, isPair);
  mulQuad(A, B, A); // e(10)
  sqrTimes(B, A, 10, isPair);
  mulQuad(B, B, A); // e(20)
  sqrTimes(C, B, 20, isPair);
  mulQuad(B, C, B); // e(40)
  sqrTimes(B, B, 10, isPair);
  mulQuad(A, B, A); // e(50)
  sqrTimes(B, A, 50, isPair);
  mulQuad(B, B, A); // e(100)
  sqrTimes(C, B, 100, isPair);
  mulQuad(B, C, B); // e(200)
  sqrTimes(B, B, 50, isPair);
  mulQuad(A, B, A); // e(250)
  sqrTimes(A, A, 2, isPair);
  mulQuad(out, A, z);
}
