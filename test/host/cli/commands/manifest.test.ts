import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generateSeed, keyPairFromSeed } from '../../../../host/crypto/key-pair.ts';
import { parseManifest } from '../../../../host/wire/manifest.ts';
import { scratch, vws } from '../harness.ts';

const newKey = (): string => keyPairFromSeed(generateSeed()).publicKeyHex;

describe('vws manifest', () => {
  it('writes a seat for each entry, given as hex or as a file', async () => {
    const dir = scratch();
    const [a, b] = [newKey(), newKey()];
    writeFileSync(join(dir, 'b.pub'), `${b}\n`);
    const output = join(dir, 'm.json');
    const args = ['manifest', '--entry', a.toUpperCase(), '--entry', join(dir, 'b.pub'), '--stake', '30000t'];
    expect((await vws([...args, '--output', output])).code).toBe(0);
    const { entries } = parseManifest(readFileSync(output, 'utf8'));
    expect(entries.map((e) => [e.validator_id, e.consensus_public_key, e.bonded_stake])).toEqual([
      ['v1', a, 30_000_000_000],
      ['v2', b, 30_000_000_000],
    ]);
    expect((await vws([...args, '--output', output])).code).toBe(2);
  });

  it('prints the manifest without --output, with the default stake', async () => {
    const key = newKey();
    const ran = await vws(['manifest', '--entry', key]);
    expect(parseManifest(ran.out).entries[0]?.bonded_stake).toBe(25_000_000_000);
  });

  it('refuses what start would refuse', async () => {
    const key = newKey();
    expect((await vws(['manifest', '--entry', key, '--entry', key])).code).toBe(4);
    expect((await vws(['manifest', '--entry', '/does/not/exist'])).code).toBe(4);
    expect((await vws(['manifest', '--entry', '00'.repeat(32)])).code).toBe(4);
    expect((await vws(['manifest', '--entry', key, '--stake', '0'])).code).toBe(4);
    expect((await vws(['manifest', '--entry', key, '--stake', 'much'])).code).toBe(2);
    expect((await vws(['manifest'])).code).toBe(2);
  });
});
