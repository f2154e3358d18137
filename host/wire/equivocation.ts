// Proof that a seat equivocated, as an entry of a vertex: the headers of two vertices with the same seq, both signed by
// the seat (consensus 5.7, 5.17). Any seat may pack one; no agent signs it, and it is not a transaction.
// Keeps: one encoding for each pair. Reads bytes only: the epoch and the seat's key are checked when the block executes.
//
//   u8 1 (format of entries)   u8 4 (scheme)   header, signature[64]   header, signature[64]; the lower id comes first

import { compareBytes, concat, equalBytes, type SignatureJob } from './bytes.ts';
import { decodeVertexHead, headerPart, type Vertex, vertexId, vertexSigningBytes } from './vertex.ts';

const FORMAT = 1;
const EQUIVOCATION = 4;

type SignedHeader = Pick<Vertex, 'id' | 'header' | 'headerBytes' | 'signature'>;

interface Equivocation {
  epochId: Uint8Array;
  /** Of the two vertices, the lower one first. */
  ids: readonly [Uint8Array, Uint8Array];
  /** Seat index. */
  creator: number;
  /** Both must be valid for the seat's key in that epoch. */
  signatures(publicKey: Uint8Array): SignatureJob[];
}

/** The header and signature at the beginning of `bytes`. */
function signedHeader(bytes: Uint8Array): SignedHeader | undefined {
  const head = decodeVertexHead(bytes);
  if (!head) return undefined;
  const headerBytes = headerPart(bytes)!;
  return { ...head, headerBytes, id: vertexId(headerBytes) };
}

const sizeOf = ({ headerBytes, signature }: SignedHeader): number => headerBytes.length + signature.length;

function isPair({ id, header: a }: SignedHeader, { id: otherId, header: b }: SignedHeader): boolean {
  const isSameSeq = a.creator === b.creator && a.seq === b.seq && equalBytes(a.epochId, b.epochId);
  return isSameSeq && compareBytes(id, otherId) < 0;
}

/** The entry for two vertices, by their full bytes in either order. Throws a RangeError when they prove nothing. */
export function encodeEquivocation(one: Uint8Array, other: Uint8Array): Uint8Array {
  const heads = [signedHeader(one), signedHeader(other)];
  const [first, second] = heads.sort((a, b) => (a && b ? compareBytes(a.id, b.id) : 0));
  if (!first || !second || !isPair(first, second)) throw new RangeError('these vertices prove nothing');
  const parts = [first, second].flatMap(({ headerBytes, signature }) => [headerBytes, signature]);
  return concat(Uint8Array.of(FORMAT, EQUIVOCATION), ...parts);
}

/** Decodes exactly one proof, undefined for anything else. Its signatures are not verified here. */
export function decodeEquivocation(bytes: Uint8Array): Equivocation | undefined {
  if (bytes[0] !== FORMAT || bytes[1] !== EQUIVOCATION) return undefined;
  const first = signedHeader(bytes.subarray(2));
  const second = first && signedHeader(bytes.subarray(2 + sizeOf(first)));
  if (!second || bytes.length !== 2 + sizeOf(first) + sizeOf(second) || !isPair(first, second))
    return undefined;
  const { epochId, creator } = first.header;
  return {
    epochId,
    ids: [first.id, second.id],
    creator,
    signatures: (publicKey) =>
      [first, second].map(({ id, signature }) => ({
        publicKey,
        message: vertexSigningBytes(id),
        signature,
      })),
  };
}
