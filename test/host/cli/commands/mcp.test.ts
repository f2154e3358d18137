// The start of `vws mcp`: what the person who configures it has to mend is said then, not to a model later.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createClientKeyFile } from '../../../../host/crypto/client-key-file.ts';
import { scratch, vws } from '../harness.ts';

it.each([
  ['without its passphrase', undefined, 'is encrypted: give --key-passphrase-file'],
  ['with a wrong passphrase', 'wrong', 'wrong passphrase or altered file'],
  ['with a passphrase file that is not there', '', 'cannot be read: it does not exist'],
])('an encrypted key %s is refused', async (_, given, said) => {
  const dir = scratch();
  const [key, file] = [join(dir, 'agent.key'), join(dir, 'passphrase')];
  createClientKeyFile(key, undefined, 'right');
  if (given) writeFileSync(file, given);
  const { code, err } = await vws([
    ...['mcp', '--node', 'http://127.0.0.1:9', '--key', key],
    ...(given === undefined ? [] : ['--key-passphrase-file', file]),
  ]);
  expect([code, err]).toEqual([3, expect.stringContaining(said)]);
});
