// Inserts a vertex into the DAG: validity, round, masks, witness or not. consensus 5.1 (2 to 6) and 5.3.
// Keeps: all of this is a function of the vertex's ancestry; a refused vertex leaves no trace. First it is staged in
// the next row and behind the allocated memory, then committed: nothing in between can fail.

import {
  FAULT_CREATOR,
  FAULT_LAMPORT,
  FAULT_PARENT_COUNT,
  FAULT_RUN,
  FAULT_SAME_CREATOR,
  FAULT_SELF_PARENT,
  FAULT_SEQ,
  FAULT_TIME,
  FULL,
  INSERTED,
  KNOWN,
  MAX_RUN,
  MISSING_PARENT,
  VERTEX_FLAGS,
  VERTEX_ID,
  VERTEX_LAMPORT,
  VERTEX_PARENT_COUNT,
  VERTEX_PARENTS,
  VERTEX_SEQ,
  VERTEX_TIME,
  VERTEX_WORK,
} from '../consensus/abi';
import { copy32 } from '../lib/bytes';
import { dag, reserve, take } from './arena';
import { liftMasks, maskWords, mergeMasks, widenMasks } from './masks';
import { addWitness, creatorsOf, nextBit, openRound, reserveWitness, round } from './rounds';
import { hasBit, isQuorum, setBit } from './seats';
import {
  countVertex,
  FLAG_WITNESS,
  FLAG_WORK,
  findVertex,
  idOf,
  incarnationOf,
  isResumption,
  numberOf,
  Vertex,
  vertex,
} from './vertices';

const MAX_TIME_MS: u64 = 281474976710655;
/** Handles of the current vertex's parents. */
const PARENTS: usize = memory.data(128, 8);
/** Behind the parents of a resumption. */
const LINK_BYTES: usize = 8;
const SEEN: usize = memory.data(512, 8);
const CREATORS: usize = memory.data(512, 8);
const SELF_CREATORS: usize = memory.data(512, 8);

function headerFault(record: usize): u32 {
  const d = dag();
  if (load<u16>(record) >= d.seatCount) return FAULT_CREATOR;
  if (numberOf(load<u32>(record, VERTEX_SEQ)) == 0) return FAULT_SEQ;
  if (load<u64>(record, VERTEX_TIME) > MAX_TIME_MS) return FAULT_TIME;
  if (load<u16>(record, VERTEX_PARENT_COUNT) > d.maxParents) return FAULT_PARENT_COUNT;
  return INSERTED;
}

/** Looks the parents up, into the list that `parentFault` and `deriveRound` read. */
export function resolveParents(record: usize): bool {
  const count = <usize>load<u16>(record, VERTEX_PARENT_COUNT);
  for (let i: usize = 0; i < count; i++) {
    const handle = findVertex(record + VERTEX_PARENTS + (i << 5));
    if (handle == 0) return false;
    store<u32>(PARENTS + (i << 2), handle);
  }
  return true;
}

function firstParent(): u32 {
  return load<u32>(PARENTS);
}

/** The self-parent among the resolved parents, 0 = none. */
export function selfParentOf(creator: u32, count: u32): u32 {
  return count != 0 && <u32>vertex(firstParent()).creator == creator ? firstParent() : 0;
}

// At most one parent of each creator; the vertex's own creator only as the self-parent.
function creatorsFault(creator: u32, self: u32, count: u32): u32 {
  const d = dag();
  memory.fill(SEEN, 0, (<usize>d.creatorWords) << 3);
  for (let i: usize = self != 0 ? 1 : 0; i < <usize>count; i++) {
    const other = <u32>vertex(load<u32>(PARENTS + (i << 2))).creator;
    if (other == creator) return FAULT_SELF_PARENT;
    if (hasBit(SEEN, other)) return FAULT_SAME_CREATOR;
    setBit(SEEN, other);
  }
  return INSERTED;
}

// May a vertex with this seq follow its self-parent, 0 = none: as the next of the same incarnation, or as the first of a
// higher one.
function isNextOf(self: u32, seq: u32): bool {
  if (numberOf(seq) > 1) return self != 0 && vertex(self).seq == seq - 1;
  return self == 0 || incarnationOf(seq) > incarnationOf(vertex(self).seq);
}

function parentFault(record: usize): u32 {
  const creator = <u32>load<u16>(record);
  const seq = load<u32>(record, VERTEX_SEQ);
  const count = <u32>load<u16>(record, VERTEX_PARENT_COUNT);
  const self = selfParentOf(creator, count);
  if (!isNextOf(self, seq)) return FAULT_SELF_PARENT;
  if (self != 0 && load<u64>(record, VERTEX_TIME) < vertex(self).timeMs) return FAULT_TIME;
  const fault = creatorsFault(creator, self, count);
  if (fault != INSERTED) return fault;
  let lamport: u32 = 0;
  for (let i: usize = 0; i < <usize>count; i++)
    lamport = max(lamport, vertex(load<u32>(PARENTS + (i << 2))).lamport);
  return load<u32>(record, VERTEX_LAMPORT) == lamport + 1 ? INSERTED : FAULT_LAMPORT;
}

// Highest round among the resolved parents, 0 without any.
function topRound(count: u32): u32 {
  let top: u32 = 0;
  for (let i: usize = 0; i < <usize>count; i++) top = max(top, vertex(load<u32>(PARENTS + (i << 2))).round);
  return top;
}

/** Reserves memory for the masks and parents of the next vertex. */
export function reserveStage(count: u32): bool {
  return reserve(24 * (<usize>maskWords(topRound(count)) + 1) + ((<usize>count) << 2) + LINK_BYTES + 8);
}

/** Stages round and masks of a vertex with the resolved parents. */
export function deriveRound(v: Vertex, creator: u32, count: u32): void {
  const top = topRound(count);
  const words = maskWords(top);
  const at = dag().cursor;
  v.masks = at;
  v.words = <u8>words;
  v.creator = <u16>creator;
  v.parentCount = <u8>count;
  v.selfParent = selfParentOf(creator, count);
  mergeMasks(at, words, PARENTS, count, top);
  if (top == 0) {
    v.round = 1;
  } else if (isQuorum(creatorsOf(top, at, words, CREATORS))) {
    v.round = top + 1;
    liftMasks(at, words);
  } else {
    v.round = top;
  }
}

/** Witness = first vertex of its creator in its round, on its branch. */
export function isFirstOfRound(v: Vertex): bool {
  return v.selfParent == 0 || v.round > vertex(v.selfParent).round;
}

/** Mask of the seats whose witness of v's round is v or in its past, but not in its self-parent's past. */
export function newCreators(v: Vertex): usize {
  const d = dag();
  const bytes = (<usize>d.creatorWords) << 3;
  memory.fill(SEEN, 0, bytes);
  if (isFirstOfRound(v)) {
    if (v.round <= d.maxRound) memory.copy(SEEN, creatorsOf(v.round, v.masks, v.words, CREATORS), bytes);
    setBit(SEEN, v.creator);
    return SEEN;
  }
  const mine = creatorsOf(v.round, v.masks, v.words, CREATORS);
  const self = vertex(v.selfParent);
  const before = creatorsOf(v.round, self.masks, self.words, SELF_CREATORS);
  for (let i: usize = 0; i < bytes; i += 8)
    store<u64>(SEEN + i, load<u64>(mine + i) & ~load<u64>(before + i));
  return SEEN;
}

/** Number of vertices of this branch and round, up to v, that added no new creator's witness. */
export function runOf(v: Vertex): u32 {
  if (isFirstOfRound(v)) return 0;
  const d = dag();
  const self = vertex(v.selfParent);
  const mine = creatorsOf(v.round, v.masks, v.words, CREATORS);
  const before = creatorsOf(v.round, self.masks, self.words, SELF_CREATORS);
  for (let i: usize = 0; i < <usize>d.creatorWords; i++) {
    if ((load<u64>(mine + (i << 3)) & ~load<u64>(before + (i << 3))) != 0) return self.run;
  }
  return <u32>self.run + 1;
}

function fillRow(v: Vertex, handle: u32, record: usize): void {
  copy32(idOf(handle), record + VERTEX_ID);
  v.timeMs = load<u64>(record, VERTEX_TIME);
  v.seq = load<u32>(record, VERTEX_SEQ);
  v.lamport = load<u32>(record, VERTEX_LAMPORT);
  v.block = 0;
  v.bit = 0;
  v.flags = (load<u32>(record, VERTEX_FLAGS) & VERTEX_WORK) != 0 ? <u8>FLAG_WORK : 0;
}

/**
 * Checks the vertex of a record and stages it: INSERTED when `commitVertex` may follow, else the reason.
 * `more`: bytes that a witness needs beyond those of the DAG.
 */
export function stageVertex(record: usize, more: usize): u32 {
  const d = dag();
  if (findVertex(record + VERTEX_ID) != 0) return KNOWN;
  const header = headerFault(record);
  if (header != INSERTED) return header;
  if (!resolveParents(record)) return MISSING_PARENT;
  const fault = parentFault(record);
  if (fault != INSERTED) return fault;
  const count = <u32>load<u16>(record, VERTEX_PARENT_COUNT);
  if (d.vertexCount == d.maxVertices || !reserveStage(count)) return FULL;

  const handle = d.vertexCount + 1;
  const v = vertex(handle);
  deriveRound(v, load<u16>(record), count);
  const run = runOf(v);
  if (run > <u32>MAX_RUN) return FAULT_RUN;
  v.run = <u8>run;
  fillRow(v, handle, record);
  if (!isFirstOfRound(v)) return INSERTED;
  const bit = nextBit(v.round, v.creator);
  const maskBytes: usize = 24 * (<usize>v.words + 1) + ((<usize>count) << 2) + LINK_BYTES + 8;
  if (bit < 0 || !reserveWitness(v.round, maskBytes + more)) return FULL;
  v.bit = <u16>bit;
  v.flags |= <u8>FLAG_WITNESS;
  if (<u32>bit >= (<u32>v.words) << 6) widenMasks(v.masks, v.words++);
  setBit(v.masks, bit);
  return INSERTED;
}

/** Commits the staged vertex and returns its handle. A witness of a new round opens the round. */
export function commitVertex(): u32 {
  const d = dag();
  const v = vertex(d.vertexCount + 1);
  const count = <usize>v.parentCount;
  const linkBytes: usize = isResumption(v.seq) ? LINK_BYTES : 0;
  const at = take(24 * <usize>v.words + (count << 2) + linkBytes) + 24 * <usize>v.words;
  for (let i: usize = 0; i < count; i++) store<u32>(at + (i << 2), load<u32>(PARENTS + (i << 2)));
  d.maxWords = max(d.maxWords, <u32>v.words);
  const handle = countVertex();
  if ((v.flags & <u8>FLAG_WITNESS) != 0) {
    const r = v.round > d.maxRound ? openRound() : round(v.round);
    addWitness(r, handle, v.bit, v.creator);
  }
  return handle;
}
