// Answers for the host: a preview of a vertex (consensus 5.13), the state of a known one, rounds, figures.
// Keeps: read only; a preview is staged behind the last vertex and never committed.

import { dag, idIndex } from '../dag/arena';
import { deriveRound, isFirstOfRound, newCreators, reserveStage, resolveParents, runOf } from '../dag/insert';
import { round } from '../dag/rounds';
import { isQuorumSum } from '../dag/seats';
import { FLAG_ORDERED, FLAG_VOID, FLAG_WITNESS, findVertex, ROW_BYTES, vertex } from '../dag/vertices';
import {
  EXPLAIN_BLOCK,
  EXPLAIN_ORDERED,
  EXPLAIN_VOID,
  EXPLAIN_WITNESS,
  FIGURE_BLOCKS,
  FIGURE_BYTES,
  FIGURE_MAX_ROUND,
  FIGURE_ORDERED,
  FIGURE_STRIDE,
  FIGURE_UNDECIDED,
  FIGURES_BYTES,
  MAX_RUN,
  PREVIEW_CREATORS,
  PREVIEW_NEW,
  PREVIEW_REFUSED,
  PREVIEW_TIME,
  PREVIEW_WITNESS,
  UNDECIDED,
  VERTEX_PARENT_COUNT,
  VERTEX_TIME,
} from './abi';
import { epoch } from './epoch';
import { recordBytes } from './feed';
import { slotAt } from './slots';
import { leaderTime } from './time';

/** Writes the preview of the record in the in buffer. Its bytes, -1 = layout, -2 = parent unknown, -3 = no memory. */
export function preview(length: u32): i32 {
  const e = epoch();
  if (e.input == 0 || recordBytes(e.input, length) != length) return -1;
  const creator = <u32>load<u16>(e.input);
  const count = <u32>load<u16>(e.input, VERTEX_PARENT_COUNT);
  if (creator >= dag().seatCount || count > dag().maxParents) return -1;
  if (!resolveParents(e.input)) return -2;
  if (!reserveStage(count)) return -3;
  const v = vertex(dag().vertexCount + 1);
  deriveRound(v, creator, count);

  const out = e.output;
  store<u32>(out, v.round);
  store<u32>(out, isFirstOfRound(v) ? 1 : 0, PREVIEW_WITNESS);
  store<u32>(out, runOf(v) > <u32>MAX_RUN ? 1 : 0, PREVIEW_REFUSED);
  store<u64>(out, leaderTime(v, load<u64>(e.input, VERTEX_TIME)), PREVIEW_TIME);
  const mask = newCreators(v);
  let newCount: u32 = 0;
  for (let seat: u32 = 0; seat < dag().seatCount; seat++) {
    if (((load<u64>(mask + ((<usize>seat >> 6) << 3)) >> (seat & 63)) & 1) == 0) continue;
    store<u16>(out + ((<usize>newCount) << 1), seat, PREVIEW_CREATORS);
    newCount++;
  }
  store<u32>(out, newCount, PREVIEW_NEW);
  return PREVIEW_CREATORS + <i32>(newCount << 1);
}

/** Writes the state of the vertex whose id is in the in buffer; 0 = unknown. */
export function explain(): i32 {
  const e = epoch();
  if (e.input == 0) return 0;
  const handle = findVertex(e.input);
  if (handle == 0) return 0;
  const v = vertex(handle);
  const flags = <u32>v.flags;
  const out = e.output;
  store<u32>(out, v.round);
  store<u32>(out, (flags & FLAG_WITNESS) != 0 ? 1 : 0, EXPLAIN_WITNESS);
  store<u32>(out, (flags & FLAG_ORDERED) != 0 ? 1 : 0, EXPLAIN_ORDERED);
  store<u32>(out, (flags & FLAG_VOID) != 0 ? 1 : 0, EXPLAIN_VOID);
  store<u32>(out, v.block, EXPLAIN_BLOCK);
  return EXPLAIN_BLOCK + 4;
}

/** Status of the slot at a place of a round; -1 where there is no such place. */
export function slotStatus(number: u32, place: u32): i32 {
  if (place >= epoch().leaderCount) return -1;
  if (number == 0 || number > dag().maxRound) return UNDECIDED;
  return <i32>slotAt(round(number), place).status;
}

/** True when witnesses of a quorum are known in this round. */
export function hasQuorum(number: u32): bool {
  if (number == 0 || number > dag().maxRound) return false;
  return isQuorumSum(round(number).weight, round(number).weightedCount);
}

export function writeFigures(): i32 {
  const d = dag();
  const e = epoch();
  const out = e.output;
  if (out == 0) return -1;
  store<u32>(out, d.vertexCount);
  store<u32>(out, e.orderedCount, FIGURE_ORDERED);
  store<u32>(out, e.blockCount, FIGURE_BLOCKS);
  store<u32>(out, d.maxRound, FIGURE_MAX_ROUND);
  store<u32>(out, e.undecided, FIGURE_UNDECIDED);
  store<u32>(out, d.maxWords, FIGURE_STRIDE);
  const tables = d.vertexCount * <u32>ROW_BYTES + ((idIndex().mask + 1) << 3);
  store<u32>(out, tables + <u32>(d.cursor - e.heapStart), FIGURE_BYTES);
  return FIGURES_BYTES;
}
