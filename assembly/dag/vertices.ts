// The table of vertices: one row each, found by handle (1, 2, ... in order of arrival) or by id.
// Keeps: a parent's handle is below its child's; a committed row stays until the epoch ends. Handles and the order
// of rows are local: they never leave the module. consensus 5.2.

import { SEQ_NUMBER_BITS } from '../consensus/abi';
import { addRow, attachIndex, findRow, slotCount } from '../lib/key-index';
import { dag, idIndex } from './arena';

export const ROW_BYTES: usize = 72;

export const FLAG_WITNESS: u32 = 1;
export const FLAG_ORDERED: u32 = 2;
export const FLAG_VOID: u32 = 4;
export const FLAG_WORK: u32 = 8;
/** Visited by the walk that collects a block. */
export const FLAG_ENTERED: u32 = 16;

@unmanaged
export class Vertex {
  id0: u64;
  id1: u64;
  id2: u64;
  id3: u64;
  /** Creator's clock, milliseconds. */
  timeMs: u64;
  seq: u32;
  lamport: u32;
  round: u32;
  /** 0 = none. */
  selfParent: u32;
  /** Block that ordered it, 1, 2, ...; before that its depth inside the current block. */
  block: u32;
  /**
   * Three masks of `words` 64-bit words each (masks.ts), then the handles of the parents; then, for the first vertex of
   * an incarnation above 0, room for two handles more.
   */
  masks: usize;
  creator: u16;
  /** Bit of a witness in the masks of its round. */
  bit: u16;
  run: u8;
  words: u8;
  parentCount: u8;
  flags: u8;
}

export function vertex(handle: u32): Vertex {
  return changetype<Vertex>(dag().rows + <usize>handle * ROW_BYTES);
}

export function incarnationOf(seq: u32): u32 {
  return seq >> SEQ_NUMBER_BITS;
}

/** Place of a seq in its incarnation; the first is 1. */
export function numberOf(seq: u32): u32 {
  return seq & ((1 << SEQ_NUMBER_BITS) - 1);
}

/** Is this the seq of the first vertex of an incarnation above 0. */
export function isResumption(seq: u32): bool {
  return incarnationOf(seq) != 0 && numberOf(seq) == 1;
}

export function idOf(handle: u32): usize {
  return dag().rows + <usize>handle * ROW_BYTES;
}

/** Address of the first parent's handle. */
export function parentsOf(v: Vertex): usize {
  return v.masks + 24 * <usize>v.words;
}

/** Address of the two handles that the first vertex of an incarnation above 0 has room for. */
export function linkOf(v: Vertex): usize {
  return parentsOf(v) + ((<usize>v.parentCount) << 2);
}

/** Handle of an id, 0 when it is unknown. Row 0 is never in the index. */
export function findVertex(id: usize): u32 {
  const row = findRow(idIndex(), id);
  return row < 0 ? 0 : <u32>row;
}

/** Empties the index. */
export function openIndex(): void {
  const d = dag();
  attachIndex(idIndex(), d.slots, slotCount(d.maxVertices), d.rows, <u32>ROW_BYTES, 0, 32);
}

/** Commits the vertex that is complete in the next row. */
export function countVertex(): u32 {
  const handle = ++dag().vertexCount;
  addRow(idIndex(), handle);
  return handle;
}
