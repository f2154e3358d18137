// Which process holds a lock on a file: Linux lists them in /proc/locks.

import { readFileSync, statSync } from 'node:fs';

/** Its id; undefined where nobody holds it, or the system does not tell. */
export function lockHolder(path: string): number | undefined {
  try {
    const inode = statSync(path).ino;
    for (const line of readFileSync('/proc/locks', 'utf8').split('\n')) {
      // 1: POSIX ADVISORY WRITE <pid> <major:minor:inode> <from> <to>
      const [, pid, file] = /^\d+: \S+ +\S+ +\S+ +(\d+) +[0-9a-f]+:[0-9a-f]+:(\d+) /.exec(line) ?? [];
      if (Number(file) === inode) return Number(pid);
    }
  } catch {
    // No such file, or another system.
  }
  return undefined;
}
