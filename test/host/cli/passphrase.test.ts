import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../../../host/cli/command.ts';
import { findPassphrase, readPassphraseFile } from '../../../host/cli/passphrase.ts';
import type { Environment, Flags } from '../../../host/config/config.ts';
import { FakeIo, scratch } from './harness.ts';

const context = (io: FakeIo, env: Environment = {}, flags: Flags = {}) =>
  ({ io, env, flags, words: [], startNode: undefined }) as unknown as CommandContext;

describe('the passphrase', () => {
  it.each([
    ['secret\n', 'secret'],
    ['secret\r\n', 'secret'],
    ['secret\n\n', 'secret\n'],
    [' secret ', ' secret '],
    ['', ''],
    ['\n', ''],
  ])('of a file holding %j', (content, passphrase) => {
    const path = join(scratch(), 'pass');
    writeFileSync(path, content);
    expect(readPassphraseFile(path)).toBe(passphrase);
  });

  it('comes from the file, else the variable, else the terminal', async () => {
    const path = join(scratch(), 'pass');
    writeFileSync(path, 'from file');
    const env = { SERVICE_PASSPHRASE: 'from env' };
    const io = new FakeIo(['typed']);
    expect(await findPassphrase(context(io, env, { 'passphrase-file': path }), { isNew: false })).toBe(
      'from file',
    );
    expect(await findPassphrase(context(io, env), { isNew: false })).toBe('from env');
    expect(io.questions).toEqual([]);
    expect(await findPassphrase(context(io), { isNew: false })).toBe('typed');
    expect(io.questions).toHaveLength(1);
  });

  it('is absent without a terminal to prompt on', async () => {
    expect(await findPassphrase(context(new FakeIo()), { isNew: true })).toBeUndefined();
  });

  it('is prompted for twice when it is new, and must be the same', async () => {
    expect(await findPassphrase(context(new FakeIo(['a', 'a'])), { isNew: true })).toBe('a');
    await expect(findPassphrase(context(new FakeIo(['a', 'b'])), { isNew: true })).rejects.toThrow(/differ/);
  });

  it('that cannot be read is a key file problem', async () => {
    const missing = context(new FakeIo(), { SERVICE_PASSPHRASE_FILE: '/does/not/exist' });
    await expect(findPassphrase(missing, { isNew: false })).rejects.toMatchObject({ name: 'KeyFileError' });
    const gone = context(new FakeIo([]));
    await expect(findPassphrase(gone, { isNew: false })).rejects.toMatchObject({ name: 'KeyFileError' });
  });
});
