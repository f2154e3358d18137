// The real world on Node: the only place with real clocks, timers, threads, sockets, name servers and disks.

import { lookup } from 'node:dns/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { World } from '../world.ts';
import { systemClock } from './clock.ts';
import { runCommand } from './command.ts';
import { copyStore } from './copy-store.ts';
import { diskUse } from './disk-use.ts';
import { systemFiles, systemProgram } from './files.ts';
import { createDriver } from './http/driver.ts';
import { loopDelayMs } from './loop-delay.ts';
import { openStore } from './open-store.ts';
import { systemPost } from './post.ts';
import { randomBytes } from './random.ts';
import { createResolve } from './resolve.ts';
import { SecretTransport } from './secret-transport.ts';
import { onStopSignal } from './signals.ts';
import { hasStore } from './store-path.ts';
import { systemThreads } from './threads.ts';

/** Nearly the full effect in a fifth of the default's time: half of a vertex is hashes and signatures. */
const GZIP_LEVEL = 1;
/** More than gzip adds to what it cannot pack, for up to some ten megabytes. */
const MIN_CHUNK = 16_384;
const pack = promisify(gzip);

type CpuUsage = ReturnType<typeof process.cpuUsage>;
const msOf = ({ user, system }: CpuUsage): number => (user + system) / 1000;
/** Older versions of Node tell only what all threads used together. */
const { threadCpuUsage = process.cpuUsage } = process as { threadCpuUsage?: () => CpuUsage };

export const systemWorld: World = {
  clock: systemClock,
  randomBytes,
  transport: (key) => new SecretTransport(key, systemClock),
  names: {
    lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    resolve: createResolve(),
  },
  post: systemPost,
  runCommand,
  serve: (service, choice, onFallback) => createDriver(service, choice, { clock: systemClock, onFallback }),
  stores: { exists: hasStore, open: openStore, copy: copyStore },
  files: systemFiles,
  diskUse,
  program: systemProgram,
  threads: systemThreads,
  // One piece: each further one would take the main thread once more.
  gzip: (body) => pack(body, { level: GZIP_LEVEL, chunkSize: MIN_CHUNK + body.length }),
  memoryUse: () => process.memoryUsage(),
  cpuMs: () => msOf(process.cpuUsage()),
  threadCpuMs: () => msOf(threadCpuUsage()),
  loopDelayMs,
  onStopSignal,
};
