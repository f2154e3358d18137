// Messages hashed together against the same hashed one by one.

import { sha256Tagged } from '../../../assembly/lib/sha256';
import { addMessage, hashMessages, MESSAGES_BYTES, Messages } from '../../../assembly/lib/sha256-four';

const BYTES: usize = 512;
const texts = heap.alloc(8 * BYTES);
const hashes = heap.alloc(8 * 32);
const expected = heap.alloc(32);
const waiting = changetype<Messages>(heap.alloc(<usize>MESSAGES_BYTES));

function setUp(): void {
  memory.fill(changetype<usize>(waiting), 0, <usize>MESSAGES_BYTES);
  memory.fill(hashes, 0, 8 * 32);
  let state: u32 = 7;
  for (let at: usize = 0; at < 8 * BYTES; at++) {
    state = state * 1664525 + 1013904223;
    store<u8>(texts + at, <u8>(state >> 24));
  }
}

function expectHash(message: usize, tag: u8): void {
  sha256Tagged(texts + message * BYTES, tag, expected);
  expect(memory.compare(hashes + message * 32, expected, 32)).toBe(0);
}

describe('messages hashed together', () => {
  it('have the hashes of each alone, however many wait', () => {
    for (let count: usize = 0; count <= 8; count++) {
      setUp();
      const tag = <u8>count;
      for (let i: usize = 0; i < count; i++) addMessage(waiting, texts + i * BYTES, tag, hashes + i * 32);
      hashMessages(waiting, tag);
      for (let i: usize = 0; i < count; i++) expectHash(i, tag);
      for (let at = count * 32; at < 8 * 32; at += 8) expect(load<u64>(hashes + at)).toBe(0);
      expect(waiting.count).toBe(0);
    }
  });

  it('may be equal, or all zero', () => {
    setUp();
    memory.fill(texts, 0, 2 * BYTES);
    memory.copy(texts + 3 * BYTES, texts + 2 * BYTES, BYTES);
    for (let i: usize = 0; i < 4; i++) addMessage(waiting, texts + i * BYTES, 3, hashes + i * 32);
    for (let i: usize = 0; i < 4; i++) expectHash(i, 3);
  });

  it('carry words with the top bit set', () => {
    setUp();
    memory.fill(texts, 0xff, BYTES);
    for (let i: usize = 0; i < 2; i++) addMessage(waiting, texts + i * BYTES, 255, hashes + i * 32);
    hashMessages(waiting, 255);
    for (let i: usize = 0; i < 2; i++) expectHash(i, 255);
  });
});
