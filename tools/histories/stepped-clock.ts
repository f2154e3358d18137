// Loaded into a node process before its program (`node --import`): a wall clock that is set while the node runs, as an
// administrator or a time daemon does it. The monotonic clock goes on as it was.
// The process reads the offset from the file that CLOCK_STEP_FILE names, at its start and whenever it gets SIGUSR2.

import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const path = process.env.CLOCK_STEP_FILE;
if (path !== undefined && isMainThread) {
  const trueNow = Date.now;
  let offsetMs = 0;
  const read = (): void => {
    offsetMs = Number(readFileSync(path, 'utf8'));
  };
  read();
  process.on('SIGUSR2', read);
  Date.now = () => trueNow() + offsetMs;
}
