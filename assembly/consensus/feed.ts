// consensus_insert: a sequence of vertex records, one result byte each.
// Keeps: no input can trap here: a malformed sequence is refused as a whole, before anything changes.

import { dag } from '../dag/arena';
import { commitVertex, stageVertex } from '../dag/insert';
import { FLAG_WITNESS, vertex } from '../dag/vertices';
import { BUFFER_BYTES, INSERTED, VERTEX_PARENT_COUNT, VERTEX_PARENTS } from './abi';
import { epoch } from './epoch';
import { slotReserve } from './slots';
import { onWitness } from './votes';

/** Bytes of the record at `at`, of at most `left`; 0 when it does not fit. */
export function recordBytes(at: usize, left: u32): u32 {
  if (left < <u32>VERTEX_PARENTS) return 0;
  const bytes = <u32>VERTEX_PARENTS + ((<u32>load<u16>(at, VERTEX_PARENT_COUNT)) << 5);
  return bytes > left ? 0 : bytes;
}

function recordCount(at: usize, length: u32): i32 {
  let count = 0;
  while (length > 0) {
    const bytes = recordBytes(at, length);
    if (bytes == 0) return -1;
    at += bytes;
    length -= bytes;
    count++;
  }
  return count;
}

function insertOne(record: usize): u32 {
  const d = dag();
  const result = stageVertex(record, slotReserve(d.maxWords + 1));
  if (result != INSERTED) return result;

  const rounds = d.maxRound;
  const handle = commitVertex();
  if ((vertex(handle).flags & <u8>FLAG_WITNESS) != 0) onWitness(handle, d.maxRound != rounds);
  return INSERTED;
}

/** Inserts the records of the in buffer, in order; results go to the out buffer. Their number, -1 = malformed. */
export function insertRecords(length: u32): i32 {
  const e = epoch();
  if (e.input == 0 || length > <u32>BUFFER_BYTES) return -1;
  const count = recordCount(e.input, length);
  if (count <= 0) return count;
  let at = e.input;
  for (let i: usize = 0; i < <usize>count; i++) {
    store<u8>(e.output + i, insertOne(at));
    at += recordBytes(at, length);
  }
  return count;
}
