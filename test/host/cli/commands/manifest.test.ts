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

  it.each([
    [1, '0'],
    [2, '0'],
    [3, '0'],
    [4, '1'],
    [5, '1'],
    [7, '2'],
  ])('says of %i equal seats that %s may fail', async (seats, count) => {
    const output = join(scratch(), 'm.json');
    const entries = Array.from({ length: seats }, () => ['--entry', newKey()]).flat();
    const made = await vws(['manifest', ...entries, '--output', output]);
    expect(made.out).toMatch(new RegExp(`^Seats that may fail: ${count}$`, 'm'));
    const checked = await vws(['manifest', '--check', output]);
    expect(checked.out).toContain(`Seats: ${seats}\nSeats that may fail: ${count}`);
    expect(/stops the network/.test(checked.out)).toBe(count === '0' && seats > 1);
  });

  it('counts the heaviest seats as the ones that fail', async () => {
    const path = join(scratch(), 'm.json');
    const entries = Array.from({ length: 7 }, () => ['--entry', newKey()]).flat();
    await vws(['manifest', ...entries, '--output', path]);
    const read = JSON.parse(readFileSync(path, 'utf8'));
    read.entries[6].bonded_stake *= 4;
    writeFileSync(path, JSON.stringify(read));
    expect((await vws(['manifest', '--check', path])).out).toContain('Seats that may fail: 0');
    for (const entry of read.entries.slice(1)) entry.initial_status = 'pending_join';
    writeFileSync(path, JSON.stringify(read));
    const ran = await vws(['manifest', '--check', path]);
    expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('no quorum')]);
    expect((await vws(['manifest', '--check', '/no/such'])).code).toBe(4);
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
