// A peer server as a child process: starts it, waits for the port it prints, stops it.

import { spawn } from 'node:child_process';
import { builtPath } from '../tools/load/built.ts';

export interface PeerProcess {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** `script`: a file of bench/peers that prints `port <number>` once it listens. Errors: it ends before that. */
export function startPeer(script: string, args: readonly string[]): Promise<PeerProcess> {
  const child = spawn(process.execPath, [builtPath(`bench/peers/${script}`), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const stop = (): Promise<void> => {
    child.kill('SIGKILL');
    return ended;
  };
  return new Promise((resolve, reject) => {
    let out = '';
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
    child.stdout.on('data', (part) => {
      out += part;
      const port = /^port (\d+)$/m.exec(out)?.[1];
      if (port) resolve({ port: Number(port), pid: child.pid as number, stop });
    });
  });
}
