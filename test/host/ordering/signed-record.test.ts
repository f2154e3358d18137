// The last-signed record: whole or refused, of this network and key or refused; a write that the power interrupts leaves
// the old one.

import { expect, it } from 'vitest';
import { SignedRecord } from '../../../host/ordering/signed-record.ts';
import { Disk, filesOf } from '../../world/disk.ts';

const PATH = '/record';
const OWNER = { genesisHash: 'aa'.repeat(32), key: 'bb'.repeat(32) };
const FIRST = { epoch: 3, seq: 17, id: 'cc'.repeat(32) };
const SECOND = { epoch: 3, seq: 18, id: 'dd'.repeat(32) };

const filesOn = (disk: Disk) => filesOf(disk, { synced: () => Promise.resolve(), powerFailed() {} });

const written = async (): Promise<Disk> => {
  const disk = new Disk();
  await SignedRecord.open(filesOn(disk), PATH, OWNER).write(FIRST);
  return disk;
};

it('is what was written last; there is none before the first write', async () => {
  const disk = new Disk();
  const record = SignedRecord.open(filesOn(disk), PATH, OWNER);
  expect(record.newest).toBeUndefined();
  await record.write(FIRST);
  await record.write(SECOND);
  expect(SignedRecord.open(filesOn(disk), PATH, OWNER).newest).toEqual(SECOND);
});

it('a torn or altered one is refused, whatever is left of it', async () => {
  const disk = await written();
  const text = disk.files.readText(PATH);
  for (let length = 0; length < text.length; length++) {
    disk.files.writeText(PATH, text.slice(0, length));
    expect(() => SignedRecord.open(filesOn(disk), PATH, OWNER), `${length} characters`).toThrow(
      /torn or altered/,
    );
  }
  for (const [from, to] of [
    ['"seq":17', '"seq":16'],
    ['"epoch":3', '"epoch":2'],
    ['}\n', '} \n'],
  ] as const) {
    disk.files.writeText(PATH, text.replace(from, to));
    expect(() => SignedRecord.open(filesOn(disk), PATH, OWNER)).toThrow(/torn or altered/);
  }
});

it('one of another network or key is refused by name', async () => {
  const disk = await written();
  const open = (over: Partial<typeof OWNER>) => SignedRecord.open(filesOn(disk), PATH, { ...OWNER, ...over });
  expect(() => open({ genesisHash: 'ee' })).toThrow(/is of another network: its genesis is aaaa/);
  expect(() => open({ key: 'ee' })).toThrow(/is of another key: bbbb/);
});

it('one that cannot be written is named: it is on another disk than the store', async () => {
  const full = async (): Promise<void> => {
    // As the system says it of an open file: without its path.
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    });
  };
  const record = SignedRecord.open({ ...filesOn(await written()), replace: full }, PATH, OWNER);
  await expect(record.write(SECOND)).rejects.toThrow(
    /^the last-signed record \/record cannot be written: ENOSPC/,
  );
  expect(record.newest).toEqual(FIRST);
});

it('the power fails in a write: the old one or the new one, whole', async () => {
  for (const [cut, expected] of [
    ['before', FIRST],
    ['after', SECOND],
  ] as const) {
    const disk = await written();
    disk.cutReplace = cut;
    void SignedRecord.open(filesOn(disk), PATH, OWNER).write(SECOND);
    await Promise.resolve();
    expect(SignedRecord.open(filesOn(disk), PATH, OWNER).newest).toEqual(expected);
  }
});
