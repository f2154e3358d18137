// JSON Pointer (RFC 6901).

import { Bytes } from './input';
import { ARRAY, Json, OBJECT } from './json';

/** Empty, or parts that each begin with a slash; ~ only as ~0 and ~1. */
export function isPointer(path: Bytes): bool {
  const end = path.at + path.length;
  if (path.length > 0 && load<u8>(path.at) != 0x2f) return false;
  for (let at = path.at; at < end; at++) {
    if (load<u8>(at) == 0x7e && (at + 1 >= end || (load<u8>(at, 1) | 1) != 0x31)) return false;
  }
  return true;
}

/** The index that a part names; -1 if it names none. */
function indexOf(at: usize, bytes: u32): i32 {
  if (bytes == 0 || bytes > 7 || (bytes > 1 && load<u8>(at) == 48)) return -1;
  let index: i32 = 0;
  for (let i: u32 = 0; i < bytes; i++) {
    const digit = <i32>load<u8>(at + i) - 48;
    if (digit < 0 || digit > 9) return -1;
    index = 10 * index + digit;
  }
  return index;
}

function element(json: Json, array: u32, index: i32): i32 {
  if (index < 0 || <u32>index >= json.size(array)) return -1;
  let node = array + 1;
  for (; index > 0; index--) node = json.next(node);
  return node;
}

/** The node that a pointer names; -1 if there is none. */
export function resolve(json: Json, path: Bytes): i32 {
  let node: u32 = 0;
  let at = path.at;
  const end = at + path.length;
  const part = heap.alloc(<usize>path.length);
  while (at < end) {
    let bytes: u32 = 0;
    for (at++; at < end && load<u8>(at) != 0x2f; at++) {
      let b = load<u8>(at);
      if (b == 0x7e) b = load<u8>(++at) == 0x30 ? 0x7e : 0x2f;
      store<u8>(part + bytes++, b);
    }
    const kind = json.kind(node);
    let found: i32 = -1;
    if (kind == ARRAY) found = element(json, node, indexOf(part, bytes));
    else if (kind == OBJECT) {
      const value = json.memberAt(node, part, bytes);
      if (value != 0) found = value;
    }
    if (found < 0) return -1;
    node = found;
  }
  return node;
}
