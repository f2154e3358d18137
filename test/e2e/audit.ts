// Runs `vws audit` as a process of its own.

import { spawn } from 'node:child_process';
import { builtPath } from '../../tools/load/built.ts';

export interface Audited {
  code: number | null;
  out: string;
  err: string;
}

export async function runAudit(url: string, ...flags: string[]): Promise<Audited> {
  const args = [builtPath('host/cli/main.js'), 'audit', '--node', url, ...flags];
  const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH } });
  let [out, err] = ['', ''];
  child.stdout.on('data', (part) => {
    out += part;
  });
  child.stderr.on('data', (part) => {
    err += part;
  });
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, out, err };
}
