// Blocks: which vertices a committed leader orders, in which order, and which of them take effect. consensus 5.7.
// Keeps: one block at a time, since only its execution shows whether it seals the epoch; every ancestor of an ordered
// vertex is ordered before it; one branch of each seat is effective. The order depends on nothing local.

import { dag } from '../dag/arena';
import { round } from '../dag/rounds';
import { ENTRY_BYTES, sortEntries } from '../dag/sort';
import {
  FLAG_ENTERED,
  FLAG_ORDERED,
  FLAG_VOID,
  idOf,
  incarnationOf,
  isResumption,
  linkOf,
  parentsOf,
  Vertex,
  vertex,
} from '../dag/vertices';
import { copy32 } from '../lib/bytes';
import {
  BLOCK_BYTES,
  BLOCK_EVIDENCE,
  BLOCK_INDEX,
  BLOCK_LEADER,
  BLOCK_ROUND,
  BLOCK_TIME,
  BLOCK_VERTICES,
  BUFFER_BYTES,
  COMMIT,
  EVIDENCE_BYTES,
  EVIDENCE_EFFECTIVE,
  EVIDENCE_SEQ,
  EVIDENCE_VOID,
  MARK_BYTES,
  MARK_VOID,
  PART_VERTICES,
  SKIP,
} from './abi';
import { epoch } from './epoch';
import { slotAt } from './slots';
import { leaderTime } from './time';

/** Bits of the sort key that come from the id; above them the depth. */
const ID_BITS: u64 = 40;

function push(at: usize, handle: u32): usize {
  const v = vertex(handle);
  v.flags |= <u8>FLAG_ENTERED;
  v.block = 0;
  store<u32>(at, handle);
  store<u32>(at, 0, 4);
  return at + 8;
}

// Adds a finished vertex with its depth: one above the deepest of its parents in this block.
function enter(handle: u32, leaderWord: u64): void {
  const e = epoch();
  const v = vertex(handle);
  const key = bswap<u64>(v.id0) ^ leaderWord;
  const at = e.entries + <usize>e.entryCount * ENTRY_BYTES;
  e.entryCount++;
  store<u64>(at, ((<u64>v.block) << ID_BITS) | (key >> (64 - ID_BITS)));
  store<u64>(at, handle, 8);
}

// All ancestors of the leader that are not ordered, itself included, parents first. `block` holds depths meanwhile.
function collect(leader: u32): void {
  const e = epoch();
  const leaderWord = bswap<u64>(vertex(leader).id0);
  e.entryCount = 0;
  let top = push(e.stack, leader);
  while (top > e.stack) {
    const handle = load<u32>(top - 8);
    const position = load<u32>(top - 4);
    const v = vertex(handle);
    if (position < v.parentCount) {
      const parent = load<u32>(parentsOf(v) + ((<usize>position) << 2));
      const p = vertex(parent);
      if ((p.flags & <u8>FLAG_ORDERED) == 0) {
        if ((p.flags & <u8>FLAG_ENTERED) == 0) {
          top = push(top, parent);
          continue;
        }
        v.block = max(v.block, p.block + 1);
      }
      store<u32>(top - 4, position + 1);
      continue;
    }
    enter(handle, leaderWord);
    top -= 8;
  }
}

// The effective vertex of v's creator with v's seq, 0 = none. What is effective of an incarnation has the numbers from 1 on
// without a gap, so only whole incarnations are passed before it is known whether there is one.
function effectiveTwin(v: Vertex): u32 {
  const e = epoch();
  const seat = (<usize>v.creator) << 2;
  let last = load<u32>(e.heads + seat);
  let first = load<u32>(e.firsts + seat);
  while (first != 0 && incarnationOf(vertex(first).seq) > incarnationOf(v.seq)) {
    const link = linkOf(vertex(first));
    last = load<u32>(link);
    first = load<u32>(link, 4);
  }
  if (last == 0 || incarnationOf(vertex(last).seq) != incarnationOf(v.seq)) return 0;
  while (last != 0 && vertex(last).seq > v.seq) last = vertex(last).selfParent;
  return last != 0 && vertex(last).seq == v.seq ? last : 0;
}

function addEvidence(v: Vertex, handle: u32): void {
  const e = epoch();
  if (load<u8>(e.proven + v.creator) != 0) return;
  const twin = effectiveTwin(v);
  if (twin == 0) return;
  store<u8>(e.proven + v.creator, 1);
  const at = e.evidence + ((<usize>e.evidenceCount) << 3);
  e.evidenceCount++;
  store<u32>(at, twin);
  store<u32>(at, handle, 4);
}

// Does v follow what is effective of its seat: as the next vertex, or as one of a higher incarnation.
function takesEffect(v: Vertex): bool {
  const head = load<u32>(epoch().heads + ((<usize>v.creator) << 2));
  return v.selfParent == head || (head != 0 && incarnationOf(v.seq) > incarnationOf(vertex(head).seq));
}

function setEffective(v: Vertex, handle: u32): void {
  const e = epoch();
  const head = e.heads + ((<usize>v.creator) << 2);
  const first = e.firsts + ((<usize>v.creator) << 2);
  if (isResumption(v.seq)) {
    const link = linkOf(v);
    store<u32>(link, load<u32>(head));
    store<u32>(link, load<u32>(first), 4);
    store<u32>(first, handle);
  }
  store<u32>(head, handle);
}

// Walks the block in order and decides what takes effect of it.
function applyBranches(): void {
  const e = epoch();
  e.evidenceCount = 0;
  for (let i: u32 = 0; i < e.entryCount; i++) {
    const handle = load<u32>(e.entries + <usize>i * ENTRY_BYTES, 8);
    const v = vertex(handle);
    v.flags = (v.flags & ~(<u8>FLAG_ENTERED)) | <u8>FLAG_ORDERED;
    v.block = e.blockCount;
    if (takesEffect(v)) {
      setEffective(v, handle);
      continue;
    }
    v.flags |= <u8>FLAG_VOID;
    addEvidence(v, handle);
  }
}

/** Writes vertices of the current block from position `from` on after its head, at most a part; their number. */
export function blockPart(from: u32): u32 {
  const e = epoch();
  if (from >= e.entryCount) return 0;
  const count = min<u32>(e.entryCount - from, PART_VERTICES);
  let id = e.output + BLOCK_BYTES;
  let mark = id + ((<usize>count) << 5);
  for (let i = from; i < from + count; i++, id += 32, mark += MARK_BYTES) {
    const handle = load<u32>(e.entries + <usize>i * ENTRY_BYTES, 8);
    const v = vertex(handle);
    copy32(id, idOf(handle));
    store<u16>(mark, v.creator);
    store<u16>(mark, (v.flags & <u8>FLAG_VOID) != 0 ? 1 : 0, MARK_VOID);
  }
  return count;
}

// Handle of the next committed leader that is in no block yet, in the order of rounds and of places in them; 0 = the next
// slot is undecided. One leader of a round may be below another one, which has ordered it then.
function nextLeader(): u32 {
  const e = epoch();
  while (e.next <= dag().maxRound) {
    const slot = slotAt(round(e.next), e.nextPlace);
    if (slot.status != COMMIT && slot.status != SKIP) return 0;
    if (++e.nextPlace == e.leaderCount) {
      e.next++;
      e.nextPlace = 0;
    }
    if (slot.status == COMMIT && (vertex(slot.chosen).flags & <u8>FLAG_ORDERED) == 0) return slot.chosen;
  }
  return 0;
}

/** Creates the next block and writes its head and first part to the out buffer. False when no further leader is decided. */
export function nextBlock(): bool {
  const e = epoch();
  const leader = nextLeader();
  if (leader == 0) return false;
  e.timeMs = leaderTime(vertex(leader), vertex(leader).timeMs);
  e.blockCount++;
  collect(leader);
  sortEntries(e.entries, e.spare, e.entryCount, idOf(leader));
  applyBranches();
  e.orderedCount += e.entryCount;

  const out = e.output;
  store<u32>(out, vertex(leader).round, BLOCK_ROUND);
  store<u32>(out, e.entryCount, BLOCK_VERTICES);
  store<u32>(out, e.evidenceCount, BLOCK_EVIDENCE);
  store<u32>(out, e.blockCount, BLOCK_INDEX);
  store<u64>(out, e.timeMs, BLOCK_TIME);
  copy32(out + BLOCK_LEADER, idOf(leader));
  blockPart(0);
  return true;
}

/** Writes evidence of the current block from position `from` on, as much as fits; its number. */
export function evidencePart(from: u32): u32 {
  const e = epoch();
  if (from >= e.evidenceCount) return 0;
  const count = min<u32>(e.evidenceCount - from, BUFFER_BYTES / EVIDENCE_BYTES);
  let at = e.output;
  for (let i = from; i < from + count; i++, at += EVIDENCE_BYTES) {
    const pair = e.evidence + ((<usize>i) << 3);
    const v = vertex(load<u32>(pair, 4));
    store<u32>(at, v.creator);
    store<u32>(at, v.seq, EVIDENCE_SEQ);
    copy32(at + EVIDENCE_EFFECTIVE, idOf(load<u32>(pair)));
    copy32(at + EVIDENCE_VOID, idOf(load<u32>(pair, 4)));
  }
  return count;
}
