// A salted hash: SHA-256 of salt and answer, so that a contract need not publish what it expects.

import { equal32 } from '../../lib/bytes';
import { sha256 } from '../../lib/sha256';
import { Bytes } from './input';

/** True if SHA-256(salt, the bytes at `at`) is the hash. */
export function isSalted(salt: Bytes, at: usize, bytes: u32, hash: Bytes): bool {
  const text = heap.alloc(<usize>salt.length + bytes);
  memory.copy(text, salt.at, salt.length);
  memory.copy(text + salt.length, at, bytes);
  const actual = heap.alloc(32);
  sha256(text, salt.length + bytes, actual);
  return equal32(actual, hash.at);
}

export function isBlank(code: u8): bool {
  return code == 32 || (code >= 9 && code <= 13);
}
