// The exports of the core, nothing else. Arguments and results are described in abi.ts and README.md.
// Keeps: only i32 cross the boundary; bytes are passed in memory.

import { ABI_VERSION, LEAF_BYTES } from './abi';
import { outputBytes, setOutputBytes } from './io/output';
import { trapRecord } from './lib/trap';
import { applyRecords } from './run/apply';
import { checkCommand } from './run/commands';
import { initialize } from './run/layout';
import { query } from './run/query';
import { endImport, importPages, takeDirty } from './run/snapshot';
import { inputAddress, inputBytes, isReady, root } from './state/root';
import { writeStateHash } from './state/tree';

export function core_abi_version(): i32 {
  return ABI_VERSION;
}

export function core_init(length: i32): i32 {
  return initialize(<u32>length);
}

export function core_in_ptr(): i32 {
  return <i32>inputAddress();
}

export function core_in_cap(): i32 {
  return <i32>inputBytes();
}

export function core_out_ptr(): i32 {
  return <i32>root().output;
}

export function core_out_len(): i32 {
  return <i32>outputBytes();
}

export function core_apply(length: i32): i32 {
  return applyRecords(<u32>length);
}

export function core_check(length: i32, nowSecs: i32): i32 {
  if (!isReady() || <u32>length > inputBytes()) return -1;
  memory.fill(root().output, 0, 96);
  setOutputBytes(96);
  return checkCommand(inputAddress(), <u32>length, <u32>nowSecs);
}

export function core_query(kind: i32, length: i32): i32 {
  return query(<u32>kind, <u32>length);
}

export function core_state_hash(): i32 {
  if (!isReady()) return -1;
  writeStateHash(root().output);
  setOutputBytes(32);
  return 32;
}

export function core_dirty(limit: i32): i32 {
  return takeDirty(<u32>limit);
}

export function core_state_ptr(): i32 {
  return <i32>root().base;
}

export function core_state_bytes(): i32 {
  return <i32>(root().leafCount * LEAF_BYTES);
}

export function core_hashes_ptr(): i32 {
  return <i32>root().nodes;
}

export function core_import(count: i32): i32 {
  return importPages(<u32>count);
}

export function core_import_end(isHashed: i32): i32 {
  return endImport(isHashed != 0);
}

export function core_trap_ptr(): i32 {
  return <i32>trapRecord();
}
