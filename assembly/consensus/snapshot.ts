// A canonical dump of the DAG: the record of every vertex, in order of (lamport, id).
// Keeps: equal sets of vertices give equal bytes on every node; parents come before children, so inserting the records
// into a new instance restores it. Rounds, votes and order follow from them and are not written.

import { dag } from '../dag/arena';
import { ENTRY_BYTES, sortEntries } from '../dag/sort';
import { FLAG_WORK, idOf, parentsOf, vertex } from '../dag/vertices';
import { copy32 } from '../lib/bytes';
import {
  BUFFER_BYTES,
  VERTEX_FLAGS,
  VERTEX_ID,
  VERTEX_LAMPORT,
  VERTEX_PARENT_COUNT,
  VERTEX_PARENTS,
  VERTEX_SEQ,
  VERTEX_TIME,
  VERTEX_WORK,
} from './abi';
import { epoch } from './epoch';

/** Sorts the vertices for `snapshotPart`; their number. Parts of the current block can no longer be read. */
export function beginSnapshot(): u32 {
  const e = epoch();
  const count = dag().vertexCount;
  for (let handle: u32 = 1; handle <= count; handle++) {
    const v = vertex(handle);
    const at = e.entries + <usize>(handle - 1) * ENTRY_BYTES;
    store<u64>(at, ((<u64>v.lamport) << 32) | (bswap<u64>(v.id0) >> 32));
    store<u64>(at, handle, 8);
  }
  sortEntries(e.entries, e.spare, count, 0);
  e.entryCount = 0;
  e.evidenceCount = 0;
  e.snapshotNext = 0;
  e.snapshotCount = count;
  return count;
}

function writeRecord(at: usize, handle: u32): void {
  const v = vertex(handle);
  store<u16>(at, v.creator);
  store<u16>(at, v.parentCount, VERTEX_PARENT_COUNT);
  store<u32>(at, v.seq, VERTEX_SEQ);
  store<u32>(at, v.lamport, VERTEX_LAMPORT);
  store<u32>(at, (v.flags & <u8>FLAG_WORK) != 0 ? VERTEX_WORK : 0, VERTEX_FLAGS);
  store<u64>(at, v.timeMs, VERTEX_TIME);
  copy32(at + VERTEX_ID, idOf(handle));
  const parents = parentsOf(v);
  for (let i: usize = 0; i < <usize>v.parentCount; i++) {
    copy32(at + VERTEX_PARENTS + (i << 5), idOf(load<u32>(parents + (i << 2))));
  }
}

/** Writes the next records, as many as fit; their bytes, 0 at the end. */
export function snapshotPart(): u32 {
  const e = epoch();
  let at = e.output;
  const end = e.output + BUFFER_BYTES;
  for (; e.snapshotNext < e.snapshotCount; e.snapshotNext++) {
    const handle = load<u32>(e.entries + <usize>e.snapshotNext * ENTRY_BYTES, 8);
    const bytes = <usize>VERTEX_PARENTS + ((<usize>vertex(handle).parentCount) << 5);
    if (at + bytes > end) break;
    writeRecord(at, handle);
    at += bytes;
  }
  return <u32>(at - e.output);
}
