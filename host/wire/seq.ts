// The number that a seat gives its vertex: which incarnation of the seat made it, and its place among those of that
// incarnation (consensus 5.1).
// Keeps: a seat that resumes without all of its vertices takes a higher incarnation, so none of its new vertices has the
// seq of a lost one, and the two prove nothing against it.
//
//   bits 31 to 20: incarnation 0, 1, ...   bits 19 to 0: number 1, 2, ... in it

import { MAX_INCARNATION } from '../../assembly/abi.ts';
import { SEQ_NUMBER_BITS } from '../../assembly/consensus/abi.ts';

/** A seat that needs a higher one has to wait for the next epoch. */
export { MAX_INCARNATION };

const NUMBERS = 2 ** SEQ_NUMBER_BITS;

/** 0 for 0, which stands for no vertex. */
export const incarnationOf = (seq: number): number => Math.floor(seq / NUMBERS);

export const numberOf = (seq: number): number => seq % NUMBERS;

/** Seq of the first vertex of an incarnation. */
export const firstSeqOf = (incarnation: number): number => incarnation * NUMBERS + 1;

/** Is this the first vertex of an incarnation above 0: the seat resumes with it. */
export const isResumption = (seq: number): boolean => seq > NUMBERS && numberOf(seq) === 1;

/** Seq of the vertex after `seq` of the same seat, 0 = none, in at least this incarnation. */
export const nextSeq = (seq: number, incarnation: number): number =>
  incarnationOf(seq) < incarnation ? firstSeqOf(incarnation) : seq + 1;
