// How many connections a process takes that may not have many files open.

import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectionsWith, fewConnections, parseLimit } from '../../../host/world/system/open-files.ts';
import { NodeProcess, sleep } from '../../../tools/load/node-process.ts';

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max stack size            8388608              unlimited            bytes
Max open files            1024                 524288               files
Max locked memory         67108864             67108864             bytes
`;

describe('the files that a process may open', () => {
  it('are read where the system shows them', () => {
    expect(parseLimit(LIMITS)).toBe(1024);
    expect(parseLimit(LIMITS.replace('1024  ', 'unlimited'))).toBeUndefined();
    expect(parseLimit('')).toBeUndefined();
  });

  it('are half the connections, up to 10,000', () => {
    expect([undefined, 1_000_000, 20_000, 19_999, 1024].map(connectionsWith)).toEqual([
      10_000, 10_000, 10_000, 9_999, 512,
    ]);
    expect(fewConnections(20_000)).toBeUndefined();
    expect(fewConnections(1024)).toContain('takes 512 connections at once instead of 10000');
  });
});

it.runIf(process.platform === 'linux')(
  'are left to the store, however many connections are opened',
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'vws-files-'));
    const node = await NodeProcess.start({
      dataDir: dir,
      env: { SERVICE_INGRESS: '0' },
      wrap: ['sh', '-c', 'ulimit -n 160; exec "$@"', 'sh'],
    });
    const sockets: Socket[] = [];
    let closed = 0;
    try {
      for (let i = 0; i < 300; i++) {
        const socket = connect(node.port, '127.0.0.1').on('error', () => {});
        sockets.push(socket.on('close', () => void closed++));
      }
      for (let i = 0; i < 50 && closed < 220; i++) await sleep(50);
      expect(closed).toBeGreaterThanOrEqual(220);
      expect(readdirSync(`/proc/${node.pid}/fd`).length).toBeLessThan(150);
    } finally {
      for (const socket of sockets) socket.destroy();
      await node.kill();
      await rm(dir, { recursive: true, force: true });
    }
  },
  60_000,
);
