// A token without hardware: SoftHSM 2, where it is installed (Debian: softhsm2).

import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where systems put its module. */
const MODULES = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so',
  '/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so',
  '/usr/lib64/pkcs11/libsofthsm2.so',
];

/** Undefined: the tests with a token are skipped. */
export const softModule: string | undefined = MODULES.find((path) => existsSync(path));

export const SOFT_PIN = '246810';

/** Tokens with these labels in a folder of their own. Returns the variable that the module finds them by. */
export function softTokens(folder: string, ...labels: string[]): { SOFTHSM2_CONF: string } {
  const conf = join(folder, 'softhsm2.conf');
  writeFileSync(conf, `directories.tokendir = ${folder}\nobjectstore.backend = file\nlog.level = ERROR\n`);
  const env = { PATH: process.env.PATH, SOFTHSM2_CONF: conf };
  for (const label of labels) {
    const args = ['--init-token', '--free', '--label', label, '--pin', SOFT_PIN, '--so-pin', '13579'];
    execFileSync('softhsm2-util', args, { env, stdio: 'pipe' });
  }
  return { SOFTHSM2_CONF: conf };
}
