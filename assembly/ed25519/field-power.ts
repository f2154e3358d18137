// The one long exponentiation: z^((p-5)/8) = z^(2^252 - 3), for four elements at once. It yields square roots.
// An addition chain of 251 squarings and 11 products; e(n) below stands for z^(2^n - 1).

import { mulQuad, sqrQuad, sqrQuadTimes } from './quad';
import { QUAD_BYTES } from './sizes';

const A: usize = memory.data(QUAD_BYTES, 16);
const B: usize = memory.data(QUAD_BYTES, 16);
const C: usize = memory.data(QUAD_BYTES, 16);

/** out = z^(2^252 - 3), lane by lane; z must be 1-fold and not `out`. */
export function powerForRoot(out: usize, z: usize): void {
  sqrQuad(A, z);
  sqrQuadTimes(B, A, 2);
  mulQuad(B, B, z); // z^9
  mulQuad(A, A, B); // z^11
  sqrQuad(A, A);
  mulQuad(A, A, B); // e(5) = z^31
  sqrQuadTimes(B, A, 5);
  mulQuad(A, B, A); // e(10)
  sqrQuadTimes(B, A, 10);
  mulQuad(B, B, A); // e(20)
  sqrQuadTimes(C, B, 20);
  mulQuad(B, C, B); // e(40)
  sqrQuadTimes(B, B, 10);
  mulQuad(A, B, A); // e(50)
  sqrQuadTimes(B, A, 50);
  mulQuad(B, B, A); // e(100)
  sqrQuadTimes(C, B, 100);
  mulQuad(B, C, B); // e(200)
  sqrQuadTimes(B, B, 50);
  mulQuad(A, B, A); // e(250)
  sqrQuadTimes(A, A, 2);
  mulQuad(out, A, z);
}
