// What a fault of the file system is called where a key is read or made.

import { expect, it } from 'vitest';
import { withKeyFaults } from '../../../host/cli/key-fault.ts';
import { KeyFileError } from '../../../host/crypto/key-file.ts';

it('is a key file problem, in the words of the table, with the path', () => {
  const fault = Object.assign(new Error("EACCES: permission denied, mkdir '/data/node_keys'"), {
    ...{ syscall: 'mkdir', code: 'EACCES', path: '/data/node_keys' },
  });
  const run = () =>
    withKeyFaults(() => {
      throw fault;
    });
  expect(run).toThrow(KeyFileError);
  expect(run).toThrow(/^\/data\/node_keys: permission denied; this user may not open it$/);
});
