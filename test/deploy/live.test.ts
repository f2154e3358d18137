// The watchdog of the systemd unit, with a systemctl and a curl of the test: whom it restarts, and whom it leaves alone.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

interface Node {
  isActive?: boolean;
  upSecs: number;
  /** Exit code of curl. */
  curl: number;
}

const ANSWERED = 0;
const REFUSED = 7;
const TIMED_OUT = 28;
const NO_CURL = 127;

/** What the script told systemctl to do for a node in such a state; if nothing, what it said. */
function watched({ isActive = true, upSecs, curl }: Node): string {
  const folder = mkdtempSync(join(tmpdir(), 'vws-live-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const told = join(folder, 'told');
  const program = (name: string, text: string): void => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  const nowSecs = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
  program(
    'systemctl',
    `case "$*" in
is-active*) exit ${isActive ? 0 : 3} ;;
show*) echo ${Math.floor((nowSecs - upSecs) * 1e6)} ;;
*) echo "$*" >> ${told} ;;
esac`,
  );
  program('curl', `exit ${curl}`);
  const { status, stdout, stderr } = spawnSync('sh', ['deploy/systemd/vws-live.sh'], {
    env: { PATH: `${folder}:${process.env.PATH}` },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return existsSync(told) ? readFileSync(told, 'utf8').trim() : stdout.trim();
}

it.skipIf(!existsSync('/proc/uptime'))(
  'restarts a node that ran for long and does not answer, no other',
  () => {
    expect(watched({ upSecs: 1000, curl: TIMED_OUT })).toBe('--no-block restart vws.service');
    expect(watched({ upSecs: 1000, curl: ANSWERED })).toBe('');
    // It may be replaying its log, or have been restarted by this very script a minute ago.
    expect(watched({ upSecs: 60, curl: TIMED_OUT })).toBe('');
    expect(watched({ isActive: false, upSecs: 1000, curl: TIMED_OUT })).toBe('');
  },
);

it.skipIf(!existsSync('/proc/uptime'))(
  'leaves a node alone that it cannot ask: its API is elsewhere, or not open yet',
  () => {
    for (const curl of [REFUSED, NO_CURL])
      expect(watched({ upSecs: 1000, curl })).toMatch(/left alone.*curl: \d+.*LIVE_URL/);
  },
);
