// SHA-256 against the published vectors (FIPS 180-4 examples) and its own parts.

import { begin, compress, finish, sha256, sha256Tagged } from '../../../assembly/lib/sha256';
import { writeHex, writeLiteral } from '../../../assembly/lib/text';

const IN: usize = memory.data(2048, 8);
const OUT: usize = memory.data(32, 8);
const HEX: usize = memory.data(64, 8);

function hexOf(at: usize): string {
  writeHex(HEX, at, 32);
  return String.UTF8.decodeUnsafe(HEX, 64);
}

function hashOf(text: string): string {
  const end = writeLiteral(IN, text);
  sha256(IN, <u32>(end - IN), OUT);
  return hexOf(OUT);
}

describe('sha256', () => {
  it('hashes the published messages', () => {
    expect(hashOf('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(hashOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(hashOf('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')).toBe(
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    );
  });

  it('pads correctly around the block boundary', () => {
    memory.fill(IN, 97, 120);
    sha256(IN, 55, OUT);
    expect(hexOf(OUT)).toBe('9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318');
    sha256(IN, 56, OUT);
    expect(hexOf(OUT)).toBe('b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a');
    sha256(IN, 64, OUT);
    expect(hexOf(OUT)).toBe('ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb');
  });

  it('hashes a leaf and its tag like 513 bytes', () => {
    for (let i: usize = 0; i < 512; i++) store<u8>(IN + i, <u8>(i * 7));
    store<u8>(IN + 512, 3);
    sha256(IN, 513, OUT);
    const plain = hexOf(OUT);
    sha256Tagged(IN, 3, OUT);
    expect(hexOf(OUT)).toBe(plain);
  });

  it('continues from a stored state', () => {
    memory.fill(IN, 5, 64);
    begin(OUT);
    compress(OUT, IN);
    expect(load<u32>(OUT)).not.toBe(0x6a09e667);
    finish(OUT, OUT);
    expect(load<u64>(OUT)).not.toBe(0);
  });
});
